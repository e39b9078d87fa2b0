#include "proof/sql/evaluate/Evaluator.h"

#include "proof/sql/Verdict.h"
#include "proof/sql/query/Builders.h"

#include <gtest/gtest.h>

#include <algorithm>

using namespace imbrex;
using namespace imbrex::sql;

namespace {

using Rows = std::vector<std::vector<Value>>;
const Value null;

/// t(a, b), u(c), all integers.
struct World {
  Catalog catalog;
  Database database;
  Semantics semantics;

  World() {
    catalog.tables = {{"t", {{"a", {BaseType::Int}}, {"b", {BaseType::Int}}}, {}, {}, {}},
                      {"u", {{"c", {BaseType::Int}}}, {}, {}, {}}};
    database.tables.resize(2);
  }
  QueryPtr t() { return makeScan(catalog, 0); }
  QueryPtr u() { return makeScan(catalog, 1); }

  /// The rows as text, sorted unless the result is a list; or the fault's reason.
  std::string run(const QueryPtr &query) {
    EXPECT_TRUE(verify(*query, catalog).ok()) << verify(*query, catalog).error().str();
    TextPool pool;
    Result<Evaluator> evaluator = Evaluator::compile(*query, catalog, semantics, pool);
    if (!evaluator)
      return evaluator.error().str();
    Instance instance = *toInstance(database, catalog, pool);
    RunResult result = evaluator->run(instance, Meaning::plain(pool));
    if (result.fault != Fault::None)
      return std::string("fault: ") + result.why;
    std::vector<std::string> lines;
    for (uint32_t i = 0; i < result.rows->count; ++i) {
      std::string line;
      for (uint32_t c = 0; c < result.rows->width; ++c)
        line +=
            (c ? "," : "") + toSql(toValue(result.rows->row(i)[c], query->columns[c].type, pool));
      lines.push_back(line);
    }
    if (!result.ties)
      std::sort(lines.begin(), lines.end());
    std::string text;
    for (const std::string &line : lines)
      text += (text.empty() ? "" : " ") + line;
    return text;
  }
  std::string value(const ExprPtr &expr) { return run(makeProject(makeValues({}, {{}}), {expr})); }
};

ExprPtr col(uint32_t index, uint32_t depth = 0) {
  return makeColumn(depth, index, {BaseType::Int});
}
ExprPtr eq(ExprPtr a, ExprPtr b) { return makeCall(Op::Equal, {a, b}); }

Aggregate aggregate(AggregateKind kind, std::vector<ExprPtr> arguments = {}) {
  Aggregate result;
  result.kind = kind;
  result.type = {BaseType::Int};
  result.arguments = std::move(arguments);
  return result;
}

} // namespace

TEST(Evaluator, ComputesInThreeValues) {
  World w;
  ExprPtr unknown = makeNull({BaseType::Bool}), yes = makeBool(true), no = makeBool(false);
  EXPECT_EQ(w.value(makeCall(Op::And, {unknown, no})), "FALSE");
  EXPECT_EQ(w.value(makeCall(Op::And, {unknown, yes})), "NULL");
  EXPECT_EQ(w.value(makeCall(Op::Or, {unknown, yes})), "TRUE");
  EXPECT_EQ(w.value(makeCall(Op::Not, {unknown})), "NULL");
  EXPECT_EQ(w.value(makeCall(Op::IsNotTrue, {unknown})), "TRUE");
  EXPECT_EQ(w.value(makeCall(Op::IsDistinct, {unknown, unknown})), "FALSE");
}

TEST(Evaluator, ComputesExactly) {
  World w;
  EXPECT_EQ(w.value(makeCall(Op::Divide, {makeInt(-7), makeInt(2)})), "-3");
  EXPECT_EQ(w.value(makeCall(Op::Modulo, {makeInt(-7), makeInt(2)})), "-1");
  ExprPtr third = makeCall(Op::Divide, {makeLiteral(Rational{1, 1}, {BaseType::Number}),
                                        makeLiteral(Rational{3, 1}, {BaseType::Number})});
  EXPECT_EQ(w.value(makeCall(Op::Add, {third, third})), "(2.0 / 3.0)");
  EXPECT_EQ(w.value(makeCall(Op::Add, {makeInt(INT64_MAX), makeInt(1)})),
            "fault: a number beyond 64 bits");
  EXPECT_EQ(w.value(makeCall(Op::Divide, {makeInt(1), makeInt(0)})), "fault: division by zero");
  w.semantics.errors = ErrorPolicy::AsNull;
  EXPECT_EQ(w.value(makeCall(Op::Divide, {makeInt(1), makeInt(0)})), "NULL");
}

