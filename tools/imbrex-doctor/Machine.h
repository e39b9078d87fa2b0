// What this machine gives to a model: processor, threads, memory, and the programs that a build
// needs.
#pragma once

#include "support/json/Json.h"

namespace imbrex::tools {

/// {"imbrex", "system", "cpu", "threads", "memory", "programs", "remarks"}. Never fails: what the
/// system does not tell is null. Takes some ten milliseconds, for the programs' versions.
Json examineMachine();

} // namespace imbrex::tools
