#include "stats/data/Sample.h"
#include "stats/data/Csv.h"

#include <gtest/gtest.h>

using namespace imbrex;
using namespace imbrex::stats;

namespace {

Table table(const std::string &text) {
  auto raw = parseCsv(text, {}, "f.csv");
  std::vector<ColumnSpec> specs;
  for (const RawColumn &column : raw->columns)
    specs.push_back({column.name});
  return typeColumns(raw.take(), specs, {}).take();
}

} // namespace

TEST(Sample, dropsIncompleteRowsAndCountsThem) {
  Table t = table("g,x\na,1\nb,\na,3\n,4\n");
  CompleteRows rows = completeRows(t, {"g", "x"});
  EXPECT_EQ(rows.rows, (std::vector<uint32_t>{0, 2}));
  EXPECT_EQ(rows.dropped, 2u);
  EXPECT_EQ(rows.missing.size(), 2u);
  auto groups = groupsOf(*t.find("x"), *t.find("g"), rows);
  EXPECT_EQ(groups[0], (std::vector<double>{1, 3}));
  EXPECT_TRUE(groups[1].empty());
}

TEST(Sample, matchesByKeyWhateverTheOrder) {
  Table t =
      table("id,day,x\ns1,mon,1\ns2,tue,4\ns2,mon,2\ns1,tue,3\ns3,mon,9\ns4,mon,\ns4,tue,5\n");
  auto m = matchByKey(t, *t.find("x"), *t.find("day"), t.find("id"));
  ASSERT_TRUE(m.ok());
  EXPECT_EQ(m->subjects, (std::vector<std::string>{"s1", "s2"}));
  EXPECT_EQ(m->values, (std::vector<std::vector<double>>{{1, 3}, {2, 4}}));
  // An absent row and a missing value are the same.
  EXPECT_EQ(m->incomplete, 2u);
}

TEST(Sample, matchesInRowOrderWithoutKey) {
  Table t = table("day,x\nmon,1\nmon,2\ntue,3\ntue,4\n");
  auto m = matchByKey(t, *t.find("x"), *t.find("day"), nullptr);
  ASSERT_TRUE(m.ok());
  EXPECT_EQ(m->values, (std::vector<std::vector<double>>{{1, 3}, {2, 4}}));
  Table uneven = table("day,x\nmon,1\nmon,2\ntue,3\n");
  EXPECT_EQ(matchByKey(uneven, *uneven.find("x"), *uneven.find("day"), nullptr).error().code, 1220);
}

TEST(Sample, refusesTwoValuesOfOneSubject) {
  Table t = table("id,day,x\n1,mon,1\n1,mon,2\n1,tue,3\n");
  auto m = matchByKey(t, *t.find("x"), *t.find("day"), t.find("id"));
  ASSERT_FALSE(m.ok());
  EXPECT_NE(m.error().str().find("subject '1'"), std::string::npos);
}

TEST(Sample, namesSubjectsAsTheyAreWritten) {
  Table t = table("id,day,x\n100,mon,1\n100,mon,2\n");
  auto m = matchByKey(t, *t.find("x"), *t.find("day"), t.find("id"));
  ASSERT_FALSE(m.ok());
  EXPECT_NE(m.error().str().find("subject '100'"), std::string::npos);
}

TEST(Sample, needsNoMemoryForAbsentLevels) {
  Table t = table("id,day,x\n1,mon,1\n2,mon,2\n");
  Column days = *t.find("day");
  days.categories.resize(100'000'000 / 64); // dense, these would be 25 MB a subject
  auto m = matchByKey(t, *t.find("x"), days, t.find("id"));
  ASSERT_TRUE(m.ok());
  EXPECT_EQ(m->incomplete, 2u);
}
