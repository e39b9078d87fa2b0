#include "proof/sql/query/Builders.h"
#include "proof/sql/query/Semantics.h"
#include "proof/sql/query/Types.h"

#include <gtest/gtest.h>

using namespace imbrex;
using namespace imbrex::sql;

namespace {

const Type Integer{BaseType::Int, {}, true}, IntegerNotNull{BaseType::Int, {}, false};

Catalog twoTables() {
  Catalog catalog;
  catalog.tables.push_back({"dept", {{"id", IntegerNotNull}, {"title", {BaseType::Text}}}});
  catalog.tables.push_back({"log", {{"k", Integer}, {"v", Integer}}});
  return catalog;
}

TEST(Values, AsLiterals) {
  EXPECT_EQ(toSql(Value()), "NULL");
  EXPECT_EQ(toSql(Value(true)), "TRUE");
  EXPECT_EQ(toSql(Value(int64_t(-3))), "-3");
  EXPECT_EQ(toSql(Value(Rational{-3, 2})), "-1.5");
  EXPECT_EQ(toSql(Value(Rational{1, 16})), "0.0625");
  EXPECT_EQ(toSql(Value(Rational{1, 3})), "(1.0 / 3.0)");
  EXPECT_EQ(toSql(Value(std::string("it's"))), "'it''s'");
  EXPECT_EQ(toSql(Value(Opaque{BaseType::Date, "2020-01-01"})), "DATE '2020-01-01'");
}

TEST(SemanticsOf, Dialects) {
  EXPECT_EQ(Semantics::of(Dialect::Sqlite).errors, ErrorPolicy::AsNull);
  EXPECT_EQ(Semantics::of(Dialect::Postgres).errors, ErrorPolicy::ErrorFree);
  EXPECT_EQ(Semantics::of(Dialect::MySql).division, IntegerDivision::Exact);
  EXPECT_EQ(Semantics().str(), "dialect standard, compared as automatic, NULL sorts as the "
                               "largest value, '' is no NULL, integer division truncates, overflow "
                               "does not count, errors do not count");
  EXPECT_EQ(Semantics::of(Dialect::MySql).nulls, NullSorting::Smallest);
  EXPECT_EQ(dialectOf("pg"), Dialect::Postgres);
  EXPECT_FALSE(dialectOf("oracle"));
}

TEST(Builders, NullabilityFollows) {
  Catalog catalog = twoTables();
  QueryPtr dept = makeScan(catalog, 0), log = makeScan(catalog, 1);
  QueryPtr join =
      makeJoin(JoinKind::Left, dept, log,
               makeCall(Op::Equal, {makeColumn(0, 0, IntegerNotNull), makeColumn(0, 2, Integer)}));
  EXPECT_FALSE(join->columns[0].type.nullable);
  EXPECT_TRUE(join->columns[2].type.nullable);
  QueryPtr right = makeJoin(JoinKind::Right, dept, log, makeBool(true));
  EXPECT_TRUE(right->columns[0].type.nullable);
  Aggregate count{AggregateKind::CountRows};
  QueryPtr group = makeGroup(dept, {}, {{}}, {count});
  EXPECT_FALSE(makeScalar(group)->type.nullable);
  EXPECT_TRUE(makeScalar(makeProject(dept, {makeColumn(*dept, 0)}))->type.nullable);
  Aggregate sum{AggregateKind::Sum};
  sum.arguments = {makeColumn(*dept, 0)};
  EXPECT_TRUE(makeGroup(dept, {}, {{}}, {sum})->columns[0].type.nullable);
  EXPECT_FALSE(makeGroup(dept, {makeColumn(*dept, 1)}, {{0}}, {sum})->columns[1].type.nullable);
  EXPECT_TRUE(verify(*group, catalog).ok());
  EXPECT_TRUE(verify(*join, catalog).ok());
}

TEST(Text, OneOperatorALine) {
  Catalog catalog = twoTables();
  QueryPtr dept = makeScan(catalog, 0), log = makeScan(catalog, 1);
  QueryPtr matches =
      makeFilter(log, makeCall(Op::Equal, {makeColumn(*log, 0), makeColumn(1, 0, IntegerNotNull)}));
  QueryPtr query = makeProject(makeFilter(dept, makeExists(matches)), {makeColumn(*dept, 0)});
  EXPECT_EQ(toText(*query, catalog), "Project #0\n"
                                     "  Filter EXISTS {1}\n"
                                     "      1: Filter (#0 = ^#0)\n"
                                     "        Scan log\n"
                                     "    Scan dept\n");
  EXPECT_TRUE(verify(*query, catalog).ok());
}

std::string fault(const QueryPtr &query) {
  Status status = verify(*query, twoTables());
  return status ? "" : status.error().what;
}

TEST(Verify, NamesTheOperator) {
  Catalog catalog = twoTables();
  QueryPtr log = makeScan(catalog, 1);
  EXPECT_EQ(fault(makeProject(log, {makeColumn(0, 2, Integer)})),
            "a query is not well formed: column #2 out of range in Project");
  EXPECT_EQ(fault(makeProject(log, {makeColumn(1, 0, Integer)})),
            "a query is not well formed: column ^#0 out of range in Project");
  EXPECT_EQ(fault(makeProject(log, {makeColumn(0, 0, IntegerNotNull)})),
            "a query is not well formed: column #0 may be NULL in Project");
  EXPECT_EQ(fault(makeFilter(log, makeColumn(*log, 0))),
            "a query is not well formed: a condition that is no BOOLEAN in Filter");
  EXPECT_EQ(fault(makeProject(log, {makeLiteral(true, Integer)})),
            "a query is not well formed: TRUE is no INTEGER in Project");
}

TEST(Verify, RowsOfLateralJoins) {
  Catalog catalog = twoTables();
  QueryPtr dept = makeScan(catalog, 0), log = makeScan(catalog, 1);
  QueryPtr inner =
      makeFilter(log, makeCall(Op::Equal, {makeColumn(*log, 0), makeColumn(1, 0, IntegerNotNull)}));
  EXPECT_EQ(fault(makeJoin(JoinKind::Inner, dept, inner, makeBool(true), Lateral::Yes)), "");
  EXPECT_EQ(fault(makeJoin(JoinKind::Inner, dept, inner, makeBool(true))),
            "a query is not well formed: column ^#0 out of range in Filter");
}

TEST(OutermostSort, BelowProjectsOnly) {
  Catalog catalog = twoTables();
  QueryPtr log = makeScan(catalog, 1);
  QueryPtr sorted = makeSort(log, {{makeColumn(*log, 1)}});
  EXPECT_EQ(outermostSort(*makeProject(sorted, {makeColumn(*log, 0)})), sorted.get());
  EXPECT_EQ(outermostSort(*makeDistinct(sorted)), nullptr);
}

} // namespace
