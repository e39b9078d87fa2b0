// Inside of the kernel language: the module that is being recorded.
#pragma once

#include "compiler/edsl/Kernel.h"
#include "compiler/ir/tile/Tile.h"

namespace imbrex::edsl {

struct Tracer {
  Tracer(mlir::MLIRContext &context, mlir::ModuleOp module, llvm::StringRef name);

  mlir::Location loc(const At &at);
  /// Records a fault; tracing goes on with a value of the wanted type, so that all faults are
  /// found.
  void fail(const At &at, const std::string &what);

  mlir::Value value(const Value &v) { return mlir::Value::getFromOpaquePointer(v.handle()); }
  mlir::Value index(const IndexOperand &operand);
  Index toIndex(mlir::Value v) { return {this, v.getAsOpaquePointer()}; }
  Tile toTile(mlir::Value v);
  /// The same where the IR's type does not say it all: integers there have no sign.
  Tile toTile(mlir::Value v, DType type);
  mlir::Type element(DType type);
  mlir::RankedTensorType tensor(DType type, const Shape &shape);
  /// A tile of one value; of the type of `like` when the operand is a number.
  Tile operand(const TileOperand &operand, const Tile &like);
  Tile constant(DType type, const Shape &shape, double value, mlir::Location at);
  mlir::TypedAttr padOf(DType type, double pad);

  mlir::OpBuilder b;
  tile::KernelOp kernel;
  llvm::SmallVector<mlir::Attribute> sizes, assumptions;
  std::vector<DimExpr> grid;
  bool hasGrid = false, failed = false;
  std::vector<std::string> faults;
};

/// The kernels as a verified module, with the places of their source. The context has the dialects
/// of tile kernels loaded. Errors as traceKernels has them.
Result<mlir::OwningOpRef<mlir::ModuleOp>> traceModule(mlir::MLIRContext &context,
                                                      const std::vector<NamedKernel> &kernels,
                                                      TraceReport &report);

} // namespace imbrex::edsl
