// The frame of a kernel function: ABI entry, operand pointers, dimension parameters and the loop
// over the grid. Used by BuildKernel; nothing of the ABI is known elsewhere in the compiler.
#pragma once

#include "compiler/MlirPch.h"
#include "compiler/passes/lower/EmitTerm.h"
#include "support/opmeaning/Program.h"

namespace imbrex::lower {

/// Opens `name` (the ABI entry) and `name.body` (pointers that do not alias), and stands in the
/// loop over the grid. After the caller has filled the loop's body, close() ends both functions.
class KernelFrame {
public:
  KernelFrame(mlir::ModuleOp module, llvm::StringRef name, size_t pointers,
              std::vector<std::string> symbols);

  mlir::OpBuilder &builder() { return b; }
  mlir::Location loc() const { return location; }
  mlir::Value gridPoint() const { return point; } // index
  mlir::Value symbol(llvm::StringRef name);
  /// Operand i's elements as memref<?xT>, T the storage type.
  mlir::Value flat(size_t i, DType type, mlir::Value elems);
  /// Makes the kernel report check `id` when `bad` (i1) holds at a grid point.
  void failIf(mlir::Value bad, int32_t id);
  void close();

private:
  mlir::OpBuilder b;
  mlir::Location location;
  mlir::func::FuncOp body;
  std::vector<std::string> names;
  mlir::scf::ForOp loop;
  mlir::Value point, status;
};

} // namespace imbrex::lower
