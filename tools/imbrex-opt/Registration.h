// What imbrex-opt knows: our dialects and passes, and the upstream ones that our pipeline uses.
// Kept out of the main so that it compiles against the precompiled header.
#pragma once

namespace imbrex {

/// The whole program; the exit code.
int runOpt(int argc, char **argv);

} // namespace imbrex