TEST(Evaluator, MatchesPatterns) {
  World w;
  auto like = [&](const char *text, const char *pattern) {
    return w.value(makeCall(Op::Like, {makeText(text), makeText(pattern)}));
  };
  EXPECT_EQ(like("abc", "a%c"), "TRUE");
  EXPECT_EQ(like("abc", "_b_"), "TRUE");
  EXPECT_EQ(like("abcbc", "%bc"), "TRUE");
  EXPECT_EQ(like("abc", "a_"), "FALSE");
  EXPECT_EQ(like("", "%"), "TRUE");
}

TEST(Evaluator, JoinsInAllKinds) {
  World w;
  w.database.tables = {{{int64_t(1), int64_t(1)}, {int64_t(2), null}}, {{int64_t(1)}, {null}}};
  auto join = [&](JoinKind kind) {
    return w.run(makeJoin(kind, w.t(), w.u(), eq(col(0), col(2))));
  };
  EXPECT_EQ(join(JoinKind::Inner), "1,1,1");
  EXPECT_EQ(join(JoinKind::Left), "1,1,1 2,NULL,NULL");
  EXPECT_EQ(join(JoinKind::Right), "1,1,1 NULL,NULL,NULL");
  EXPECT_EQ(join(JoinKind::Full), "1,1,1 2,NULL,NULL NULL,NULL,NULL");
  EXPECT_EQ(join(JoinKind::Semi), "1,1");
  EXPECT_EQ(join(JoinKind::Anti), "2,NULL");
}

TEST(Evaluator, EvaluatesLateralInputsPerRow) {
  World w;
  w.database.tables = {{{int64_t(1), int64_t(5)}, {int64_t(2), int64_t(6)}},
                       {{int64_t(1)}, {int64_t(1)}}};
  QueryPtr right = makeFilter(w.u(), eq(col(0), col(0, 1)));
  EXPECT_EQ(w.run(makeJoin(JoinKind::Left, w.t(), right, makeBool(true), Lateral::Yes)),
            "1,5,1 1,5,1 2,6,NULL");
}

TEST(Evaluator, EvaluatesCorrelatedSubqueries) {
  World w;
  w.database.tables = {{{int64_t(1), int64_t(1)}, {int64_t(2), int64_t(1)}, {null, int64_t(1)}},
                       {{int64_t(2)}, {null}}};
  ExprPtr in = makeIn({col(0)}, w.u());
  EXPECT_EQ(w.run(makeProject(w.t(), {col(0), in})), "1,NULL 2,TRUE NULL,NULL");
  ExprPtr all = makeQuantified(col(0), Op::Less, Quantifier::All,
                               makeFilter(w.u(), makeCall(Op::IsNotNull, {col(0)})));
  EXPECT_EQ(w.run(makeProject(w.t(), {all})), "FALSE NULL TRUE");
  QueryPtr matching = makeFilter(w.u(), eq(col(0), col(0, 1)));
  ExprPtr count = makeScalar(makeGroup(matching, {}, {{}}, {aggregate(AggregateKind::CountRows)}));
  EXPECT_EQ(w.run(makeProject(w.t(), {col(0), count})), "1,0 2,1 NULL,0");
  EXPECT_EQ(w.run(makeProject(w.t(), {makeScalar(w.u())})),
            "fault: a scalar subquery with several rows");
}

TEST(Evaluator, GroupsBySets) {
  World w;
  w.database.tables[0] = {{int64_t(1), int64_t(5)}, {int64_t(1), null}, {null, int64_t(7)}};
  std::vector<Aggregate> aggregates = {aggregate(AggregateKind::CountRows),
                                       aggregate(AggregateKind::Sum, {col(1)})};
  EXPECT_EQ(w.run(makeGroup(w.t(), {col(0)}, {{0}, {}}, aggregates, {{0}})),
            "1,2,5,0 NULL,1,7,0 NULL,3,12,1");
  w.database.tables[0].clear();
  EXPECT_EQ(w.run(makeGroup(w.t(), {col(0)}, {{0}, {}}, aggregates, {{0}})), "NULL,0,NULL,1");
}

TEST(Evaluator, AggregatesWithDistinctAndFilter) {
  World w;
  for (int64_t v : {1, 1, 2, 4})
    w.database.tables[1].push_back({v});
  w.database.tables[1].push_back({null});
  Aggregate distinct = aggregate(AggregateKind::Sum, {col(0)});
  distinct.distinct = true;
  Aggregate filtered = aggregate(AggregateKind::Count, {col(0)});
  filtered.filter = makeCall(Op::Greater, {col(0), makeInt(1)});
  Aggregate mean = aggregate(AggregateKind::Avg, {col(0)});
  Aggregate exactMean = mean;
  exactMean.type = {BaseType::Number};
  EXPECT_EQ(
      w.run(makeGroup(w.u(), {}, {{}},
                      {distinct, filtered, mean, exactMean, aggregate(AggregateKind::Min, {col(0)}),
                       aggregate(AggregateKind::Max, {col(0)})})),
      "7,2,2,2.0,1,4");
}

