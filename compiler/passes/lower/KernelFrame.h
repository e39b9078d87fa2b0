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
  /// Whether the body gets the thread's scratch memory.
  enum class Scratch : uint8_t { None, Lent };

  KernelFrame(mlir::ModuleOp module, llvm::StringRef name, size_t pointers,
              std::vector<std::string> symbols, Scratch scratch = Scratch::None);

  mlir::OpBuilder &builder() { return b; }
  mlir::Location loc() const { return location; }
  mlir::Value gridPoint() const { return point; } // index
  mlir::Value symbol(llvm::StringRef name);
  /// Operand i's elements as memref<?xT>, T the storage type.
  mlir::Value flat(size_t i, DType type, mlir::Value elems);
  /// Memory at a pointer as memref<?xT>.
  mlir::Value flat(mlir::Value pointer, mlir::Type element, mlir::Value elems);
  /// Operand i's data.
  mlir::Value pointer(size_t i) { return body.getArgument(static_cast<unsigned>(i)); }
  /// The scratch memory: aligned to 64 bytes, apart from all operands. Precondition: lent.
  mlir::Value scratchPointer() { return pointer(body.getNumArguments() - names.size() - 3); }
  /// Makes the kernel return `code` (i32) unless it is 0 or an earlier point failed.
  void failWith(mlir::Value code);
  /// Makes the kernel report check `id` when `bad` (i1) holds at a grid point.
  void failIf(mlir::Value bad, int32_t id);
  /// Ends the function. `behind` emits what follows the last grid point.
  void close(llvm::function_ref<void()> behind = {});

private:
  mlir::OpBuilder b;
  mlir::Location location;
  mlir::func::FuncOp body;
  std::vector<std::string> names;
  mlir::scf::ForOp loop;
  mlir::Value point, status;
};

} // namespace imbrex::lower
