// Reference values: R 4.2.2 (bartlett.test, fligner.test, car::leveneTest) on R's own data.
#include "stats/assumptions/Variances.h"

#include "stats/procedures/test/ReferenceData.h"
#include "stats/procedures/test/TestSupport.h"

using namespace imbrex::stats;
namespace ref = imbrex::stats::reference;

namespace {

Groups parts(const std::vector<double> &values, size_t each) {
  Groups groups;
  for (size_t from = 0; from < values.size(); from += each)
    groups.push_back(part(values, from, each));
  return groups;
}

} // namespace

TEST(Variances, Plants) {
  Groups plants = parts(ref::plantWeight, 10);
  EXPECT_NUMBER(2.878574, bartlett(plants).statistic("K squared"));
  EXPECT_NUMBER(.2370968, bartlett(plants).p.undirected->value);
  EXPECT_NUMBER(1.119186, levene(plants).statistic("F"));
  EXPECT_NUMBER(.3412266, levene(plants).p.undirected->value);
  EXPECT_NUMBER(1.236963, levene(plants, LeveneCentre::Mean).statistic("F"));
  EXPECT_NUMBER(.3061949, levene(plants, LeveneCentre::Mean).p.undirected->value);
  EXPECT_NUMBER(2.349937, flignerKilleen(plants).statistic("chi-square"));
  EXPECT_NUMBER(.3088287, flignerKilleen(plants).p.undirected->value);
}

TEST(Variances, Insects) {
  Groups insects = parts(ref::insectCount, 12);
  EXPECT_NUMBER(25.95983, bartlett(insects).statistic("K squared"));
  EXPECT_DIGITS(9.0851e-05, bartlett(insects).p.undirected->value, 1e-5);
  EXPECT_NUMBER(14.48278, flignerKilleen(insects).statistic("chi-square"));
  EXPECT_DIGITS(.0128168, flignerKilleen(insects).p.undirected->value, 4e-6);
  EXPECT_NUMBER(3.821357, levene(insects).statistic("F"));
  EXPECT_NUMBER(.00422279, levene(insects).p.undirected->value);
}

TEST(Variances, ChicksAndCars) {
  Groups chicks, cars;
  for (double feed : {1, 2, 3, 4, 5, 6})
    chicks.push_back(where(ref::chickWeight, ref::chickFeed, feed));
  for (double cylinders : {4, 6, 8})
    cars.push_back(where(ref::mtcarsMpg, ref::mtcarsCyl, cylinders));
  EXPECT_NUMBER(3.259689, bartlett(chicks).statistic("K squared"));
  EXPECT_NUMBER(.6600187, bartlett(chicks).p.undirected->value);
  EXPECT_NUMBER(.7492639, levene(chicks).statistic("F"));
  EXPECT_NUMBER(.5896095, levene(chicks).p.undirected->value);
  EXPECT_NUMBER(5.507065, levene(cars).statistic("F"));
  EXPECT_NUMBER(.00939025, levene(cars).p.undirected->value);
}

TEST(Variances, EdgeCases) {
  EXPECT_EQ(levene({{1, 2}, {4, 5}}).outcome,
            Outcome::Undefined);                   // two-point groups: all distances equal
  EXPECT_TRUE(levene({{1, 2, 4}, {4}}).defined()); // a single value lies 0 from its centre
  EXPECT_EQ(levene({{1}, {4}}).outcome, Outcome::Refused);
  EXPECT_EQ(bartlett({{1, 2}, {4}}).outcome, Outcome::Refused);
  EXPECT_EQ(bartlett({{1, 1}, {4, 4}}).outcome, Outcome::Undefined);
  TestResult r = bartlett({{1, 1}, {4, 5}});
  EXPECT_EQ(r.statistic("K squared"), INFINITY);
  EXPECT_EQ(r.p.undirected->value, 0);
  EXPECT_EQ(flignerKilleen({{1, 1}, {4, 4}}).outcome, Outcome::Undefined);
}
