// The element functions as arith and math operations on scalars.
#pragma once

#include "compiler/MlirPch.h"
#include "support/DType.h"
#include "support/opmeaning/ElementFunctions.h"

namespace imbrex::lower {

/// How a scalar of this dtype is computed with: i1 for Bool, signless iN for integers of either
/// sign.
mlir::Type computeType(mlir::MLIRContext *context, DType type);
/// How it lies in memory: as computeType, but Bool is one byte.
mlir::Type storageType(mlir::MLIRContext *context, DType type);

/// fn(args), the operands being of dtype `type`. Never traps: integer division by zero gives 0, the
/// smallest integer divided by -1 wraps.
mlir::Value emitFunction(mlir::OpBuilder &b, mlir::Location loc, opmeaning::FnId fn, DType type,
                         llvm::ArrayRef<mlir::Value> args);

/// The conversion of the meaning: floats to integers saturate, NaN gives 0; anything to Bool is !=
/// 0.
mlir::Value emitCast(mlir::OpBuilder &b, mlir::Location loc, mlir::Value v, DType from, DType to);

mlir::Value emitConstant(mlir::OpBuilder &b, mlir::Location loc, DType type, double real,
                         int64_t integer);

} // namespace imbrex::lower
