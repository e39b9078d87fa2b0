#include "proof/sql/qed/PublishedSuites.h"
#include "proof/sql/qed/ReadQed.h"

#include <gtest/gtest.h>

#include <fstream>
#include <map>

using namespace imbrex;
using namespace imbrex::sql;

namespace {

const char *Schemas = R"("schemas": [
  {"name": "EMP", "types": ["INTEGER", "INTEGER", "VARCHAR", "DECIMAL"], "fields": ["ID", "DEPT", "NAME", "PAY"],
   "nullable": [false, true, true, true], "key": [[0]], "guaranteed": []}])";

std::string pairOf(const std::string &query) {
  return std::string("{") + Schemas + ", \"queries\": [" + query + ", " + query + "]}";
}

std::string read(const std::string &query) {
  Result<QedPair> pair = readQed(pairOf(query));
  if (!pair)
    return pair.error().str();
  Status status = verify(*pair->first, pair->catalog);
  return status ? toText(*pair->first, pair->catalog) : status.error().str();
}

std::string project(const std::string &target) {
  return R"({"project": {"source": {"scan": 0}, "target": [)" + target + "]}}";
}

std::string column(int number) {
  return R"({"type": "INTEGER", "column": )" + std::to_string(number) + "}";
}

std::string call(const std::string &op, const std::string &operands,
                 const std::string &type = "BOOLEAN") {
  return R"({"type": ")" + type + R"(", "operator": ")" + op + R"(", "operand": [)" + operands +
         "]}";
}

std::string leaf(const std::string &text, const std::string &type) { return call(text, "", type); }

void expectHas(const std::string &text, const std::string &part) {
  EXPECT_NE(text.find(part), std::string::npos) << text;
}

/// `file  reason` a line, # starts a comment.
std::map<std::string, std::string> readList(const std::string &path) {
  std::map<std::string, std::string> list;
  std::ifstream in(path);
  for (std::string line; std::getline(in, line);) {
    size_t blank = line.find(' ');
    if (line.empty() || line[0] == '#' || blank == line.npos)
      continue;
    list[line.substr(0, blank)] = line.substr(line.find_first_not_of(' ', blank));
  }
  return list;
}

} // namespace

TEST(Qed, CountsColumnsThroughEnclosingRows) {
  // The inner scan's columns are 4 to 7; column 0 is the outer row's.
  std::string exists =
      R"({"type": "BOOLEAN", "operator": "EXISTS", "operand": [], "query": {"filter": {"source": {"scan": 0},
          "condition": )" +
      call("=", column(0) + ", " + column(5)) + "}}}";
  Result<QedPair> pair =
      readQed(pairOf(R"({"filter": {"source": {"scan": 0}, "condition": )" + exists + "}}"));
  ASSERT_TRUE(pair.ok()) << pair.error().str();
  const Expr &equal = *pair->first->condition->query->condition;
  EXPECT_EQ(equal.operands[0]->depth, 1u);
  EXPECT_EQ(equal.operands[0]->index, 0u);
  EXPECT_EQ(equal.operands[1]->depth, 0u);
  EXPECT_EQ(equal.operands[1]->index, 1u);
  EXPECT_TRUE(pair->catalog.tables[0].keys[0].primary);
}

TEST(Qed, ReadsLiteralsOfEitherOrigin) {
  std::string text =
      read(project(leaf("_ISO-8859-1'it''s'", "VARCHAR") + ", " + leaf("'b'", "STRING") + ", " +
                   leaf("8.50", "DECIMAL") + ", " + leaf("NULL", "INT")));
  expectHas(text, "'it''s'");
  expectHas(text, "8.5");
  expectHas(text, "NULL");
}

TEST(Qed, MakesNumbersAlike) {
  expectHas(read(project(call("+", column(0) + ", " + column(3), "DECIMAL"))), "CAST(");
  expectHas(read(project(call("DIV", column(0) + ", " + column(1), "DECIMAL"))), "CAST(");
}

TEST(Qed, ReadsSearchAsRanges) {
  std::string text =
      read(R"({"filter": {"source": {"scan": 0}, "condition": )" +
           call("SEARCH",
                column(0) + ", " + leaf("Sarg[7, (8..9], (10..+∞); NULL AS TRUE]", "INTEGER")) +
           "}}");
  expectHas(text, "= 7");
  expectHas(text, "> 8");
  expectHas(text, "<= 9");
  expectHas(text, "IS NULL");
}

