#include "support/smt/Smt.h"

#include <gtest/gtest.h>

namespace imbrex::smt {
namespace {

TEST(Smt, DecidesLinearArithmetic) {
  Context c;
  Term x = c.constant("x", c.intSort()), y = c.constant("y", c.intSort());
  Solver s(c);
  s.add(c.less(x, y));
  s.push();
  s.add(c.less(y, x));
  EXPECT_EQ(s.check(), Outcome::Unsat);
  s.pop();
  ASSERT_EQ(s.check(), Outcome::Sat);
  Model m = s.model();
  EXPECT_LT(*m.integer(x), *m.integer(y));
  EXPECT_FALSE(m.same(x, y));
}

TEST(Smt, FunctionsAreCongruent) {
  Context c;
  Sort u = c.uninterpretedSort("U");
  Function f = c.function("f", std::vector{u}, c.boolSort());
  Term a = c.constant("a", u), b = c.constant("b", u);
  Solver s(c);
  s.add(c.equal(a, b));
  s.add(c.apply(f, std::vector{a}));
  EXPECT_EQ(s.check(), Outcome::Sat);
  s.add(c.negation(c.apply(f, std::vector{b})));
  EXPECT_EQ(s.check(), Outcome::Unsat);
}

TEST(Smt, CoreNamesTheConflictingAssumptions) {
  Context c;
  Term p = c.constant("p", c.boolSort()), q = c.constant("q", c.boolSort()),
       r = c.constant("r", c.boolSort());
  Solver s(c);
  s.add(c.negation(c.conjunction(std::vector{p, q})));
  ASSERT_EQ(s.check(std::vector{p, q, r}), Outcome::Unsat);
  std::vector<Term> core = s.core();
  EXPECT_EQ(core.size(), 2u);
  for (Term t : core)
    EXPECT_NE(t, r);
}

TEST(Smt, OptimizerLosesTheLightestConstraint) {
  Context c;
  Term p = c.constant("p", c.boolSort()), q = c.constant("q", c.boolSort());
  Optimizer o(c);
  o.add(c.negation(c.conjunction(std::vector{p, q})));
  o.addSoft(p, 3);
  o.addSoft(q, 2);
  ASSERT_EQ(o.check(), Outcome::Sat);
  EXPECT_TRUE(o.model().holds(p));
  EXPECT_FALSE(o.model().holds(q));
}

TEST(Smt, EnumerationsHaveNoFurtherValue) {
  Context c;
  Enumeration e = c.enumeration("Kind", std::vector<std::string>{"nominal", "ordinal"});
  Term x = c.constant("x", e.sort);
  Solver s(c);
  s.add(c.negation(c.equal(x, e.values[0])));
  ASSERT_EQ(s.check(), Outcome::Sat);
  EXPECT_EQ(s.model().text(x), "ordinal");
  s.add(c.negation(c.equal(x, e.values[1])));
  EXPECT_EQ(s.check(), Outcome::Unsat);
}

TEST(Smt, RationalsAreExact) {
  Context c;
  Term x = c.constant("x", c.realSort());
  Solver s(c);
  s.add(c.equal(c.product(std::vector{x, c.rational(3, 1)}), c.rational(1, 1)));
  ASSERT_EQ(s.check(), Outcome::Sat);
  EXPECT_EQ(s.model().text(x), "1/3");
  EXPECT_EQ(s.model().text(c.equal(x, c.rational(1, 3))), "true");
}

TEST(Smt, IllSortedTermsMakeChecksUnknown) {
  Context c;
  c.sum(std::vector{c.boolean(true), c.integer(1)});
  EXPECT_FALSE(c.failure().empty());
  Solver s(c);
  s.add(c.boolean(false));
  EXPECT_EQ(s.check(), Outcome::Unknown);
}

TEST(Smt, ResourceLimitEndsACheck) {
  Context c;
  Solver s(c, {.milliseconds = 5000, .resources = 1000});
  std::vector<Term> v;
  for (int i = 0; i < 8; ++i)
    v.push_back(c.constant("v" + std::to_string(i), c.intSort()));
  for (int i = 0; i + 2 < 8; ++i)
    s.add(c.equal(c.product(std::vector{v[i], v[i], v[i + 1]}),
                  c.sum(std::vector{c.product(std::vector{v[i + 2], v[i + 2]}), c.integer(7)})));
  s.add(c.less(c.integer(1000), v[0]));
  EXPECT_EQ(s.check(), Outcome::Unknown);
}

TEST(Smt, CountsBooleans) {
  Context c;
  std::vector<Term> p;
  for (int i = 0; i < 3; ++i)
    p.push_back(c.constant("p" + std::to_string(i), c.boolSort()));
  Solver s(c);
  s.add(c.atLeast(p, 2));
  s.add(c.negation(p[0]));
  EXPECT_EQ(s.check(), Outcome::Sat);
  s.add(c.atMost(p, 1));
  EXPECT_EQ(s.check(), Outcome::Unsat);
}

} // namespace
} // namespace imbrex::smt
