// Tile kernels compiled for this machine and loaded into this process: for tests and benchmarks.
#pragma once

#include "compiler/codegen/tile-cpu/LowerTile.h"
#include "runtime/abi/kernel.h"

namespace imbrex::codegen {

class HostKernels {
public:
  /// Compiles every kernel of `module`, which stays as it is.
  static Result<HostKernels> compile(mlir::ModuleOp module, const CpuTarget &target);
  HostKernels(HostKernels &&o) noexcept
      : library(std::exchange(o.library, nullptr)), file(std::exchange(o.file, -1)),
        code(std::move(o.code)), list(std::move(o.list)) {}
  HostKernels &operator=(HostKernels &&) = delete;
  ~HostKernels();

  llvm::ArrayRef<TileKernelRecord> records() const { return list; }
  ImxKernelFn function(llvm::StringRef name) const;
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
