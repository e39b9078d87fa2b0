#include "stats/procedures/resampling/Bootstrap.h"
#include "stats/procedures/resampling/Permutation.h"

#include "stats/procedures/association/Pearson.h"
#include "stats/procedures/groups/TTests.h"

#include <cmath>
#include <gtest/gtest.h>
#include <numeric>

namespace imbrex::stats {
namespace {

using Column = std::vector<double>;

const Column control{4.17, 5.58, 5.18, 6.11, 4.50, 4.61, 5.17, 4.53, 5.33, 5.14};
const Column treated{4.81, 4.17, 4.41, 3.59, 5.87, 3.83, 6.03, 4.89, 4.32, 4.69};

TEST(Permutation, TwoGroupsExactly) {
  TestResult r = permutationTwoGroups(Column{1, 2, 3}, Column{4, 5, 6});
  EXPECT_NEAR(r.p.less->value, 1. / 20, 1e-15);
  EXPECT_NEAR(r.p.undirected->value, 2. / 20, 1e-15);
  EXPECT_EQ(r.p.greater->value, 1);
  EXPECT_EQ(r.estimate->value, -3);
  EXPECT_EQ(r.method, "exact over 20 arrangements");
}

TEST(Permutation, AgreesWithStudentsTOnQuietData) {
  double t = studentsT(control, treated).p.undirected->value;
  TestResult exact = permutationTwoGroups(control, treated);
  EXPECT_NEAR(exact.p.undirected->value, t, .01);
  PermutationOptions sampled{.exactLimit = 10, .samples = 20000, .seed = 5};
  TestResult r = permutationTwoGroups(control, treated, GroupStatistic::MeanDifference, sampled);
  EXPECT_NEAR(r.p.undirected->value, exact.p.undirected->value,
              4 * r.statistic("standard error of p"));
  TestResult welch = permutationTwoGroups(control, treated, GroupStatistic::WelchT, sampled);
  EXPECT_NEAR(welch.p.undirected->value, t, .03);
  EXPECT_EQ(r.p.undirected->value,
            permutationTwoGroups(control, treated, GroupStatistic::MeanDifference, sampled)
                .p.undirected->value);
}

TEST(Permutation, RoundingDecidesNothing) {
  // All sums are multiples of 0.1 on paper; half of the arrangements tie with the observed one.
  TestResult r = permutationTwoGroups(Column{.1, .2, .3}, Column{.3, .2, .1});
  EXPECT_EQ(r.p.undirected->value, 1);
}

TEST(Permutation, PairsExactlyAndSampled) {
  TestResult r = permutationPaired(Column{1, 2, 3, 4, 5}, Column{0, 0, 0, 0, 0});
  EXPECT_NEAR(r.p.undirected->value, 2. / 32, 1e-15);
  EXPECT_NEAR(r.p.greater->value, 1. / 32, 1e-15);
  PermutationOptions sampled{.exactLimit = 10, .samples = 20000, .seed = 5};
  TestResult s = permutationPaired(Column{1, 2, 3, 4, 5}, Column{0, 0, 0, 0, 0}, sampled);
  EXPECT_NEAR(s.p.undirected->value, 2. / 32, 4 * s.statistic("standard error of p"));
  EXPECT_EQ(permutationPaired(Column{1, 2}, Column{1, 2}).outcome, Outcome::Undefined);
}

TEST(Permutation, GroupsAndCorrelation) {
  TestResult f = permutationGroups({{1, 2}, {3, 4}, {5, 6}});
  EXPECT_NEAR(f.p.undirected->value, 6. / 90, 1e-15);
  EXPECT_NEAR(f.statistic("F"), 16, 1e-12);
  TestResult r = permutationCorrelation(Column{1, 2, 3, 4, 5}, Column{1, 2, 3, 4, 5});
  EXPECT_NEAR(r.p.greater->value, 1. / 120, 1e-15);
  EXPECT_NEAR(r.p.undirected->value, 2. / 120, 1e-15);
  EXPECT_EQ(permutationGroups({{1, 1}, {1, 1}}).outcome, Outcome::Undefined);
  EXPECT_EQ(permutationGroups({{1, 1}, {}}).outcome, Outcome::Refused);
}

Statistic meanOfFirst() {
  return [](const Groups &g) { return centreOf(g[0], Centre::Mean); };
}

TEST(Bootstrap, MethodsAgreeOnTheMeanOfASymmetricSample) {
  Column values(60);
  for (size_t i = 0; i < values.size(); ++i)
    values[i] = static_cast<double>(i) - 29.5;
  double half = 1.96 * std::sqrt(305.0 / 60); // variance 305
  for (BootstrapMethod method : {BootstrapMethod::Percentile, BootstrapMethod::Basic,
                                 BootstrapMethod::BCa, BootstrapMethod::Studentised}) {
    BootstrapOptions options{.method = method, .samples = 4000, .seed = 11};
    BootstrapResult r = bootstrap({values}, Resampling::WithinGroups, meanOfFirst(), options);
    ASSERT_TRUE(r.interval) << r.reason;
    EXPECT_NEAR(r.interval->low, -half, .35) << r.interval->method;
    EXPECT_NEAR(r.interval->high, half, .35) << r.interval->method;
  }
}

TEST(Bootstrap, BCaFollowsSkewness) {
  Column values;
  for (int i = 0; i < 40; ++i)
    values.push_back(std::exp(i / 10.0));
  BootstrapOptions options{.samples = 4000, .seed = 2};
  BootstrapResult bca = bootstrap({values}, Resampling::WithinGroups, meanOfFirst(), options);
  options.method = BootstrapMethod::Percentile;
  BootstrapResult plain = bootstrap({values}, Resampling::WithinGroups, meanOfFirst(), options);
  EXPECT_GT(bca.interval->high, plain.interval->high);
  EXPECT_GT(bca.interval->low, plain.interval->low);
}

TEST(Bootstrap, RowsStayTogether) {
  Column x(30), y(30);
  std::iota(x.begin(), x.end(), 0);
  for (size_t i = 0; i < y.size(); ++i)
    y[i] = x[i] + (i % 3 == 0 ? 4 : -2);
  Statistic r = [](const Groups &g) { return pearson(g[0], g[1]).statistic("r"); };
  BootstrapResult b = bootstrap({x, y}, Resampling::Rows, r, {.samples = 1000, .seed = 4});
  EXPECT_GT(b.interval->low, .9);
  EXPECT_LT(b.interval->high, 1);
}

TEST(Bootstrap, DifferenceOfGroups) {
  TestResult r = bootstrapDifference(control, treated, Centre::Mean, {.seed = 9});
  EXPECT_NEAR(r.estimate->value, .371, 1e-12);
  EXPECT_NEAR(r.p.undirected->value, .25, .06);
  EXPECT_LT(r.estimate->interval->low, 0);
  EXPECT_EQ(bootstrapDifference(Column{1, 1}, Column{2, 2}, Centre::Median).outcome,
            Outcome::Undefined);
  EXPECT_EQ(bootstrapDifference(Column{1}, Column{2, 2}, Centre::Median).outcome, Outcome::Refused);
}

TEST(Bootstrap, SaysWhyThereIsNoInterval) {
  BootstrapResult r = bootstrap({Column(10, 3.0)}, Resampling::WithinGroups, meanOfFirst(),
                                {.method = BootstrapMethod::Studentised, .samples = 200});
  EXPECT_FALSE(r.interval);
  EXPECT_NE(r.reason.find("standard error is 0"), std::string::npos);
  EXPECT_FALSE(bootstrap({{1}}, Resampling::WithinGroups, meanOfFirst()).interval);
}

} // namespace
} // namespace imbrex::stats
