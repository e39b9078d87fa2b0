// The Program of one fusion group, ready to become kernels.
#pragma once

#include "compiler/ir/relay/Relay.h"
#include "support/opmeaning/Program.h"

namespace imbrex::lower {

struct GroupProgram {
  opmeaning::Program program;
  /// The value that each of the Program's operands is: an input of the group, or a constant inside
  /// it.
  llvm::SmallVector<mlir::Value> operands;
  /// The names of the source operators, for the kernels' provenance.
  std::vector<std::string> sources;
};

/// Joins the Programs of all relay.apply in `body`, in order. `outside` gives the value that a
/// block argument stands for (the values themselves when the group is a single operator). Sizes are
/// in the function's symbols. E0601 for an operator without a Program.
Result<GroupProgram> groupProgram(llvm::ArrayRef<relay::ApplyOp> applies,
                                  llvm::ArrayRef<mlir::Value> results,
                                  llvm::function_ref<mlir::Value(mlir::Value)> outside,
                                  const DimFacts &facts);

} // namespace imbrex::lower
