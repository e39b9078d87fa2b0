#include "compiler/passes/lower/GroupProgram.h"

#include "compiler/passes/lower/Compose.h"

namespace imbrex::lower {

using namespace mlir;
using opmeaning::Node;
using opmeaning::Operand;
using opmeaning::Program;
using opmeaning::Source;

/// Renames the opened sizes "$0", … of `p` to what the IR calls them.
static void renameOpens(Program &p, ArrayRef<std::string> names) {
  if (names.empty())
    return;
  auto value = [&](std::string_view s) -> std::optional<DimExpr> {
    for (size_t i = 0; i < p.opens.size(); ++i)
      if (p.opens[i].symbol == s)
        return DimExpr::symbol(names[i]);
    return std::nullopt;
  };
  auto rename = [&](DimExpr &e) { e = e.substitute(value); };
  std::unordered_map<const Node *, const Node *> done;
  std::function<const Node *(const Node *)> go = [&](const Node *n) -> const Node * {
    if (n->kind == opmeaning::TermKind::IxVar)
      return n;
    if (auto it = done.find(n); it != done.end())
      return it->second;
    Node copy = *n;
    rename(copy.dim);
    for (auto &e : copy.extents)
      rename(e);
    for (auto &a : copy.args)
      a = go(a);
    return done[n] = p.intern(std::move(copy));
  };
  for (auto &d : p.defs) {
    for (auto &e : d.type.dims)
      rename(e);
    d.body = go(d.body);
  }
  for (auto &r : p.requirements) {
    for (auto &e : r.extents)
      rename(e);
    r.guard = go(r.guard);
  }
  for (auto &o : p.operands)
    for (auto &e : o.type.dims)
      rename(e);
  // An operand's element was opened by a relay.open already; what is left the lowering opens.
  for (size_t i = 0; i < p.opens.size(); ++i)
    p.opens[i].symbol = names[i];
  std::erase_if(p.opens, [](const auto &o) { return o.source.kind == Source::Kind::Operand; });
}

static std::string sourceName(relay::ApplyOp apply) {
  std::string name = apply.getOperatorName().str();
  if (auto loc = dyn_cast<NameLoc>(apply.getLoc()))
    return loc.getName().str() + " (" + name + ")";
  return name;
}

Result<GroupProgram> groupProgram(ArrayRef<relay::ApplyOp> applies, ArrayRef<Value> results,
                                  function_ref<Value(Value)> outside, const DimFacts &facts) {
  GroupProgram group;
  DenseMap<Value, Source> known;
  auto sourceOf = [&](Value v) {
    if (auto it = known.find(v); it != known.end())
      return it->second;
    Value real = outside(v);
    for (size_t i = 0; i < group.operands.size(); ++i)
      if (group.operands[i] == real)
        return known[v] = Source{Source::Kind::Operand, static_cast<uint32_t>(i)};
    Operand operand = Operand::of(relay::toMeaningType(relay::tensorType(real)));
    // A text's number differs from run to run.
    if (auto constant = relay::definingConstant(real); constant && !isReference(operand.type.type))
      if (auto value = relay::toHostTensor(constant.getValue()); value)
        operand.constant = value.take();
    group.operands.push_back(real);
    group.program.operands.push_back(std::move(operand));
    return known[v] =
               Source{Source::Kind::Operand, static_cast<uint32_t>(group.operands.size() - 1)};
  };
  for (relay::ApplyOp apply : applies) {
    auto part = relay::programOf(apply, facts);
    if (!part)
      return part.takeError();
    renameOpens(*part, relay::openSymbols(apply, *part));
    std::vector<std::optional<Source>> operands;
    for (Value v : apply.operatorOperands())
      operands.push_back(v ? std::optional(sourceOf(v)) : std::nullopt);
    auto outputs = append(group.program, *part, operands);
    for (size_t i = 0; i < outputs.size() && i < apply.getResults().size(); ++i)
      known[apply.getResult(i)] = outputs[i];
    group.sources.push_back(sourceName(apply));
  }
  for (Value v : results) {
    auto it = known.find(v);
    Source s = it == known.end() ? Source{} : it->second;
    if (s.kind != Source::Kind::Def)
      return internalError(601, "a group yields a value that no operator of it computes");
    group.program.outputs.push_back(s.index);
  }
  return group;
}

} // namespace imbrex::lower
