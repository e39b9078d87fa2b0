// What SQL text becomes in the algebra, and what is said about text that has no meaning.
#include "proof/sql/bind/Bind.h"

#include <gtest/gtest.h>

#include <chrono>

using namespace imbrex;
using namespace imbrex::sql;

namespace {

constexpr const char *SchemaText = R"(
  CREATE TABLE dept (id INT PRIMARY KEY, title TEXT NOT NULL, head INT);
  CREATE TABLE staff (id INT PRIMARY KEY, dept_id INT REFERENCES dept, pay INT, name VARCHAR(20),
                      CHECK (pay > 0));
  CREATE TABLE log (k INT, v INT);
  CREATE TABLE ev (k INT, v DECIMAL(8, 2), at DATE, ok BOOLEAN);
  CREATE UNIQUE INDEX by_title ON dept (title);
  CREATE INDEX by_pay ON staff (pay);
  CREATE VIEW rich (who, money) AS SELECT name, pay FROM staff WHERE pay > 9;
  CREATE FUNCTION good(INT, VARCHAR) RETURNS BOOLEAN;
)";

Schema schemaOf(Dialect dialect) {
  Result<Schema> schema = readSchema(SchemaText, "schema.sql", Semantics::of(dialect));
  EXPECT_TRUE(schema.ok()) << schema.error().str();
  return schema.ok() ? schema.take() : Schema{};
}

/// The algebra as text, or the error.
std::string bound(const std::string &sql, Dialect dialect = Dialect::Standard) {
  Schema schema = schemaOf(dialect);
  Result<BoundQuery> query = readQuery(sql, "q.sql", schema, Semantics::of(dialect));
  return query ? toText(*query->query, schema.catalog) : query.error().str();
}

/// Name and type of each column.
std::string columns(const std::string &sql, Dialect dialect = Dialect::Standard) {
  Schema schema = schemaOf(dialect);
  Result<BoundQuery> query = readQuery(sql, "q.sql", schema, Semantics::of(dialect));
  if (!query)
    return query.error().str();
  std::string text;
  static const char *const names[] = {"bool", "int",       "number",   "text",    "date",
                                      "time", "timestamp", "interval", "unknown", "other"};
  for (const Column &column : query->query->columns)
    text += (text.empty() ? "" : ", ") + column.name + ":" + names[size_t(column.type.base)] +
            (column.type.nullable ? "?" : "");
  return text;
}

TEST(Bind, PrimaryKeysOfSqliteTakeNull) {
  auto takesNull = [](const std::string &table, Dialect dialect = Dialect::Sqlite) {
    Result<Schema> schema = readSchema("CREATE TABLE t " + table, "x.sql", Semantics::of(dialect));
    EXPECT_TRUE(schema.ok()) << table;
    return schema.ok() && schema->catalog.tables[0].columns[0].type.nullable;
  };
  EXPECT_TRUE(takesNull("(a INT PRIMARY KEY)"));
  EXPECT_TRUE(takesNull("(a INTEGER, b INTEGER, PRIMARY KEY (a, b))"));
  EXPECT_FALSE(takesNull("(a INTEGER PRIMARY KEY)"));
  EXPECT_FALSE(takesNull("(a INTEGER, PRIMARY KEY (a))"));
  EXPECT_FALSE(takesNull("(a INT NOT NULL PRIMARY KEY)"));
  EXPECT_FALSE(takesNull("(a INT PRIMARY KEY) WITHOUT ROWID"));
  EXPECT_FALSE(takesNull("(a INT PRIMARY KEY) WITHOUT ROWID, STRICT"));
  EXPECT_FALSE(takesNull("(a INT PRIMARY KEY)", Dialect::Postgres));
  // A foreign key without columns still means the primary key.
  EXPECT_TRUE(takesNull("(a TEXT PRIMARY KEY, b TEXT REFERENCES t)"));
}