TEST(Qed, TurnsASubjectOfCaseIntoComparisons) {
  std::string operands = column(0) + ", " + leaf("1", "INT") + ", " + leaf("'a'", "STRING") + ", " +
                         leaf("NULL", "STRING");
  expectHas(read(project(call("CASE", operands, "STRING"))), "= 1");
}

TEST(Qed, PutsSum0AndGroupingRight) {
  std::string group = R"({"group": {"source": {"scan": 0}, "keys": [)" + column(1) +
                      R"(], "function": [
      {"operator": "GROUPING", "operand": [)" +
                      column(1) + R"(], "type": "BIGINT", "distinct": false},
      {"operator": "$SUM0", "operand": [)" +
                      column(0) + R"(], "type": "BIGINT", "distinct": true}]}})";
  std::string text = read(group);
  expectHas(text, "COALESCE(");
  expectHas(text, "grouping {0}");
}

TEST(Qed, RefusesWhatTheFormatLost) {
  EXPECT_NE(read(project(leaf("RANK", "BIGINT"))).find("E1081"), std::string::npos);
  std::string group =
      R"({"group": {"source": {"scan": 0}, "keys": [], "function": ["?unknown?"]}})";
  EXPECT_NE(read(group).find("E1081"), std::string::npos);
}

TEST(Qed, RefusesDamagedFiles) {
  for (const char *text : {"{}", "[]", R"({"schemas": [], "queries": [{"scan": 0}, {"scan": 0}]})",
                           R"({"schemas": [], "queries": [1, 2]})",
                           R"({"schemas": [{"types": ["INT"], "nullable": []}], "queries": []})"}) {
    Result<QedPair> pair = readQed(text);
    ASSERT_FALSE(pair.ok()) << text;
    EXPECT_EQ(pair.error().code, 1080) << text;
  }
  expectHas(read(project(column(4))), "E1080");
}

TEST(Qed, RefusesWhatIsTooLarge) {
  std::string scan = R"({"scan": 0})", columns, joins = scan, unions = scan;
  std::string yes = R"({"operator": "true", "operand": [], "type": "BOOLEAN"})";
  for (int i = 0; i < 1100; ++i)
    columns += std::string(i ? "," : "") + R"({"column": 0, "type": "INTEGER"})";
  for (int i = 0; i < 60'000; ++i)
    unions += "," + scan;
  auto doc = [](const std::string &query, int width) {
    std::string types, nullable;
    for (int i = 0; i < width; ++i) {
      types += std::string(i ? "," : "") + "\"INTEGER\"";
      nullable += i ? ",true" : "true";
    }
    return R"({"schemas": [{"types": [)" + types + R"(], "nullable": [)" + nullable +
           R"(], "key": []}], "queries": [)" + query + "," + query + "]}";
  };
  for (int i = 0; i < 20; ++i)
    joins = R"({"join": {"kind": "INNER", "condition": )" + yes + R"(, "left": )" + joins +
            R"(, "right": )" + scan + "}}";
  std::string project = R"({"project": {"source": )" + scan + R"(, "target": [)" + columns + "]}}";
  for (const std::string &text :
       {doc(project, 2), doc(joins, 900), doc(R"({"union": [)" + unions + "]}", 2)}) {
    Result<QedPair> pair = readQed(text);
    ASSERT_FALSE(pair.ok()) << text.substr(0, 60);
    EXPECT_EQ(pair.error().code, 1001) << pair.error().str();
  }
}

// Reads every file of the two published suites and compares what is refused with the list.
TEST(Qed, ReadsThePublishedSuites) {
  std::map<std::string, std::string> listed = readList(IMBREX_SOURCE_DIR "/unreadable.txt"), found;
  for (auto [suite, size] : {std::pair("calcite", 444u), std::pair("norm", 645u)}) {
    auto files = publishedSuite(suite);
    if (!files)
      GTEST_SKIP() << files.error().str();
    EXPECT_EQ(files->size(), size);
    for (const auto &[name, text] : *files) {
      Result<QedPair> pair = readQed(text, name);
      if (!pair) {
        EXPECT_EQ(pair.error().code, 1081) << pair.error().str();
        found[std::string(suite) + "/" + name + ".json"] = pair.error().what;
        continue;
      }
      for (const QueryPtr &query : {pair->first, pair->second}) {
        Status status = verify(*query, pair->catalog);
        EXPECT_TRUE(status.ok()) << name << ": " << status.error().str();
      }
    }
  }
  EXPECT_EQ(found, listed);
}
