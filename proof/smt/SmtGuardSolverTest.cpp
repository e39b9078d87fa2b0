#include "proof/smt/SmtGuardSolver.h"

#include "proof/algebra/Equality.h"

#include <gtest/gtest.h>

namespace imbrex::algebra {
namespace {

class NoTheory : public Theory {
public:
  void factsOf(Id, std::vector<Id> &) override {}
  void factsOfPair(Id, Id, std::vector<Id> &) override {}
  void factsOfCollection(Id, std::vector<Id> &) override {}
  bool isCount(Symbol) const override { return false; }
};

class Guards : public ::testing::Test {
protected:
  Variable variable(Sort sort = intSort) { return pool.fresh({sort}); }
  Id of(const Variable &v) { return pool.component(v, 0); }
  Id p(Id x) { return pool.apply(pool.symbol("p"), {x}, boolSort); }
  Id f(Id x) { return pool.apply(pool.symbol("f"), {x}, intSort); }
  Id all(std::vector<Id> parts) { return pool.conjunction(std::move(parts)); }
  bool refuted(std::vector<Id> formulas) { return solver.refute(formulas); }

  Pool pool;
  NoTheory theory;
  SmtGuardSolver solver{pool, theory, std::chrono::steady_clock::now() + std::chrono::minutes(1)};
};

TEST_F(Guards, OpaqueValuesAreDenselyOrdered) {
  Sort text = pool.opaqueSort("text");
  Id x = of(variable(text)), a = pool.opaque("a", text), b = pool.opaque("b", text);
  EXPECT_TRUE(refuted({pool.equal(x, a), pool.equal(x, b)}));
  EXPECT_FALSE(refuted({pool.less(a, x), pool.less(x, b)}));
  // Which of two texts is less is a matter of collation.
  EXPECT_FALSE(refuted({pool.less(a, b)}));
  EXPECT_FALSE(refuted({pool.less(b, a)}));
  EXPECT_TRUE(refuted({pool.less(a, x), pool.less(x, b), pool.less(b, a)}));
}

TEST_F(Guards, QuantifiersAreInstantiated) {
  Variable x = variable(), y = variable();
  Id some = pool.exists({y}, all({p(of(y)), pool.less(pool.integer(0), f(of(y)))}));
  EXPECT_TRUE(refuted({p(of(x)), pool.equal(f(of(x)), pool.integer(3)), pool.negation(some)}));
  EXPECT_FALSE(refuted({p(of(x)), pool.equal(f(of(x)), pool.integer(0)), pool.negation(some)}));
  Id more = pool.exists({y}, all({p(of(y)), pool.less(pool.integer(1), f(of(y)))}));
  EXPECT_TRUE(refuted({more, pool.negation(some)}));
  EXPECT_FALSE(refuted({some, pool.negation(more)}));
}

TEST_F(Guards, SumsWithoutRowsAreZero) {
  Variable x = variable();
  Id sum = pool.sumOver({x}, p(of(x)), f(of(x)));
  Id some = pool.exists({x}, p(of(x)));
  EXPECT_TRUE(refuted({pool.negation(some), pool.less(pool.integer(0), sum)}));
  EXPECT_FALSE(refuted({some, pool.zeroTest(sum)}));
}

TEST_F(Guards, SumsOfGuardsAreCompared) {
  Equality equality(pool, solver);
  Variable x = variable();
  Id low = pool.less(f(of(x)), pool.integer(5)), high = pool.negation(low);
  auto count = [&](Id guard) { return pool.sumOver({x}, all({p(of(x)), guard}), pool.integer(1)); };
  Id whole = count(pool.boolean(true));
  EXPECT_TRUE(equality.equal(pool.sum({count(low), count(high)}), whole, {}));
  EXPECT_FALSE(equality.equal(pool.sum({count(low), count(low)}), whole, {}));
  EXPECT_FALSE(equality.residual().empty());
}

TEST_F(Guards, NestedSumsAreComparedWhereTheyMatter) {
  Equality equality(pool, solver);
  Variable x = variable(), y = variable();
  Id key = of(variable());
  // Under f(key) = 1 both inner sums run over the same rows.
  Id one = pool.sumOver({y}, all({p(of(y)), pool.equal(f(of(y)), pool.integer(1))}), f(of(y)));
  Id two = pool.sumOver({y}, all({p(of(y)), pool.equal(f(of(y)), f(key))}), f(of(y)));
  Id context = pool.equal(f(key), pool.integer(1));
  EXPECT_TRUE(equality.equal(one, two, {context}));
  EXPECT_FALSE(equality.equal(one, two, {}));
}

} // namespace
} // namespace imbrex::algebra
