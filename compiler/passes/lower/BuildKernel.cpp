#include "compiler/passes/lower/BuildKernel.h"

#include "compiler/passes/lower/Compose.h"
#include "compiler/passes/lower/KernelBuilder.h"

#include <set>

namespace imbrex::lower {

using namespace mlir;
using namespace opmeaning;

namespace {

/// About this much work, in scalar operations, makes one grid point.
constexpr int64_t kPointWork = 32768;

Split chooseSplit(const std::vector<DimExpr> &extents, int64_t work) {
  Split s;
  s.outer = extents.size();
  while (s.outer > 0) {
    auto size = extents[s.outer - 1].constant();
    if (size && work * std::max<int64_t>(*size, 1) <= kPointWork) {
      work *= std::max<int64_t>(*size, 1);
      --s.outer;
      continue;
    }
    int64_t chunk = std::max<int64_t>(1, kPointWork / work);
    if (size)
      chunk = std::min(chunk, *size);
    if (chunk > 1) {
      if (chunk >= 16)
        chunk = chunk / 16 * 16;
      --s.outer;
      s.chunk = chunk;
    }
    break;
  }
  for (size_t i = 0; i < s.outer; ++i)
    s.grid = s.grid * extents[i];
  if (s.chunk)
    s.grid = s.grid * ceilDiv(extents[s.outer], s.chunk);
  return s;
}

/// In words: the kind of computation, and the schedule of its code.
std::string formOf(const Program &p, const Def &d, const DimFacts &facts, bool best) {
  const char *kind = "elementwise";
  switch (classify(p, d, facts)) {
  case DefClass::Elementwise:
    break;
  case DefClass::Reindex:
    kind = "reindex";
    break;
  case DefClass::Contraction:
    kind = "contraction";
    break;
  case DefClass::Reduction:
    kind = best ? "search" : "reduction";
    break;
  case DefClass::Host:
    kind = "sizes";
    break;
  }
  return std::string(kind) + ": plain loop nest";
}

/// Operands in order of first read, and the symbols that sizes and indices mention.
void collect(const Node *root, std::vector<Source> &operands, std::set<std::string> &symbols) {
  auto use = [&](const DimExpr &e) {
    for (auto &s : e.symbols())
      symbols.insert(s);
  };
  walk(root, [&](const Node *n) {
    use(n->dim);
    for (const auto &e : n->extents)
      use(e);
    if (isRead(n) && std::find(operands.begin(), operands.end(), n->source) == operands.end())
      operands.push_back(n->source);
  });
}

/// Whether a read's first index with a choice depends on data: then rows are picked, and the rest
/// of the operand is not touched.
bool picksRows(const Node *read, const TensorType &type) {
  size_t axis = 0;
  while (axis < type.dims.size() && type.dims[axis].constant() == 1)
    ++axis;
  bool picks = false;
  if (axis < type.dims.size())
    walk(read->args[axis], [&](const Node *n) { picks |= n->kind == TermKind::IxRead; });
  return picks;
}

std::vector<int64_t> gatheredOperands(const Program &p, const Node *root,
                                      const std::vector<Source> &operands) {
  std::vector<bool> gathered(operands.size(), true);
  walk(root, [&](const Node *n) {
    if (isRead(n) && !picksRows(n, p.typeOf(n->source)))
      gathered[std::ranges::find(operands, n->source) - operands.begin()] = false;
  });
  std::vector<int64_t> places;
  for (size_t i = 0; i < gathered.size(); ++i)
    if (gathered[i])
      places.push_back(static_cast<int64_t>(i));
  return places;
}

} // namespace

KernelRecord buildKernel(ModuleOp module, Program &p, uint32_t index, const DimFacts &facts,
                         StringRef name) {
  {
    IndexForm form(p, facts);
    form.bind(p.defs[index].vars, p.defs[index].type.dims);
    p.defs[index].body = form.simplifyScalar(p.defs[index].body);
  }
  const Def d = p.defs[index];
  KernelRecord record;
  record.name = name.str();
  record.results = {index};
  std::set<std::string> symbols;
  collect(d.body, record.operands, symbols);
  record.gathered = gatheredOperands(p, d.body, record.operands);
  auto use = [&](const TensorType &t) {
    for (const auto &e : t.dims)
      for (auto &s : e.symbols())
        symbols.insert(s);
  };
  use(d.type);
  for (Source s : record.operands)
    use(p.typeOf(s));
  record.symbols.assign(symbols.begin(), symbols.end());

  const bool isBest =
      d.body->kind == TermKind::VBest ||
      (d.body->kind == TermKind::VFromIx && d.body->args[0]->kind == TermKind::IxPlace);
  int64_t work = std::max<int64_t>(1, bodyCost(d.body));
  DimExpr points = 1;
  for (const auto &e : d.type.dims)
    points = points * e;
  walk(d.body, [&](const Node *n) {
    if (n->kind == TermKind::VReduce || n->kind == TermKind::VBest)
      for (const auto &e : n->extents) {
        work =
            std::min<int64_t>(kPointWork, work * std::max<int64_t>(1, e.constant().value_or(256)));
        points = points * e;
      }
  });
  record.work = points * std::max<int64_t>(1, bodyCost(d.body));
  record.flops = record.work.constant().value_or(0);

  record.form = formOf(p, d, facts, isBest);

  const Split split = chooseSplit(d.type.dims, work);
  record.grid = split.grid;

  KernelBuilder builder(module, p, facts, name, record.operands, record.results, record.symbols);
  builder.open(d.vars, d.type.dims, split);
  if (isBest)
    builder.best(d);
  else if (d.body->kind == TermKind::VReduce)
    builder.reduce(d);
  else
    builder.map(d);
  builder.close();
  record.clampedReads = builder.clampedReads();
  return record;
}

KernelRecord buildCheck(ModuleOp module, Program &p, const Require &require, const DimFacts &facts,
                        StringRef name) {
  KernelRecord record;
  record.name = name.str();
  record.checks = {require.why};
  record.form = "check";
  std::set<std::string> symbols;
  collect(require.guard, record.operands, symbols);
  for (const auto &e : require.extents)
    for (auto &s : e.symbols())
      symbols.insert(s);
  for (Source s : record.operands)
    for (const auto &e : p.typeOf(s).dims)
      for (auto &t : e.symbols())
        symbols.insert(t);
  record.symbols.assign(symbols.begin(), symbols.end());
  Split split;
  split.outer = require.extents.empty() ? 0 : require.extents.size() - 1;
  for (size_t i = 0; i < split.outer; ++i)
    split.grid = split.grid * require.extents[i];
  record.grid = split.grid;
  KernelBuilder builder(module, p, facts, name, record.operands, {}, record.symbols);
  builder.open(require.vars, require.extents, split);
  builder.check(require);
  builder.close();
  record.clampedReads = builder.clampedReads();
  return record;
}

} // namespace imbrex::lower
