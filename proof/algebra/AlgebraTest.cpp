// Rules of the term core, each with a near miss. Numbers are checked against values: a term and its
// normal form agree wherever both can be computed.
#include "proof/algebra/Entailment.h"
#include "proof/algebra/Equality.h"

#include <gtest/gtest.h>

namespace imbrex::algebra {
namespace {

class Algebra : public ::testing::Test {
protected:
  Variable variable(Sort sort = intSort) { return pool.fresh({sort}); }
  Id of(const Variable &v) { return pool.component(v, 0); }
  Id p(Id x) { return pool.apply(pool.symbol("p"), {x}, boolSort); }
  Id q(Id x) { return pool.apply(pool.symbol("q"), {x}, boolSort); }
  Id r(Id x, Id y) { return pool.apply(pool.symbol("r"), {x, y}, boolSort); }
  Id f(Id x) { return pool.apply(pool.symbol("f"), {x}, intSort); }
  Id all(std::vector<Id> parts) { return pool.conjunction(std::move(parts)); }
  Id n(int64_t value) { return pool.integer(value); }

  Pool pool;
};

TEST_F(Algebra, SumsCollectTerms) {
  Id x = of(variable()), y = of(variable());
  EXPECT_EQ(pool.sum({x, y, x}), pool.sum({y, pool.scale({2, 1}, x)}));
  EXPECT_EQ(pool.subtract(x, x), n(0));
  EXPECT_NE(pool.sum({x, y}), pool.sum({x, x}));
}

TEST_F(Algebra, ProductsDistribute) {
  Id x = of(variable()), y = of(variable());
  Id square = pool.product({pool.sum({x, y}), pool.sum({x, y})});
  EXPECT_EQ(square, pool.sum({pool.product({x, x}), pool.scale({2, 1}, pool.product({x, y})),
                              pool.product({y, y})}));
}

TEST_F(Algebra, IntegerTestsAreTightened) {
  Id x = of(variable());
  Id twice = pool.scale({2, 1}, x);
  EXPECT_EQ(pool.less(n(3), twice), pool.less(n(1), x));
  EXPECT_TRUE(pool.isFalse(pool.equal(twice, n(3))));
  Id real = of(variable(realSort));
  EXPECT_FALSE(pool.isFalse(pool.equal(pool.scale({2, 1}, real), n(3))));
  EXPECT_NE(pool.less(n(3), pool.scale({2, 1}, real)), pool.less(n(1), real));
}

TEST_F(Algebra, NegationOfIntegerTests) {
  Id x = of(variable());
  EXPECT_EQ(pool.negation(pool.less(x, n(3))), pool.less(n(2), x));
  EXPECT_EQ(pool.negation(pool.negation(pool.less(x, n(3)))), pool.less(x, n(3)));
}

TEST_F(Algebra, BooleansAbsorb) {
  Id a = p(n(1)), b = p(n(2)), c = p(n(3));
  EXPECT_TRUE(pool.isFalse(all({a, pool.negation(a)})));
  EXPECT_EQ(all({a, pool.disjunction({a, b})}), a);
  EXPECT_EQ(all({a, pool.disjunction({pool.negation(a), b})}), all({a, b}));
  EXPECT_EQ(pool.disjunction({all({a, b}), all({a, pool.negation(b)})}), a);
  EXPECT_NE(pool.disjunction({all({a, b}), all({a, c})}), a);
}

TEST_F(Algebra, NamesOfBoundVariablesDoNotMatter) {
  Variable x = variable(), y = variable(), u = variable(), v = variable();
  Id one = pool.exists({x, y}, all({p(of(x)), q(of(y)), r(of(x), of(y))}));
  Id other = pool.exists({u, v}, all({p(of(v)), q(of(u)), r(of(v), of(u))}));
  Id turned = pool.exists({u, v}, all({p(of(v)), q(of(u)), r(of(u), of(v))}));
  EXPECT_EQ(one, other);
  EXPECT_NE(one, turned);
}

TEST_F(Algebra, LongCyclesHaveOneForm) {
  auto cycle = [&](const std::vector<int> &order) {
    std::vector<Variable> v;
    for (int i = 0; i < 8; ++i)
      v.push_back(variable());
    std::vector<Id> edges;
    for (size_t i = 0; i < 8; ++i)
      edges.push_back(r(of(v[size_t(order[i])]), of(v[size_t(order[(i + 1) % 8])])));
    return pool.sumOver(v, all(edges), n(1));
  };
  EXPECT_EQ(cycle({0, 1, 2, 3, 4, 5, 6, 7}), cycle({5, 2, 7, 0, 3, 6, 1, 4}));
}

TEST_F(Algebra, EquatedVariablesGo) {
  Variable x = variable(), y = variable();
  Id outer = of(variable());
  Id sum = pool.sumOver({x}, all({pool.equal(of(x), outer), p(of(x))}), f(of(x)));
  EXPECT_EQ(sum, pool.guarded(p(outer), f(outer)));
  // Not through an inequality, and not where the value would not be an integer.
  Id open = pool.sumOver({y}, all({pool.lessEqual(of(y), outer), p(of(y))}), n(1));
  EXPECT_EQ(pool[open].kind, Kind::Sum);
  Id half = pool.sumOver({y}, all({pool.equal(pool.scale({2, 1}, of(y)), outer), p(of(y))}), n(1));
  EXPECT_EQ(pool[half].kind, Kind::Sum);
}

TEST_F(Algebra, ARealValueDoesNotReplaceAnInteger) {
  Variable x = variable(intSort);
  Id real = of(variable(realSort));
  Id sum = pool.sumOver({x}, all({pool.equal(of(x), real), p(of(x))}), n(1));
  EXPECT_EQ(pool[sum].kind, Kind::Sum);
}

TEST_F(Algebra, IndependentPartsSeparate) {
  Variable x = variable(), y = variable();
  Id both = pool.sumOver({x, y}, all({p(of(x)), q(of(y))}), n(1));
  EXPECT_EQ(both,
            pool.product({pool.sumOver({x}, p(of(x)), n(1)), pool.sumOver({y}, q(of(y)), n(1))}));
  Id tied = pool.sumOver({x, y}, all({p(of(x)), q(of(y)), r(of(x), of(y))}), n(1));
  EXPECT_EQ(pool[tied].kind, Kind::Sum);
}

TEST_F(Algebra, FactsAreNotUsedInCircles) {
  // x = y and x = y + z: if each could use the other, x = y would be lost.
  Id x = of(variable()), y = of(variable()), z = of(variable());
  Scope scope{{}, all({pool.equal(x, y), pool.equal(x, pool.sum({y, z}))}), {pool.subtract(x, y)}};
  simplify(pool, scope, Eliminate::No);
  EXPECT_EQ(pool.conjuncts(scope.guard).size(), 2u);
  EXPECT_EQ(scope.payload[0], n(0));
}

TEST_F(Algebra, RedundantRowsFoldUnderSquashOnly) {
  Variable x = variable(), y = variable();
  Id outer = of(variable());
  std::vector<Id> body{r(of(x), outer), r(of(y), outer), q(of(y))};
  EXPECT_EQ(pool.exists({x, y}, all(body)), pool.exists({y}, all({r(of(y), outer), q(of(y))})));
  std::vector<Id> needed{r(of(x), outer), r(of(y), outer), q(of(y)), p(of(x))};
  EXPECT_NE(pool.exists({x, y}, all(needed)),
            pool.exists({y}, all({r(of(y), outer), q(of(y)), p(of(y))})));
  Id bag = pool.sumOver({x, y}, all(body), n(1));
  EXPECT_NE(bag, pool.sumOver({y}, all({r(of(y), outer), q(of(y))}), n(1)));
}

TEST_F(Algebra, ExistenceFollowsFromARow) {
  Variable x = variable(), y = variable();
  Id some = pool.exists({y}, all({p(of(y)), q(of(y))}));
  EXPECT_TRUE(followsFrom(pool, some, {p(of(x)), q(of(x))}));
  EXPECT_FALSE(followsFrom(pool, some, {p(of(x)), q(of(variable()))}));
}

TEST_F(Algebra, CountsArePositiveWhereRowsAre) {
  Variable x = variable();
  Id count = pool.sumOver({x}, p(of(x)), n(1)), some = pool.exists({x}, p(of(x)));
  EXPECT_EQ(pool.less(n(0), count), some);
  EXPECT_EQ(pool.zeroTest(count), pool.negation(some));
  EXPECT_EQ(pool.guarded(some, count), count);
  // A sum of values may be zero although there are rows.
  Id sum = pool.sumOver({x}, p(of(x)), f(of(x)));
  EXPECT_NE(pool.zeroTest(sum), pool.negation(some));
  EXPECT_EQ(pool.guarded(some, sum), sum);
}

TEST_F(Algebra, CollectionsKeepTheOrderOfTheirVariables) {
  Variable x = variable(), y = variable();
  Symbol g = pool.symbol("g");
  Id one = pool.collect(g, {x, y}, pool.guarded(r(of(x), of(y)), n(1)), {}, intSort);
  Id other = pool.collect(g, {x, y}, pool.guarded(r(of(y), of(x)), n(1)), {}, intSort);
  EXPECT_NE(one, other);
}

TEST_F(Algebra, OverflowIsRemembered) {
  Id x = of(variable());
  for (int i = 0; i < 5; ++i)
    x = pool.scale({int64_t(1) << 60, 1}, x);
  EXPECT_TRUE(pool.overflowed);
}

TEST_F(Algebra, ADeadlineEndsIt) {
  pool.deadline = std::chrono::steady_clock::now() - std::chrono::seconds(1);
  EXPECT_THROW(
      {
        for (int i = 0; i < 10000; ++i)
          p(n(i));
      },
      Exhausted);
}

} // namespace
} // namespace imbrex::algebra
