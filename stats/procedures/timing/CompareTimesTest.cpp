#include "stats/procedures/timing/CompareTimes.h"

#include <gtest/gtest.h>

#include <cmath>
#include <random>

namespace imbrex::stats {
namespace {

/// Times of a shared machine: an autoregressive load with drift and bursts, which two programs meet
/// in turn.
class Machine {
public:
  explicit Machine(uint64_t seed) : random(seed) {}
  double run(double cost) {
    load = 0.95 * load + 0.02 * normal(random);
    if (burst-- <= 0 && uniform(random) < 0.02)
      burst = 8;
    drift += 1e-3;
    return cost * std::exp(load + drift + (burst > 0 ? 0.3 : 0.0) + 0.01 * normal(random));
  }
  bool coin() { return uniform(random) < 0.5; }

private:
  std::mt19937_64 random;
  std::normal_distribution<double> normal;
  std::uniform_real_distribution<double> uniform;
  double load = 0, drift = 0;
  int burst = 0;
};

struct Times {
  std::vector<double> first, second;
};

Times measure(Machine &machine, double a, double b, int pairs) {
  Times t;
  for (int i = 0; i < pairs; ++i) {
    const bool firstLeads = machine.coin();
    double x = firstLeads ? machine.run(a) : 0;
    const double y = machine.run(b);
    if (!firstLeads)
      x = machine.run(a);
    t.first.push_back(x);
    t.second.push_back(y);
  }
  return t;
}

TEST(CompareTimes, FindsADifference) {
  Machine machine(7);
  const Times t = measure(machine, 1.0, 1.2, 30);
  auto c = compareTimes(t.first, t.second);
  ASSERT_TRUE(c.ok());
  EXPECT_TRUE(c->different);
  EXPECT_LT(c->interval.low, 1.2);
  EXPECT_GT(c->interval.high, 1.2);
  EXPECT_NEAR(c->speed, 1.2, 0.1);
  EXPECT_NE(c->sentence("new", "old").find("new is 1."), std::string::npos);
}

TEST(CompareTimes, CallsNoDifferenceWhereThereIsNone) {
  const std::vector<double> same(8, 3.0);
  auto c = compareTimes(same, same);
  ASSERT_TRUE(c.ok());
  EXPECT_FALSE(c->different);
  EXPECT_NEAR(c->speed, 1, 1e-12);
  EXPECT_NE(c->sentence("a", "b").find("no difference is shown"), std::string::npos);
}

TEST(CompareTimes, RefusesWhatAreNoPairsOfTimes) {
  const std::vector<double> six(6, 1.0), five(5, 1.0), zero = {1, 1, 1, 0, 1, 1};
  EXPECT_FALSE(compareTimes(six, five).ok());
  EXPECT_FALSE(compareTimes(five, five).ok());
  EXPECT_FALSE(compareTimes(six, zero).ok());
}

// 10,000 comparisons of a program with itself on the machine above, where a t-test of unpaired
// times is far off.
TEST(CompareTimes, KeepsItsLevelUnderAutocorrelatedNoise) {
  constexpr int Runs = 10000;
  int called = 0;
  TimingOptions options;
  options.samples = 999;
  for (int run = 0; run < Runs; ++run) {
    Machine machine(static_cast<uint64_t>(run) + 1);
    const Times t = measure(machine, 1, 1, 20);
    options.seed = static_cast<uint64_t>(run);
    auto test = testTimes(t.first, t.second, options);
    ASSERT_TRUE(test.ok());
    called += test->p.undirected && test->p.undirected->value <= options.alpha;
  }
  const double rate = double(called) / Runs;
  std::printf("bench verdict: false-positive rate %.4f at alpha 0.05, n %d\n", rate, Runs);
  EXPECT_GE(rate, 0.035);
  EXPECT_LE(rate, 0.06);
}

} // namespace
} // namespace imbrex::stats
