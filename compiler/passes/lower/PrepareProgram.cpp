#include "compiler/passes/lower/BuildKernel.h"
#include "compiler/passes/lower/Compose.h"
#include "compiler/passes/lower/ContractionParts.h"

namespace imbrex::lower {

using namespace opmeaning;

void splitAccumulators(Program &p) {
  std::vector<Def> out;
  Renumbering numbers{p, std::vector<uint32_t>(p.defs.size())};
  for (size_t i = 0; i < p.defs.size(); ++i) {
    Def d = p.defs[i];
    d.body = numbers.term(d.body);
    if (d.body->kind == TermKind::VReduce && d.body->accumulator != DType::Invalid &&
        d.body->accumulator != d.body->type) {
      Def wide = d;
      wide.name += ".acc";
      wide.type.type = d.body->accumulator;
      Node sum = *d.body;
      sum.type = sum.accumulator;
      wide.body = p.intern(std::move(sum));
      for (auto &v : d.vars)
        v = p.variable();
      Node read{.kind = TermKind::VRead};
      read.type = wide.type.type;
      read.source = {Source::Kind::Def, static_cast<uint32_t>(out.size())};
      read.args = d.vars;
      Node cast{.kind = TermKind::VCast};
      cast.type = d.type.type;
      cast.args = {p.intern(std::move(read))};
      d.body = p.intern(std::move(cast));
      out.push_back(std::move(wide));
    }
    numbers.place[i] = static_cast<uint32_t>(out.size());
    out.push_back(std::move(d));
  }
  numbers.finish(std::move(out));
}

void foldScalarOperands(Program &p) {
  auto onRead = [&](const Node *r, std::vector<const Node *> at) -> const Node * {
    Node copy = *r;
    copy.args = std::move(at);
    if (r->source.kind == Source::Kind::Operand) {
      const auto &value = p.operands[r->source.index].constant;
      if (value && value->elems() == 1) {
        Node c{.kind = r->kind == TermKind::VRead ? TermKind::VConst : TermKind::IxConst};
        c.type = r->type;
        c.number = value->toInt(0);
        c.real = isFloat(value->type()) ? value->toDouble(0) : 0;
        return p.intern(std::move(c));
      }
    }
    return p.intern(std::move(copy));
  };
  for (Def &d : p.defs)
    d.body = rewriteTerm(p, d.body, {}, onRead);
  for (Require &r : p.requirements)
    r.guard = rewriteTerm(p, r.guard, {}, onRead);
}

/// c for a table of i floordiv c; 0 for another.
static int64_t dividedBy(const HostTensor &table) {
  int64_t by = 1;
  while (by < table.elems() && table.toInt(by) == 0)
    ++by;
  for (int64_t i = 0; i < table.elems(); ++i)
    if (table.toInt(i) != i / by)
      return 0;
  return by;
}

void foldIndexTables(Program &p) {
  std::vector<std::optional<int64_t>> divisors(p.operands.size());
  auto onRead = [&](const Node *r, std::vector<const Node *> at) -> const Node * {
    Node copy = *r;
    copy.args = std::move(at);
    if (r->kind == TermKind::IxRead && r->source.kind == Source::Kind::Operand &&
        copy.args.size() == 1) {
      const auto &table = p.operands[r->source.index].constant;
      auto &by = divisors[r->source.index];
      if (!by)
        by = table && isInteger(table->type()) && table->elems() > 1 ? dividedBy(*table) : 0;
      if (*by > 0)
        return *by == 1 ? copy.args[0] : Terms{p}.div(copy.args[0], *by);
    }
    return p.intern(std::move(copy));
  };
  for (Def &d : p.defs)
    d.body = rewriteTerm(p, d.body, {}, onRead);
  for (Require &r : p.requirements)
    r.guard = rewriteTerm(p, r.guard, {}, onRead);
}

} // namespace imbrex::lower
