#include "compiler/codegen/cpu/Target.h"

#include "llvm/ADT/StringMap.h"
#include "llvm/TargetParser/Host.h"

namespace imbrex::codegen {

static CpuTarget v3() {
  return {"x86-64-v3", "x86_64-unknown-linux-gnu",      "x86-64-v3",
          "",          {"avx2", "fma", "f16c", "bmi2"}, 30,
          256};
}

static CpuTarget v4() {
  return {"x86-64-v4",
          "x86_64-unknown-linux-gnu",
          "x86-64-v4",
          "+avx512vnni,+avx512bf16",
          {"avx2", "fma", "f16c", "bmi2", "avx512f", "avx512vl", "avx512bw", "avx512dq",
           "avx512vnni", "avx512bf16"},
          40,
          512};
}

/// This machine: its own tuning and features on top of the best level that it has.
static CpuTarget native() {
  auto features = llvm::sys::getHostCPUFeatures();
  auto has = [&](llvm::StringRef f) { return features.lookup(f); };
  bool wide = true;
  for (const std::string &f : v4().needs)
    wide &= has(f);
  CpuTarget t = wide ? v4() : v3();
  t.name = "native";
  t.priority = 50;
  t.cpu = llvm::sys::getHostCPUName().str();
  t.features.clear();
  for (const auto &f : features)
    t.features +=
        (t.features.empty() ? "" : ",") + std::string(f.second ? "+" : "-") + f.first().str();
  return t;
}

Result<std::vector<CpuTarget>> cpuTargets(std::string_view spec) {
  if (spec == "cpu")
    return std::vector{v3(), v4()};
  if (spec == "cpu:native")
    return std::vector{native()};
  if (spec == "cpu:x86-64-v3")
    return std::vector{v3()};
  if (spec == "cpu:x86-64-v4")
    return std::vector{v4()};
  return unsupported(600, "no target '" + std::string(spec) + "'",
                     "this build makes code for x86-64 CPUs",
                     "one of cpu, cpu:native, cpu:x86-64-v3, cpu:x86-64-v4");
}

} // namespace imbrex::codegen
