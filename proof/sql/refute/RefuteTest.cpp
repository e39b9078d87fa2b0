#include "proof/sql/refute/Refute.h"

#include "proof/sql/query/Builders.h"

#include <gtest/gtest.h>

using namespace imbrex;
using namespace imbrex::sql;

namespace {

ExprPtr col(uint32_t index, uint32_t depth = 0) {
  return makeColumn(depth, index, {BaseType::Int});
}
ExprPtr eq(ExprPtr a, ExprPtr b) { return makeCall(Op::Equal, {a, b}); }

/// t(a, b), u(c UNIQUE).
struct World {
  Catalog catalog;
  Semantics semantics;
  Engines engines;
  RefuteLimits limits;

  World() {
    catalog.tables = {{"t", {{"a", {BaseType::Int}}, {"b", {BaseType::Int}}}, {}, {}, {}},
                      {"u", {{"c", {BaseType::Int}}}, {{{0}, false}}, {}, {}}};
    limits.instances = 20'000;
    limits.time = std::chrono::milliseconds(2000);
  }
  QueryPtr t() { return makeScan(catalog, 0); }
  QueryPtr u() { return makeScan(catalog, 1); }
  Refutation run(const QueryPtr &a, const QueryPtr &b, const OriginalTexts &texts = {}) {
    return refute(*a, *b, catalog, semantics, limits, engines, texts);
  }
};

} // namespace

TEST(Refute, FindsTheEmptyTable) {
  World w;
  QueryPtr left = makeJoin(JoinKind::Left, w.t(), w.u(), makeBool(true));
  QueryPtr cross = makeJoin(JoinKind::Inner, w.t(), w.u(), makeBool(true));
  Refutation result = w.run(left, cross);
  ASSERT_EQ(result.verdict.answer, Answer::NotEquivalent) << result.verdict.reason;
  EXPECT_EQ(result.verdict.counterexample->tables[0].size(), 1u);
  EXPECT_TRUE(result.verdict.counterexample->tables[1].empty());
  EXPECT_EQ(result.verdict.confirmedBy.substr(0, 6), "SQLite");
  EXPECT_NE(result.script.find("CREATE TABLE t"), std::string::npos);
  EXPECT_NE(result.script.find("-- no rows"), std::string::npos);
}

TEST(Refute, FindsNothingWhereThereIsNothing) {
  World w;
  QueryPtr a = makeJoin(JoinKind::Inner, w.t(), w.u(), eq(col(0), col(2)));
  QueryPtr b =
      makeFilter(makeJoin(JoinKind::Inner, w.t(), w.u(), makeBool(true)), eq(col(2), col(0)));
  Refutation result = w.run(a, b);
  EXPECT_EQ(result.verdict.answer, Answer::Unknown);
  EXPECT_EQ(result.instances, w.limits.instances);
  EXPECT_EQ(result.faults, 0u);
  EXPECT_FALSE(result.verdict.counterexample.has_value());
}

TEST(Refute, RespectsKeysButNotForNull) {
  World w;
  // u.c is UNIQUE: removing duplicates changes only rows with NULL.
  Refutation all = w.run(w.u(), makeDistinct(w.u()));
  ASSERT_EQ(all.verdict.answer, Answer::NotEquivalent);
  EXPECT_EQ(all.verdict.counterexample->tables[1],
            (std::vector<std::vector<Value>>{{Value()}, {Value()}}));
  QueryPtr known = makeFilter(w.u(), makeCall(Op::IsNotNull, {col(0)}));
  EXPECT_EQ(w.run(known, makeDistinct(known)).verdict.answer, Answer::Unknown);
}