TEST(Bind, Schema) {
  Catalog catalog = schemaOf(Dialect::Standard).catalog;
  ASSERT_EQ(catalog.tables.size(), 4u);
  EXPECT_FALSE(catalog.tables[0].columns[0].type.nullable);
  ASSERT_EQ(catalog.tables[0].keys.size(), 2u);
  EXPECT_TRUE(catalog.tables[0].keys[0].primary);
  EXPECT_EQ(catalog.tables[0].keys[1].columns, std::vector<uint32_t>{1});
  ASSERT_EQ(catalog.tables[1].foreignKeys.size(), 1u);
  EXPECT_EQ(catalog.tables[1].foreignKeys[0].target, std::vector<uint32_t>{0});
  ASSERT_EQ(catalog.tables[1].checks.size(), 1u);
  EXPECT_EQ(toText(*catalog.tables[1].checks[0], catalog), "(#2 > 0)");
}

TEST(Bind, CorrelationCountsRowsOutward) {
  EXPECT_EQ(
      bound("SELECT id FROM dept d WHERE EXISTS (SELECT 1 FROM staff WHERE dept_id = d.id AND "
            "pay > ALL (SELECT v FROM log WHERE k = d.id))"),
      "Project #0\n"
      "  Filter EXISTS {1}\n"
      "      1: Project 1\n"
      "        Filter ((#1 = ^#0) AND #2 > ALL {2})\n"
      "            2: Project #1\n"
      "              Filter (#0 = ^^#0)\n"
      "                Scan log\n"
      "          Scan staff\n"
      "    Scan dept\n");
}

TEST(Bind, AggregatesBecomeAGroup) {
  EXPECT_EQ(bound("SELECT k + 1, SUM(v) FROM log GROUP BY k HAVING COUNT(*) > 1 AND SUM(v) < 9"),
            "Project (#0 + 1), #1\n"
            "  Filter ((#2 > 1) AND (#1 < 9))\n"
            "    Group #0; SUM(#1), COUNT(*)\n"
            "      Scan log\n");
  EXPECT_EQ(bound("SELECT COUNT(DISTINCT k) FILTER (WHERE v > 1) FROM log"),
            "Project #0\n"
            "  Group ; COUNT(DISTINCT #0) FILTER (WHERE (#1 > 1))\n"
            "    Scan log\n");
  // title follows from the primary key.
  EXPECT_EQ(bound("SELECT title, COUNT(*) FROM dept GROUP BY id"), "Project #1, #2\n"
                                                                   "  Group #0, #1; COUNT(*)\n"
                                                                   "    Scan dept\n");
  EXPECT_EQ(bound("SELECT k, GROUPING(v) FROM log GROUP BY GROUPING SETS ((k, v), k, ())"),
            "Project #0, #2\n"
            "  Group #0, #1 sets {0,1} {0} {} grouping {1}\n"
            "    Scan log\n");
  EXPECT_EQ(bound("SELECT COUNT(*) FROM log GROUP BY CUBE (k, v)"),
            "Project #2\n"
            "  Group #0, #1; COUNT(*) sets {0,1} {0} {1} {}\n"
            "    Scan log\n");
}

TEST(Bind, WindowsStandAboveGroups) {
  EXPECT_EQ(bound("SELECT k, RANK() OVER w FROM log GROUP BY k WINDOW w AS (ORDER BY SUM(v) DESC)"),
            "Project #0, #2\n"
            "  Window RANK() OVER (ORDER BY #1 DESC NULLS FIRST RANGE BETWEEN UNBOUNDED PRECEDING "
            "AND CURRENT ROW)\n"
            "    Group #0; SUM(#1)\n"
            "      Scan log\n");
  EXPECT_EQ(bound("SELECT k FROM log QUALIFY ROW_NUMBER() OVER (PARTITION BY k ORDER BY v) = 1"),
            "Project #0\n"
            "  Filter (#2 = 1)\n"
            "    Window ROW_NUMBER() OVER (PARTITION BY #0 ORDER BY #1 NULLS LAST RANGE BETWEEN "
            "UNBOUNDED PRECEDING AND CURRENT ROW)\n"
            "      Scan log\n");
}

TEST(Bind, OrderIsKeptOutermostOnly) {
  EXPECT_EQ(bound("SELECT k AS a FROM log ORDER BY v + 1 DESC, a LIMIT 3"),
            "Project #0\n"
            "  Sort #1 DESC NULLS FIRST, #0 NULLS LAST limit 3\n"
            "    Project #0, (#1 + 1)\n"
            "      Scan log\n");
  EXPECT_EQ(bound("SELECT * FROM (SELECT k FROM log ORDER BY v) x"), "Project #0\n"
                                                                     "  Project #0\n"
                                                                     "    Scan log\n");
  EXPECT_EQ(bound("SELECT k FROM log ORDER BY 1", Dialect::Sqlite), "Sort #0 NULLS FIRST\n"
                                                                    "  Project #0\n"
                                                                    "    Scan log\n");
}

