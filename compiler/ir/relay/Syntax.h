// Pieces of text syntax that several operations share. Internal to the dialect.
#pragma once

#include "compiler/ir/dims/Dims.h"
#include "compiler/ir/relay/Relay.h"

namespace imbrex::relay {

/// Reads `(k, l)` into an array of strings.
mlir::ParseResult parseNames(mlir::OpAsmParser &parser, mlir::ArrayAttr &names);
void printNames(mlir::OpAsmPrinter &printer, mlir::Operation *op, mlir::ArrayAttr names);
/// Reads `KEYWORD(k, l)` into the attribute `attribute`, or nothing when the keyword is not there.
mlir::ParseResult parseOptionalNames(mlir::OpAsmParser &parser, mlir::OperationState &state,
                                     llvm::StringRef keyword, mlir::StringAttr attribute);
void printOptionalNames(mlir::OpAsmPrinter &printer, llvm::StringRef keyword,
                        std::optional<mlir::ArrayAttr> names);
/// Reads `-> (T, …)` or nothing.
mlir::ParseResult parseOptionalResultTypes(mlir::OpAsmParser &parser,
                                           llvm::SmallVectorImpl<mlir::Type> &types);
/// Prints ` -> (T, …)`, nothing for no types.
void printOptionalResultTypes(mlir::OpAsmPrinter &printer, mlir::TypeRange types);

/// The verifier of `opens` and `entry`: distinct symbol names, each a whole dimension of one of
/// `types`.
llvm::LogicalResult verifyBoundNames(mlir::Operation *op, llvm::StringRef what,
                                     std::optional<mlir::ArrayAttr> names, mlir::TypeRange types);
llvm::SmallVector<llvm::StringRef> namesOf(std::optional<mlir::ArrayAttr> names);

} // namespace imbrex::relay
