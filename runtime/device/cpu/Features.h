// CPU features by the names that artifacts use: "avx2", "fma", "avx512f", "avx512vl", "avx512bw",
// "avx512dq", "avx512cd", "avx512vnni", "avx512bf16", "avxvnni", "f16c", "bmi", "bmi2", "sse4.2",
// "popcnt", "lzcnt", "movbe", "amx-tile", "amx-int8", "amx-bf16"; on AArch64 "neon", "dotprod",
// "fp16", "bf16", "i8mm", "sve".
#pragma once

#include <span>
#include <string>
#include <vector>

namespace imbrex::runtime {

/// What this machine has and its operating system lets programs use; found once.
const std::vector<std::string> &cpuFeatures();

/// True when all of `needed` are there.
bool cpuHas(std::span<const std::string> needed);

} // namespace imbrex::runtime
