// Random loans against a list of intervals: what is used is refused exactly when another loan that
// is alive excludes it, by launches, replays and the host.
#include "runtime/launch/LaunchTestSupport.h"

#include <algorithm>
#include <gtest/gtest.h>
#include <random>
#include <variant>

namespace imbrex::launch {
namespace {

using namespace test;

constexpr int64_t kSize = 12;
constexpr int kTensors = 3;

/// What a loan covers, as the oracle sees it.
struct Part {
  int tensor;
  int64_t begin, end;
  bool writes;
};

bool excludes(const Part &a, const Part &b) {
  return a.tensor == b.tensor && (a.writes || b.writes) && a.begin < b.end && b.begin < a.end;
}

class OwnershipTest : public testing::Test {
protected:
  OwnershipTest() {
    for (int i = 0; i < kTensors; ++i)
      tensors.push_back(cpu.filled<float>({kSize}, 1).take());
  }
  int pick(int64_t n) { return static_cast<int>(random() % static_cast<uint64_t>(n)); }
  Part randomPart(bool writes) {
    Part p{pick(kTensors), pick(kSize), 0, writes};
    p.end = p.begin + 1 + pick(kSize - p.begin);
    return p;
  }
  Read<float> read(const Part &p) {
    return tensors[static_cast<size_t>(p.tensor)].read().part(0, p.begin, p.end);
  }
  Write<float> write(const Part &p) {
    return tensors[static_cast<size_t>(p.tensor)].write().part(0, p.begin, p.end);
  }
  /// Whether any held loan, other than number `own`, excludes this.
  bool refused(const Part &p, size_t own = SIZE_MAX) {
    for (size_t i = 0; i < held.size(); ++i)
      if (i != own && excludes(held[i], p))
        return true;
    return false;
  }
  void take() {
    held.push_back(randomPart(pick(2) == 0));
    if (held.back().writes)
      loans.emplace_back(write(held.back()));
    else
      loans.emplace_back(read(held.back()));
  }
  void drop() {
    const auto i = pick(static_cast<int64_t>(held.size()));
    held.erase(held.begin() + i);
    loans.erase(loans.begin() + i);
  }
  /// The host looks at what a held loan covers.
  void look() {
    const auto i = static_cast<size_t>(pick(static_cast<int64_t>(held.size())));
    bool ok = std::holds_alternative<Read<float>>(loans[i])
                  ? std::get<Read<float>>(loans[i]).host().ok()
                  : std::get<Write<float>>(loans[i]).host().ok();
    EXPECT_EQ(ok, !refused(held[i], i));
    refusals += !ok;
  }
  void launch() {
    Part x = randomPart(false), y = randomPart(true);
    x.end = x.begin + std::min(x.end - x.begin, y.end - y.begin);
    y.end = y.begin + (x.end - x.begin);
    auto r = step()(read(x), write(y)).sync();
    const bool want = !refused(x) && !refused(y) && !excludes(x, y);
    EXPECT_EQ(r.ok(), want) << (r ? "" : r.error().str());
    if (!r)
      EXPECT_EQ(r.error().code, 285);
    refusals += !r;
  }

  Device cpu = Device::cpu(1);
  std::vector<Tensor<float>> tensors;
  std::vector<Part> held;
  std::vector<std::variant<Read<float>, Write<float>>> loans; // by held
  std::mt19937_64 random{11};
  int refusals = 0;
};

TEST_F(OwnershipTest, RefusesExactlyWhatOverlaps) {
  int uses = 0;
  for (int i = 0; i < 20000; ++i) {
    const int what = pick(4);
    if (what == 0 && held.size() < 5)
      take();
    else if (what == 1 && !held.empty())
      drop();
    else if (what == 2 && !held.empty())
      look(), ++uses;
    else
      launch(), ++uses;
  }
  // Both answers are common, so that neither is tested alone.
  EXPECT_GT(refusals, uses / 10);
  EXPECT_LT(refusals, uses * 9 / 10);
}

TEST_F(OwnershipTest, ReplaysAreRefusedAsLaunchesAre) {
  // tensors 0 -> 1 -> 2, parts [2, 8) of them.
  auto graph =
      step()(read({0, 2, 8, false}), write({1, 2, 8, true}))
          .then([&](Done) { return step()(read({1, 2, 8, false}), write({2, 2, 8, true})); })
          .graph();
  ASSERT_TRUE(graph);
  const Part uses[] = {{0, 2, 8, false}, {1, 2, 8, true}, {2, 2, 8, true}};
  for (int i = 0; i < 5000; ++i) {
    const int what = pick(3);
    if (what == 0 && held.size() < 3)
      take();
    else if (what == 1 && !held.empty())
      drop();
    else {
      auto r = graph->replay().sync();
      const bool want =
          std::none_of(std::begin(uses), std::end(uses), [&](const Part &p) { return refused(p); });
      EXPECT_EQ(r.ok(), want);
      refusals += !r;
    }
  }
  EXPECT_GT(refusals, 100);
}

} // namespace
} // namespace imbrex::launch
