// Index terms made at random: what IndexForm says of them against their values at every point.
#include "compiler/passes/lower/IndexForm.h"

#include <gtest/gtest.h>
#include <random>

namespace imbrex::lower {
namespace {

using namespace opmeaning;

/// The values of the variables and of the symbol n.
struct Point {
  std::unordered_map<const Node *, int64_t> vars;
  int64_t n = 0;

  int64_t size(const DimExpr &e) const {
    auto v = e.evaluate({{"n", n}});
    EXPECT_TRUE(v) << e.str() << ": " << v.error().what;
    return v ? *v : 0;
  }
};

bool holds(const Node *g, const Point &at);

/// Division of the meaning: towards minus infinity.
int64_t floorOf(int64_t a, int64_t b) { return a / b - (a % b < 0); }

int64_t valueOf(const Node *n, const Point &at) {
  auto arg = [&](size_t i) { return valueOf(n->args[i], at); };
  switch (n->kind) {
  case TermKind::IxVar:
    return at.vars.at(n);
  case TermKind::IxConst:
    return n->number;
  case TermKind::IxDim:
    return at.size(n->dim);
  case TermKind::IxAdd:
    return arg(0) + arg(1);
  case TermKind::IxSub:
    return arg(0) - arg(1);
  case TermKind::IxMul:
    return arg(0) * at.size(n->dim);
  case TermKind::IxFloorDiv:
    return floorOf(arg(0), at.size(n->dim));
  case TermKind::IxMod: {
    int64_t a = arg(0), d = at.size(n->dim);
    return a - floorOf(a, d) * d;
  }
  case TermKind::IxMin:
    return std::min(arg(0), arg(1));
  case TermKind::IxMax:
    return std::max(arg(0), arg(1));
  case TermKind::IxSelect:
    return holds(n->args[0], at) ? arg(1) : arg(2);
  default:
    ADD_FAILURE() << "no index";
    return 0;
  }
}

bool holds(const Node *g, const Point &at) {
  switch (g->kind) {
  case TermKind::PTrue:
    return true;
  case TermKind::PNot:
    return !holds(g->args[0], at);
  case TermKind::PAnd:
    return holds(g->args[0], at) && holds(g->args[1], at);
  case TermKind::POr:
    return holds(g->args[0], at) || holds(g->args[1], at);
  case TermKind::PCmp: {
    int64_t a = valueOf(g->args[0], at), b = valueOf(g->args[1], at);
    return g->cmp == Cmp::Eq   ? a == b
           : g->cmp == Cmp::Ne ? a != b
           : g->cmp == Cmp::Lt ? a < b
                               : a <= b;
  }
  default:
    ADD_FAILURE() << "no guard";
    return false;
  }
}

std::string text(const Node *n) {
  static const std::map<TermKind, std::string> names = {
      {TermKind::IxAdd, "+"},   {TermKind::IxSub, "-"},         {TermKind::IxMul, "*"},
      {TermKind::IxMod, "mod"}, {TermKind::IxFloorDiv, "div"},  {TermKind::IxMin, "min"},
      {TermKind::IxMax, "max"}, {TermKind::IxSelect, "select"}, {TermKind::PTrue, "true"},
      {TermKind::PNot, "not"},  {TermKind::PAnd, "and"},        {TermKind::POr, "or"}};
  if (n->kind == TermKind::IxVar)
    return "v" + std::to_string(n->number);
  if (n->kind == TermKind::IxConst)
    return std::to_string(n->number);
  if (n->kind == TermKind::IxDim)
    return "{" + n->dim.str() + "}";
  static const char *compare[] = {"==", "!=", "<", "<="};
  std::string out =
      "(" + (n->kind == TermKind::PCmp ? compare[static_cast<int>(n->cmp)] : names.at(n->kind));
  for (const Node *a : n->args)
    out += " " + text(a);
  if (n->kind == TermKind::IxMul || n->kind == TermKind::IxMod || n->kind == TermKind::IxFloorDiv)
    out += " {" + n->dim.str() + "}";
  return out + ")";
}

/// One case: variables with extents, and terms over them.
class Case {
public:
  Case(unsigned seed, SymbolFacts n) : gen(seed), symbolFacts(n) {
    EXPECT_TRUE(facts.add("n", n));
    for (int i = 0; i < 2 + pick(2); ++i) {
      vars.push_back(program.variable());
      extents.push_back(pick(3) == 0 ? DimExpr::symbol("n") : DimExpr(1 + pick(5)));
    }
  }

  int64_t pick(int64_t below) { return std::uniform_int_distribution<int64_t>(0, below - 1)(gen); }

  const Node *make(TermKind kind, std::vector<const Node *> args, const DimExpr &dim = 0) {
    Node n{.kind = kind};
    n.args = std::move(args);
    n.dim = dim;
    return program.intern(std::move(n));
  }

