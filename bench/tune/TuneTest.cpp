// Tuning over configurations whose speeds are known, by a clock of the test with a fifth of noise.
#include "bench/tune/Tune.h"

#include <cstdio>
#include <fstream>
#include <unistd.h>

#include <gtest/gtest.h>
#include <random>
#include <sstream>

namespace imbrex::tune {
namespace {

class TuneTest : public testing::Test {
protected:
  void SetUp() override {
    log = testing::TempDir() + "tune-" + std::to_string(getpid()) + ".jsonl";
    std::remove(log.c_str());
  }
  void TearDown() override { std::remove(log.c_str()); }

  /// Two axes; the work is their product, so 1 x 2 is best and 4 x 6 the first.
  Options options() {
    Options o;
    o.name = "loops";
    o.axes = {{"rows", {4, 1, 8}}, {"columns", {6, 2}}};
    o.pairs = 12;
    o.leastSeconds = 1;
    o.clock = [this] { return time; };
    o.log = log;
    o.make = [this](const Configuration &c) -> Result<Candidate> {
      const int64_t work = c.at("rows") * c.at("columns");
      if (c == refused)
        return badInput(566, "a kernel that is not safe");
      ++made;
      Candidate candidate;
      candidate.run = [this, work]() -> Status {
        ++runs;
        time += static_cast<double>(work) * (1 + 0.2 * std::uniform_real_distribution()(noise));
        return {};
      };
      candidate.output = [this, c]() -> Result<std::vector<float>> {
        return std::vector<float>{1, c == wrong ? 3.0f : 2.0f};
      };
      candidate.code = static_cast<uint64_t>(work) + version;
      return candidate;
    };
    return o;
  }
  std::string logText() {
    std::ifstream in(log);
    std::stringstream s;
    s << in.rdbuf();
    return s.str();
  }

  std::string log;
  Configuration refused, wrong;
  uint64_t version = 0;
  double time = 0; // of a clock that only the candidates move
  std::mt19937 noise{3};
  int made = 0, runs = 0;
};

TEST_F(TuneTest, FindsTheFastestByPairs) {
  auto t = tune(options());
  ASSERT_TRUE(t) << t.error().str();
  EXPECT_EQ(text(t->best), "columns=2 rows=1");
  EXPECT_EQ(t->verdicts.size(), 5u);
  const Verdict &first = t->verdicts[0]; // 4 x 2 against 4 x 6
  EXPECT_TRUE(first.faster);
  EXPECT_NEAR(first.speed, 3, 0.3);
  EXPECT_LT(first.p, 0.01);
  EXPECT_TRUE(t->remarks.empty());
}

TEST_F(TuneTest, ARunThatWasEndedGoesOn) {
  auto o = options();
  o.axes[0].values = {4, 1}; // as if it had been ended after these
  ASSERT_TRUE(tune(o));
  const int before = runs;
  auto again = tune(o);
  ASSERT_TRUE(again);
  EXPECT_EQ(runs, before + 2 * 4); // to warm up and to see the outputs only
  for (const Verdict &v : again->verdicts)
    EXPECT_TRUE(v.remembered);
  auto rest = tune(options());
  ASSERT_TRUE(rest);
  EXPECT_TRUE(rest->verdicts[2].remembered);
  EXPECT_FALSE(rest->verdicts[3].remembered);
  EXPECT_EQ(text(rest->best), "columns=2 rows=1");
}

TEST_F(TuneTest, StaleVerdictsAreNotUsed) {
  auto o = options();
  o.axes[0].values = {4};
  ASSERT_TRUE(tune(o));
  version = 100; // other machine code
  auto t = tune(o);
  ASSERT_TRUE(t);
  EXPECT_FALSE(t->verdicts[0].remembered);
  ASSERT_EQ(t->remarks.size(), 1u);
  EXPECT_EQ(t->remarks[0], "1 verdicts of the log are stale: their machine code has changed");
}

TEST_F(TuneTest, ALineThatIsCutShortIsDroppedAndAForeignFileIsNotTouched) {
  auto o = options();
  o.axes[0].values = {4};
  ASSERT_TRUE(tune(o));
  const std::string whole = logText();
  std::ofstream(log, std::ios::app) << whole.substr(0, whole.size() / 2);
  auto t = tune(o);
  ASSERT_TRUE(t) << t.error().str();
  EXPECT_TRUE(t->verdicts[0].remembered);
  EXPECT_EQ(t->remarks.size(), 1u);
  version = 9; // the next verdict takes its place
  ASSERT_TRUE(tune(o));
  EXPECT_TRUE(tune(o)->verdicts[0].remembered);
  std::ofstream(log) << "model,time\nresnet,3\n";
  auto foreign = tune(o);
  ASSERT_FALSE(foreign);
  EXPECT_EQ(foreign.error().code, 851);
  EXPECT_EQ(logText(), "model,time\nresnet,3\n");
}

TEST_F(TuneTest, WhatDoesNotCompileOrComputesSomethingElseIsOut) {
  refused = {{"rows", 1}, {"columns", 2}};
  wrong = {{"rows", 1}, {"columns", 6}};
  auto t = tune(options());
  ASSERT_TRUE(t);
  EXPECT_EQ(text(t->best), "columns=2 rows=4");
  ASSERT_EQ(t->remarks.size(), 2u);
  EXPECT_EQ(t->remarks[0], "columns=6 rows=1 is out: it computes something else");
  EXPECT_EQ(t->remarks[1], "columns=2 rows=1 is out: error[E0566]: a kernel that is not safe");
}

TEST_F(TuneTest, NothingBetterKeepsTheFirst) {
  auto o = options();
  o.axes = {{"rows", {2}}, {"columns", {2}}, {"name", {1, 2, 3}}}; // the name does nothing
  auto t = tune(o);
  ASSERT_TRUE(t);
  EXPECT_EQ(text(t->best), "columns=2 name=1 rows=2");
  EXPECT_FALSE(tune(Options{}));
}

} // namespace
} // namespace imbrex::tune
