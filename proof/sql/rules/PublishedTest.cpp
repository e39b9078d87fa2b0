// Is every published rule restated? published.txt is compared with the shipped rules and, where
// IMBREX_BENCH_DATA names them, with the published files. That the rules' verdicts are right is
// for SuiteTest.cpp.
#include "proof/sql/rules/Rules.h"
#include "proof/sql/suite/Suite.h"

#include <gtest/gtest.h>

#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <map>
#include <set>
#include <sstream>

using namespace imbrex;
using namespace imbrex::sql;

namespace {

struct Line {
  std::string published, verdict, file, rule;
};

std::vector<Line> readTable() {
  std::ifstream in(IMBREX_PUBLISHED_RULES);
  std::vector<Line> lines;
  for (std::string text; std::getline(in, text);) {
    if (text.starts_with("#"))
      continue;
    std::istringstream parts(text);
    Line line;
    for (std::string *part : {&line.published, &line.verdict, &line.file, &line.rule})
      std::getline(parts, *part, '\t');
    lines.push_back(line);
  }
  return lines;
}

std::set<std::string> inFolder(const std::vector<Line> &lines, const std::string &folder) {
  std::set<std::string> names;
  for (const Line &line : lines)
    if (line.published.starts_with(folder + "/"))
      names.insert(line.published);
  return names;
}

TEST(PublishedRules, AreRestated) {
  std::map<std::string, Answer> rules;
  for (const RuleFile &file : ruleFiles()) {
    Result<std::vector<SuiteCase>> cases = readSqlTest(file.text, std::string(file.name), {});
    ASSERT_TRUE(cases.ok()) << cases.error().str();
    for (const SuiteCase &rule : *cases)
      rules[std::string(file.name) + ": " + rule.name] = rule.expected.value_or(Answer::Unknown);
  }
  std::vector<Line> lines = readTable();
  for (const Line &line : lines) {
    auto rule = rules.find(line.file + ": " + line.rule);
    ASSERT_NE(rule, rules.end()) << line.published << ": " << line.rule;
    Answer expected = line.verdict == "proven" ? Answer::Equivalent : Answer::NotEquivalent;
    EXPECT_EQ(rule->second, expected) << line.published;
  }
  EXPECT_EQ(inFolder(lines, "conditional").size(), 9u);
  EXPECT_EQ(inFolder(lines, "sqlrewrites").size(), 22u);
  EXPECT_EQ(inFolder(lines, "inequal_queries").size(), 7u);
  EXPECT_EQ(inFolder(lines, "calcite").size(), 33u);
  for (const Line &line : lines) {
    bool wrong = line.published.starts_with("inequal_queries/");
    EXPECT_FALSE(wrong && line.verdict != "refuted") << line.published;
  }
}

TEST(PublishedRules, AreAllThereAre) {
  const char *data = std::getenv("IMBREX_BENCH_DATA");
  if (!data)
    GTEST_SKIP() << "IMBREX_BENCH_DATA names no folder with the published rules";
  std::string command = "tar -tJf '" + std::string(data) + "/sql/cosette-examples.tar.xz'";
  FILE *list = popen(command.c_str(), "r");
  ASSERT_TRUE(list);
  std::set<std::string> published;
  char line[1000];
  while (std::fgets(line, sizeof line, list)) {
    std::string name = line;
    while (!name.empty() && (name.back() == '\n' || name.back() == '/'))
      name.pop_back();
    size_t file = name.rfind('/');
    size_t folder =
        file == std::string::npos || file == 0 ? std::string::npos : name.rfind('/', file - 1);
    if (name.ends_with(".cos"))
      published.insert(folder == std::string::npos ? name : name.substr(folder + 1));
  }
  ASSERT_EQ(pclose(list), 0);
  std::set<std::string> restated;
  for (const char *folder : {"conditional", "sqlrewrites", "inequal_queries"})
    restated.merge(inFolder(readTable(), folder));
  EXPECT_EQ(restated, published);
}

} // namespace