  const Node *leaf() {
    if (pick(3) != 0)
      return vars[pick(vars.size())];
    if (pick(4) == 0)
      return make(TermKind::IxDim, {}, DimExpr::symbol("n") + (pick(3) - 1));
    Node c{.kind = TermKind::IxConst};
    c.number = pick(13) - 6;
    return program.intern(std::move(c));
  }

  DimExpr factor() { return pick(5) == 0 ? DimExpr::symbol("n") : DimExpr(pick(9) - 3); }

  /// Positive for every value of n.
  DimExpr divisor() {
    if (pick(5) == 0 && symbolFacts.lo > 0)
      return DimExpr::symbol("n") * (1 + pick(2));
    return 1 + pick(8);
  }

  const Node *index(int depth) {
    if (depth == 0)
      return leaf();
    switch (pick(10)) {
    case 0:
    case 1:
      return make(TermKind::IxAdd, {index(depth - 1), index(depth - 1)});
    case 2:
      return make(TermKind::IxSub, {index(depth - 1), index(depth - 1)});
    case 3:
      return make(TermKind::IxMul, {index(depth - 1)}, factor());
    case 4:
      return make(TermKind::IxFloorDiv, {index(depth - 1)}, divisor());
    case 5:
      return make(TermKind::IxMod, {index(depth - 1)}, divisor());
    case 6:
      return make(pick(2) ? TermKind::IxMin : TermKind::IxMax,
                  {index(depth - 1), index(depth - 1)});
    case 7:
      return make(TermKind::IxSelect, {guard(depth - 1), index(depth - 1), index(depth - 1)});
    case 8: { // what packing writes: both digits of one index, joined again
      const Node *whole = index(depth - 1);
      DimExpr d = divisor();
      return make(TermKind::IxAdd,
                  {make(TermKind::IxMul, {make(TermKind::IxFloorDiv, {whole}, d)}, d),
                   make(TermKind::IxMod, {whole}, d)});
    }
    default:
      return leaf();
    }
  }

  const Node *guard(int depth) {
    if (depth > 0 && pick(3) == 0) {
      if (pick(3) == 0)
        return make(TermKind::PNot, {guard(depth - 1)});
      return make(pick(2) ? TermKind::PAnd : TermKind::POr, {guard(depth - 1), guard(depth - 1)});
    }
    Node n{.kind = TermKind::PCmp};
    n.cmp = static_cast<Cmp>(pick(4));
    n.args = {index(depth), index(depth)};
    return program.intern(std::move(n));
  }

  /// Calls `at` for every point of the variables' space, n being each value that its facts allow.
  void everywhere(const std::function<void(const Point &)> &at) {
    for (int64_t n = symbolFacts.lo; n <= symbolFacts.lo + 3 * symbolFacts.divisor;
         n += symbolFacts.divisor) {
      Point p;
      p.n = n;
      std::function<void(size_t)> go = [&](size_t i) {
        if (i == vars.size())
          return at(p);
        for (int64_t v = 0, e = p.size(extents[i]); v < e; ++v) {
          p.vars[vars[i]] = v;
          go(i + 1);
        }
      };
      go(0);
    }
  }