TEST(Refute, RespectsForeignKeysAndChecks) {
  World w;
  w.catalog.tables[1].columns[0].type.nullable = false;
  w.catalog.tables[1].keys = {{{0}, true}};
  w.catalog.tables[0].foreignKeys = {{{0}, 1, {0}}};
  w.catalog.tables[0].checks = {makeCall(Op::Greater, {col(1), makeInt(1)})};
  QueryPtr semi = makeJoin(JoinKind::Semi, w.t(), w.u(),
                           eq(col(0), makeColumn(0, 2, {BaseType::Int, {}, false})));
  QueryPtr known = makeFilter(w.t(), makeCall(Op::IsNotNull, {col(0)}));
  EXPECT_EQ(w.run(semi, known).verdict.answer, Answer::Unknown);
  EXPECT_EQ(w.run(semi, w.t()).verdict.answer, Answer::NotEquivalent);
  QueryPtr large =
      makeFilter(w.t(), makeCall(Op::IsNotFalse, {makeCall(Op::Greater, {col(1), makeInt(1)})}));
  EXPECT_EQ(w.run(large, w.t()).verdict.answer, Answer::Unknown);
}

TEST(Refute, ComparesListsUpToTies) {
  World w;
  QueryPtr byA = makeSort(w.t(), {{col(0)}});
  QueryPtr byAB = makeSort(w.t(), {{col(0)}, {col(1)}});
  QueryPtr byB = makeSort(w.t(), {{col(1)}});
  EXPECT_EQ(w.run(byA, makeSort(makeFilter(w.t(), makeBool(true)), {{col(0)}})).verdict.answer,
            Answer::Unknown);
  Refutation choice = w.run(byA, byAB);
  EXPECT_EQ(choice.verdict.answer, Answer::Unknown);
  EXPECT_NE(choice.verdict.reason.find("nondeterministic"), std::string::npos);
  EXPECT_EQ(w.run(byA, byB).verdict.answer, Answer::NotEquivalent);
}

TEST(Refute, ConfirmsOnPostgresWhatSqliteLacks) {
  World w;
  std::string whyNot;
  if (!w.engines.postgres(whyNot))
    GTEST_SKIP() << whyNot;
  QueryPtr a = makeProject(w.t(), {col(0)});
  Refutation result = w.run(makeSetOp(SetKind::Except, Duplicates::Keep, {a, w.u()}),
                            makeSetOp(SetKind::Except, Duplicates::Remove, {a, w.u()}));
  ASSERT_EQ(result.verdict.answer, Answer::NotEquivalent) << result.verdict.reason;
  EXPECT_EQ(result.verdict.confirmedBy.substr(0, 10), "PostgreSQL");
}

TEST(Refute, ReportsAnEngineThatDisagrees) {
  World w;
  // SQLite knows best what its own dialect means; the texts are not those of the queries.
  w.semantics.dialect = Dialect::Sqlite;
  Refutation result = w.run(w.t(), makeDistinct(w.t()), {"SELECT 1, 2", "SELECT 3, 4"});
  EXPECT_EQ(result.verdict.answer, Answer::Unknown);
  ASSERT_TRUE(result.defect.has_value());
  EXPECT_EQ(result.defect->code, 1130);
}

TEST(Refute, LeavesUnknownFunctionsUnconfirmed) {
  World w;
  QueryPtr a = makeProject(w.t(), {makeFunction("F", {col(0)}, {BaseType::Int})});
  QueryPtr b = makeProject(w.t(), {makeFunction("F", {col(1)}, {BaseType::Int})});
  Refutation result = w.run(a, b);
  EXPECT_EQ(result.verdict.answer, Answer::Unknown);
  EXPECT_TRUE(result.verdict.counterexample.has_value());
  EXPECT_NE(result.verdict.reason.find("the function F"), std::string::npos);
  EXPECT_EQ(w.run(a, a).verdict.counterexample.has_value(), false);
}

TEST(Refute, ComparesColumnsFirst) {
  World w;
  Refutation result = w.run(w.t(), w.u());
  EXPECT_EQ(result.verdict.answer, Answer::NotEquivalent);
  EXPECT_EQ(result.verdict.reason, "the results have different numbers of columns");
}