TEST(Evaluator, CountsInSetOperations) {
  World w;
  for (int64_t v : {1, 1, 1, 2})
    w.database.tables[1].push_back({v});
  w.database.tables[0] = {{int64_t(1), null}, {null, null}};
  QueryPtr left = w.u(), right = makeProject(w.t(), {col(0)});
  auto run = [&](SetKind kind, Duplicates duplicates) {
    return w.run(makeSetOp(kind, duplicates, {left, right}));
  };
  EXPECT_EQ(run(SetKind::Union, Duplicates::Remove), "1 2 NULL");
  EXPECT_EQ(run(SetKind::Except, Duplicates::Keep), "1 1 2");
  EXPECT_EQ(run(SetKind::Except, Duplicates::Remove), "2");
  EXPECT_EQ(run(SetKind::Intersect, Duplicates::Keep), "1");
}

TEST(Evaluator, ReportsChoicesAmongTies) {
  World w;
  w.database.tables[0] = {{int64_t(1), int64_t(5)}, {int64_t(1), int64_t(6)}, {int64_t(0), null}};
  EXPECT_EQ(w.run(makeSort(w.t(), {{col(0)}}, makeInt(1))), "0,NULL");
  EXPECT_EQ(w.run(makeSort(w.t(), {{col(0)}}, makeInt(2))), "fault: LIMIT chooses among tied rows");
  EXPECT_EQ(w.run(makeSort(w.t(), {{col(0)}, {col(1)}}, makeInt(1), makeInt(1))), "1,5");
  ExprPtr some = makeExists(makeSort(w.t(), {}, makeInt(1)));
  EXPECT_EQ(w.value(some), "TRUE");
}

TEST(Evaluator, RunsWindows) {
  World w;
  w.database.tables[0] = {{int64_t(1), int64_t(1)},
                          {int64_t(1), int64_t(2)},
                          {int64_t(1), int64_t(2)},
                          {int64_t(2), int64_t(9)}};
  auto window = [&](WindowKind kind, std::vector<ExprPtr> arguments = {}) {
    WindowFunction result;
    result.kind = kind;
    result.aggregate = aggregate(AggregateKind::Sum, std::move(arguments));
    result.partition = {col(0)};
    result.order = {{col(1)}};
    return result;
  };
  WindowFunction moving = window(WindowKind::Aggregate, {col(1)});
  moving.unit = FrameUnit::Rows;
  moving.from = {BoundKind::Preceding, makeInt(1)};
  EXPECT_EQ(w.run(makeWindow(w.t(), {window(WindowKind::Rank), window(WindowKind::DenseRank),
                                     window(WindowKind::RowNumber),
                                     window(WindowKind::Aggregate, {col(1)}), moving,
                                     window(WindowKind::Lag, {col(1)})})),
            "1,1,1,1,1,1,1,NULL 1,2,2,2,2,5,3,1 1,2,2,2,3,5,4,2 2,9,1,1,1,9,9,NULL");
  WindowFunction tied = window(WindowKind::RowNumber);
  tied.order.clear();
  const char *const Chooses = "fault: a window function chooses among tied rows";
  EXPECT_EQ(w.run(makeWindow(w.t(), {tied})), Chooses);
  // Which of the tied rows has which number is seen only where something else of them is.
  EXPECT_EQ(w.run(makeProject(makeWindow(w.t(), {tied}), {col(2)})), "1 1 2 3");
  EXPECT_EQ(w.run(makeProject(makeWindow(w.t(), {tied}), {col(0), col(2)})), "1,1 1,2 1,3 2,1");
  EXPECT_EQ(w.run(makeProject(makeWindow(w.t(), {tied}), {col(1), col(2)})), Chooses);
  EXPECT_EQ(w.run(makeProject(makeWindow(w.t(), {tied, tied}), {col(2)})), Chooses);
  WindowFunction lag = window(WindowKind::Lag, {col(1)});
  lag.order.clear();
  EXPECT_EQ(w.run(makeProject(makeWindow(w.t(), {lag}), {col(2)})), Chooses);
}

TEST(Evaluator, DrawsTheSameMeaningForEqualArguments) {
  World w;
  w.database.tables[1] = {{int64_t(1)}, {int64_t(1)}, {int64_t(2)}};
  ExprPtr call = makeFunction("F", {col(0)}, {BaseType::Int});
  ExprPtr other = makeFunction("F", {makeCall(Op::Add, {col(0), makeInt(0)})}, {BaseType::Int});
  EXPECT_EQ(w.run(makeProject(w.u(), {makeCall(Op::IsNotDistinct, {call, other})})),
            "TRUE TRUE TRUE");
}
