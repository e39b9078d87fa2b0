// Indices, guards and the frame. Scalars and reads are in CompileScalars.cpp, reductions in
// CompileFolds.cpp.
#include "support/opmeaning/evaluate/Compiler.h"

#include "support/opmeaning/evaluate/Pieces.h"

#include <algorithm>

namespace imbrex::opmeaning {

void Compiler::bind(const std::vector<const Node *> &vars, const std::vector<int64_t> &extents) {
  slotExtents.insert(slotExtents.end(), extents.begin(), extents.end());
  for (size_t i = 0; i < vars.size(); ++i)
    variables.insert_or_assign(vars[i], slots++);
}

Result<int64_t> Compiler::size(const DimExpr &d) const {
  if (auto c = d.constant())
    return *c;
  return d.evaluate(*around.symbols);
}

int64_t Compiler::sizeOrFail(const DimExpr &d) {
  auto v = size(d);
  if (v)
    return *v;
  fail(v.takeError());
  return 1;
}

const Code *Compiler::fail(Error e) {
  if (!error)
    error = std::move(e);
  return arena.add(ConstantCode(integer(0)));
}

Result<const Code *> Compiler::compile(const Node *root) {
  countUses(root);
  const Code *c = code(root);
  if (error)
    return *error;
  return c;
}

Frame Compiler::frame(int64_t maxSteps) const {
  Frame f;
  f.vars.assign(slots, 0);
  f.stamps.assign(slots + 1, 1);
  f.clock = 1;
  f.maxSteps = maxSteps;
  return f;
}

void Compiler::countUses(const Node *root) {
  walk(root, [&](const Node *n) {
    for (const Node *a : n->args)
      ++uses[a];
  });
}

uint32_t Compiler::levelOf(const Node *n) {
  if (n->kind == TermKind::IxVar) {
    auto it = variables.find(n);
    return it == variables.end() ? 0 : it->second + 1;
  }
  if (auto it = levels.find(n); it != levels.end())
    return it->second;
  uint32_t level = 0;
  for (const Node *a : n->args)
    level = std::max(level, levelOf(a));
  // What a reduction and those inside of it bind is no dependency of it.
  if (!n->vars.empty()) {
    level = 0;
    std::set<const Node *> bound;
    walk(n, [&](const Node *x) { bound.insert(x->vars.begin(), x->vars.end()); });
    walk(n, [&](const Node *x) {
      if (x->kind == TermKind::IxVar && !bound.count(x))
        level = std::max(level, levelOf(x));
    });
  }
  levels.emplace(n, level);
  return level;
}

/// Terms whose value is worth keeping while the variables they depend on stand still.
static bool worthKeeping(const Node *n) {
  switch (n->kind) {
  case TermKind::VReduce:
  case TermKind::VApply:
  case TermKind::VSelect:
  case TermKind::IxSelect:
  case TermKind::IxFloorDiv:
  case TermKind::IxMod:
  case TermKind::PAnd:
  case TermKind::POr:
    return true;
  default:
    return false;
  }
}

const Code *Compiler::code(const Node *n) {
  if (auto it = done.find(n); it != done.end())
    return it->second;
  uint32_t loops = slots; // all loops around this place have slots below
  const Code *c = plain(n);
  // A best is always kept: its place is read beside its value.
  bool keep =
      n->kind == TermKind::VBest || (worthKeeping(n) && (uses[n] > 1 || levelOf(n) < loops));
  if (keep && !dynamic_cast<const AffineCode *>(c) && !dynamic_cast<const ConstantCode *>(c))
    c = arena.add(KeptCode(c, levelOf(n)));
  done.emplace(n, c);
  return c;
}

const Code *Compiler::plain(const Node *n) {
  return isIndex(n->kind) ? index(n) : isGuard(n->kind) ? guard(n) : scalar(n);
}

// Indices.

static bool fits(__int128 v) { return v >= INT64_MIN / 2 && v <= INT64_MAX / 2; }

bool Compiler::setRange(Affine &a) const {
  __int128 lo = a.base, hi = a.base;
  for (const auto &[slot, c] : a.parts) {
    int64_t extent = std::max<int64_t>(slotExtents[slot], 1);
    __int128 end = static_cast<__int128>(c) * (extent - 1);
    (end < 0 ? lo : hi) += end;
    if (!fits(lo) || !fits(hi))
      return false;
  }
  a.lo = static_cast<int64_t>(lo);
  a.hi = static_cast<int64_t>(hi);
  return fits(lo) && fits(hi);
}

/// a + k*b, or nothing on overflow.
static std::optional<Affine> combine(Affine a, const Affine &b, int64_t k) {
  auto addScaled = [&](int64_t &to, int64_t v) {
    int64_t scaled;
    return !__builtin_mul_overflow(v, k, &scaled) && !__builtin_add_overflow(to, scaled, &to);
  };
  if (!addScaled(a.base, b.base))
    return std::nullopt;
  for (const auto &[slot, c] : b.parts) {
    auto it = std::find_if(a.parts.begin(), a.parts.end(),
                           [s = slot](const auto &p) { return p.first == s; });
    if (it == a.parts.end())
      it = a.parts.insert(a.parts.end(), {slot, 0});
    if (!addScaled(it->second, c))
      return std::nullopt;
  }
  std::erase_if(a.parts, [](const auto &p) { return p.second == 0; });
  return a;
}

std::optional<Affine> Compiler::difference(const Affine &a, const Affine &b) const {
  auto out = combine(a, b, -1);
  return out && setRange(*out) ? out : std::nullopt;
}

std::optional<Affine> Compiler::affine(const Node *n) {
  std::optional<Affine> out;
  switch (n->kind) {
  case TermKind::IxVar: {
    auto it = variables.find(n);
    if (it == variables.end())
      return std::nullopt;
    out = Affine{0, {{it->second, 1}}, 0, 0};
    break;
  }
  case TermKind::IxConst:
    out = Affine{n->number, {}, 0, 0};
    break;
  case TermKind::IxDim:
    out = Affine{sizeOrFail(n->dim), {}, 0, 0};
    break;
  case TermKind::IxAdd:
  case TermKind::IxSub: {
    auto a = affine(n->args[0]), b = affine(n->args[1]);
    if (a && b)
      out = combine(*a, *b, n->kind == TermKind::IxAdd ? 1 : -1);
    break;
  }
  case TermKind::IxMul:
    if (auto a = affine(n->args[0]))
      out = combine(Affine{}, *a, sizeOrFail(n->dim));
    break;
  default:
    break;
  }
  if (!out || !setRange(*out))
    return std::nullopt;
  return out;
}

const Code *Compiler::index(const Node *n) {
  if (auto a = affine(n)) {
    if (a->parts.empty())
      return arena.add(ConstantCode(integer(a->base)));
    return arena.add(AffineCode(std::move(*a)));
  }
  auto arg = [&](size_t i) { return code(n->args[i]); };
  switch (n->kind) {
  case TermKind::IxAdd:
    return arena.add(IndexAddCode(arg(0), arg(1)));
  case TermKind::IxSub:
    return arena.add(IndexSubCode(arg(0), arg(1)));
  case TermKind::IxMul:
    return arena.add(IndexMulCode(arg(0), arena.add(ConstantCode(integer(sizeOrFail(n->dim))))));
  case TermKind::IxFloorDiv:
  case TermKind::IxMod: {
    int64_t d = sizeOrFail(n->dim);
    if (d <= 0)
      // Legal where it is never reached, in a tensor without elements.
      return arena.add(FaultCode(Fault::DivisionByZero));
    if (n->kind == TermKind::IxFloorDiv)
      return arena.add(IndexFloorDivCode(arg(0), d));
    return arena.add(IndexModCode(arg(0), d));
  }
  case TermKind::IxMin:
    return arena.add(IndexMinCode(arg(0), arg(1)));
  case TermKind::IxMax:
    return arena.add(IndexMaxCode(arg(0), arg(1)));
  case TermKind::IxSelect:
    return arena.add(SelectCode(arg(0), arg(1), arg(2)));
  case TermKind::IxRead:
    return read(n);
  case TermKind::IxPlace:
    return place(n);
  default:
    return fail(internalError(544, "a variable without a value"));
  }
}

// Guards.

const Code *Compiler::guard(const Node *n) {
  auto arg = [&](size_t i) { return code(n->args[i]); };
  switch (n->kind) {
  case TermKind::PTrue:
    return arena.add(ConstantCode(integer(1)));
  case TermKind::PScalar:
    return arg(0);
  case TermKind::PNot:
    return arena.add(NotCode(arg(0)));
  case TermKind::PAnd:
    return arena.add(AndCode(arg(0), arg(1)));
  case TermKind::POr:
    return arena.add(OrCode(arg(0), arg(1)));
  default:
    break;
  }
  const Code *a = arg(0), *b = arg(1);
  switch (n->cmp) {
  case Cmp::Eq:
    return arena.add(CompareCode<Cmp::Eq>(a, b));
  case Cmp::Ne:
    return arena.add(CompareCode<Cmp::Ne>(a, b));
  case Cmp::Lt:
    return arena.add(CompareCode<Cmp::Lt>(a, b));
  case Cmp::Le:
    return arena.add(CompareCode<Cmp::Le>(a, b));
  }
  return fail(internalError(544, "an unknown comparison"));
}

} // namespace imbrex::opmeaning
