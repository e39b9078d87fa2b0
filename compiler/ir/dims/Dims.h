// Dimension expressions in types and text, as every dialect of ours has them.
#pragma once

#include "compiler/MlirPch.h"
#include "support/Result.h"
#include "support/dim/DimExpr.h"

namespace imbrex {

/// Reads a dimension: `2*n + 1`, up to a token that cannot continue it.
mlir::ParseResult parseDim(mlir::AsmParser &parser, DimExpr &dim);
/// Reads `[n, 2*n+1]`.
mlir::ParseResult parseDims(mlir::AsmParser &parser, llvm::SmallVectorImpl<DimExpr> &dims);
void printDims(llvm::raw_ostream &out, llvm::ArrayRef<mlir::Attribute> sizes);

/// A constant dimension as an IntegerAttr, any other as a StringAttr with the canonical text (empty
/// for one that left 64 bits).
llvm::SmallVector<mlir::Attribute> toSizes(mlir::MLIRContext *context,
                                           llvm::ArrayRef<DimExpr> dims);
DimExpr toDim(mlir::Attribute size);

/// A diagnostic from an Error: "what; because …; try …".
std::string message(const Error &error);

} // namespace imbrex
