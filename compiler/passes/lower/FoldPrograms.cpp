#include "compiler/passes/lower/FoldPrograms.h"

#include "compiler/passes/lower/Compose.h"
#include "support/opmeaning/Evaluator.h"

#include <algorithm>
#include <set>

namespace imbrex::lower {

using namespace opmeaning;

namespace {

/// Every read is of a constant operand, there is one, and every size is known.
bool constantOnly(const Program &p, const Def &d) {
  bool reads = false, good = true;
  for (const auto &e : d.type.dims)
    good &= e.constant().has_value();
  walk(d.body, [&](const Node *n) {
    for (const auto &e : n->extents)
      good &= e.constant().has_value();
    good &= n->dim.constant().has_value();
    if (!isRead(n))
      return;
    reads = true;
    good &=
        n->source.kind == Source::Kind::Operand && p.operands[n->source.index].constant.has_value();
  });
  return reads && good;
}

constexpr int64_t kMaxSteps = 2'000'000'000;

/// Would store more than twice the bytes that it reads (and more than a page).
bool grows(const Program &p, const Def &d) {
  int64_t bytes = byteSize(d.type.type), read = 0;
  for (const auto &e : d.type.dims)
    if (__builtin_mul_overflow(bytes, *e.constant(), &bytes))
      return true;
  std::set<uint32_t> seen;
  walk(d.body, [&](const Node *n) {
    if (isRead(n) && seen.insert(n->source.index).second)
      read += static_cast<int64_t>(p.operands[n->source.index].constant->bytes().size());
  });
  return bytes > 4096 && bytes / 2 > read;
}

Result<HostTensor> compute(const Program &p, const Def &d) {
  Program alone;
  std::vector<std::optional<HostTensor>> values;
  std::unordered_map<uint32_t, uint32_t> place;
  auto onRead = [&](const Node *r, std::vector<const Node *> at) {
    auto [it, fresh] = place.try_emplace(r->source.index, static_cast<uint32_t>(values.size()));
    if (fresh) {
      alone.operands.push_back(p.operands[r->source.index]);
      values.push_back(p.operands[r->source.index].constant);
    }
    Node copy = *r;
    copy.args = std::move(at);
    copy.source.index = it->second;
    return alone.intern(std::move(copy));
  };
  Def def = d;
  std::unordered_map<const Node *, const Node *> variables;
  for (auto &v : def.vars) {
    const Node *fresh = alone.variable();
    variables[v] = fresh;
    v = fresh;
  }
  def.body = rewriteTerm(alone, d.body, variables, onRead);
  alone.defs.push_back(std::move(def));
  alone.outputs = {0};
  auto result = evaluate(alone, values, Precision::Stepwise, kMaxSteps);
  if (!result)
    return result.takeError();
  return std::move(result->front());
}

} // namespace

void foldConstantDefs(Program &p) {
  for (uint32_t i = 0; i < p.defs.size(); ++i) {
    if (std::find(p.outputs.begin(), p.outputs.end(), i) != p.outputs.end() ||
        !constantOnly(p, p.defs[i]))
      continue;
    if (grows(p, p.defs[i]))
      continue;
    auto value = compute(p, p.defs[i]);
    if (!value)
      continue;
    const Source folded{Source::Kind::Operand, static_cast<uint32_t>(p.operands.size())};
    p.operands.push_back(Operand::of(value.take()));
    auto onRead = [&](const Node *r, std::vector<const Node *> at) {
      Node copy = *r;
      copy.args = std::move(at);
      if (r->source == Source{Source::Kind::Def, i})
        copy.source = folded;
      return p.intern(std::move(copy));
    };
    for (uint32_t k = i + 1; k < p.defs.size(); ++k)
      p.defs[k].body = rewriteTerm(p, p.defs[k].body, {}, onRead);
    for (Require &r : p.requirements)
      r.guard = rewriteTerm(p, r.guard, {}, onRead);
  }
  dropDead(p);
}

} // namespace imbrex::lower
