// Compiles a Program's definitions for this machine and runs them in tests. Every tensor lies right
// before a page that cannot be touched, so that a read or write beyond what the kernel ABI promises
// ends the test.
#pragma once

#include "compiler/codegen/cpu/Target.h"
#include "compiler/passes/lower/BuildKernel.h"
#include "support/opmeaning/Evaluator.h"

#include <map>

namespace imbrex::codegen::test {

using Sizes = std::map<std::string, int64_t, std::less<>>;

/// Pages with a tensor at their end, rounded up to a line of 64 bytes, and guard pages on both
/// sides. An empty tensor has one line.
class GuardedMemory {
public:
  explicit GuardedMemory(size_t bytes);
  GuardedMemory(GuardedMemory &&o) noexcept;
  GuardedMemory(const GuardedMemory &) = delete;
  ~GuardedMemory();
  void *data() const { return tensor; }

private:
  void *base = nullptr, *tensor = nullptr;
  size_t mapped = 0;
};

/// What a run gave: the outputs, or the reason of the check that failed.
struct Outcome {
  std::vector<HostTensor> outputs;
  std::string failed;
};

/// The steps of a Program before kernels are built, as the lowering takes them.
void prepare(opmeaning::Program &program, const DimFacts &facts);

/// Machine code for a prepared Program. Construction may fail; ok() says.
class CompiledProgram {
public:
  CompiledProgram(opmeaning::Program program, const DimFacts &facts,
                  const CpuTarget &target = cpuTargets("cpu:native").take().front());
  CompiledProgram(const CompiledProgram &) = delete;
  ~CompiledProgram();
  bool ok() const { return library != nullptr; }

  /// Runs checks and kernels in order, each grid in two parts. `sizes` gives the symbols' values.
  Outcome run(const std::vector<HostTensor> &inputs, const Sizes &sizes = {});

private:
  struct Step {
    lower::KernelRecord record;
    std::string why; // of a check
  };
  int32_t call(const Step &step, const std::vector<GuardedMemory> &memory, const Sizes &sizes);

  opmeaning::Program program;
  std::vector<Step> steps;
  void *library = nullptr;
  int file = -1;
};

} // namespace imbrex::codegen::test
