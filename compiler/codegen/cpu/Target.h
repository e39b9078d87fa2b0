// CPU targets: which machine code is made, and what a machine must have to run it.
#pragma once

#include "support/Result.h"

#include <string>
#include <string_view>
#include <vector>

namespace imbrex::codegen {

/// One code variant of an artifact.
struct CpuTarget {
  std::string name;               // "x86-64-v3"
  std::string triple;             // LLVM's
  std::string cpu;                // LLVM's -mcpu
  std::string features;           // LLVM's +a,+b
  std::vector<std::string> needs; // what the loader checks, as runtime/device/cpu spells it
  uint16_t priority = 0;          // higher is better
  unsigned vectorBits = 256;
};

/// "cpu" gives x86-64-v3 and x86-64-v4 (with VNNI and BF16); "cpu:native" this machine alone;
/// "cpu:x86-64-v3", "cpu:x86-64-v4" one of them. E0600 for anything else, naming what there is.
Result<std::vector<CpuTarget>> cpuTargets(std::string_view spec);

} // namespace imbrex::codegen
