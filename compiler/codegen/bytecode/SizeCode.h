// Compiled sizes functions (ImxSizesFn, runtime/abi/kernel.h): integers from integers, in 64 bits
// that notice when they do not suffice.
//
// A size is impossible when it is negative, when it or a part of it does not fit into int64, or
// when something in it is divided by what is not positive.
#pragma once

#include "support/dim/DimExpr.h"

#include "mlir/IR/BuiltinOps.h"

namespace imbrex::codegen {

enum class WhenImpossible : uint8_t {
  Fail,     // the function returns 1 + the index of the size's check
  MinusOne, // the size becomes -1, which whoever uses it refuses
};

struct SizeOutput {
  DimExpr size;
  WhenImpossible when = WhenImpossible::Fail;
};

/// Emits `int32_t name(const int64_t *in, int64_t *out)` into `kernels`: out[i] is outputs[i]; a
/// symbol is read at in[placeOf(symbol)]. Returns the checks' texts. Every output is computed, no
/// branches.
std::vector<std::string> emitSizesFunction(mlir::ModuleOp kernels, llvm::StringRef name,
                                           llvm::ArrayRef<SizeOutput> outputs,
                                           llvm::function_ref<uint32_t(llvm::StringRef)> placeOf);

} // namespace imbrex::codegen
