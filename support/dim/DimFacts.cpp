// What is known of symbols, and proofs from it.
#include "support/dim/DimBounds.h"

#include <algorithm>
#include <numeric>

namespace imbrex {

using Kind = DimExpr::AtomKind;
using Term = DimExpr::Term;

SymbolFacts DimFacts::of(std::string_view symbol) const {
  if (auto it = bySymbol.find(symbol); it != bySymbol.end())
    return it->second;
  // A size opened at run time is any number until a requirement says otherwise.
  return symbol.starts_with('$') ? SymbolFacts{INT64_MIN, INT64_MAX, 1} : SymbolFacts{};
}

static Error contradiction(std::string_view symbol, const SymbolFacts &a, const SymbolFacts &b) {
  auto text = [](const SymbolFacts &f) {
    std::string s = std::to_string(f.lo) + "..";
    if (f.hi != INT64_MAX)
      s += std::to_string(f.hi);
    if (f.divisor != 1)
      s += " in steps of " + std::to_string(f.divisor);
    return s;
  };
  return badInput(501, "the dimension '" + std::string(symbol) + "' has no possible value",
                  "it is " + text(a) + " and also " + text(b));
}

Status DimFacts::add(std::string_view symbol, SymbolFacts facts) {
  SymbolFacts known = of(symbol);
  if (facts.divisor < 1)
    facts.divisor = 1;
  SymbolFacts both{std::max(known.lo, facts.lo), std::min(known.hi, facts.hi), 1};
  int64_t scale = facts.divisor / std::gcd(known.divisor, facts.divisor);
  if (__builtin_mul_overflow(known.divisor, scale, &both.divisor))
    return contradiction(symbol, known, facts);
  int64_t d = both.divisor;
  if (both.lo != INT64_MIN) {
    int64_t up = floorDivide(both.lo, d) + (both.lo % d != 0);
    if (__builtin_mul_overflow(up, d, &both.lo))
      return contradiction(symbol, known, facts);
  }
  if (both.hi != INT64_MAX)
    if (__builtin_mul_overflow(floorDivide(both.hi, d), d, &both.hi))
      return contradiction(symbol, known, facts);
  if (both.lo > both.hi)
    return contradiction(symbol, known, facts);
  if (solved.empty() && zeros.empty()) {
    bySymbol.insert_or_assign(std::string(symbol), both);
    return {};
  }
  // With equalities, facts of one symbol speak of others too.
  DimFacts next = *this;
  next.bySymbol.insert_or_assign(std::string(symbol), both);
  if (auto it = next.solved.find(symbol); it != next.solved.end())
    if (!next.narrow(it->second, both))
      return contradiction(symbol, known, facts);
  if (next.contradicts())
    return contradiction(symbol, known, facts);
  *this = std::move(next);
  return {};
}

/// Facts of `value`, where they say something of a single symbol: of t in c*t.
Status DimFacts::narrow(const DimExpr &value, SymbolFacts facts) {
  if (value.terms().size() != 1)
    return {};
  const Term &t = value.terms()[0];
  const int64_t c = t.coefficient;
  if (c <= 0 || t.factors.size() != 1 || t.factors[0]->kind != Kind::Symbol)
    return {};
  SymbolFacts part{facts.lo == INT64_MIN ? INT64_MIN : -floorDivide(-facts.lo, c),
                   facts.hi == INT64_MAX ? INT64_MAX : floorDivide(facts.hi, c),
                   facts.divisor / std::gcd(facts.divisor, c)};
  return add(t.factors[0]->name, part);
}

/// An equality cannot hold under what is known of the symbols.
bool DimFacts::contradicts() const {
  for (const auto &[name, value] : solved) {
    SymbolFacts f = of(name);
    auto lo = lowerBound(value), hi = upperBound(value);
    if ((lo && *lo > f.hi) || (hi && *hi < f.lo))
      return true;
    if (auto c = simplify(value).constant(); c && *c % f.divisor != 0)
      return true;
  }
  return std::any_of(zeros.begin(), zeros.end(),
                     [&](const DimExpr &z) { return provenUnequal(z, 0); });
}

/// Symbols opened at run time are eliminated first, then later names.
static bool preferred(std::string_view a, std::string_view b) {
  bool openA = a.starts_with('$'), openB = b.starts_with('$');
  return openA != openB ? openA : a > b;
}

static bool mentions(const DimExpr &e, std::string_view symbol) {
  auto names = e.symbols();
  return std::binary_search(names.begin(), names.end(), symbol);
}

/// e without the terms that are a multiple of `symbol` alone.
static DimExpr without(const DimExpr &e, std::string_view symbol) {
  std::vector<Term> rest;
  for (const Term &t : e.terms())
    if (t.factors.size() != 1 || t.factors[0]->kind != Kind::Symbol || t.factors[0]->name != symbol)
      rest.push_back(t);
  return DimBuilder::sum(std::move(rest));
}

namespace {
struct Solution {
  std::string symbol;
  DimExpr value;
};
} // namespace

/// e = 0 solved for a symbol with coefficient 1 or -1 that occurs nowhere else in e.
static std::optional<Solution> solutionOf(const DimExpr &e) {
  std::optional<Solution> best;
  for (const Term &t : e.terms()) {
    if (t.factors.size() != 1 || t.factors[0]->kind != Kind::Symbol ||
        (t.coefficient != 1 && t.coefficient != -1))
      continue;
    const std::string &name = t.factors[0]->name;
    DimExpr rest = without(e, name);
    if (mentions(rest, name) || (best && !preferred(name, best->symbol)))
      continue;
    best = Solution{name, rest * DimExpr(-t.coefficient)};
  }
  return best;
}

/// e divided by what divides all its coefficients.
static DimExpr primitive(const DimExpr &e) {
  int64_t g = 0;
  for (const Term &t : e.terms()) {
    if (t.coefficient == INT64_MIN)
      return e;
    g = std::gcd(g, t.coefficient);
  }
  return g > 1 ? floorDiv(e, g) : e;
}

Status DimFacts::addEquality(const DimExpr &a, const DimExpr &b) {
  DimExpr d = primitive(simplify(a - b));
  if (!d.valid() || d.isConstant(0))
    return {};
  auto conflict = [&] {
    return badInput(502, "the dimensions '" + a.str() + "' and '" + b.str() + "' cannot be equal",
                    "they are '" + simplify(a).str() + "' and '" + simplify(b).str() + "'");
  };
  if (provenUnequal(d, 0))
    return conflict();
  auto s = solutionOf(d);
  if (!s) {
    zeros.push_back(d);
    return {};
  }
  DimFacts next = *this;
  next.solve(s->symbol, s->value);
  if (!next.narrow(s->value, of(s->symbol)) || next.contradicts())
    return conflict();
  *this = std::move(next);
  return {};
}

/// From now on `symbol` is `value`, in what was solved before, too.
void DimFacts::solve(const std::string &symbol, const DimExpr &value) {
  auto replace = [&](std::string_view name) -> std::optional<DimExpr> {
    return name == symbol ? std::optional<DimExpr>(value) : std::nullopt;
  };
  for (auto &[name, known] : solved)
    known = known.substitute(replace);
  for (DimExpr &z : zeros)
    z = z.substitute(replace);
  solved.insert_or_assign(symbol, value);
}

/// Symbols replaced by what they equal.
static DimExpr resolve(const DimExpr &e, const std::map<std::string, DimExpr, std::less<>> &solved,
                       const std::map<std::string, SymbolFacts, std::less<>> &facts) {
  return e.substitute([&](std::string_view name) -> std::optional<DimExpr> {
    if (auto it = solved.find(name); it != solved.end())
      return it->second;
    if (auto it = facts.find(name); it != facts.end() && it->second.lo == it->second.hi)
      return DimExpr(it->second.lo);
    return std::nullopt;
  });
}

/// min, max, floordiv, mod and bcast that bounds decide.
static DimExpr foldAtom(const DimExpr::Atom &a, const DimBounds &bounds);

static DimExpr foldAtoms(const DimExpr &e, const DimBounds &bounds) {
  DimExpr total = 0;
  for (const Term &t : e.terms()) {
    DimExpr p = t.coefficient;
    for (const auto &f : t.factors)
      p = p * (f->kind == Kind::Symbol ? DimBuilder::sum({Term{1, {f}}}) : foldAtom(*f, bounds));
    total = total + p;
  }
  return total;
}

static DimExpr foldAtom(const DimExpr::Atom &a, const DimBounds &bounds) {
  DimExpr l = foldAtoms(a.lhs, bounds), r = foldAtoms(a.rhs, bounds);
  if (a.kind == Kind::Min || a.kind == Kind::Max) {
    Interval d = bounds.bound(l - r);
    if (d.lo >= 0)
      return a.kind == Kind::Max ? l : r;
    if (d.hi <= 0)
      return a.kind == Kind::Max ? r : l;
  } else if (a.kind == Kind::Broadcast) {
    for (const DimExpr &e : {l, r}) {
      Interval i = bounds.bound(e);
      if (i.lo > 1 || i.hi < 1)
        return e; // the other one equals it or is 1
    }
  } else if (bounds.bound(l).lo >= 0 && bounds.bound(r - l).lo > 0) {
    return a.kind == Kind::Mod ? l : DimExpr(0);
  }
  return DimBuilder::rebuild(a.kind, l, r);
}

DimExpr DimFacts::simplify(const DimExpr &e) const {
  if (!e.valid() || e.constant() || (bySymbol.empty() && solved.empty() && e.asSymbol()))
    return e;
  DimExpr r = resolve(e, solved, bySymbol);
  DimBounds bounds([this](std::string_view name) { return of(name); });
  return foldAtoms(r, bounds);
}

std::optional<int64_t> DimFacts::lowerBound(const DimExpr &e) const {
  if (auto c = e.constant())
    return c;
  int64_t lo = DimBounds([this](std::string_view n) { return of(n); }).bound(simplify(e)).lo;
  return lo == INT64_MIN ? std::nullopt : std::optional(lo);
}

std::optional<int64_t> DimFacts::upperBound(const DimExpr &e) const {
  if (auto c = e.constant())
    return c;
  int64_t hi = DimBounds([this](std::string_view n) { return of(n); }).bound(simplify(e)).hi;
  return hi == INT64_MAX ? std::nullopt : std::optional(hi);
}

/// Every symbol s with a known divisor d written as d*s, so that canonical arithmetic sees the
/// divisibility.
static DimExpr scaleByDivisors(const DimExpr &e, const DimFacts &facts) {
  return e.substitute([&](std::string_view name) -> std::optional<DimExpr> {
    int64_t d = facts.of(name).divisor;
    return d > 1 ? std::optional(DimExpr::symbol(name) * d) : std::nullopt;
  });
}

bool DimFacts::provenEqual(const DimExpr &a, const DimExpr &b) const {
  if (!a.valid() || !b.valid())
    return false;
  if (a == b)
    return true;
  DimExpr d = simplify(a - b);
  if (auto c = d.constant())
    return *c == 0;
  if (scaleByDivisors(d, *this).isConstant(0))
    return true;
  DimExpr p = primitive(d);
  for (const DimExpr &z : zeros)
    if (p == z || p == DimExpr(0) - z)
      return true;
  return lowerBound(d) == 0 && upperBound(d) == 0;
}

bool DimFacts::provenUnequal(const DimExpr &a, const DimExpr &b) const {
  DimExpr d = simplify(a - b);
  if (!d.valid())
    return false;
  if (auto c = d.constant())
    return *c != 0;
  if (lowerBound(d).value_or(0) > 0 || upperBound(d).value_or(0) < 0)
    return true;
  for (const DimExpr &z : zeros)
    for (const DimExpr &apart : {d - z, d + z})
      if (apart.constant().value_or(0) != 0)
        return true;
  // All terms but the constant are multiples of g, the constant is not.
  DimExpr scaled = scaleByDivisors(d, *this);
  if (!scaled.valid() || scaled.terms().empty() || !scaled.terms().back().factors.empty())
    return false;
  int64_t g = 0;
  for (const Term &t : scaled.terms()) {
    if (t.coefficient == INT64_MIN)
      return false;
    if (!t.factors.empty())
      g = std::gcd(g, t.coefficient);
  }
  return g > 1 && scaled.terms().back().coefficient % g != 0;
}

bool DimFacts::provenAtLeast(const DimExpr &e, int64_t bound) const {
  auto lo = lowerBound(e);
  return e.valid() && lo && *lo >= bound;
}

/// gcd(d, a number that e is always a multiple of).
static int64_t multipleOf(const DimExpr &e, int64_t d, const DimFacts &facts);

static int64_t multipleOfAtom(const DimExpr::Atom &a, int64_t d, const DimFacts &facts) {
  switch (a.kind) {
  case Kind::Symbol:
    return std::gcd(facts.of(a.name).divisor, d);
  case Kind::FloorDiv: {
    auto c = a.rhs.constant();
    int64_t both;
    if (!c || *c <= 0 || __builtin_mul_overflow(*c, d, &both))
      return 1;
    int64_t m = multipleOf(a.lhs, both, facts);
    return m % *c == 0 ? std::gcd(m / *c, d) : 1;
  }
  case Kind::Mod:
  case Kind::Min:
  case Kind::Max:
  case Kind::Broadcast:
    return std::gcd(multipleOf(a.lhs, d, facts), multipleOf(a.rhs, d, facts));
  }
  return 1;
}

static int64_t multipleOf(const DimExpr &e, int64_t d, const DimFacts &facts) {
  int64_t g = d;
  for (const Term &t : e.terms()) {
    int64_t rest = d; // what the factors still have to supply
    if (t.coefficient != INT64_MIN)
      rest /= std::gcd(rest, t.coefficient);
    for (const auto &f : t.factors)
      rest /= multipleOfAtom(*f, rest, facts);
    g = std::gcd(g, d / rest);
  }
  return g;
}

bool DimFacts::provenMultiple(const DimExpr &e, int64_t d) const {
  if (!e.valid() || d <= 0)
    return false;
  return multipleOf(simplify(e), d, *this) == d;
}

} // namespace imbrex
