#include "proof/sql/suite/Suite.h"

#include <fstream>
#include <gtest/gtest.h>
#include <map>

using namespace imbrex;
using namespace imbrex::sql;

namespace {

TEST(SqlTest, ReadsTablesPairsAndExpectations) {
  Result<std::vector<SuiteCase>> cases = readSqlTest("A comment.\n"
                                                     "=== schema, sqlite\n"
                                                     "CREATE TABLE t (a INT);\n"
                                                     "=== one: twice: not equivalent\n"
                                                     "SELECT a FROM t\n"
                                                     "=== and\n"
                                                     "SELECT b\n"
                                                     "FROM t\n"
                                                     "=== two: equivalent\n"
                                                     "SELECT a FROM t\n"
                                                     "=== and\n"
                                                     "SELECT a FROM t;\n",
                                                     "x.sqltest", {});
  ASSERT_TRUE(cases.ok()) << cases.error().str();
  ASSERT_EQ(cases->size(), 2u);
  EXPECT_EQ((*cases)[0].name, "one: twice");
  EXPECT_EQ((*cases)[0].expected, Answer::NotEquivalent);
  EXPECT_EQ((*cases)[0].semantics.dialect, Dialect::Sqlite);
  ASSERT_TRUE((*cases)[0].error);
  EXPECT_EQ((*cases)[0].error->str(), "x.sqltest:7:8: error[E1021]: there is no column b; because "
                                      "no table around this SELECT has it; try a column of FROM");
  EXPECT_FALSE((*cases)[1].error);
  EXPECT_EQ((*cases)[1].pair.originals.first, "SELECT a FROM t\n");
}

TEST(SqlTest, RefusesWhatIsNoSuite) {
  auto error = [](const char *text) {
    Result<std::vector<SuiteCase>> cases = readSqlTest(text, "x.sqltest", {});
    return cases ? "" : cases.error().str();
  };
  EXPECT_EQ(error("=== schema\nCREATE TABLE t (a INT)\n=== p: equivalent\nSELECT 1\n"),
            "x.sqltest:3:1: error[E1062]: a pair without its second query; try === and, and a "
            "query");
  EXPECT_EQ(error("=== p: same\nSELECT 1\n=== and\nSELECT 1\n"),
            "x.sqltest:1:1: error[E1062]: a pair without what is expected of it; try === NAME: "
            "equivalent, not equivalent or unknown");
  EXPECT_EQ(error("=== p: unknown\nSELECT 1\n=== and\nSELECT 1\n"),
            "x.sqltest:1:1: error[E1062]: a pair before the first schema; try === schema");
}

TEST(Suite, SaysWhatCannotBeRead) {
  Result<Suite> suite = readSuite("no/such/file.sqltest", {});
  ASSERT_FALSE(suite.ok());
  EXPECT_EQ(suite.error().code, 1000);
}

/// Names of pairs that are not decided yet, each with what is missing.
std::map<std::string, std::string> undecided(const std::string &path) {
  std::map<std::string, std::string> result;
  std::ifstream stream(path);
  for (std::string line; std::getline(stream, line);) {
    size_t tab = line.find('\t');
    if (!line.empty() && line[0] != '#' && tab != std::string::npos)
      result[line.substr(0, tab)] = line.substr(tab + 1);
  }
  return result;
}

class Cases : public testing::TestWithParam<const char *> {};

TEST_P(Cases, AreDecidedAsExpected) {
  std::string path = std::string(IMBREX_SQL_FOLDER) + "/" + GetParam();
  Result<Suite> suite = readSuite(path + ".sqltest", {});
  ASSERT_TRUE(suite.ok()) << suite.error().str();
  std::map<std::string, std::string> missing = undecided(path + ".undecided.txt");
  Engines engines;
  std::string why;
  bool hasPostgres = engines.postgres(why) != nullptr;
  for (const SuiteCase &pair : suite->cases) {
    ASSERT_FALSE(pair.error) << pair.error->str();
    Decision decision = decide(pair.pair, *pair.catalog, pair.semantics, {10}, engines);
    EXPECT_FALSE(decision.defect) << pair.name << ": " << decision.defect->str();
    Answer answer = decision.verdict.answer;
    bool unconfirmed = !hasPostgres && answer == Answer::Unknown && decision.verdict.counterexample;
    if (answer == pair.expected) {
      missing.erase(pair.name); // decided sooner than the list says is no failure
      continue;
    }
    if (unconfirmed)
      continue;
    EXPECT_EQ(answer, Answer::Unknown) << pair.name << " contradicts what is expected";
    EXPECT_TRUE(missing.contains(pair.name)) << pair.name << ": " << decision.verdict.reason;
  }
}

INSTANTIATE_TEST_SUITE_P(
    Sql, Cases,
    testing::Values("suite/cases/lookalikes", "suite/cases/corners", "rules/literature",
                    "rules/calcite"),
    [](const auto &info) {
      return std::string(info.param).substr(std::string(info.param).rfind('/') + 1);
    });

} // namespace
