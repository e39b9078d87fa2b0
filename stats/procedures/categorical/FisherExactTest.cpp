#include "stats/procedures/categorical/FisherExact.h"

#include "stats/procedures/categorical/FisherExactTable.h"

#include <chrono>
#include <cmath>
#include <gtest/gtest.h>

namespace imbrex::stats {
namespace {

ContingencyTable table(size_t rows, size_t columns, std::vector<int64_t> counts) {
  return {{rows, columns, std::move(counts)}, {}, {}};
}

TestResult fourfold(int64_t a, int64_t b, int64_t c, int64_t d) {
  return fisherExact(table(2, 2, {a, b, c, d}), OddsRatio::Conditional);
}

TEST(FisherExact, TeaTasting) {
  TestResult r = fourfold(3, 1, 1, 3);
  EXPECT_NEAR(r.p.undirected->value, .4857143, 5e-8);
  EXPECT_NEAR(r.p.greater->value, .2428571, 5e-8);
  // R prints 6.408309 here, a loose root.
  EXPECT_NEAR(r.statistic("conditional odds ratio"), 6.408320, 5e-7);
  EXPECT_EQ(r.statistic("sample odds ratio"), 9);
}

TEST(FisherExact, Convictions) {
  TestResult r = fourfold(2, 15, 10, 3);
  EXPECT_NEAR(r.p.less->value, 4.651809e-04, 5e-11);
  EXPECT_NEAR(r.p.undirected->value, 5.367241e-04, 5e-11);
  EXPECT_NEAR(r.statistic("odds ratio"), .04693664, 5e-9);
  EXPECT_LT(r.estimate->interval->low, .0469);
  EXPECT_GT(r.estimate->interval->high, .0470);
}

TEST(FisherExact, CarsCatsAndWhales) {
  EXPECT_NEAR(fourfold(12, 7, 6, 7).p.undirected->value, .4726974, 5e-8);
  EXPECT_NEAR(fourfold(12, 7, 6, 7).statistic("odds ratio"), 1.956039, 5e-6);
  TestResult cats = fourfold(28, 10, 48, 114);
  EXPECT_NEAR(cats.p.undirected->value, 1.3117093e-06, 5e-14);
  EXPECT_NEAR(cats.statistic("odds ratio"), 6.57926, 5e-5);
  EXPECT_NEAR(fourfold(8, 2, 1, 5).p.undirected->value, .0349650, 5e-8);
}

TEST(FisherExact, HugeCountsEndAtOnce) {
  auto start = std::chrono::steady_clock::now();
  TestResult r = fourfold(5829225, 5692693, 5760959, 5760959);
  auto taken = std::chrono::steady_clock::now() - start;
  // By 50-digit arithmetic.
  EXPECT_NEAR(r.p.greater->value / 3.0631063563120577e-178, 1, 1e-12);
  EXPECT_NEAR(r.p.undirected->value / 6.1262127126241154e-178, 1, 1e-12);
  EXPECT_NEAR(r.statistic("odds ratio"), r.statistic("sample odds ratio"), 1e-6);
  EXPECT_LT(taken, std::chrono::seconds(1));
}

TEST(FisherExact, EmptyMarginHasNoOddsRatio) {
  TestResult r = fourfold(0, 0, 5, 3);
  EXPECT_TRUE(r.defined());
  EXPECT_EQ(r.p.undirected->value, 1);
  EXPECT_FALSE(r.effect("odds ratio"));
  EXPECT_NE(r.notes.at(0).find("row 1 has no counts"), std::string::npos);
}

TEST(FisherExact, AnEmptyCellGivesAnEndlessInterval) {
  TestResult r = fourfold(0, 5, 5, 3);
  EXPECT_EQ(r.statistic("odds ratio"), 0);
  EXPECT_EQ(r.estimate->interval->low, 0);
  EXPECT_TRUE(std::isfinite(r.estimate->interval->high));
  TestResult mirrored = fourfold(5, 0, 3, 5);
  EXPECT_TRUE(std::isinf(mirrored.statistic("odds ratio")));
  EXPECT_TRUE(std::isinf(mirrored.estimate->interval->high));
}

TEST(FisherExactTable, JobsCylindersAndUnity) {
  EXPECT_NEAR(fisherExactTable(table(4, 4, {1, 2, 1, 0, 3, 3, 6, 1, 10, 10, 14, 9, 6, 7, 12, 11}))
                  .p.undirected->value,
              .7826849, 5e-8);
  EXPECT_NEAR(fisherExactTable(table(3, 2, {3, 8, 4, 3, 12, 2})).p.undirected->value, .00910470,
              5e-9);
  EXPECT_EQ(fisherExactTable(table(2, 3, {1, 2, 3, 1, 2, 5})).p.undirected->value, 1);
}

TEST(FisherExactTable, AgreesWithTheFourfoldForm) {
  EXPECT_NEAR(fisherExactTable(table(2, 2, {2, 15, 10, 3})).p.undirected->value,
              fourfold(2, 15, 10, 3).p.undirected->value, 1e-15);
}

TEST(FisherExactTable, SamplesBeyondTheBudgetAndSaysSo) {
  TableSampling sampling{.workLimit = 10, .samples = 20000, .seed = 3};
  TestResult r = fisherExactTable(table(3, 2, {3, 8, 4, 3, 12, 2}), sampling);
  EXPECT_NEAR(r.p.undirected->value, .00910470, 4 * r.statistic("standard error of p") + 1e-4);
  EXPECT_NE(r.method.find("Monte Carlo, 20000 tables, seed 3"), std::string::npos);
  EXPECT_EQ(fisherExactTable(table(3, 2, {3, 8, 4, 3, 12, 2}), sampling).p.undirected->value,
            r.p.undirected->value);
}

TEST(FisherExactTable, EmptyRowsAreLeftOut) {
  TestResult r = fisherExactTable(table(3, 2, {2, 15, 0, 0, 10, 3}));
  EXPECT_NEAR(r.p.undirected->value, 5.367241e-04, 5e-11);
  EXPECT_NE(r.notes.at(0).find("row 2"), std::string::npos);
  EXPECT_EQ(fisherExactTable(table(3, 2, {2, 15, 0, 0, 0, 0})).p.undirected->value, 1);
}

} // namespace
} // namespace imbrex::stats
