#include "stats/data/Table.h"
#include "stats/data/Csv.h"
#include "stats/data/Reshape.h"
#include "stats/data/SqliteTable.h"
#include "support/sqlite/Sqlite.h"

#include <cmath>
#include <filesystem>
#include <gtest/gtest.h>

using namespace imbrex;
using namespace imbrex::stats;
using Kind = ColumnSpec::Kind;

namespace {

Result<Table> typed(const std::string &text, const std::vector<ColumnSpec> &specs,
                    const TypingOptions &options = {}) {
  auto raw = parseCsv(text, {}, "f.csv");
  EXPECT_TRUE(raw.ok());
  return typeColumns(raw.take(), specs, options);
}

std::vector<double> numbers(const std::string &text, const TypingOptions &options = {}) {
  auto table = typed(text, {{"x", Kind::Number}}, options);
  EXPECT_TRUE(table.ok()) << (table ? "" : table.error().str());
  return table ? table->columns[0].numbers : std::vector<double>();
}

} // namespace

TEST(Table, understandsDecimalCommas) {
  EXPECT_EQ(numbers("x\n0,435\n1,286\n0,118\n2,87\n4\n2,059\n"),
            (std::vector<double>{.435, 1.286, .118, 2.87, 4, 2.059}));
  EXPECT_EQ(numbers("x;y\n1.286,5;a\n12;b\n"), (std::vector<double>{1286.5, 12}));
  EXPECT_EQ(numbers("x,y\n\"1,286.5\",a\n\"2,000\",b\n"), (std::vector<double>{1286.5, 2000}));
  EXPECT_EQ(numbers("x;y\n1,286;a\n", {.decimal = ','}), (std::vector<double>{1.286}));
}

TEST(Table, saysWhenAMarkIsAmbiguous) {
  auto table = typed("x;y\n1,286;a\n", {{"x", Kind::Number}});
  ASSERT_TRUE(table.ok());
  EXPECT_EQ(table->columns[0].numbers[0], 1.286);
  ASSERT_EQ(table->report.notes.size(), 1u);
  EXPECT_NE(table->report.notes[0].find("thousands mark"), std::string::npos);
  auto point = typed("x;y\n1.286;a\n2.500;b\n", {{"x", Kind::Number}});
  EXPECT_EQ(point->columns[0].numbers[0], 1.286);
  ASSERT_EQ(point->report.notes.size(), 1u);
  EXPECT_TRUE(typed("x;y\n1.286;a\n2.5;b\n", {{"x", Kind::Number}})->report.notes.empty());
  auto mixed = typed("x;y\n1,25;a\n2.5;b\n", {{"x", Kind::Number}});
  ASSERT_FALSE(mixed.ok());
  EXPECT_EQ(mixed.error().code, 1211);
}

TEST(Table, countsMissingValues) {
  auto table =
      typed("x,g\n1,NA\nNA,b\n,\n2,b\n", {{"x", Kind::Number}, {"g", Kind::Category, {"NA", "b"}}});
  ASSERT_TRUE(table.ok()) << table.error().str();
  EXPECT_EQ(table->columns[0].missing, 2u);
  EXPECT_TRUE(std::isnan(table->columns[0].numbers[1]));
  // A declared category wins over the word for missing values.
  EXPECT_EQ(table->columns[1].codes, (std::vector<int32_t>{0, 1, -1, 1}));
  EXPECT_EQ(table->columns[1].missing, 1u);
}

TEST(Table, numbersMayMeanMissing) {
  TypingOptions options;
  options.missingWords = {"-99", "NA"};
  auto raw = parseCsv("x,g\n1,a\n-99,\"NA\"\n-99.0,a\n\"-99\",a\n\"NA\",a\n", {}, "f.csv");
  auto table = typeColumns(raw.take(), {{"x", Kind::Number, {}, 0.0}, {"g"}}, options);
  ASSERT_TRUE(table.ok()) << table.error().str();
  EXPECT_EQ(table->columns[0].missing, 4u); // none is outside the range, either
  EXPECT_EQ(table->columns[1].categories, (std::vector<std::string>{"a", "NA"}));
}

TEST(Table, aColumnMayBeAskedForTwice) {
  auto table = typed("x\n1\n2\n", {{"x", Kind::Number}, {"x", Kind::Category, {"1", " 2"}}});
  ASSERT_TRUE(table.ok()) << table.error().str();
  EXPECT_EQ(table->columns[0].numbers, (std::vector<double>{1, 2}));
  EXPECT_EQ(table->columns[1].codes, (std::vector<int32_t>{0, 1}));
}

TEST(Table, codesFollowTheDeclaration) {
  auto table = typed("p,x\n1,a\n6,b\n3.0,c\n", {{"p", Kind::Category, {"6", "3", "1"}}});
  ASSERT_TRUE(table.ok()) << table.error().str();
  EXPECT_EQ(table->columns[0].codes, (std::vector<int32_t>{2, 0, 1}));
}

