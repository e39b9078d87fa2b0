#include "support/opmeaning/Evaluator.h"

#include "support/hostops/HostOps.h"
#include "support/opmeaning/Fold.h"
#include "support/opmeaning/evaluate/Run.h"

namespace imbrex::opmeaning {

Result<std::vector<HostTensor>> evaluate(const Program &p,
                                         const std::vector<std::optional<HostTensor>> &operands,
                                         Precision precision, int64_t maxSteps) {
  std::vector<const HostTensor *> given;
  for (size_t i = 0; i < operands.size(); ++i) {
    bool constant = i < p.operands.size() && p.operands[i].constant;
    given.push_back(operands[i] ? &*operands[i] : constant ? &*p.operands[i].constant : nullptr);
  }
  return Evaluation(p, std::move(given), precision, maxSteps).run();
}

static Result<std::vector<HostTensor>>
evaluateHost(const Operator &op, const std::vector<std::optional<HostTensor>> &operands,
             const Attrs &attrs) {
  std::vector<Operand> types;
  for (const auto &t : operands)
    types.push_back(t ? Operand::of(*t) : Operand::absent());
  // Host functions rely on the types that the declaration admits.
  if (auto fits = typesOf(op, types, attrs, DimFacts()); !fits)
    return fits.takeError();
  const std::vector<HostTensor> parameters = hostParameters(op, attrs);
  std::vector<const HostTensor *> args;
  const size_t count = op.maxOperands == 255 ? operands.size() : op.maxOperands;
  for (size_t i = 0; i < count; ++i)
    args.push_back(i < operands.size() && operands[i] ? &*operands[i] : nullptr);
  for (const HostTensor &p : parameters)
    args.push_back(&p);
  const HostFunction *function = hostFunction(hostFunctionName(op, attrs));
  if (!function)
    return unsupported(242, "there is no host operation '" + hostFunctionName(op, attrs) + "'");
  return (*function)(args, ItemHeap::process());
}

Result<std::vector<HostTensor>> evaluate(const Operator &op,
                                         const std::vector<std::optional<HostTensor>> &operands,
                                         const Attrs &attrs, Precision precision,
                                         int64_t maxSteps) {
  if (!op.meaning) {
    auto complete = completeAttrs(op, attrs);
    if (!complete)
      return complete.takeError();
    return evaluateHost(op, operands, *complete);
  }
  std::vector<Operand> types;
  for (const auto &t : operands)
    types.push_back(t ? Operand::of(*t) : Operand::absent());
  auto p = meaningOf(op, types, attrs, DimFacts());
  if (!p)
    return p.takeError();
  return evaluate(*p, operands, precision, maxSteps);
}

std::optional<HostTensor> foldConstantDef(const Program &p, uint32_t def) {
  constexpr int64_t kMaxElements = 64, kMaxSteps = 100000;
  int64_t count = 1;
  for (const DimExpr &d : p.defs[def].type.dims) {
    auto c = d.constant();
    if (!c || *c < 0 || *c > kMaxElements || (count *= *c) > kMaxElements)
      return std::nullopt;
  }
  std::vector<const HostTensor *> constants;
  for (const Operand &o : p.operands)
    constants.push_back(o.constant ? &*o.constant : nullptr);
  auto value = Evaluation(p, std::move(constants), Precision::Stepwise, kMaxSteps).only(def);
  return value ? std::optional(value.take()) : std::nullopt;
}

} // namespace imbrex::opmeaning
