// The C++ interface as docs/reference/sql.md shows it; time limits; what UNKNOWN says.
#include "proof/sql/decide/Decide.h"
#include "proof/sql/bind/Bind.h"

#include <gtest/gtest.h>

#include <chrono>

using namespace imbrex;
using namespace imbrex::sql;

namespace {

const char *Tables = "CREATE TABLE t (id INT PRIMARY KEY, a INT, b INT);"
                     "CREATE TABLE u (k INT, v INT);";

Decision decideTexts(const std::string &a, const std::string &b, const Semantics &semantics = {},
                     double seconds = 10) {
  Result<Schema> schema = readSchema(Tables, "schema.sql", semantics);
  EXPECT_TRUE(schema.ok());
  Result<BoundQuery> first = readQuery(a, "a.sql", *schema, semantics);
  Result<BoundQuery> second = readQuery(b, "b.sql", *schema, semantics);
  EXPECT_TRUE(first.ok() && second.ok()) << a << b;
  static Engines engines;
  return decide({first->query, second->query, {a, b}}, schema->catalog, semantics, {seconds},
                engines);
}

} // namespace

TEST(Decide, ProvesAndRefutes) {
  EXPECT_EQ(decideTexts("SELECT id FROM t WHERE a = 1 AND b = 2",
                        "SELECT id FROM t WHERE b = 2 AND a = 1")
                .verdict.answer,
            Answer::Equivalent);
  Decision refuted = decideTexts("SELECT k FROM u", "SELECT DISTINCT k FROM u");
  EXPECT_EQ(refuted.verdict.answer, Answer::NotEquivalent);
  EXPECT_FALSE(refuted.verdict.confirmedBy.empty());
  EXPECT_NE(refuted.script.find("INSERT INTO u"), std::string::npos);
}

TEST(Decide, SaysHowResultsWereCompared) {
  auto compared = [](const char *a, const char *b) { return decideTexts(a, b).comparison; };
  EXPECT_EQ(compared("SELECT k FROM u ORDER BY k", "SELECT k FROM u ORDER BY 1"), Comparison::List);
  EXPECT_EQ(compared("SELECT k FROM u ORDER BY k", "SELECT k FROM u"), Comparison::Bag);
  EXPECT_EQ(compared("SELECT k FROM u", "SELECT k, v FROM u"), Comparison::Bag);
}

TEST(Decide, MySqlTextsMeanWhatMySqlMeans) {
  Semantics mysql = Semantics::of(Dialect::MySql);
  Decision pipes =
      decideTexts("SELECT id FROM t WHERE a > 0 || b > 0", "SELECT id FROM t WHERE a > 0", mysql);
  EXPECT_EQ(pipes.verdict.answer, Answer::NotEquivalent);
  EXPECT_FALSE(pipes.defect);
  EXPECT_EQ(decideTexts("SELECT a DIV 2 FROM t", "SELECT a / 2 FROM t", mysql).verdict.answer,
            Answer::NotEquivalent);
}

TEST(Decide, TheSolverFindsWhatChanceDoesNot) {
  const std::pair<const char *, const char *> pairs[] = {
      // Only a = 48271, b = 1729 makes a row.
      {"SELECT id FROM t WHERE a + b = 50000 AND a - b = 46542",
       "SELECT id FROM t WHERE a + b = 50000 AND a - b = 46542 AND a < 1000"},
      {"SELECT id FROM t WHERE a * 7 + 3 = b AND b > 1000",
       "SELECT id FROM t WHERE a * 7 + 3 = b AND b > 1010"},
      {"SELECT COUNT(*) FROM u WHERE k * 13 - v = 4711 AND v > 100",
       "SELECT COUNT(*) FROM u WHERE k * 13 - v = 4711 AND v > 500"},
      {"SELECT SUM(a) FROM t WHERE a * 7 = b * 11 + 1 AND b > 300",
       "SELECT SUM(a) FROM t WHERE a * 7 = b * 11 + 1 AND b > 310"},
      {"SELECT id FROM t WHERE EXISTS (SELECT 1 FROM u WHERE k = 2 * a + 77 AND v = 3 * b - 55)",
       "SELECT id FROM t WHERE EXISTS (SELECT 1 FROM u WHERE k = 2 * a + 77 AND v = 3 * b - 56)"},
      {"SELECT x.id FROM t x, t y WHERE x.a = y.a + 111 AND y.b = x.b + 222",
       "SELECT x.id FROM t x, t y WHERE x.a = y.a + 111 AND y.b = x.b - 222"},
  };
  for (auto [a, b] : pairs) {
    Decision decision = decideTexts(a, b);
    EXPECT_EQ(decision.verdict.answer, Answer::NotEquivalent) << a << decision.verdict.reason;
    EXPECT_FALSE(decision.verdict.confirmedBy.empty()) << a;
  }
}

TEST(Decide, KeepsTheTimeLimitAndSaysSo) {
  // Six joins without a key: more than half a second can decide.
  std::string from =
      " FROM u a, u b, u c, u d, u e, u f, u g WHERE a.v = b.k AND b.v <= c.k AND c.v "
      "* d.k = d.v AND e.k + f.v = g.k * a.v";
  auto start = std::chrono::steady_clock::now();
  Decision decision = decideTexts(
      "SELECT SUM(a.k * g.v), COUNT(DISTINCT c.v)" + from,
      "SELECT SUM(g.v * a.k), COUNT(DISTINCT c.v)" + from + " AND a.k * a.k >= 0", {}, 0.5);
  double seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  EXPECT_LT(seconds, 3); // the machine may be busy
  if (decision.verdict.answer == Answer::Unknown)
    EXPECT_FALSE(decision.verdict.reason.empty());
}

TEST(Decide, OverflowMayCount) {
  Semantics counts;
  counts.overflow = Overflow::Counts;
  Decision decision = decideTexts("SELECT a + 1 FROM t", "SELECT 1 + a FROM t", counts);
  EXPECT_EQ(decision.verdict.answer, Answer::Unknown);
  EXPECT_NE(decision.verdict.reason.find("overflow of +"), std::string::npos);
  EXPECT_EQ(decideTexts("SELECT a FROM t", "SELECT x.a FROM t x", counts).verdict.answer,
            Answer::Equivalent);
}

TEST(Decide, UnknownNamesTheConstruct) {
  Decision decision =
      decideTexts("SELECT id FROM t WHERE a = (SELECT k FROM u ORDER BY v LIMIT 1)",
                  "SELECT id FROM t WHERE (SELECT k FROM u ORDER BY v LIMIT 1) = a");
  EXPECT_NE(decision.verdict.answer, Answer::NotEquivalent);
  if (decision.verdict.answer == Answer::Unknown)
    EXPECT_FALSE(decision.verdict.reason.empty());
}