TEST(Table, refusesWithPlaceAndCount) {
  auto strange =
      typed("g,x\nMale,1\nFemal,2\nFemal,3\n", {{"g", Kind::Category, {"Male", "Female"}}});
  ASSERT_FALSE(strange.ok());
  EXPECT_EQ(strange.error().code, 1209);
  EXPECT_EQ(strange.error().where.line, 3u);
  EXPECT_NE(strange.error().str().find("1 more"), std::string::npos);
  EXPECT_NE(strange.error().str().find("try 'Female'"), std::string::npos);
  ColumnSpec open{"g", Kind::Category, {"Male"}, {}, {}, ColumnSpec::Others::Missing};
  EXPECT_EQ(typed("g,x\nMale,1\nFemal,2\n", {open})->columns[0].missing, 1u);

  auto range = typed("x\n1\n7\n", {{"x", Kind::Number, {}, 0, 5}});
  ASSERT_FALSE(range.ok());
  EXPECT_EQ(range.error().code, 1210);
  EXPECT_EQ(range.error().where.line, 3u);
  EXPECT_EQ(typed("x\n1\nabc\n", {{"x", Kind::Number}}).error().code, 1208);
  auto absent = typed("Anxiety,x\n1,2\n", {{"Anxeity", Kind::Number}});
  ASSERT_FALSE(absent.ok());
  EXPECT_NE(absent.error().str().find("try 'Anxiety'"), std::string::npos);
}

TEST(Table, infersWhereNothingIsDeclared) {
  auto table = typed("a,b\n1,x\n2,y\n,x\n", {{"a"}, {"b"}});
  ASSERT_TRUE(table.ok());
  EXPECT_EQ(table->columns[0].kind, ColumnKind::Number);
  EXPECT_EQ(table->columns[1].categories, (std::vector<std::string>{"x", "y"}));
}

TEST(Table, reshapes) {
  auto wide = typed("drug,s,w\nE,15,28\nA,35,\n", {{"drug"}, {"s"}, {"w"}});
  auto table = wideToLong(*wide, {{"s", "w"}, "day", "BDI", "person"});
  ASSERT_TRUE(table.ok()) << table.error().str();
  EXPECT_EQ(table->rows, 4u);
  EXPECT_EQ(table->find("person")->numbers, (std::vector<double>{1, 1, 2, 2}));
  EXPECT_EQ(table->find("day")->codes, (std::vector<int32_t>{0, 1, 0, 1}));
  EXPECT_EQ(table->find("BDI")->missing, 1u);
  EXPECT_EQ(table->find("drug")->codes, (std::vector<int32_t>{0, 0, 1, 1}));
  EXPECT_EQ(wideToLong(*wide, {{"s", "drug"}, "day", "BDI", ""}).error().code, 1221);
}

TEST(Reshape, AnswersKeepTheirCategories) {
  std::vector<ColumnSpec> specs{{"id"}};
  for (const char *name : {"first", "last"})
    specs.push_back({name, ColumnSpec::Kind::Category, {"no", "yes"}});
  auto raw = parseCsv("id,first,last\na,no,yes\nb,yes,\n", {}, "f.csv");
  auto wide = typeColumns(raw.take(), specs, {});
  ASSERT_TRUE(wide.ok());
  auto table = wideToLong(*wide, {{"first", "last"}, "time", "answer", "id"});
  ASSERT_TRUE(table.ok()) << table.error().str();
  const Column &answer = *table->find("answer");
  EXPECT_EQ(answer.categories, (std::vector<std::string>{"no", "yes"}));
  EXPECT_EQ(answer.codes, (std::vector<int32_t>{0, 1, 1, Column::missingCode}));
  EXPECT_EQ(answer.missing, 1u);
}

TEST(Table, readsSqlite) {
  std::string path = testing::TempDir() + "/imbrex-table-test.sqlite";
  std::filesystem::remove(path);
  {
    auto db = sqlite::Database::open(path, sqlite::Access::Create);
    ASSERT_TRUE(db.ok());
    ASSERT_TRUE(db->execute("create table \"my t\"(g text, x real); insert into \"my t\" values "
                            "('a', 0.1), ('b', null), ('a', 3)")
                    .ok());
  }
  auto raw = readSqlite(path, selectAll("my t"));
  ASSERT_TRUE(raw.ok()) << raw.error().str();
  auto table = typeColumns(raw.take(), {{"g"}, {"x", Kind::Number}}, {});
  ASSERT_TRUE(table.ok()) << table.error().str();
  EXPECT_EQ(table->columns[1].numbers[0], 0.1);
  EXPECT_EQ(table->columns[1].missing, 1u);
  EXPECT_EQ(table->columns[0].codes, (std::vector<int32_t>{0, 1, 0}));
  EXPECT_FALSE(readSqlite(path, "select * from nothing").ok());
  auto two = readSqlite(path, "select x, x + 1 as x from \"my t\"");
  ASSERT_TRUE(two.ok());
  EXPECT_EQ(typeColumns(two.take(), {{"x", Kind::Number}}, {}).error().code, 1205);
  // A BLOB in a column that nobody asks for does not matter.
  EXPECT_TRUE(readSqlite(path, "select x, x'00' as b from \"my t\"", {{"x"}}).ok());
  EXPECT_EQ(readSqlite(path, "select x, x'00' as b from \"my t\"").error().code, 1212);
  std::filesystem::remove(path);
}