TEST(Bind, JoinsMergeColumns) {
  EXPECT_EQ(columns("SELECT * FROM log NATURAL JOIN (SELECT k, at FROM ev) e"),
            "k:int?, v:int?, at:date?");
  EXPECT_EQ(bound("SELECT k FROM log FULL JOIN (SELECT k FROM ev) e USING (k)"),
            "Project COALESCE(#0, #2)\n"
            "  FullJoin (#0 = #2)\n"
            "    Scan log\n"
            "    Project #0\n"
            "      Scan ev\n");
  EXPECT_EQ(columns("SELECT d.id, s.id FROM dept d LEFT JOIN staff s ON s.dept_id = d.id"),
            "id:int, id:int?");
  EXPECT_EQ(bound("SELECT * FROM dept d CROSS JOIN LATERAL (SELECT pay FROM staff WHERE dept_id = "
                  "d.id) s"),
            "Project #0, #1, #2, #3\n"
            "  InnerJoin lateral TRUE\n"
            "    Scan dept\n"
            "    Project #2\n"
            "      Filter (#1 = ^#0)\n"
            "        Scan staff\n");
}

TEST(Bind, ConversionsAreExplicit) {
  EXPECT_EQ(bound("SELECT k FROM ev WHERE v > k AND v IN (1, 2.5) AND at > '2020-1-5'"),
            "Project #0\n"
            "  Filter ((#1 > CAST(#0 AS DECIMAL)) AND ((#1 = 1.0) OR (#1 = 2.5)) AND (#2 > DATE "
            "'2020-01-05'))\n"
            "    Scan ev\n");
  EXPECT_EQ(columns("SELECT k FROM log UNION SELECT v FROM ev UNION SELECT NULL"), "k:number?");
  EXPECT_EQ(columns("SELECT 7 / 2, 7.0 / 2", Dialect::MySql), ":number, :number");
  EXPECT_EQ(columns("SELECT 7 DIV 2", Dialect::MySql), ":int");
  EXPECT_EQ(columns("SELECT k / v FROM (SELECT 1 k, 2 v) x", Dialect::Sqlite), ":int?");
  EXPECT_EQ(columns("SELECT AVG(k) FROM log", Dialect::Calcite), ":int?");
  EXPECT_EQ(columns("SELECT AVG(k) FROM log"), ":number?");
  EXPECT_EQ(bound("SELECT k FROM log WHERE v", Dialect::MySql), "Project #0\n"
                                                                "  Filter (#1 <> 0)\n"
                                                                "    Scan log\n");
}

TEST(Bind, ViewsCommonTablesAndFunctionsComeInLine) {
  EXPECT_EQ(
      bound("WITH r AS (SELECT money AS m FROM rich) SELECT a.m FROM r a, r b WHERE good(a.m, "
            "'x')"),
      "Project #0\n"
      "  Filter good(#0, 'x')\n"
      "    InnerJoin TRUE\n"
      "      Project #1\n"
      "        Project #3, #2\n"
      "          Filter (#2 > 9)\n"
      "            Scan staff\n"
      "      Project #1\n"
      "        Project #3, #2\n"
      "          Filter (#2 > 9)\n"
      "            Scan staff\n");
  // A common table that is used below another row.
  EXPECT_EQ(
      bound("SELECT k FROM log WHERE EXISTS (WITH c AS (SELECT id FROM dept WHERE id = log.k) "
            "SELECT 1 FROM staff WHERE pay IN (SELECT id FROM c))"),
      "Project #0\n"
      "  Filter EXISTS {1}\n"
      "      1: Project 1\n"
      "        Filter #2 IN {2}\n"
      "            2: Project #0\n"
      "              Project #0\n"
      "                Filter (#0 = ^^#0)\n"
      "                  Scan dept\n"
      "          Scan staff\n"
      "    Scan log\n");
}

