// The parts of `imbrex verify` that need an artifact only. No LLVM; nothing of the artifact runs.
#pragma once

#include "runtime/module/format/ArtifactSpec.h"
#include "support/json/Json.h"

namespace imbrex::tools {

struct Section {
  std::string name;
  bool good = false;
  std::string text;  // one line
  Json details = {}; // null, or more for --json
};

/// The memory plans of all functions, checked from the bytecode (runtime/module/plan/CheckPlan.h).
Section checkPlans(const artifact::ArtifactSpec &spec);

/// What is known of the kernels, and what is not: how many launches are checked for the types and
/// sizes that the code was made for, how many reads are clamped, how many checks the code makes.
/// Not good when a launch does not fit its record.
Section describeKernels(const artifact::ArtifactSpec &spec);

/// The rewrites that the compiler made, by rule. Not good when one is no rule of this version, or
/// has another contract here.
Section checkRewrites(const artifact::ArtifactSpec &spec);

} // namespace imbrex::tools
