// Where dimension symbols are bound and seen. Internal to the dialect.
#pragma once

#include "compiler/ir/relay/Relay.h"

namespace imbrex::relay {

/// Each of the function's symbols is a whole dimension of an argument, or solved by an equality.
llvm::LogicalResult verifySymbolsDetermined(FuncOp func);
/// Every symbol is bound once in the function, and a type mentions it only where its binder
/// dominates. Cost: linear.
llvm::LogicalResult verifyScopes(FuncOp func);
/// The value that `value` stands for, seen through the operands of relay.fused.
mlir::Value outerValue(mlir::Value value);

/// The relay.open of element `at` of `tensor` that code in `block` sees: the one in the innermost
/// block around it. Null when there is none. Order within a block is not looked at.
OpenOp findOpen(mlir::Value tensor, llvm::ArrayRef<int64_t> at, mlir::Block *block);

} // namespace imbrex::relay