TEST(Bind, RowsAreComparedByColumns) {
  EXPECT_EQ(
      bound("SELECT k FROM log WHERE (k, v) < (1, 2) AND (k, v) IN (SELECT id, pay FROM staff)"),
      "Project #0\n"
      "  Filter (((#0 < 1) OR ((#0 = 1) AND (#1 < 2))) AND (#0, #1) IN {1})\n"
      "      1: Project #0, #2\n"
      "        Scan staff\n"
      "    Scan log\n");
}

struct BadCase {
  const char *sql, *error;
};

class BadQueries : public testing::TestWithParam<BadCase> {};

TEST_P(BadQueries, AreExplained) { EXPECT_EQ(bound(GetParam().sql), GetParam().error); }

INSTANTIATE_TEST_SUITE_P(
    Bind, BadQueries,
    testing::Values(
        BadCase{"SELECT k FROM logs", "q.sql:1:15: error[E1020]: there is no table logs; try log, "
                                      "or adding it to the schema"},
        BadCase{"SELECT k FROM price",
                "q.sql:1:15: error[E1020]: there is no table price; try adding it to the schema"},
        BadCase{"SELECT titel FROM dept",
                "q.sql:1:8: error[E1021]: there is no column titel; because no table around this "
                "SELECT has it; try title"},
        BadCase{"SELECT id FROM dept WHERE title = \"A\"",
                "q.sql:1:35: error[E1021]: there is no column A; because no table around this "
                "WHERE has it; try 'A', in single quotes, if it is a text"},
        BadCase{"SELECT x.k FROM log",
                "q.sql:1:8: error[E1021]: there is no column x.k; because no table around this "
                "SELECT has it; try a column of FROM"},
        BadCase{"SELECT k\nFROM log, ev",
                "q.sql:1:8: error[E1022]: the column k is ambiguous; because several tables have "
                "one of that name; try its table before it"},
        BadCase{"SELECT 1 FROM log, log",
                "q.sql:1:20: error[E1023]: the table name LOG is used twice; because its columns "
                "would be ambiguous; try a name for one of them: LOG AS x"},
        BadCase{"SELECT best(k) FROM log",
                "q.sql:1:8: error[E1024]: the function BEST is not known; try CREATE FUNCTION "
                "BEST(...) RETURNS ... in the schema"},
        BadCase{"SELECT 1 FROM ev WHERE at = k",
                "q.sql:1:24: error[E1030]: a comparison needs DATE, not INTEGER; because the "
                "standard dialect does not convert between them; try CAST"},
        BadCase{"SELECT k FROM log UNION SELECT k, v FROM log",
                "q.sql:1:19: error[E1031]: a set operation joins queries with different numbers of "
                "columns; because they have 2 and 1; try equal numbers"},
        BadCase{"SELECT 99999999999999999999",
                "q.sql:1:8: error[E1032]: the number 99999999999999999999 is too large or too "
                "small; because numbers are quotients of 64-bit integers; try a rounder number"},
        BadCase{"SELECT DATE '2020-13-01'", "q.sql:1:8: error[E1033]: '2020-13-01' is no DATE; try "
                                            "a value of that type"},
        BadCase{"SELECT v, COUNT(*) FROM log GROUP BY k",
                "q.sql:1:8: error[E1040]: the column v is neither grouped nor aggregated; because "
                "its rows in a group may differ; try adding it to GROUP BY"},
        BadCase{"SELECT k FROM log WHERE SUM(v) > 1",
                "q.sql:1:25: error[E1041]: SUM cannot be called in WHERE; because it is an "
                "aggregate over groups; try a subquery or HAVING"},
        BadCase{"SELECT k FROM log WHERE RANK() OVER (ORDER BY v) = 1",
                "q.sql:1:25: error[E1042]: a window function cannot be called in WHERE; because "
                "windows are formed from the result of the clauses before SELECT; try a subquery"},
        BadCase{"SELECT DISTINCT k FROM log ORDER BY v",
                "q.sql:1:37: error[E1043]: ORDER BY of a SELECT DISTINCT names something that is "
                "not selected; because rows that differ in it have become one; try selecting it"},
        BadCase{"SELECT RANDOM()", "q.sql:1:8: error[E1051]: RANDOM has another value each time; "
                                   "because equivalence is decided for results that are "
                                   "determined; try a parameter"},
        BadCase{"WITH RECURSIVE r AS (SELECT 1 AS x UNION ALL SELECT x + 1 FROM r) SELECT * FROM r",
                "q.sql:1:64: error[E1050]: a recursive common table is not supported; try another "
                "way to write it"}));

