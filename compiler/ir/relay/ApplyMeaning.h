// What an operator says of its operands: one step that the verifier, the builder and the lowering
// share. Internal to the dialect.
#pragma once

#include "compiler/ir/relay/Relay.h"

namespace imbrex::relay {

/// A size that is known only at run time.
struct OpenSize {
  std::string symbol; // "$0", … as the meaning calls it
  std::optional<uint32_t>
      operand; // it is an element of that operand; else the operator computes it
  std::vector<int64_t> at;
};

struct AppliedMeaning {
  std::optional<opmeaning::Program> program; // none for hooks
  std::vector<opmeaning::TensorType> types;
  std::vector<OpenSize> opens;
};

/// Types and open sizes. `attrs` are complete.
Result<AppliedMeaning> applyMeaning(const opmeaning::Operator &op,
                                    const std::vector<opmeaning::Operand> &operands,
                                    const opmeaning::Attrs &attrs, const DimFacts &facts);
/// What the operator sees of operand values, null for one left out.
std::vector<opmeaning::Operand> meaningOperands(llvm::ArrayRef<mlir::Value> operands);

} // namespace imbrex::relay