  std::mt19937 gen;
  SymbolFacts symbolFacts;
  DimFacts facts;
  Program program;
  std::vector<const Node *> vars;
  std::vector<DimExpr> extents;
};

/// What the cases below may know of n. Zero: a size may be empty.
const SymbolFacts kFacts[] = {{1, INT64_MAX, 1}, {0, INT64_MAX, 1}, {4, 64, 4}, {2, 5, 1}};

constexpr unsigned kCases = 3000;

/// Runs `body` on many cases with a form that knows their variables; stops at the first failure.
void forCases(const std::function<void(Case &, IndexForm &)> &body) {
  for (unsigned seed = 0; seed < kCases && !testing::Test::HasFailure(); ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    Case c(seed, kFacts[seed % 4]);
    IndexForm form(c.program, c.facts);
    form.bind(c.vars, c.extents);
    body(c, form);
  }
}

TEST(IndexForm, SimplifyKeepsTheValue) {
  int changed = 0;
  forCases([&](Case &c, IndexForm &form) {
    const Node *term = c.index(4), *simple = form.simplify(term);
    changed += term != simple;
    SCOPED_TRACE(text(term) + "  ->  " + text(simple));
    bool same = true;
    c.everywhere([&](const Point &p) { same &= valueOf(term, p) == valueOf(simple, p); });
    EXPECT_TRUE(same);
  });
  EXPECT_GT(changed, static_cast<int>(kCases / 4)) << "hardly any case was simplified";
}

TEST(IndexForm, RangeHoldsEveryValue) {
  int bounded = 0;
  forCases([&](Case &c, IndexForm &form) {
    const Node *term = c.index(3);
    SCOPED_TRACE(text(term));
    IndexRange r = form.range(term);
    bounded += r.lo && r.hi;
    c.everywhere([&](const Point &p) {
      int64_t v = valueOf(term, p);
      if ((r.lo && p.size(*r.lo) > v) || (r.hi && p.size(*r.hi) < v))
        FAIL() << v << " with n = " << p.n << " is outside " << (r.lo ? r.lo->str() : "-") << " .. "
               << (r.hi ? r.hi->str() : "-");
    });
  });
  EXPECT_GT(bounded, static_cast<int>(kCases / 4));
}

TEST(IndexForm, InBoundsIsTrueEverywhere) {
  int proven = 0;
  forCases([&](Case &c, IndexForm &form) {
    const Node *term = c.index(2);
    DimExpr extent = c.pick(3) ? DimExpr(1 + c.pick(30)) : DimExpr::symbol("n") * (1 + c.pick(3));
    if (!form.inBounds(term, extent))
      return;
    ++proven;
    SCOPED_TRACE(text(term) + " in " + extent.str());
    c.everywhere([&](const Point &p) {
      int64_t v = valueOf(term, p);
      EXPECT_TRUE(v >= 0 && v < p.size(extent)) << v << " with n = " << p.n;
    });
  });
  EXPECT_GT(proven, static_cast<int>(kCases / 20));
}

TEST(IndexForm, DecidedGuardsHoldEverywhere) {
  int decided = 0;
  forCases([&](Case &c, IndexForm &form) {
    const Node *g = c.guard(2), *simple = form.simplifyGuard(g);
    auto d = form.decide(g);
    decided += d.has_value();
    SCOPED_TRACE(text(g) + "  ->  " + text(simple));
    bool right = true, same = true;
    c.everywhere([&](const Point &p) {
      bool h = holds(g, p);
      right &= !d || *d == h;
      same &= holds(simple, p) == h;
    });
    EXPECT_TRUE(right) << "decided " << (d && *d);
    EXPECT_TRUE(same);
  });
  EXPECT_GT(decided, static_cast<int>(kCases / 20));
}

TEST(IndexForm, FlattenIsTheRowMajorPlace) {
  forCases([&](Case &c, IndexForm &form) {
    std::vector<const Node *> at;
    std::vector<DimExpr> sizes;
    for (int64_t i = 0, rank = c.pick(4); i < rank; ++i) {
      at.push_back(c.index(2));
      sizes.push_back(c.pick(4) ? DimExpr(1 + c.pick(6)) : DimExpr::symbol("n"));
    }
    const Node *flat = form.flatten(at, sizes);
    SCOPED_TRACE(text(flat));
    bool same = true;
    c.everywhere([&](const Point &p) {
      int64_t place = 0;
      for (size_t i = 0; i < at.size(); ++i)
        place = place * p.size(sizes[i]) + valueOf(at[i], p);
      same &= valueOf(flat, p) == place;
    });
    EXPECT_TRUE(same);
  });
}

// What packing and reshapes rely on, by name.
TEST(IndexForm, DigitsJoin) {
  Case c(0, {1, INT64_MAX, 1});
  IndexForm form(c.program, c.facts);
  const Node *f = c.program.variable(), *i = c.program.variable(), *j = c.program.variable();
  form.bind({f, i, j}, {100, DimExpr::symbol("n"), 8});
  const Node *joined =
      c.make(TermKind::IxAdd, {c.make(TermKind::IxMul, {c.make(TermKind::IxFloorDiv, {f}, 4)}, 4),
                               c.make(TermKind::IxMod, {f}, 4)});
  EXPECT_EQ(form.simplify(joined), f);
  const Node *place = c.make(TermKind::IxAdd, {c.make(TermKind::IxMul, {i}, 8), j});
  EXPECT_EQ(form.simplify(c.make(TermKind::IxFloorDiv, {place}, 8)), i);
  EXPECT_EQ(form.simplify(c.make(TermKind::IxMod, {place}, 8)), j);
  // Rows of three eights: a walk by eights stays in a row.
  EXPECT_EQ(form.simplify(c.make(TermKind::IxFloorDiv, {place}, 24)),
            c.make(TermKind::IxFloorDiv, {i}, 3));
  const Node *inRow = form.simplify(c.make(TermKind::IxMod, {place}, 24));
  EXPECT_EQ(inRow, form.simplify(
                       c.make(TermKind::IxAdd,
                              {c.make(TermKind::IxMul, {c.make(TermKind::IxMod, {i}, 3)}, 8), j})));
  const Node *again =
      c.make(TermKind::IxAdd,
             {c.make(TermKind::IxMul, {c.make(TermKind::IxFloorDiv, {place}, 24)}, 24), inRow});
  const Node *turned = c.make(TermKind::IxAdd, {j, c.make(TermKind::IxMul, {i}, 8)});
  EXPECT_EQ(form.simplify(again), form.simplify(turned));
  EXPECT_TRUE(form.inBounds(place, DimExpr::symbol("n") * 8));
  EXPECT_FALSE(form.inBounds(place, DimExpr::symbol("n") * 8 - 1));
}

} // namespace
} // namespace imbrex::lower