TEST(Bind, SymbolicTablesAndPredicates) {
  Result<Schema> schema = readSchema("CREATE TABLE r (a INT, ...);"
                                     "CREATE FUNCTION p(r) RETURNS BOOLEAN;",
                                     "s.sql", {});
  ASSERT_TRUE(schema.ok()) << schema.error().str();
  Result<BoundQuery> query =
      readQuery("SELECT * FROM r x WHERE p(x) AND x.a > 1", "q.sql", *schema, {});
  ASSERT_TRUE(query.ok()) << query.error().str();
  EXPECT_EQ(toText(*query->query, schema->catalog), "Project #0, #1\n"
                                                    "  Filter (p(#0, #1) AND (#0 > 1))\n"
                                                    "    Scan r\n");
}

TEST(Bind, RepairsNamesOfCalciteWithARemark) {
  Schema schema = schemaOf(Dialect::Calcite);
  Semantics semantics = Semantics::of(Dialect::Calcite);
  Result<BoundQuery> query =
      readQuery("SELECT t4.k FROM (SELECT k FROM log) AS t3", "q.sql", schema, semantics);
  ASSERT_TRUE(query.ok()) << query.error().str();
  ASSERT_EQ(query->remarks.size(), 1u);
  EXPECT_EQ(query->remarks[0], "read t4.k as T3.k, since no table is called t4");
  EXPECT_NE(bound("SELECT t4.k FROM (SELECT k FROM log) AS t3").find("E1021"), std::string::npos);
}

TEST(Bind, RefusesQueriesThatGrowInLine) {
  // Each view doubles the one before.
  std::string views = "CREATE TABLE t (a INT); CREATE VIEW v0 AS SELECT a FROM t;";
  for (int i = 1; i <= 30; ++i)
    views += "CREATE VIEW v" + std::to_string(i) + " AS SELECT x.a FROM v" + std::to_string(i - 1) +
             " x JOIN v" + std::to_string(i - 1) + " y ON x.a = y.a;";
  Result<Schema> schema = readSchema(views, "s.sql", {});
  ASSERT_FALSE(schema.ok());
  EXPECT_EQ(schema.error().code, 1001);
  // Each IN repeats what stands before it.
  std::string nested = "TRUE";
  for (int i = 0; i < 60; ++i)
    nested = "(" + nested + " IN (TRUE, FALSE))";
  EXPECT_NE(bound("SELECT " + nested).find("E1001"), std::string::npos);
}

TEST(Bind, RefusesWhatDependsOnHowNumbersAreHeld) {
  auto code = [](const char *text, Dialect dialect) {
    Semantics semantics = Semantics::of(dialect);
    Result<Schema> schema =
        readSchema("CREATE TABLE n (i INT, d DECIMAL(5,2), r REAL);", "s.sql", semantics);
    EXPECT_TRUE(schema.ok());
    Result<BoundQuery> query = readQuery(text, "q", *schema, semantics);
    return query ? 0 : query.error().code;
  };
  // SQLite holds 1.0 in a DECIMAL column as an integer, and 1 / 2 is 0 then.
  for (const char *text :
       {"SELECT d / 2 FROM n", "SELECT d / d FROM n", "SELECT d % 2 FROM n",
        "SELECT (d + 1) / 2 FROM n", "SELECT COALESCE(i, 1.5) / 2 FROM n",
        "SELECT x / 2 FROM (SELECT d AS x FROM n) y",
        "SELECT x / 2 FROM (SELECT i AS x FROM n UNION ALL SELECT r FROM n) y"}) {
    EXPECT_EQ(code(text, Dialect::Sqlite), 1050) << text;
    EXPECT_EQ(code(text, Dialect::Postgres), 0) << text;
  }
  for (const char *text :
       {"SELECT r / 2 FROM n", "SELECT d * 1.0 / 2 FROM n", "SELECT i / 2.0 FROM n",
        "SELECT x / 2 FROM (SELECT r AS x FROM n) y", "SELECT i / 2 FROM n"})
    EXPECT_EQ(code(text, Dialect::Sqlite), 0) << text;
  // PostgreSQL counts (NULL, NULL), Calcite does not.
  EXPECT_EQ(code("SELECT COUNT(DISTINCT (d, i)) FROM n", Dialect::Postgres), 1050);
  EXPECT_EQ(code("SELECT COUNT(DISTINCT (d, i)) FROM n", Dialect::Calcite), 0);
  EXPECT_EQ(code("SELECT 3.5 DIV 2", Dialect::MySql), 1050);
  // 1 and 1.0 are equal, and their texts are not.
  for (const char *text : {"SELECT CAST(d AS VARCHAR(9)) FROM n", "SELECT d || 'x' FROM n",
                           "SELECT CONCAT(i * 1.0, 'x') FROM n"})
    EXPECT_EQ(code(text, Dialect::Postgres), 1050) << text;
  EXPECT_EQ(code("SELECT CAST(i AS VARCHAR(9)), i || 'x' FROM n", Dialect::Postgres), 0);
}

