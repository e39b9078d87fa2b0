#include "stats/data/Csv.h"

#include <gtest/gtest.h>

using namespace imbrex;
using namespace imbrex::stats;

namespace {

RawTable read(const std::string &text, CsvOptions options = {}) {
  auto table = parseCsv(text, options, "f.csv");
  EXPECT_TRUE(table.ok()) << (table ? "" : table.error().str());
  return table ? table.take() : RawTable();
}

Error refused(const std::string &text, CsvOptions options = {}) {
  auto table = parseCsv(text, options, "f.csv");
  EXPECT_FALSE(table.ok());
  return table ? Error() : table.takeError();
}

std::string cell(const RawTable &t, size_t column, size_t row) {
  return std::string(t.cell(t.columns[column], row));
}

} // namespace

TEST(Csv, readsQuotesAndLineBreaks) {
  RawTable t = read("a,b\r\n\"x, \"\"y\"\"\",1\r\n\"two\r\nlines\",2\r\n");
  ASSERT_EQ(t.rows, 2u);
  EXPECT_EQ(cell(t, 0, 0), "x, \"y\"");
  EXPECT_EQ(cell(t, 0, 1), "two\r\nlines");
  EXPECT_EQ(cell(t, 1, 1), "2");
  EXPECT_EQ(t.report.lineEnds, "CRLF");
  EXPECT_EQ(t.locate(t.columns[1], 1).line, 4u);
}

TEST(Csv, findsTheDelimiter) {
  EXPECT_EQ(read("a;b\n1,5;2,5\n").report.delimiter, ';');
  EXPECT_EQ(read("a\tb\n1\t2\n").report.delimiter, '\t');
  EXPECT_EQ(read("a|b\n1|2\n").report.delimiter, '|');
  EXPECT_EQ(read("a,b\n\"1;2\",2\n").report.delimiter, ',');
  RawTable single = read("x\n0,435\n1,286\n");
  EXPECT_EQ(single.report.delimiter, 0);
  EXPECT_EQ(cell(single, 0, 1), "1,286");
}

TEST(Csv, takesTheDelimiterThatSpreadsheetsName) {
  RawTable table = read("sep=;\r\na,b;c\r\n1,5;2\r\n");
  EXPECT_EQ(table.report.delimiter, ';');
  EXPECT_EQ(table.columns[0].name, "a,b");
  EXPECT_EQ(cell(table, 0, 0), "1,5");
  EXPECT_EQ(table.locate(table.columns[0], 0).line, 3u);
}

TEST(Csv, namesTheUnnamed) {
  RawTable t = read(",ID\n0,7\n");
  EXPECT_EQ(t.columns[0].name, "column1");
  ASSERT_EQ(t.report.notes.size(), 1u);
  RawTable rowNames = read("\"a\",\"b\"\n\"r1\",1,2\n\"r2\",3,4\n");
  EXPECT_EQ(rowNames.columns.size(), 3u);
  EXPECT_EQ(cell(rowNames, 2, 1), "4");
}

TEST(Csv, reportsEncodings) {
  EXPECT_EQ(read("\xef\xbb\xbf"
                 "a\n1\n")
                .columns[0]
                .name,
            "a");
  RawTable latin = read("a\ncaf\xe9\n");
  EXPECT_EQ(latin.report.encoding, "Windows-1252");
  EXPECT_EQ(cell(latin, 0, 0), "caf\xc3\xa9");
  using namespace std::string_literals;
  RawTable wide = read("\xff\xfe"
                       "a\0\n\0\x31\0"s);
  EXPECT_EQ(wide.report.encoding, "UTF-16LE");
  EXPECT_EQ(cell(wide, 0, 0), "1");
  EXPECT_EQ(refused("a\0b\n"s).code, 1202);
  EXPECT_EQ(refused("a\n\xe9\n", {.encoding = "utf-8"}).code, 1202);
  EXPECT_EQ(refused("a\n1\n", {.encoding = "klingon"}).code, 1202);
}

TEST(Csv, refusesWithTheLine) {
  EXPECT_EQ(refused("").code, 1201);
  Error ragged = refused("a,b\n1,2\n3\n", {.delimiter = ','});
  EXPECT_EQ(ragged.code, 1204);
  EXPECT_EQ(ragged.where.line, 3u);
  Error found = refused("a,b\n1,2\n3,4\n5,6,7\n8,9\n", {});
  EXPECT_EQ(found.code, 1204);
  EXPECT_EQ(found.where.line, 4u);
  Error open = refused("a,b\n1,\"x\n2,3\n");
  EXPECT_EQ(open.code, 1203);
  EXPECT_EQ(open.where.line, 2u);
  EXPECT_EQ(refused("a,b\n\"x\"y,1\n").code, 1203);
  EXPECT_EQ(refused("a,a\n1,2\n").code, 1205);
}

TEST(Csv, refusesAFolder) {
  Error error = readCsv(testing::TempDir(), {}).error();
  EXPECT_EQ(error.code, 1200);
  EXPECT_NE(error.str().find("it is a folder"), std::string::npos);
}

TEST(Csv, keepsHeaderOnlyFilesAndBlankLines) {
  RawTable empty = read("ID,Condition,Score\n");
  EXPECT_EQ(empty.rows, 0u);
  EXPECT_EQ(empty.columns.size(), 3u);
  RawTable blank = read("a,b\n\n1,2\n\n");
  EXPECT_EQ(blank.rows, 1u);
  EXPECT_EQ(blank.report.notes.size(), 1u);
  EXPECT_EQ(cell(read("a,b\n1,"), 1, 0), "");
}

TEST(Csv, keepsOnlyWhatIsWanted) {
  CsvOptions options;
  options.wanted = std::set<std::string>{"b"};
  RawTable t = read("a,b\n1,2\n", options);
  EXPECT_TRUE(t.columns[0].cells.empty());
  EXPECT_EQ(cell(t, 1, 0), "2");
}
