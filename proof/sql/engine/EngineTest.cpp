#include "proof/sql/engine/Engines.h"

#include "proof/sql/query/Builders.h"

#include <gtest/gtest.h>

using namespace imbrex;
using namespace imbrex::sql;

namespace {

Catalog catalogOf() {
  Catalog catalog;
  Table parent{"parent", {{"id", {BaseType::Int, {}, false}}}, {{{0}, true}}, {}, {}};
  Table child{"child", {{"p", {BaseType::Int}}, {"order", {BaseType::Text}}}, {}, {}, {}};
  child.foreignKeys = {{{0}, 0, {0}}};
  child.checks = {makeCall(Op::Greater, {makeColumn(0, 0, {BaseType::Int}), makeInt(0)})};
  catalog.tables = {parent, child};
  return catalog;
}

std::string print(const QueryPtr &query, Engine engine = Engine::Sqlite) {
  Result<std::string> text = printSql(*query, catalogOf(), engine, {});
  return text ? *text : text.error().str();
}

const EngineJob Job = {
    "CREATE TABLE t(a INTEGER, b TEXT); INSERT INTO t VALUES (1, 'x'), (2, NULL);",
    {"SELECT a, b, a > 1 FROM t", "SELECT SUM(a) FROM t"},
    {{{"a", {BaseType::Int}}, {"b", {BaseType::Text}}, {"c", {BaseType::Bool}}},
     {{"s", {BaseType::Int}}}}};

void expectResults(const std::vector<Rows> &results) {
  ASSERT_EQ(results.size(), 2u);
  EXPECT_EQ(results[0], (Rows{{int64_t(1), "x", false}, {int64_t(2), Value(), true}}));
  EXPECT_EQ(results[1], (Rows{{int64_t(3)}}));
}

} // namespace

TEST(PrintSql, PrintsConstraints) {
  EXPECT_EQ(printTables(catalogOf(), Engine::Postgres, {}),
            "CREATE TABLE parent (id BIGINT NOT NULL, PRIMARY KEY (id));\n"
            "CREATE TABLE child (p BIGINT, \"order\" TEXT, FOREIGN KEY (p) REFERENCES parent (id), "
            "CHECK ((p > 0)));\n");
}

TEST(PrintSql, JoinsFiltersAndTablesStayFlat) {
  Catalog catalog = catalogOf();
  QueryPtr join = makeJoin(
      JoinKind::Left, makeScan(catalog, 1), makeScan(catalog, 0),
      makeCall(Op::Equal, {makeColumn(0, 0, {BaseType::Int}), makeColumn(0, 2, {BaseType::Int})}));
  QueryPtr query = makeProject(makeFilter(join, makeCall(Op::IsNull, {makeColumn(*join, 2)})),
                               {makeColumn(*join, 1)});
  EXPECT_EQ(print(query), "SELECT t1.\"order\" AS c0 FROM child AS t1 LEFT JOIN parent AS t2 ON "
                          "(t1.p = t2.id) WHERE (t2.id IS NULL)");
}

TEST(PrintSql, KeepsAnOutermostOrder) {
  Catalog catalog = catalogOf();
  QueryPtr sort = makeSort(makeScan(catalog, 0), {{makeColumn(0, 0, {BaseType::Int})}}, makeInt(2));
  EXPECT_EQ(print(makeProject(sort, {makeInt(1)})),
            "SELECT 1 AS c0 FROM parent AS t1 ORDER BY t1.id NULLS LAST LIMIT 2");
}

TEST(PrintSql, SaysWhatAnEngineLacks) {
  Catalog catalog = catalogOf();
  QueryPtr query =
      makeSetOp(SetKind::Except, Duplicates::Keep, {makeScan(catalog, 0), makeScan(catalog, 0)});
  EXPECT_NE(print(query).find("E1110"), std::string::npos);
  EXPECT_NE(print(query, Engine::Postgres).find("EXCEPT ALL"), std::string::npos);
}

TEST(Engines, RunsOnSqlite) {
  Result<std::vector<Rows>> results = runOnSqlite(Job);
  ASSERT_TRUE(results.ok()) << results.error().str();
  expectResults(*results);
  EngineJob wrong = Job;
  wrong.queries[1] = "SELECT nothing FROM t";
  EXPECT_EQ(runOnSqlite(wrong).error().code, 1111);
}

TEST(Engines, RunsOnAPrivatePostgres) {
  std::string whyNot;
  std::unique_ptr<PostgresServer> server = PostgresServer::start(whyNot);
  if (!server)
    GTEST_SKIP() << whyNot;
  EXPECT_EQ(server->version().substr(0, 11), "PostgreSQL ");
  for (int i = 0; i < 2; ++i) { // each run has a fresh database
    Result<std::vector<Rows>> results = server->run(Job);
    ASSERT_TRUE(results.ok()) << results.error().str();
    expectResults(*results);
  }
  EngineJob wrong = Job;
  wrong.queries[0] = "SELECT nothing FROM t";
  EXPECT_EQ(server->run(wrong).error().code, 1111);
  EXPECT_TRUE(server->run(Job).ok());
}

TEST(Engines, ComparesFractionsNearly) {
  EXPECT_TRUE(nearlyEqual(Value(Rational{1, 3}), Value(Rational{333333333, 1000000000})));
  EXPECT_FALSE(nearlyEqual(Value(Rational{1, 3}), Value(Rational{1, 2})));
  EXPECT_TRUE(nearlyEqual(Value(int64_t(2)), Value(Rational{2, 1})));
  EXPECT_TRUE(nearlyEqual(Rows{{int64_t(1)}, {Value()}}, Rows{{Value()}, {int64_t(1)}}));
}
