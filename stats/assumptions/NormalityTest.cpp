// Reference values: R 4.2.2 (shapiro.test), and public reports of wrong results.
#include "stats/assumptions/Normality.h"

#include "stats/procedures/test/ReferenceData.h"
#include "stats/procedures/test/TestSupport.h"

#include <numeric>

using namespace imbrex::stats;
namespace ref = imbrex::stats::reference;

namespace {

double w(const std::vector<double> &values) { return shapiroWilk(values).statistic("W"); }
double p(const std::vector<double> &values) { return shapiroWilk(values).p.undirected->value; }

std::vector<double> upTo(int n, double offset = 0) {
  std::vector<double> values(n);
  std::iota(values.begin(), values.end(), offset + 1);
  return values;
}

} // namespace

TEST(ShapiroWilk, AnchorPoints) {
  EXPECT_NUMBER(.9701646, w(upTo(10)));
  EXPECT_NUMBER(.8923673, p(upTo(10)));
  EXPECT_NUMBER(.9683913, w(upTo(11)));
  EXPECT_NUMBER(.8698423, p(upTo(11)));
  EXPECT_NUMBER(.9668964, w(upTo(12)));
  EXPECT_NUMBER(.8757314, p(upTo(12)));
  EXPECT_NUMBER(.9603752, w(upTo(20)));
  EXPECT_NUMBER(.5513717, p(upTo(20)));
  EXPECT_EQ(w(upTo(10, 1e9)), w(upTo(10)));
  EXPECT_NUMBER(.5521817, w({1, 1, 1, 1, 2}));
  EXPECT_DIGITS(1.30978e-04, p({1, 1, 1, 1, 2}), 5e-6);
  EXPECT_NUMBER(.954906, w(upTo(5000)));
}

TEST(ShapiroWilk, OfThreeValues) {
  EXPECT_EQ(w({1, 2, 3}), 1);
  EXPECT_EQ(p({1, 2, 3}), 1);
  EXPECT_DIGITS(.75, w({0, 0, 1}), 1e-14);
  EXPECT_EQ(p({0, 0, 1}), 0);
  EXPECT_DIGITS(.75, w({std::log(2), 0, 0}), 1e-14); // T9
  EXPECT_EQ(p({std::log(2), 0, 0}), 0);
  std::vector<double> t10{-.7746653110021126, -.4344432067942129, 1.8157053280290931};
  EXPECT_NUMBER(.8465877, w(t10));
  EXPECT_NUMBER(.2313666, p(t10));
}

TEST(ShapiroWilk, ReferenceData) {
  auto first = part(ref::sleepExtra, 0, 10), second = part(ref::sleepExtra, 10, 10);
  std::vector<double> differences;
  for (int i = 0; i < 10; ++i)
    differences.push_back(first[i] - second[i]);
  EXPECT_NUMBER(.925806, w(first));
  EXPECT_NUMBER(.919298, w(second));
  EXPECT_NUMBER(.407929, p(first));
  EXPECT_DIGITS(.351135, p(second), 2e-6);
  EXPECT_NUMBER(.829871, w(differences));
  EXPECT_DIGITS(.0333416, p(differences), 5e-6);
  EXPECT_DIGITS(.0235877, p(part(ref::toothLen, 30, 30)), 5e-6);
  EXPECT_NUMBER(.428446, p(part(ref::toothLen, 0, 30)));
  EXPECT_NUMBER(.9475647, w(ref::mtcarsMpg));
  EXPECT_NUMBER(.1228814, p(ref::mtcarsMpg));
  EXPECT_NUMBER(.7474734, p(part(ref::plantWeight, 0, 10)));
  EXPECT_NUMBER(.4519440, p(part(ref::plantWeight, 10, 10)));
  EXPECT_NUMBER(.5642519, p(part(ref::plantWeight, 20, 10)));
}

TEST(ShapiroWilk, BeyondFiveThousandUsesAllAndSaysSo) { // T20
  TestResult r = shapiroWilk(upTo(41188));
  EXPECT_EQ(r.n[0].value, 41188);
  EXPECT_FALSE(r.notes.empty());
  EXPECT_LT(r.p.undirected->value, 1e-10);
  EXPECT_TRUE(shapiroWilk(upTo(5000)).notes.empty());
}

TEST(ShapiroWilk, EdgeCases) {
  EXPECT_EQ(shapiroWilk(std::vector<double>{1, 2}).outcome, Outcome::Refused);
  EXPECT_EQ(shapiroWilk(std::vector<double>(9, 0.1)).outcome, Outcome::Undefined);
  std::vector<double> huge, tiny;
  for (double x : upTo(10)) {
    huge.push_back(std::ldexp(x, 1000));
    tiny.push_back(std::ldexp(x, -1000));
  }
  EXPECT_EQ(w(huge), w(upTo(10)));
  EXPECT_EQ(w(tiny), w(upTo(10)));
}
