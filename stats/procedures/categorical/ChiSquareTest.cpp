#include "stats/procedures/categorical/ChiSquare.h"

#include "stats/procedures/categorical/GoodnessOfFit.h"

#include <cmath>
#include <gtest/gtest.h>

namespace imbrex::stats {
namespace {

ContingencyTable table(size_t rows, size_t columns, std::vector<int64_t> counts) {
  return {{rows, columns, std::move(counts)}, {}, {}};
}

TEST(ChiSquare, CarsByCylinderAndTransmission) {
  TestResult r = chiSquareIndependence(table(3, 2, {3, 8, 4, 3, 12, 2}), Yates::Capped);
  EXPECT_NEAR(r.statistic("chi-square"), 8.740733, 5e-7);
  EXPECT_EQ(r.freedom(), 2);
  EXPECT_NEAR(r.p.undirected->value, .0126466, 5e-8);
  EXPECT_NEAR(r.effect("Cramer's V")->value, .5226355, 5e-8);
  EXPECT_LT(r.effect("Cramer's V")->interval->low, .5226355);
  EXPECT_NE(r.notes.at(0).find("expected counts are below 5"), std::string::npos);
}

TEST(ChiSquare, YatesCappedAndNone) {
  ContingencyTable cars = table(2, 2, {12, 7, 6, 7});
  EXPECT_NEAR(chiSquareIndependence(cars, Yates::None).statistic("chi-square"), .9068826, 5e-8);
  EXPECT_NEAR(chiSquareIndependence(cars, Yates::None).p.undirected->value, .3409429, 5e-8);
  TestResult corrected = chiSquareIndependence(cars, Yates::Capped);
  EXPECT_NEAR(corrected.statistic("chi-square"), .3475355, 5e-8);
  EXPECT_NEAR(corrected.p.undirected->value, .5555115, 5e-8);
  // |O - E| = 0.1 here: capped leaves nothing, uncapped overshoots.
  ContingencyTable even = table(2, 2, {10, 10, 11, 10});
  EXPECT_EQ(chiSquareIndependence(even, Yates::Capped).statistic("chi-square"), 0);
  EXPECT_GT(chiSquareIndependence(even, Yates::Full).statistic("chi-square"), 0);
  EXPECT_EQ(chiSquareIndependence(even, Yates::Capped).p.undirected->value, 1);
}

TEST(ChiSquare, CatsAdmissionsJobsAndWhales) {
  ContingencyTable cats = table(2, 2, {28, 10, 48, 114});
  TestResult r = chiSquareIndependence(cats, Yates::None);
  EXPECT_NEAR(r.statistic("chi-square"), 25.35569, 5e-6);
  EXPECT_NEAR(r.p.undirected->value, 4.76743e-07, 5e-13);
  EXPECT_NEAR(r.effect("phi")->value, .35606, 5e-6);
  EXPECT_NEAR(chiSquareIndependence(cats, Yates::Capped).statistic("chi-square"), 23.52028, 5e-6);
  EXPECT_NEAR(chiSquareIndependence(cats, Yates::Capped).p.undirected->value, 1.236e-06, 5e-10);
  ContingencyTable admissions = table(2, 2, {1198, 1493, 557, 1278});
  EXPECT_NEAR(chiSquareIndependence(admissions, Yates::None).statistic("chi-square"), 92.20528,
              5e-6);
  EXPECT_NEAR(chiSquareIndependence(admissions, Yates::Capped).statistic("chi-square"), 91.60960,
              5e-6);
  ContingencyTable jobs = table(4, 4, {1, 2, 1, 0, 3, 3, 6, 1, 10, 10, 14, 9, 6, 7, 12, 11});
  EXPECT_NEAR(chiSquareIndependence(jobs, Yates::None).statistic("chi-square"), 5.965515, 5e-7);
  EXPECT_NEAR(chiSquareIndependence(jobs, Yates::None).p.undirected->value, .7433647, 5e-8);
  EXPECT_NEAR(chiSquareIndependence(table(2, 2, {8, 2, 1, 5}), Yates::Full).p.undirected->value,
              .0509619, 5e-8);
}

TEST(ChiSquare, PhiHasTheSignOfTheDiagonal) {
  TestResult r = chiSquareIndependence(table(2, 2, {10, 28, 114, 48}), Yates::None);
  EXPECT_LT(r.effect("phi")->value, 0);
  EXPECT_LT(r.effect("phi")->interval->low, r.effect("phi")->value);
}

TEST(ChiSquare, NamesTheEmptyRow) {
  ContingencyTable empty = table(3, 2, {3, 8, 0, 0, 12, 2});
  empty.rowNames = {"four", "six", "eight"};
  TestResult r = chiSquareIndependence(empty, Yates::None);
  EXPECT_EQ(r.outcome, Outcome::Refused);
  EXPECT_NE(r.reason.find("row 'six' has no counts"), std::string::npos);
  EXPECT_EQ(gTestIndependence(empty).outcome, Outcome::Refused);
}

TEST(ChiSquare, RefusesWhatIsNoTable) {
  EXPECT_EQ(chiSquareIndependence(table(1, 2, {3, 4}), Yates::None).outcome, Outcome::Refused);
  EXPECT_EQ(chiSquareIndependence(table(2, 2, {3, 4, -1, 2}), Yates::None).outcome,
            Outcome::Refused);
  EXPECT_EQ(chiSquareIndependence(table(2, 2, {0, 0, 0, 0}), Yates::None).outcome,
            Outcome::Refused);
  EXPECT_EQ(chiSquareIndependence(table(2, 2, {3, 4}), Yates::None).outcome, Outcome::Refused);
}

TEST(GTest, ZeroCellsCountNothing) {
  TestResult r = gTestIndependence(table(2, 2, {10, 0, 0, 10}));
  EXPECT_NEAR(r.statistic("G"), 40 * std::log(2.0), 1e-12);
}

TEST(GoodnessOfFit, EqualAndGivenProportions) {
  TestResult r = goodnessOfFit(std::vector<int64_t>{89, 37, 30, 28, 2},
                               std::vector<double>{.40, .20, .20, .15, .05}, {});
  EXPECT_NEAR(r.statistic("chi-square"), 9.990143, 5e-7); // R's example, as its manual prints it
  EXPECT_NEAR(r.p.undirected->value, .04059, 5e-6);
  TestResult equal = goodnessOfFit(std::vector<int64_t>{20, 20}, {}, {});
  EXPECT_EQ(equal.p.undirected->value, 1);
}

TEST(GoodnessOfFit, Refuses) {
  std::vector<int64_t> counts{1, 2};
  EXPECT_EQ(goodnessOfFit(counts, std::vector<double>{.5, .6}, {}).outcome, Outcome::Refused);
  std::vector<std::string> names{"a", "b"};
  TestResult r = goodnessOfFit(counts, std::vector<double>{1, 0}, names);
  EXPECT_NE(r.reason.find("'b'"), std::string::npos);
  EXPECT_EQ(goodnessOfFit(std::vector<int64_t>{0, 0}, {}, {}).outcome, Outcome::Refused);
}

} // namespace
} // namespace imbrex::stats