std::string list(const std::string &part, size_t count, const std::string &between = ",") {
  std::string text = part;
  for (size_t i = 1; i < count; ++i)
    text += between + part;
  return text;
}

/// What a text of about a megabyte gives, which must take neither long nor much memory.
std::string refusal(const std::string &query) {
  auto start = std::chrono::steady_clock::now();
  std::string text = bound(query);
  double seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  EXPECT_LT(seconds, 5) << query.substr(0, 40); // the machine may be busy, and slow with sanitizers
  return text;
}

TEST(Bind, RefusesWhatIsTooLarge) {
  for (const std::string &query :
       {"SELECT " + list("k", 480'000) + " FROM log", "SELECT " + list("k", 5'000) + " FROM log",
        "SELECT k FROM log WHERE k IN (" + list("1", 100'000) + ")",
        "SELECT k FROM log WHERE " + list("k <> 1", 100'000, " AND "),
        "SELECT k FROM log WHERE " + list("k = 1", 20'000, " OR "),
        list("SELECT k FROM log", 25'000, " UNION ALL "),
        "SELECT CASE " + list("WHEN k = 1 THEN 1", 30'000, " ") + " END FROM log",
        "SELECT k FROM log ORDER BY " + list("k", 10'000),
        "SELECT " + list("SUM(k + 1)", 40'000) + " FROM log",
        "SELECT * FROM (VALUES (" + list("1", 5'000) + ")) x"})
    EXPECT_NE(refusal(query).find("E1001"), std::string::npos)
        << query.substr(0, 40) << refusal(query).substr(0, 200);
  std::string deep = std::string(140'000, '(') + "k" + std::string(140'000, ')');
  EXPECT_NE(refusal("SELECT k FROM log WHERE " + deep).find("E1002"), std::string::npos);
  std::string name(900'000, 'x'), unknown = refusal("SELECT " + name + " FROM log");
  EXPECT_NE(unknown.find("E1021"), std::string::npos);
  EXPECT_LT(unknown.size(), 1000u);
}

TEST(Bind, RefusesSchemasThatAreTooLarge) {
  auto codeOf = [](const std::string &schema) {
    auto start = std::chrono::steady_clock::now();
    Result<Schema> result = readSchema(schema, "s.sql", {});
    auto end = std::chrono::steady_clock::now();
    EXPECT_LT(std::chrono::duration<double>(end - start).count(), 5) << schema.substr(0, 40);
    return result ? 0 : result.error().code;
  };
  std::string columns;
  for (int i = 0; i < 80'000; ++i)
    columns += (i ? ",c" : "c") + std::to_string(i) + " INT";
  EXPECT_EQ(codeOf("CREATE TABLE t (" + columns + ")"), 1001);
  EXPECT_EQ(codeOf("CREATE TABLE t (a INT," + list("CHECK (a <> 1)", 60'000) + ")"), 1001);
  EXPECT_EQ(codeOf("CREATE TABLE t (a INT, b INT, UNIQUE (" + list("a", 400'000) + "))"), 1001);
  EXPECT_EQ(codeOf("CREATE TABLE t (a INT);" + list("ALTER TABLE t ADD UNIQUE (a);", 30'000, "")),
            0);
}

} // namespace
