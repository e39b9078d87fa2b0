// Tile kernels proven, compiled for this machine and loaded into this process.
//
// Their code trusts what the proof assumed. So there is no way to a function but through launch(),
// which checks that.
#pragma once

#include "compiler/codegen/cpu/Target.h"
#include "compiler/codegen/tile-cpu/TileKernelRecord.h"
#include "runtime/abi/LoadedKernel.h"

#include <utility>

namespace mlir {
class DialectRegistry;
class ModuleOp;
} // namespace mlir

namespace imbrex::codegen {

/// A launch that the kernel's contract admits. Lives no longer than the kernels and operands.
struct HostLaunch {
  AdmittedLaunch admitted;
  std::vector<ImxView> operands;
  uint64_t scratchBytes = 0; // that each thread needs
  ImxKernelFn function = nullptr;
  /// Runs blocks [begin, end); 0, or 1 + the number of the check in the kernel that failed.
  int32_t run(const ImxEnv &env, int64_t begin, int64_t end) const {
    return function(&env, operands.data(), admitted.dims.data(), begin, end);
  }
};

class HostKernels {
public:
  /// Proves and compiles every kernel of `module`, which stays as it is. E0566 for what the
  /// verifier refuses.
  static Result<HostKernels> compile(mlir::ModuleOp module, const CpuTarget &target);
  /// The same for kernels in text form. E0614 with the first diagnostic for text that is not valid.
  static Result<HostKernels> compileText(const std::string &text, const CpuTarget &target);
  HostKernels(HostKernels &&o) noexcept
      : library(std::exchange(o.library, nullptr)), file(std::exchange(o.file, -1)),
        code(std::move(o.code)), list(std::move(o.list)) {}
  HostKernels &operator=(HostKernels &&) = delete;
  ~HostKernels();

  const std::vector<TileKernelRecord> &records() const { return list; }
  /// Checks a launch against the kernel's contract: errors as checkLaunch has them, E0280 for a
  /// name that no kernel has.
  Result<HostLaunch> launch(const std::string &name, std::vector<ImxView> operands,
                            const SizeBindings &sizes = {}) const;
  /// As kernels for the host side of runtime/launch, which checks each launch by itself. They keep
  /// the code loaded.
  static std::vector<LoadedKernel> load(HostKernels kernels);
  /// The shared library's bytes, for a look at the machine code.
  const std::vector<char> &elf() const { return code; }

private:
  HostKernels() = default;
  void *library = nullptr;
  int file = -1;
  std::vector<char> code;
  std::vector<TileKernelRecord> list;
};

/// The dialects that tile kernels in text form are made of.
void registerTileKernelDialects(mlir::DialectRegistry &registry);

} // namespace imbrex::codegen
