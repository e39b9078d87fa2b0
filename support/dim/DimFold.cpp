// floordiv, mod, min, max and bcast over canonical expressions.
//
//   (4*n+6) floordiv 4  =>  n+1              each coefficient is split by the divisor
//   (n*m+n) floordiv n  =>  m+1              terms that the divisor divides leave the quotient
//   (n floordiv 2) floordiv 3 => n floordiv 6
//   max(n+2, n)  =>  n+2                     a constant difference decides
#include "support/dim/DimImpl.h"

#include <algorithm>
#include <numeric>

namespace imbrex {

using Term = DimExpr::Term;
using Kind = DimExpr::AtomKind;

namespace {
struct Split {
  DimExpr quotient, remainder; // a = quotient * b + remainder
};
} // namespace

/// t / d for one-term d, when that is exact.
static std::optional<Term> divideTerm(const Term &t, const Term &d) {
  if (t.coefficient % d.coefficient != 0 || d.factors.size() > t.factors.size())
    return std::nullopt;
  Term q{t.coefficient / d.coefficient, t.factors};
  for (const auto &f : d.factors) {
    auto it = std::find_if(q.factors.begin(), q.factors.end(),
                           [&](const auto &g) { return DimBuilder::compare(*f, *g) == 0; });
    if (it == q.factors.end())
      return std::nullopt;
    q.factors.erase(it);
  }
  return q;
}

/// Coefficients modulo a constant divisor c > 0.
static Split splitConstant(const DimExpr &a, int64_t c) {
  std::vector<Term> q, r;
  for (const Term &t : a.terms()) {
    q.push_back({floorDivide(t.coefficient, c), t.factors});
    r.push_back({euclideanMod(t.coefficient, c), t.factors});
  }
  return {DimBuilder::sum(std::move(q)), DimBuilder::sum(std::move(r))};
}

static Split splitGeneral(const DimExpr &a, const DimExpr &b) {
  if (b.terms().size() == 1 && b.terms()[0].coefficient > 0) {
    std::vector<Term> q, r;
    for (const Term &t : a.terms()) {
      if (auto d = divideTerm(t, b.terms()[0]))
        q.push_back(std::move(*d));
      else
        r.push_back(t);
    }
    return {DimBuilder::sum(std::move(q)), DimBuilder::sum(std::move(r))};
  }
  // A divisor of several terms: long division by its first term, as far as it is exact.
  DimExpr quotient = 0, rest = a;
  for (int step = 0; step < 8 && !rest.terms().empty() && !b.terms().empty(); ++step) {
    if (b.terms()[0].coefficient == 0 || b.terms()[0].coefficient == -1)
      break;
    auto d = divideTerm(rest.terms()[0], b.terms()[0]);
    if (!d)
      break;
    DimExpr q = DimBuilder::sum({*d});
    DimExpr next = rest - q * b;
    if (!next.valid() || next.terms().size() > rest.terms().size())
      break;
    quotient = quotient + q;
    rest = next;
  }
  // A partial quotient would be correct too, but its form depends on the order of terms.
  return rest.isConstant(0) ? Split{quotient, rest} : Split{0, a};
}

static Split split(const DimExpr &a, const DimExpr &b) {
  auto c = b.constant();
  return c ? splitConstant(a, *c) : splitGeneral(a, b);
}

/// The greatest common divisor of c and all coefficients but the constant term's.
static int64_t commonDivisor(const DimExpr &a, int64_t c) {
  int64_t g = c;
  for (const Term &t : a.terms())
    if (!t.factors.empty())
      g = std::gcd(g, t.coefficient); // coefficients were reduced into [0, c)
  return g;
}

/// a with every coefficient divided by g, rounding the constant term down.
static DimExpr divideCoefficients(const DimExpr &a, int64_t g) {
  std::vector<Term> out;
  for (Term t : a.terms()) {
    t.coefficient = floorDivide(t.coefficient, g);
    out.push_back(std::move(t));
  }
  return DimBuilder::sum(std::move(out));
}

/// The constant term of a.
static int64_t constantTerm(const DimExpr &a) {
  return !a.terms().empty() && a.terms().back().factors.empty() ? a.terms().back().coefficient : 0;
}

/// ((x floordiv d) + k) floordiv c = (x + k*d) floordiv (c*d), for constants.
static std::optional<DimExpr> flattenNested(const DimExpr &a, int64_t c) {
  if (a.terms().empty() || a.terms().size() > 2)
    return std::nullopt;
  const Term &t = a.terms()[0];
  if (t.coefficient != 1 || t.factors.size() != 1 || t.factors[0]->kind != Kind::FloorDiv)
    return std::nullopt;
  if (a.terms().size() == 2 && !a.terms()[1].factors.empty())
    return std::nullopt;
  auto d = t.factors[0]->rhs.constant();
  int64_t both;
  if (!d || __builtin_mul_overflow(*d, c, &both))
    return std::nullopt;
  return floorDiv(t.factors[0]->lhs + DimExpr(constantTerm(a)) * *d, both);
}

DimExpr floorDiv(const DimExpr &a, const DimExpr &b) {
  auto c = b.constant();
  if (!a.valid() || !b.valid() || (c && *c <= 0))
    return DimBuilder::invalid();
  if (c == 1)
    return a;
  auto [quotient, rest] = split(a, b);
  if (rest.isConstant(0) || !quotient.valid() || !rest.valid())
    return quotient + rest;
  if (!c)
    return quotient + DimBuilder::atom(Kind::FloorDiv, "", rest, b);
  if (rest.constant())
    return quotient; // in [0, c)
  int64_t g = commonDivisor(rest, *c);
  if (g > 1)
    return quotient + floorDiv(divideCoefficients(rest, g), *c / g);
  if (auto flat = flattenNested(rest, *c))
    return quotient + *flat;
  return quotient + DimBuilder::atom(Kind::FloorDiv, "", rest, b);
}

DimExpr mod(const DimExpr &a, const DimExpr &b) {
  auto c = b.constant();
  if (!a.valid() || !b.valid() || (c && *c <= 0))
    return DimBuilder::invalid();
  auto [quotient, rest] = split(a, b);
  if (!rest.valid() || rest.isConstant(0) || (c && rest.constant()))
    return rest;
  if (!c)
    return DimBuilder::atom(Kind::Mod, "", rest, b);
  int64_t g = commonDivisor(rest, *c);
  if (g > 1) {
    int64_t low = constantTerm(rest) % g; // g*x + low, 0 <= low < g
    return DimExpr(g) * mod(divideCoefficients(rest, g), *c / g) + low;
  }
  const Term &t = rest.terms()[0];
  if (rest.terms().size() == 1 && t.coefficient == 1 && t.factors.size() == 1 &&
      t.factors[0]->kind == Kind::Mod)
    if (auto d = t.factors[0]->rhs.constant(); d && *d % *c == 0)
      return mod(t.factors[0]->lhs, b);
  return DimBuilder::atom(Kind::Mod, "", rest, b);
}

static void collect(Kind kind, const DimExpr &e, std::vector<DimExpr> &out) {
  if (e.terms().size() == 1) {
    const Term &t = e.terms()[0];
    if (t.coefficient == 1 && t.factors.size() == 1 && t.factors[0]->kind == kind) {
      collect(kind, t.factors[0]->lhs, out);
      collect(kind, t.factors[0]->rhs, out);
      return;
    }
  }
  out.push_back(e);
}

static DimExpr extreme(Kind kind, const DimExpr &a, const DimExpr &b) {
  if (!a.valid() || !b.valid())
    return DimBuilder::invalid();
  std::vector<DimExpr> parts, kept;
  collect(kind, a, parts);
  collect(kind, b, parts);
  for (const DimExpr &p : parts) {
    bool absorbed = false;
    for (DimExpr &k : kept)
      if (auto d = (p - k).constant()) {
        if (kind == Kind::Max ? *d > 0 : *d < 0)
          k = p;
        absorbed = true;
        break;
      }
    if (!absorbed)
      kept.push_back(p);
  }
  std::sort(kept.begin(), kept.end());
  DimExpr out = kept[0];
  for (size_t i = 1; i < kept.size(); ++i)
    out = DimBuilder::atom(kind, "", out, kept[i]);
  return out;
}

DimExpr min(const DimExpr &a, const DimExpr &b) { return extreme(Kind::Min, a, b); }
DimExpr max(const DimExpr &a, const DimExpr &b) { return extreme(Kind::Max, a, b); }

std::vector<DimExpr> DimExpr::broadcastParts() const {
  std::vector<DimExpr> parts;
  collect(Kind::Broadcast, *this, parts);
  return parts;
}

DimExpr broadcast(const DimExpr &a, const DimExpr &b) {
  if (!a.valid() || !b.valid())
    return DimBuilder::invalid();
  std::vector<DimExpr> parts = a.broadcastParts(), kept;
  collect(Kind::Broadcast, b, parts);
  for (const DimExpr &p : parts) {
    if (p.isConstant(1))
      continue;
    if (p.constant())
      return p; // no other part can be anything else, or 1
    if (std::find(kept.begin(), kept.end(), p) == kept.end())
      kept.push_back(p);
  }
  if (kept.empty())
    return 1;
  std::sort(kept.begin(), kept.end());
  DimExpr out = kept[0];
  for (size_t i = 1; i < kept.size(); ++i)
    out = DimBuilder::atom(Kind::Broadcast, "", out, kept[i]);
  return out;
}

DimExpr ceilDiv(const DimExpr &a, const DimExpr &b) { return floorDiv(a + b - 1, b); }

} // namespace imbrex
