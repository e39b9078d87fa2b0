#include "support/sqlite/Sqlite.h"

#include <gtest/gtest.h>

using namespace imbrex;
using namespace imbrex::sqlite;

namespace {

Database memory() { return Database::inMemory().take(); }

} // namespace

TEST(Sqlite, ReturnsCellsOfEveryType) {
  Database database = memory();
  Result<Rows> rows = database.query("SELECT NULL, 1, 2.5, 'a''b', x'00ff' AS bytes");
  ASSERT_TRUE(rows.ok()) << rows.error().str();
  EXPECT_EQ(rows->columns.back(), "bytes");
  std::vector<Cell> expected = {std::monostate{}, int64_t(1), 2.5, "a'b",
                                Blob{std::string("\0\xff", 2)}};
  EXPECT_EQ(rows->rows, (std::vector<std::vector<Cell>>{expected}));
}

TEST(Sqlite, RunsAStatementAgainWithOtherParameters) {
  Database database = memory();
  ASSERT_TRUE(database.execute("CREATE TABLE t(a INT, b TEXT)").ok());
  Result<Statement> insert = database.prepare("INSERT INTO t VALUES (?1, ?2)");
  ASSERT_TRUE(insert.ok());
  for (int64_t i = 0; i < 3; ++i) {
    ASSERT_TRUE(insert->bind(1, i).ok());
    ASSERT_TRUE(insert->bind(2, i == 1 ? Cell() : Cell("x")).ok());
    Result<Step> step = insert->step();
    ASSERT_TRUE(step.ok());
    EXPECT_EQ(*step, Step::Done);
    ASSERT_TRUE(insert->reset().ok());
  }
  Result<Rows> rows = database.query("SELECT sum(a), count(b) FROM t");
  ASSERT_TRUE(rows.ok());
  EXPECT_EQ(rows->rows[0], (std::vector<Cell>{int64_t(3), int64_t(2)}));
}

TEST(Sqlite, SaysDeclaredTypes) {
  Database database = memory();
  ASSERT_TRUE(database.execute("CREATE TABLE t(a VARCHAR(10))").ok());
  Result<Statement> statement = database.prepare("SELECT a, a || 'x' FROM t");
  ASSERT_TRUE(statement.ok());
  EXPECT_EQ(statement->declaredType(0), "VARCHAR(10)");
  EXPECT_EQ(statement->declaredType(1), "");
}

TEST(Sqlite, ReportsItsOwnWordsOnErrors) {
  Database database = memory();
  Result<Rows> rows = database.query("SELECT a FROM nowhere");
  ASSERT_FALSE(rows.ok());
  EXPECT_EQ(rows.error().code, 811);
  EXPECT_NE(rows.error().because.find("no such table"), std::string::npos);
  EXPECT_EQ(database.query("  ").error().code, 814);
  EXPECT_EQ(database.query("SELECT 1; SELECT 2").error().code, 814);
  EXPECT_EQ(Database::open("no/such/folder/x.db", Access::ReadOnly).error().code, 810);
}

TEST(Sqlite, StopsAtLimits) {
  Database database = memory();
  const char *endless = "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) ";
  EXPECT_EQ(database.query(std::string(endless) + "SELECT i FROM n", 100).error().code, 813);
  database.setTimeLimit(std::chrono::milliseconds(20));
  EXPECT_EQ(database.query(std::string(endless) + "SELECT count(*) FROM n").error().code, 812);
  database.setTimeLimit({});
  EXPECT_TRUE(database.query("SELECT 1").ok());
}

TEST(Sqlite, GivesRightResultsWithoutOptimizations) {
  Database database = memory();
  database.disableOptimizations();
  Result<Rows> rows = database.query("SELECT l.a FROM (SELECT 1 AS a UNION ALL SELECT 0) AS l LEFT "
                                     "JOIN (SELECT 5 AS b) AS r ON l.a");
  ASSERT_TRUE(rows.ok());
  EXPECT_EQ(rows->rows.size(), 2u);
}
