// Reference values: R 4.2.2 (pairwise.t.test, t.test) on R's CO2 data.
#include "stats/procedures/posthoc/RepeatedComparisons.h"

#include "stats/procedures/groups/TTests.h"
#include "stats/procedures/test/ReferenceData.h"
#include "stats/procedures/test/TestSupport.h"

using namespace imbrex::stats;
namespace ref = imbrex::stats::reference;

namespace {

/// Seven concentrations within 12 plants, the first 6 of Quebec.
RepeatedDesign plants() {
  RepeatedDesign design;
  design.within = {{"conc", {"95", "175", "250", "350", "500", "675", "1000"}}};
  design.between = {{"type", {"Quebec", "Mississippi"}, {}}};
  for (int plant = 0; plant < 12; ++plant) {
    design.subjects.push_back(part(ref::co2Uptake, plant * 7, 7));
    design.between[0].codes.push_back(plant / 6);
  }
  return design;
}

const ResultRow &row(const TestResult &result, const char *name) {
  return *result.table("comparisons")->row(name);
}

} // namespace

TEST(RepeatedComparisons, WithinSubjectsArePaired) {
  TestResult r = repeatedComparisons(plants(), "conc", ComparisonScope::Marginal);
  ASSERT_EQ(r.table("comparisons")->rows.size(), 21u);
  EXPECT_DIGITS(1.19624385466e-05, row(r, "95 - 175").number("raw p"), 1e-9);
  EXPECT_DIGITS(0.000191399016745, row(r, "95 - 175").p.undirected->value, 1e-9);
  EXPECT_TRUE(row(r, "95 - 175").effects.at(0).interval);
}

TEST(RepeatedComparisons, BetweenSubjectsAreTheirMeans) {
  TestResult r = repeatedComparisons(plants(), "type", ComparisonScope::Marginal);
  EXPECT_DIGITS(4.74201797633, row(r, "Quebec - Mississippi").number("t"), 1e-9);
  EXPECT_DIGITS(0.00226990636736, row(r, "Quebec - Mississippi").p.undirected->value, 1e-9);
}

TEST(RepeatedComparisons, SimpleEffectsNameWhere) {
  TestResult r = repeatedComparisons(plants(), "type", ComparisonScope::Simple);
  ASSERT_EQ(r.table("comparisons")->rows.size(), 7u);
  EXPECT_DIGITS(0.0165991948904, row(r, "Quebec - Mississippi at 95").number("raw p"), 1e-9);
  EXPECT_DIGITS(0.0165991948904, row(r, "Quebec - Mississippi at 95").p.undirected->value, 1e-9);
  EXPECT_EQ(repeatedComparisons(plants(), "conc", ComparisonScope::Simple)
                .table("comparisons")
                ->rows.size(),
            42u);
}

TEST(RepeatedComparisons, TwoFactorsWithin) {
  RepeatedDesign design;
  design.within = {{"a", {"1", "2"}}, {"b", {"x", "y"}}};
  design.subjects = {{1, 2, 3, 7}, {2, 2, 5, 6}, {0, 3, 4, 4}, {1, 1, 2, 6}};
  TestResult r = repeatedComparisons(design, "a", ComparisonScope::Marginal);
  std::vector<double> first{1.5, 2, 1.5, 1}, second{5, 5.5, 4, 4};
  EXPECT_DIGITS(pairedT(first, second).statistic("t"), row(r, "1 - 2").number("t"), 1e-12);
  TestResult simple = repeatedComparisons(design, "a", ComparisonScope::Simple);
  std::vector<double> firstAtY{2, 2, 3, 1}, secondAtY{7, 6, 4, 6};
  EXPECT_DIGITS(pairedT(firstAtY, secondAtY).statistic("t"), row(simple, "1 - 2 at y").number("t"),
                1e-12);
}

TEST(RepeatedComparisons, EdgeCases) {
  EXPECT_EQ(repeatedComparisons(plants(), "dose", ComparisonScope::Marginal).outcome,
            Outcome::Refused);
  RepeatedDesign same;
  same.within = {{"a", {"1", "2"}}};
  same.subjects = {{1, 1}, {2, 2}};
  TestResult r = repeatedComparisons(same, "a", ComparisonScope::Marginal);
  EXPECT_FALSE(row(r, "1 - 2").p.undirected.has_value()); // all differences are zero
}
