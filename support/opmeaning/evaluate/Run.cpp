#include "support/opmeaning/evaluate/Run.h"

#include "support/opmeaning/evaluate/Moves.h"

#include <algorithm>
#include <cstring>
#include <functional>
#include <set>

namespace imbrex::opmeaning {

/// Beyond this a result is refused rather than allocated.
constexpr int64_t kMaxBytes = int64_t{1} << 33;

Error Evaluation::faultError(Fault f, const std::string &where) const {
  switch (f) {
  case Fault::DivisionByZero:
    return badInput(542, "integer division by zero in " + where);
  case Fault::TooManySteps:
    return badInput(543, where + " needs more steps than allowed");
  case Fault::OutOfBounds:
  case Fault::None:
    break;
  }
  return internalError(544, "a read out of bounds in " + where);
}

// Operands and sizes.

static std::string shapeText(const HostTensor &t) {
  std::string s(name(t.type()));
  s += "[";
  for (size_t i = 0; i < t.shape().size(); ++i)
    s += (i ? ", " : "") + std::to_string(t.shape()[i]);
  return s + "]";
}

static Error mismatch(size_t i, const HostTensor *given, const Operand &wanted) {
  return badInput(540, "operand " + std::to_string(i) + " does not fit",
                  "it is " + (given ? shapeText(*given) : std::string("absent")) + ", not " +
                      (wanted.present ? wanted.type.str() : std::string("absent")));
}

Status Evaluation::checkOperands() const {
  if (operands.size() != p.operands.size())
    return badInput(540, std::to_string(operands.size()) + " operands are given, not " +
                             std::to_string(p.operands.size()));
  for (size_t i = 0; i < operands.size(); ++i) {
    const HostTensor *t = operands[i];
    const Operand &o = p.operands[i];
    if ((t != nullptr) != o.present)
      return mismatch(i, t, o);
    if (!t)
      continue;
    if (t->type() != o.type.type || t->shape().size() != o.type.dims.size())
      return mismatch(i, t, o);
    const bool itself = o.constant && t->bytes().data() == o.constant->bytes().data();
    if (o.constant && !itself && !std::ranges::equal(t->bytes(), o.constant->bytes()))
      return badInput(540,
                      "operand " + std::to_string(i) + " is not the constant that was compiled");
  }
  return {};
}

Status Evaluation::bindSizes() {
  // Symbols that stand alone first, then expressions over them.
  DimFacts equations;
  for (bool alone : {true, false})
    for (size_t i = 0; i < operands.size(); ++i)
      for (size_t d = 0; operands[i] && d < p.operands[i].type.dims.size(); ++d) {
        const DimExpr &e = p.operands[i].type.dims[d];
        int64_t actual = operands[i]->shape()[d];
        if (auto s = e.asSymbol(); s && alone) {
          if (auto [it, fresh] = symbols.emplace(std::string(*s), actual); it->second != actual)
            return mismatch(i, operands[i], p.operands[i]);
          (void)equations.addEquality(e, actual);
        } else if (!alone) {
          if (auto v = e.evaluate(symbols); v ? *v != actual : !equations.addEquality(e, actual))
            return mismatch(i, operands[i], p.operands[i]);
        }
      }
  solveSizes(equations);
  return {};
}

/// Symbols that occur in expressions only, such as 2*n, where the equations determine them.
void Evaluation::solveSizes(const DimFacts &equations) {
  for (const Operand &o : p.operands)
    for (const DimExpr &e : o.type.dims)
      for (const std::string &s : e.symbols())
        if (!symbols.count(s))
          if (auto v = equations.simplify(DimExpr::symbol(s)).constant())
            symbols.emplace(s, *v);
}

Status Evaluation::open(Source::Kind kind, uint32_t index) {
  for (const OpenDim &o : p.opens) {
    if (o.source.kind != kind || o.source.index != index)
      continue;
    const HostTensor *t = kind == Source::Kind::Operand ? operands[index] : &*defs[index];
    int64_t flat = 0;
    for (size_t d = 0; d < o.at.size(); ++d) {
      if (!t || o.at[d] < 0 || o.at[d] >= t->shape()[d])
        return badInput(541,
                        "the size " + o.symbol + " is read from an element that does not exist");
      flat = flat * t->shape()[d] + o.at[d];
    }
    symbols.insert_or_assign(o.symbol, t->toInt(flat));
  }
  return {};
}

// Requirements.

bool Evaluation::isReady(const Require &r, size_t defsDone) const {
  bool ready = true;
  auto known = [&](const DimExpr &e) {
    for (const std::string &s : e.symbols())
      ready = ready && symbols.count(s);
  };
  for (const DimExpr &e : r.extents)
    known(e);
  walk(r.guard, [&](const Node *n) {
    known(n->dim);
    for (const DimExpr &e : n->extents)
      known(e);
    bool reads = n->kind == TermKind::VRead || n->kind == TermKind::IxRead;
    if (reads && n->source.kind == Source::Kind::Def)
      ready = ready && n->source.index < defsDone;
  });
  return ready;
}

/// Runs `body` for every point of the extents, with slots from 0.
static void forEach(Frame &f, const std::vector<int64_t> &extents,
                    const std::function<void()> &body) {
  for (int64_t e : extents)
    if (e <= 0)
      return;
  for (size_t d = 0; d < extents.size(); ++d)
    f.set(d, 0);
  while (!f.failed() && f.step()) {
    body();
    size_t d = extents.size();
    while (d > 0 && f.vars[d - 1] + 1 == extents[d - 1])
      --d;
    if (d == 0)
      return;
    f.set(d - 1, f.vars[d - 1] + 1);
    for (size_t e = d; e < extents.size(); ++e)
      f.set(e, 0);
  }
}

Status Evaluation::check(const Require &r) {
  Compiler c(around());
  std::vector<int64_t> extents;
  for (const DimExpr &e : r.extents) {
    auto v = c.size(e);
    if (!v)
      return v.takeError();
    extents.push_back(*v);
  }
  c.bind(r.vars, extents);
  auto guard = c.compile(r.guard);
  if (!guard)
    return guard.takeError();
  Frame f = c.frame(stepsLeft);
  bool holds = true;
  forEach(f, extents, [&] {
    if (!holds)
      return;
    holds = (*guard)->run(f).i != 0;
  });
  stepsLeft -= f.steps;
  if (f.failed())
    return faultError(f.fault, "a requirement");
  if (!holds)
    return badInput(541, "a requirement does not hold: " + r.why);
  return {};
}

Status Evaluation::require(size_t defsDone) {
  checked.resize(p.requirements.size());
  for (size_t i = 0; i < p.requirements.size(); ++i) {
    if (checked[i] || !isReady(p.requirements[i], defsDone))
      continue;
    checked[i] = true;
    if (auto s = check(p.requirements[i]); !s)
      return s;
  }
  return {};
}

// Definitions.

void storeElement(std::byte *data, DType type, int64_t i, Value v) {
  auto put = [&](auto x) { std::memcpy(data + i * static_cast<int64_t>(sizeof x), &x, sizeof x); };
  switch (type) {
  case DType::F64:
    return put(v.d);
  case DType::F32:
    return put(static_cast<float>(v.d));
  case DType::F16:
    return put(static_cast<_Float16>(v.d));
  case DType::BF16:
    return put(floatToBfloat16(static_cast<float>(v.d)));
  case DType::I64:
  case DType::U64:
  case DType::String:
  case DType::Item:
    return put(v.i);
  case DType::I32:
  case DType::U32:
    return put(static_cast<int32_t>(v.i));
  case DType::I16:
  case DType::U16:
    return put(static_cast<int16_t>(v.i));
  default:
    return put(static_cast<int8_t>(v.i));
  }
}

Status Evaluation::define(uint32_t i) {
  const Def &d = p.defs[i];
  Compiler c(around());
  std::vector<int64_t> extents;
  for (const DimExpr &e : d.type.dims) {
    auto v = c.size(e);
    if (!v)
      return v.takeError();
    if (*v < 0)
      return badInput(541, "a size of '" + d.name + "' is negative");
    extents.push_back(*v);
  }
  DType type = precision == Precision::Real && isFloat(d.type.type) ? DType::F64 : d.type.type;
  auto count = elementCount(extents);
  if (!count)
    return count.takeError();
  if (*count > stepsLeft || *count > kMaxBytes / byteSize(type))
    return faultError(Fault::TooManySteps, "'" + d.name + "'");
  HostTensor out(type, extents);
  if (*count == 0) {
    defs[i] = std::move(out);
    return {};
  }
  c.bind(d.vars, extents);
  std::byte *data = out.mutableBytes().data();
  if (auto moves = Moves::of(c, d.body, type, extents)) {
    Frame f = c.frame(stepsLeft);
    moves->run(f, data);
    stepsLeft -= *count;
    if (f.failed())
      return faultError(f.fault, "'" + d.name + "'");
    defs[i] = std::move(out);
    return {};
  }
  auto body = c.compile(d.body);
  if (!body)
    return body.takeError();
  Frame f = c.frame(stepsLeft);
  int64_t at = 0;
  forEach(f, extents, [&] { storeElement(data, type, at++, (*body)->run(f)); });
  stepsLeft -= f.steps;
  if (f.failed())
    return faultError(f.fault, "'" + d.name + "'");
  defs[i] = std::move(out);
  return {};
}

Result<std::vector<HostTensor>> Evaluation::run() {
  if (auto s = checkOperands(); !s)
    return s.takeError();
  if (auto s = bindSizes(); !s)
    return s.takeError();
  for (uint32_t i = 0; i < operands.size(); ++i)
    if (auto s = open(Source::Kind::Operand, i); !s)
      return s.takeError();
  for (uint32_t i = 0; i < p.defs.size(); ++i) {
    if (auto s = require(i); !s)
      return s.takeError();
    if (auto s = define(i); !s)
      return s.takeError();
    if (auto s = open(Source::Kind::Def, i); !s)
      return s.takeError();
  }
  if (auto s = require(p.defs.size()); !s)
    return s.takeError();
  for (bool c : checked)
    if (!c)
      return badInput(540, "a requirement mentions a size that no operand gives");
  std::vector<HostTensor> out;
  for (uint32_t o : p.outputs)
    out.push_back(*defs[o]);
  return out;
}

Result<HostTensor> Evaluation::only(uint32_t def) {
  std::vector<bool> needed(def + 1, false);
  needed[def] = true;
  for (uint32_t i = def + 1; i-- > 0;)
    if (needed[i])
      walk(p.defs[i].body, [&](const Node *n) {
        bool reads = n->kind == TermKind::VRead || n->kind == TermKind::IxRead;
        if (reads && n->source.kind == Source::Kind::Def)
          needed[n->source.index] = true;
      });
  for (uint32_t i = 0; i <= def; ++i)
    if (needed[i])
      if (auto s = define(i); !s)
        return s.takeError();
  return *defs[def];
}

} // namespace imbrex::opmeaning
