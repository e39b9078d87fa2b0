// What each dialect reads, and the limits of the parser. What trees mean is tested with the binder.
#include "proof/sql/parse/Parse.h"

#include <gtest/gtest.h>

using namespace imbrex;
using namespace imbrex::sql;

namespace {

/// "", or the error.
std::string parsed(const std::string &sql, Dialect dialect = Dialect::Standard) {
  Result<ast::QueryPtr> query = parseQuery(sql, "q", DialectRules::of(dialect));
  return query ? "" : query.error().str();
}

bool reads(const std::string &sql, Dialect dialect) { return parsed(sql, dialect).empty(); }

TEST(Parse, DialectsDiffer) {
  EXPECT_TRUE(reads("SELECT `a` FROM t LIMIT 1, 2", Dialect::MySql));
  EXPECT_FALSE(reads("SELECT `a` FROM t", Dialect::Postgres));
  EXPECT_TRUE(reads("SELECT [a b] FROM t", Dialect::Sqlite));
  EXPECT_FALSE(reads("SELECT [a b] FROM t", Dialect::Postgres));
  EXPECT_TRUE(reads("SELECT $0 FROM t", Dialect::Calcite));
  EXPECT_FALSE(reads("SELECT a FROM (SELECT 1 a)", Dialect::Postgres));
  EXPECT_TRUE(reads("SELECT a FROM (SELECT 1 a)", Dialect::Sqlite));
  EXPECT_TRUE(reads("SELECT * FROM (VALUES) AS t", Dialect::Calcite));
  EXPECT_FALSE(reads("SELECT * FROM (VALUES) AS t", Dialect::Postgres));
  EXPECT_TRUE(
      reads("SELECT TOP 3 a FROM t QUALIFY RANK() OVER (ORDER BY a) = 1", Dialect::Standard));
  EXPECT_TRUE(
      reads("SELECT a FROM t ORDER BY a UNION ALL SELECT a FROM t ORDER BY a", Dialect::Calcite));
  EXPECT_FALSE(reads("SELECT a FROM t ORDER BY a UNION ALL SELECT a FROM t", Dialect::Postgres));
  EXPECT_TRUE(reads("SELECT a FROM t WHERE b IS c", Dialect::Sqlite));
  EXPECT_FALSE(reads("SELECT a FROM t WHERE b IS c", Dialect::Postgres));
}

/// The operator at the root of `SELECT expr`.
Op rootOf(const std::string &expr, Dialect dialect) {
  Result<ast::QueryPtr> query = parseQuery("SELECT " + expr, "q", DialectRules::of(dialect));
  EXPECT_TRUE(query.ok()) << expr;
  return query ? (*query)->select.items[0].expr->op : Op::Function;
}

TEST(Parse, OperatorsBindAsTheDialectSays) {
  EXPECT_EQ(rootOf("NOT a = b", Dialect::Postgres), Op::Not);
  EXPECT_EQ(rootOf("a = b IS NULL", Dialect::Postgres), Op::IsNull);
  EXPECT_EQ(rootOf("a < b = c", Dialect::Sqlite), Op::Equal);
  EXPECT_EQ(rootOf("a || b * c", Dialect::Postgres), Op::Concat);
  EXPECT_EQ(rootOf("a || b * c", Dialect::Sqlite), Op::Multiply);
  EXPECT_EQ(rootOf("a || b AND c", Dialect::MySql), Op::Or);
  EXPECT_EQ(rootOf("-a::int", Dialect::Postgres), Op::Negate);
}

TEST(Parse, ParenthesesHoldQueriesOrExpressions) {
  for (const char *sql :
       {"SELECT ((SELECT 1) + 2)", "SELECT ((SELECT 1))", "((SELECT 1)) UNION (SELECT 2)",
        "SELECT * FROM ((SELECT 1 a) x JOIN (SELECT 2 b) y ON TRUE)",
        "SELECT 1 IN ((SELECT 1) UNION (SELECT 2))", "SELECT 1 IN ((SELECT 1), 2)"})
    EXPECT_EQ(parsed(sql), "") << sql;
}

TEST(Parse, SaysWhatItExpected) {
  EXPECT_EQ(parsed("SELECT a\nFROM"),
            "q:2:5: error[E1004]: expected a table or a subquery, found the end of the text; "
            "because that is no SQL of the standard dialect; try another --dialect if it is valid "
            "elsewhere");
  EXPECT_EQ(parsed("SELECT 'a"), "q:1:8: error[E1003]: a text or name in quotes without end; try "
                                 "closing it");
  EXPECT_EQ(parsed("SELECT /* a"),
            "q:1:8: error[E1003]: a comment without end; try closing it with */");
}

std::string repeated(const std::string &part, size_t count) {
  std::string text;
  for (size_t i = 0; i < count; ++i)
    text += part;
  return text;
}

TEST(Parse, HasLimits) {
  constexpr size_t Deep = 50000;
  for (const std::string &sql :
       {"SELECT " + repeated("(", Deep) + "1", "SELECT " + repeated("NOT ", Deep) + "a",
        "SELECT " + repeated("- ", Deep) + "1", "SELECT 1" + repeated("+1", Deep),
        repeated("SELECT (", Deep) + "SELECT 1" + repeated(")", Deep),
        repeated("(", Deep) + "SELECT 1", "SELECT * FROM " + repeated("(", Deep) + "t",
        "SELECT " + repeated("CASE WHEN ", Deep) + "a",
        "SELECT 1 FROM t" + repeated(" CROSS JOIN t", Deep / 2),
        "SELECT 1 FROM t" + repeated(", t", Deep),
        "SELECT 1" + repeated(" EXCEPT SELECT 1", Deep / 2)})
    EXPECT_NE(parsed(sql).find("E1002"), std::string::npos) << parsed(sql);
  // Chains of one associative operator are not deep.
  EXPECT_EQ(parsed("SELECT a" + repeated(" AND a", Deep)), "");
  EXPECT_NE(parsed("SELECT a" + repeated(" AND a", MaxTokens / 2)).find("E1001"),
            std::string::npos);
  EXPECT_EQ(parsed("SELECT 1" + repeated(" UNION ALL SELECT 1", Deep / 4)), "");
  EXPECT_NE(parsed("SELECT 1 -- " + repeated("x", MaxTextBytes)).find("E1001"), std::string::npos);
}

} // namespace
