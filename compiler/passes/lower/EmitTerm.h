// Terms as SSA values: indices as `index`, guards as i1, scalars in their compute type.
//
// Both arms of a select are computed and one is chosen, so every read is made legal first: an index
// that is not proven in bounds is clamped. An empty tensor is read at place 0, which the kernel ABI
// keeps readable.
#pragma once

#include "compiler/MlirPch.h"
#include "compiler/passes/lower/IndexForm.h"
#include "support/opmeaning/Program.h"

namespace imbrex::lower {

/// Sizes as SSA values: symbols come from the kernel's dimension parameters.
class SizeEmitter {
public:
  /// symbolValue gives the `index` value of a symbol.
  explicit SizeEmitter(std::function<mlir::Value(llvm::StringRef)> symbolValue)
      : symbolValue(std::move(symbolValue)) {}
  mlir::Value emit(mlir::OpBuilder &b, mlir::Location loc, const DimExpr &e);
  mlir::OpFoldResult fold(mlir::OpBuilder &b, mlir::Location loc, const DimExpr &e);

private:
  mlir::Value emitAtom(mlir::OpBuilder &b, mlir::Location loc, const DimExpr::Atom &atom);
  std::function<mlir::Value(llvm::StringRef)> symbolValue;
};

/// The memory of each source, as a flat memref of its storage type.
using FlatMemory = std::function<mlir::Value(opmeaning::Source)>;

class TermEmitter {
public:
  TermEmitter(opmeaning::Program &program, IndexForm &form, SizeEmitter &sizes, FlatMemory memory)
      : program(program), form(form), sizes(sizes), memory(std::move(memory)) {}

  /// Gives a variable its value. Values given earlier for terms over it are forgotten.
  void bind(const opmeaning::Node *var, mlir::Value index) { known[var] = index; }
  /// Gives a read its value: an operand of the surrounding linalg operation.
  void bindRead(const opmeaning::Node *read, mlir::Value scalar) { known[read] = scalar; }
  void forget() { known.clear(); }
  /// Reads that were emitted with a clamped index.
  uint32_t clampedReads() const { return clamped; }

  mlir::Value index(mlir::OpBuilder &b, mlir::Location loc, const opmeaning::Node *n);
  mlir::Value guard(mlir::OpBuilder &b, mlir::Location loc, const opmeaning::Node *n);
  mlir::Value scalar(mlir::OpBuilder &b, mlir::Location loc, const opmeaning::Node *n);

private:
  mlir::Value emitIndex(mlir::OpBuilder &b, mlir::Location loc, const opmeaning::Node *n);
  mlir::Value emitGuard(mlir::OpBuilder &b, mlir::Location loc, const opmeaning::Node *n);
  mlir::Value emitScalar(mlir::OpBuilder &b, mlir::Location loc, const opmeaning::Node *n);
  mlir::Value load(mlir::OpBuilder &b, mlir::Location loc, const opmeaning::Node *read);

  opmeaning::Program &program;
  IndexForm &form;
  SizeEmitter &sizes;
  FlatMemory memory;
  llvm::DenseMap<const opmeaning::Node *, mlir::Value> known;
  uint32_t clamped = 0;
};

} // namespace imbrex::lower
