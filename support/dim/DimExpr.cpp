// Canonical arithmetic of DimExpr. Folding of floordiv, mod, min and max is in DimFold.cpp, reading
// and printing in DimText.cpp.
#include "support/dim/DimImpl.h"

#include <algorithm>
#include <set>

namespace imbrex {

using Term = DimExpr::Term;

static size_t mix(size_t h, size_t v) { return (h ^ v) * 0x9e3779b97f4a7c15ULL + (h >> 29); }

std::strong_ordering DimBuilder::compare(const DimExpr::Atom &a, const DimExpr::Atom &b) {
  if (&a == &b)
    return std::strong_ordering::equal;
  if (auto c = a.kind <=> b.kind; c != 0)
    return c;
  if (a.kind == DimExpr::AtomKind::Symbol) {
    int c = a.name.compare(b.name);
    return c <=> 0;
  }
  if (auto c = compare(a.lhs, b.lhs); c != 0)
    return c;
  return compare(a.rhs, b.rhs);
}

/// Longer products first, so that the constant term is last.
std::strong_ordering DimBuilder::compareFactors(const Term &a, const Term &b) {
  size_t n = std::min(a.factors.size(), b.factors.size());
  for (size_t i = 0; i < n; ++i)
    if (auto c = compare(*a.factors[i], *b.factors[i]); c != 0)
      return c;
  return b.factors.size() <=> a.factors.size();
}

std::strong_ordering DimBuilder::compare(const DimExpr &a, const DimExpr &b) {
  if (a.poly == b.poly)
    return std::strong_ordering::equal;
  if (a.valid() != b.valid())
    return a.valid() <=> b.valid();
  const auto &x = a.terms(), &y = b.terms();
  for (size_t i = 0; i < std::min(x.size(), y.size()); ++i) {
    if (auto c = compareFactors(x[i], y[i]); c != 0)
      return c;
    if (auto c = x[i].coefficient <=> y[i].coefficient; c != 0)
      return c;
  }
  return x.size() <=> y.size();
}

DimExpr DimBuilder::invalid() {
  static const auto poly = std::make_shared<DimExpr::Poly>(DimExpr::Poly{false, {}, 0, 7});
  return DimExpr(std::shared_ptr<const DimExpr::Poly>(poly));
}

DimExpr DimBuilder::sum(std::vector<Term> terms) {
  auto before = [](const Term &a, const Term &b) { return compareFactors(a, b) < 0; };
  std::sort(terms.begin(), terms.end(), before);
  auto poly = std::make_shared<DimExpr::Poly>();
  for (Term &t : terms) {
    if (!poly->terms.empty() && compareFactors(poly->terms.back(), t) == 0) {
      int64_t &c = poly->terms.back().coefficient;
      if (__builtin_add_overflow(c, t.coefficient, &c))
        return invalid();
    } else {
      if (!poly->terms.empty() && poly->terms.back().coefficient == 0)
        poly->terms.pop_back();
      poly->terms.push_back(std::move(t));
    }
  }
  if (!poly->terms.empty() && poly->terms.back().coefficient == 0)
    poly->terms.pop_back();
  if (poly->terms.size() > kMaxTerms)
    return invalid();
  size_t h = 1;
  for (const Term &t : poly->terms) {
    h = mix(h, static_cast<size_t>(t.coefficient));
    for (const auto &f : t.factors) {
      h = mix(h, f->hash);
      poly->depth = std::max(poly->depth, f->depth);
    }
  }
  poly->hash = h;
  return DimExpr(std::shared_ptr<const DimExpr::Poly>(std::move(poly)));
}

DimExpr DimBuilder::atom(DimExpr::AtomKind kind, std::string name, DimExpr lhs, DimExpr rhs) {
  auto a = std::make_shared<DimExpr::Atom>();
  a->depth = 1 + std::max(lhs.poly->depth, rhs.poly->depth);
  if (a->depth > kMaxDepth)
    return invalid();
  a->hash = mix(mix(mix(std::hash<std::string>()(name), static_cast<size_t>(kind)), lhs.hash()),
                rhs.hash());
  a->kind = kind;
  a->name = std::move(name);
  a->lhs = std::move(lhs);
  a->rhs = std::move(rhs);
  return sum({Term{1, {std::move(a)}}});
}

/// Unequal polynomials of one symbol each still cost a sort only; the term limit bounds hostile
/// products.
DimExpr DimBuilder::product(const DimExpr &a, const DimExpr &b) {
  if (a.terms().size() * b.terms().size() > kMaxTerms * 4)
    return invalid();
  std::vector<Term> out;
  for (const Term &x : a.terms())
    for (const Term &y : b.terms()) {
      Term t;
      if (__builtin_mul_overflow(x.coefficient, y.coefficient, &t.coefficient))
        return invalid();
      t.factors = x.factors;
      t.factors.insert(t.factors.end(), y.factors.begin(), y.factors.end());
      if (t.factors.size() > kMaxFactors)
        return invalid();
      std::sort(t.factors.begin(), t.factors.end(),
                [](const auto &p, const auto &q) { return compare(*p, *q) < 0; });
      out.push_back(std::move(t));
    }
  return sum(std::move(out));
}

DimExpr::DimExpr(int64_t value) : poly(DimBuilder::constantPoly(value)) {}
DimExpr::DimExpr(std::shared_ptr<const Poly> p) : poly(std::move(p)) {}

std::shared_ptr<const DimExpr::Poly> DimBuilder::constantPoly(int64_t value) {
  auto make = [](int64_t v) {
    auto p = std::make_shared<DimExpr::Poly>();
    p->hash = 1;
    if (v != 0) {
      p->terms.push_back(Term{v, {}});
      p->hash = mix(1, static_cast<size_t>(v));
    }
    return std::shared_ptr<const DimExpr::Poly>(std::move(p));
  };
  static const auto zero = make(0), one = make(1);
  return value == 0 ? zero : value == 1 ? one : make(value);
}

DimExpr DimExpr::symbol(std::string_view name) {
  return DimBuilder::atom(AtomKind::Symbol, std::string(name), 0, 0);
}

bool DimExpr::valid() const { return poly->valid; }
size_t DimExpr::hash() const { return poly->hash; }
const std::vector<DimExpr::Term> &DimExpr::terms() const { return poly->terms; }

std::optional<int64_t> DimExpr::constant() const {
  if (!valid())
    return std::nullopt;
  if (terms().empty())
    return 0;
  if (terms().size() == 1 && terms()[0].factors.empty())
    return terms()[0].coefficient;
  return std::nullopt;
}

std::optional<std::string_view> DimExpr::asSymbol() const {
  if (terms().size() != 1 || terms()[0].coefficient != 1 || terms()[0].factors.size() != 1 ||
      terms()[0].factors[0]->kind != AtomKind::Symbol)
    return std::nullopt;
  return terms()[0].factors[0]->name;
}

DimExpr operator+(const DimExpr &a, const DimExpr &b) {
  if (!a.valid() || !b.valid())
    return DimBuilder::invalid();
  std::vector<Term> terms = a.terms();
  terms.insert(terms.end(), b.terms().begin(), b.terms().end());
  return DimBuilder::sum(std::move(terms));
}

DimExpr operator-(const DimExpr &a, const DimExpr &b) {
  if (!a.valid() || !b.valid())
    return DimBuilder::invalid();
  std::vector<Term> terms = a.terms();
  for (Term t : b.terms()) {
    // -INT64_MIN does not exist; as -1 - x it may still cancel, but that is not worth a special
    // case.
    if (__builtin_sub_overflow(int64_t{0}, t.coefficient, &t.coefficient))
      return DimBuilder::invalid();
    terms.push_back(std::move(t));
  }
  return DimBuilder::sum(std::move(terms));
}

DimExpr operator*(const DimExpr &a, const DimExpr &b) {
  if (!a.valid() || !b.valid())
    return DimBuilder::invalid();
  return DimBuilder::product(a, b);
}

bool operator==(const DimExpr &a, const DimExpr &b) {
  return a.poly == b.poly || (a.poly->hash == b.poly->hash && DimBuilder::compare(a, b) == 0);
}

bool operator<(const DimExpr &a, const DimExpr &b) { return DimBuilder::compare(a, b) < 0; }

static void collectSymbols(const DimExpr &e, std::set<std::string> &out) {
  for (const Term &t : e.terms())
    for (const auto &f : t.factors) {
      if (f->kind == DimExpr::AtomKind::Symbol) {
        out.insert(f->name);
        continue;
      }
      collectSymbols(f->lhs, out);
      collectSymbols(f->rhs, out);
    }
}

std::vector<std::string> DimExpr::symbols() const {
  std::set<std::string> names;
  collectSymbols(*this, names);
  return {names.begin(), names.end()};
}

DimExpr DimBuilder::rebuild(DimExpr::AtomKind kind, const DimExpr &l, const DimExpr &r) {
  switch (kind) {
  case DimExpr::AtomKind::FloorDiv:
    return floorDiv(l, r);
  case DimExpr::AtomKind::Mod:
    return mod(l, r);
  case DimExpr::AtomKind::Min:
    return min(l, r);
  case DimExpr::AtomKind::Max:
    return max(l, r);
  case DimExpr::AtomKind::Broadcast:
    return broadcast(l, r);
  case DimExpr::AtomKind::Symbol:
    break;
  }
  return invalid();
}

DimExpr
DimExpr::substitute(const std::function<std::optional<DimExpr>(std::string_view)> &value) const {
  if (!valid() || poly->depth == 0)
    return *this;
  DimExpr total = 0;
  for (const Term &t : terms()) {
    DimExpr p = t.coefficient;
    for (const auto &f : t.factors) {
      if (f->kind == AtomKind::Symbol) {
        auto v = value(f->name);
        p = p * (v ? *v : DimBuilder::sum({Term{1, {f}}}));
      } else {
        p = p * DimBuilder::rebuild(f->kind, f->lhs.substitute(value), f->rhs.substitute(value));
      }
    }
    total = total + p;
  }
  return total;
}

static Result<int64_t> evaluateAtom(const DimExpr::Atom &a,
                                    const std::map<std::string, int64_t, std::less<>> &values) {
  using Kind = DimExpr::AtomKind;
  if (a.kind == Kind::Symbol) {
    auto it = values.find(a.name);
    if (it == values.end())
      return badInput(504, "the dimension '" + a.name + "' has no value");
    return it->second;
  }
  auto l = a.lhs.evaluate(values);
  if (!l)
    return l;
  auto r = a.rhs.evaluate(values);
  if (!r)
    return r;
  if (a.kind == Kind::Min)
    return std::min(*l, *r);
  if (a.kind == Kind::Max)
    return std::max(*l, *r);
  if (a.kind == Kind::Broadcast)
    return *l == 1 ? *r : *l;
  if (*r <= 0)
    return badInput(504, "division by " + std::to_string(*r) + " in a dimension",
                    "'" + a.rhs.str() + "' must be greater than 0");
  return a.kind == Kind::FloorDiv ? floorDivide(*l, *r) : euclideanMod(*l, *r);
}

Result<int64_t> DimExpr::evaluate(const std::map<std::string, int64_t, std::less<>> &values) const {
  if (!valid())
    return badInput(504, "a dimension does not fit in 64 bits");
  int64_t total = 0;
  for (const Term &t : terms()) {
    int64_t p = t.coefficient;
    bool overflow = false;
    for (const auto &f : t.factors) {
      auto v = evaluateAtom(*f, values);
      if (!v)
        return v;
      overflow |= __builtin_mul_overflow(p, *v, &p);
    }
    if (overflow || __builtin_add_overflow(total, p, &total))
      return badInput(504, "the dimension '" + str() + "' does not fit in 64 bits");
  }
  return total;
}

} // namespace imbrex
