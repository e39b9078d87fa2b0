// Tile kernels compiled for this machine and loaded into this process: for tests and benchmarks.
#pragma once

#include "compiler/codegen/cpu/Target.h"
#include "compiler/codegen/tile-cpu/TileKernelRecord.h"
#include "runtime/abi/kernel.h"

#include <utility>

namespace mlir {
class DialectRegistry;
class ModuleOp;
} // namespace mlir

namespace imbrex::codegen {

class HostKernels {
public:
  /// Compiles every kernel of `module`, which stays as it is.
  static Result<HostKernels> compile(mlir::ModuleOp module, const CpuTarget &target);
  /// The same for kernels in text form. E0614 with the first diagnostic for text that is not valid.
  static Result<HostKernels> compileText(const std::string &text, const CpuTarget &target);
  HostKernels(HostKernels &&o) noexcept
      : library(std::exchange(o.library, nullptr)), file(std::exchange(o.file, -1)),
        code(std::move(o.code)), list(std::move(o.list)) {}
  HostKernels &operator=(HostKernels &&) = delete;
  ~HostKernels();

  const std::vector<TileKernelRecord> &records() const { return list; }
  ImxKernelFn function(const std::string &name) const;
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
