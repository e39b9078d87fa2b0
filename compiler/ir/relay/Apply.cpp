// relay.apply: verifier and effects.
#include "compiler/ir/relay/Syntax.h"

using namespace mlir;

namespace imbrex::relay {

namespace {
/// What a random operator draws from: two equal draws are different values, and keep their order.
struct RandomState : SideEffects::Resource::Base<RandomState> {
  StringRef getName() final { return "random state"; }
};
/// An operation that binds symbols stays while types mention them; see relay.open.
struct SymbolScope : SideEffects::Resource::Base<SymbolScope> {
  StringRef getName() final { return "dimension symbols"; }
};
/// Talking to other ranks keeps its order.
struct Ranks : SideEffects::Resource::Base<Ranks> {
  StringRef getName() final { return "other ranks"; }
};
} // namespace

void ApplyOp::getEffects(
    SmallVectorImpl<SideEffects::EffectInstance<MemoryEffects::Effect>> &effects) {
  if (getOpens())
    effects.emplace_back(MemoryEffects::Write::get(), SymbolScope::get());
  switch (op().effect) {
  case opmeaning::Effect::Pure:
    return;
  case opmeaning::Effect::Random:
    effects.emplace_back(MemoryEffects::Read::get(), RandomState::get());
    effects.emplace_back(MemoryEffects::Write::get(), RandomState::get());
    return;
  case opmeaning::Effect::Collective:
    effects.emplace_back(MemoryEffects::Read::get(), Ranks::get());
    effects.emplace_back(MemoryEffects::Write::get(), Ranks::get());
    return;
  }
}

void ApplyOp::getAsmResultNames(OpAsmSetValueNameFn setName) {
  for (Value result : getResults())
    setName(result, getOperatorName());
}

/// Stored attributes are legal and complete.
static LogicalResult verifyAttrs(ApplyOp apply, const opmeaning::Operator &op) {
  Result<opmeaning::Attrs> given = toAttrs(apply.getOperatorAttrs());
  if (!given)
    return apply.emitOpError() << message(given.error());
  size_t count = given->values.size();
  Result<opmeaning::Attrs> complete = opmeaning::completeAttrs(op, given.take());
  if (!complete)
    return apply.emitOpError() << message(complete.error());
  if (complete->values.size() != count)
    return apply.emitOpError() << "stores " << count << " of the " << complete->values.size()
                               << " attributes of '" << op.name
                               << "'; try the short form, which fills in defaults";
  return success();
}

/// Positions left out are ascending, inside the operand list, and not last.
static LogicalResult verifyAbsent(ApplyOp apply) {
  auto absent = apply.getAbsent();
  if (!absent)
    return success();
  int64_t total = absent->size() + apply.getInputs().size();
  int64_t last = -1;
  for (int32_t position : *absent) {
    if (position <= last || position >= total)
      return apply.emitOpError() << "leaves out operands in no order or place: "
                                 << apply.getAbsentAttr();
    last = position;
  }
  if (last == total - 1)
    return apply.emitOpError() << "ends with an operand that is left out; try to drop it";
  return success();
}

static LogicalResult verifyTypes(ApplyOp apply) {
  DimFacts facts = factsAt(apply);
  Result<SmallVector<TensorType>> derived = deriveTypes(apply, facts);
  if (!derived)
    return apply.emitOpError() << '"' << apply.getOperatorName()
                               << "\": " << message(derived.error());
  if (derived->size() != apply.getNumResults())
    return apply.emitOpError() << '"' << apply.getOperatorName() << "\" has " << derived->size()
                               << " results, not " << apply.getNumResults();
  for (auto [i, stated, type] : llvm::enumerate(apply.getResultTypes(), *derived))
    if (stated != type)
      return apply.emitOpError() << '"' << apply.getOperatorName() << "\" of these operands gives "
                                 << type << ", but result " << i << " is stated as " << stated;
  return success();
}

LogicalResult ApplyOp::verify() {
  StringRef name = getOperatorName();
  const opmeaning::Operator *op =
      opmeaning::findOperator(std::string_view(name.data(), name.size()));
  if (!op)
    return emitOpError() << "there is no operator '" << name << "'";
  if (!(*this)->getParentOfType<FuncOp>())
    return emitOpError() << "must be inside a relay.func";
  if (failed(verifyAttrs(*this, *op)) || failed(verifyAbsent(*this)))
    return failure();
  return verifyTypes(*this);
}

} // namespace imbrex::relay
