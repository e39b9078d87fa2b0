// Launches of kernels: what comes back, what is refused, and in which words.
#include "runtime/launch/LaunchTestSupport.h"

#include <gtest/gtest.h>
#include <stdexcept>
#include <thread>

namespace imbrex::launch {
namespace {

using namespace test;
using Floats = std::vector<float>;

class LaunchTest : public testing::Test {
protected:
  Tensor<float> vector(const Floats &values) {
    auto t = cpu.from<float>({static_cast<int64_t>(values.size())}, values);
    EXPECT_TRUE(t) << t.error().str();
    return t.take();
  }
  Tensor<float> unwritten(int64_t n) { return cpu.empty<float>({n}).take(); }

  Device cpu = Device::cpu(2);
};

template <class T> std::string errorOf(const Result<T> &r) { return r ? "" : r.error().str(); }
std::string place(int line) { return "LaunchTest.cpp:" + std::to_string(line); }
#define EXPECT_HAS(text, part) EXPECT_NE((text).find(part), std::string::npos) << (text)

TEST_F(LaunchTest, WhatIsGivenComesBack) {
  auto a = vector({1, 2, 3, 4, 5}), b = vector({10, 20, 30, 40, 50});
  auto sum = add()(a.read(), b.read(), unwritten(5).give()).sync();
  ASSERT_TRUE(sum) << errorOf(sum);
  EXPECT_EQ(*sum->values(), (Floats{11, 22, 33, 44, 55}));
  EXPECT_EQ(*a.values(), (Floats{1, 2, 3, 4, 5}));
}

TEST_F(LaunchTest, WhatIsLentStaysWithItsOwner) {
  auto x = vector({1, 2, 3}), y = unwritten(3);
  ASSERT_TRUE(step()(x.read(), y.write()).sync());
  EXPECT_EQ(*y.values(), (Floats{3, 5, 7}));
  ASSERT_TRUE(mix()(x.read(), y.write()).sync());
  EXPECT_EQ(*y.values(), (Floats{10, 17, 24}));
}

TEST_F(LaunchTest, SizesThatFollowFromNoOperandAreNamed) {
  auto y = unwritten(10);
  auto r = persistent()(y.write()).sync();
  EXPECT_HAS(errorOf(r), "kernel 'persistent' is not launched: size 'blocks' is not known");
  ASSERT_TRUE(persistent().with("blocks", 3)(y.write()).sync());
  EXPECT_EQ(*y.values(), Floats(10, 3));
  r = persistent().with("blocks", 65)(y.write()).sync();
  EXPECT_HAS(errorOf(r), "blocks = 65 lies outside 1 to 64");
}

TEST_F(LaunchTest, EachLaunchIsCheckedAgainstTheContract) {
  auto x = vector({1, 2, 3}), y = unwritten(4);
  auto r = step()(x.read(), y.write()).sync();
  EXPECT_HAS(errorOf(r), "error[E0280]: kernel 'step' is not launched: operand 'y' has extent 4 on "
                         "axis 0, which must be n = 3");
  r = reversed()(x.read(), y.write()).sync();
  EXPECT_HAS(errorOf(r), "error[E0282]: kernel 'reversed' is not launched: it takes m >= n, but 3 "
                         "is below 4; because else it would leave a view; sizes are m = 3, n = 4");
  auto ints = cpu.filled<int32_t>({3}, 1).take();
  r = step()(ints.read(), y.write()).sync();
  EXPECT_HAS(errorOf(r), "operand 'x' has elements of type i32; because the kernel declares f32");
  EXPECT_EQ(errorOf(y.values()).substr(0, 12), "error[E0286]"); // nothing ran
}

TEST_F(LaunchTest, ARememberedLaunchIsNoLicenceForAnother) {
  auto x = vector({1, 2, 3}), y = unwritten(3), z = unwritten(4);
  Kernel k = step(), p = persistent();
  ASSERT_TRUE(k(x.read(), y.write()).sync());
  EXPECT_FALSE(k(x.read(), z.write()).sync());
  ASSERT_TRUE(k(x.read(), y.write()).sync());
  EXPECT_FALSE(k(x.read(), x.write()).sync());
  EXPECT_FALSE(k(x.read(), z.write().part(0, 0, 2)).sync());
  ASSERT_TRUE(p.with("blocks", 2)(y.write()).sync());
  EXPECT_FALSE(p.with("blocks", 99)(y.write()).sync());
  ASSERT_TRUE(p.with("blocks", 3)(y.write()).sync());
  EXPECT_EQ(*y.values(), Floats(3, 3));
}

TEST_F(LaunchTest, AnOutputLentForReadingIsRefused) {
  auto x = vector({1}), y = vector({0});
  auto r = step()(x.read(), y.read()).sync();
  EXPECT_HAS(errorOf(r), "kernel 'step' is refused: it writes operand 'y', which was lent for "
                         "reading at");
}

TEST_F(LaunchTest, TwoLoansOfOneLaunchThatExcludeEachOther) {
  auto x = vector({1, 2});
  const int line = __LINE__ + 1;
  auto r = step()(x.read(), x.write()).sync();
  EXPECT_HAS(errorOf(r), "error[E0285]: kernel 'step' is refused: it writes operand 'y', borrowed");
  EXPECT_HAS(errorOf(r), "which is borrowed for reading at");
  EXPECT_HAS(errorOf(r), place(line));
  auto both = add()(x.read(), x.read(), unwritten(2).give()).sync(); // readers may be many
  ASSERT_TRUE(both) << errorOf(both);
  EXPECT_EQ(*both->values(), (Floats{2, 4}));
}

TEST_F(LaunchTest, ALoanThatIsAliveExcludesAndBothPlacesAreNamed) {
  auto x = vector({1, 2}), y = vector({0, 0});
  const int held = __LINE__ + 1;
  auto reader = y.read();
  const int used = __LINE__ + 1;
  auto r = step()(x.read(), y.write()).sync();
  EXPECT_HAS(errorOf(r), "it writes operand 'y', borrowed at");
  EXPECT_HAS(errorOf(r), place(held));
  EXPECT_HAS(errorOf(r), place(used));
  EXPECT_HAS(errorOf(y.assign(Floats{1, 1})), place(held));
  {
    auto gone = reader.lend();
  }
  ASSERT_TRUE(step()(x.read(), y.write()).sync());
}

TEST_F(LaunchTest, AnOperationHoldsItsLoansUntilItStarts) {
  auto x = vector({1, 2}), y = vector({0, 0}), z = vector({0, 0});
  const int first = __LINE__ + 1;
  auto waiting = step()(x.read(), y.write());
  auto r = step()(y.read(), z.write()).sync();
  EXPECT_HAS(errorOf(r), "it reads operand 'x', borrowed at");
  EXPECT_HAS(errorOf(r), "which is borrowed for writing at");
  EXPECT_HAS(errorOf(r), place(first));
  ASSERT_TRUE(waiting.sync());
  ASSERT_TRUE(step()(y.read(), z.write()).sync());
  EXPECT_EQ(*z.values(), (Floats{7, 11}));
}

TEST_F(LaunchTest, ADroppedOperationDoesNothing) {
  auto x = vector({1}), y = vector({5});
  const int64_t before = rangesRun();
  {
    auto dropped = step()(x.read(), y.write());
  }
  EXPECT_EQ(rangesRun(), before);
  EXPECT_EQ(*y.values(), (Floats{5}));
  ASSERT_TRUE(step()(x.read(), y.write()).sync());
}

TEST_F(LaunchTest, WhatWasGivenAwayIsRefused) {
  auto x = vector({1}), y = vector({0});
  auto moved = std::move(y);
  // Clang refuses this; the check is for code that it does not see through.
  auto use = [&](Tensor<float> &t) { return step()(x.read(), t.write()).sync(); };
  EXPECT_HAS(errorOf(use(y)), "error[E0288]: kernel 'step' is refused: the tensor was given away");
  ASSERT_TRUE(use(moved));
  auto op = step()(x.read(), moved.write());
  auto again = [](Operation<Done> &o) { return o.sync(); };
  ASSERT_TRUE(again(op));
  EXPECT_HAS(errorOf(again(op)), "error[E0288]");
}

TEST_F(LaunchTest, ATensorThatNobodyWroteIsNotRead) {
  const int made = __LINE__ + 1;
  auto x = cpu.empty<float>({4}).take();
  auto y = unwritten(4);
  auto r = step()(x.read(), y.write()).sync();
  EXPECT_HAS(errorOf(r), "kernel 'step' is not run: what it reads was not computed; because the "
                         "tensor made at");
  EXPECT_HAS(errorOf(r), place(made));
  // Written in two pieces, it is whole.
  auto zeros = vector({0, 0});
  auto [low, high] = x.write().split(0, 2);
  ASSERT_TRUE(step()(zeros.read(), low.lend()).sync());
  EXPECT_HAS(errorOf(x.values()), "is borrowed for writing"); // high is still out
  ASSERT_TRUE(step()(zeros.read(), high.lend()).sync());
  EXPECT_EQ(*x.values(), (Floats{1, 1, 1, 1}));
}

TEST_F(LaunchTest, PiecesOfATensorAreIndependent) {
  auto x = vector({1, 2, 3, 4, 5, 6}), y = vector(Floats(6, 0));
  auto pieces = y.write().pieces(0, 4);
  ASSERT_EQ(pieces.size(), 2u);
  ASSERT_TRUE(step()(x.read().part(0, 0, 4), pieces[0].lend()).sync());
  ASSERT_TRUE(step()(x.read().part(0, 4, 6), pieces[1].lend()).sync());
  pieces.clear();
  EXPECT_EQ(*y.values(), (Floats{3, 5, 7, 9, 11, 13}));
  // A part written from another part of the same tensor.
  ASSERT_TRUE(step()(y.read().part(0, 0, 2), y.write().part(0, 4, 6)).sync());
  EXPECT_EQ(*y.values(), (Floats{3, 5, 7, 9, 7, 11}));
  EXPECT_HAS(errorOf(step()(x.read().part(0, 4, 9), y.write()).sync()),
             "there is no part 4:9 of axis 0; because what was lent at");
}

TEST_F(LaunchTest, ColumnsHaveTheStridesOfTheirTensor) {
  auto x = cpu.from<float>({2, 3}, Floats{1, 2, 3, 4, 5, 6}).take();
  auto y = cpu.empty<float>({2, 2}).take();
  auto r = copyRows()(x.read().part(1, 1, 3), y.write()).sync();
  ASSERT_FALSE(r); // strides are no extents: the size s is named
  EXPECT_HAS(errorOf(r), "size 's' is not known");
  ASSERT_TRUE(copyRows().with("s", 3)(x.read().part(1, 1, 3), y.write()).sync());
  EXPECT_EQ(*y.values(), (Floats{2, 3, 5, 6}));
  r = copyRows().with("s", 2)(x.read().part(1, 1, 3), y.write()).sync();
  EXPECT_HAS(errorOf(r), "operand 'x' has stride 3 on axis 0, which must be s = 2");
}

TEST_F(LaunchTest, TheHostReadsAndWritesThroughLoans) {
  auto x = vector({1, 2, 3, 4});
  {
    auto piece = x.write().split(0, 2).second;
    auto span = piece.host();
    ASSERT_TRUE(span) << errorOf(span);
    (*span)[0] = 30;
    EXPECT_HAS(errorOf(x.values()), "is borrowed for writing");
  }
  auto loan = x.read();
  auto span = loan.host();
  ASSERT_TRUE(span);
  EXPECT_EQ(Floats(span->begin(), span->end()), (Floats{1, 2, 30, 4}));
  auto m = cpu.filled<float>({2, 2}, 0).take();
  auto column = m.read().part(1, 0, 1);
  EXPECT_HAS(errorOf(column.host()), "is not contiguous");
}

TEST_F(LaunchTest, AFailureReachesWhatDependsOnItAndNothingElse) {
  auto x = vector({1, -1, 2}), y = unwritten(3), z = unwritten(3), w = vector({0, 0, 0});
  Stream s = cpu.stream();
  ASSERT_TRUE(careful()(x.read(), y.write()).start(s));
  ASSERT_TRUE(step()(y.read(), z.write()).start(s)); // needs it
  ASSERT_TRUE(step()(x.read(), w.write()).start(s)); // does not
  EXPECT_HAS(errorOf(s.sync()), "error[E0287]: kernel 'careful' stopped: a check of it failed; "
                                "because an element is negative");
  EXPECT_TRUE(s.sync()); // told once
  EXPECT_HAS(errorOf(z.values()), "what it reads was not computed; because kernel 'careful' "
                                  "stopped: a check of it failed; because an element is negative");
  EXPECT_EQ(*w.values(), (Floats{3, -1, 5}));
  // Written anew, it is good again.
  ASSERT_TRUE(step()(w.read(), y.write()).sync());
  ASSERT_TRUE(step()(y.read(), z.write()).sync());
}

TEST_F(LaunchTest, CancelledWorkFailsWhatNeedsIt) {
  auto x = vector({1}), y = unwritten(1), z = vector({7});
  Stream s = cpu.stream();
  Event gate;
  s.wait(gate);
  ASSERT_TRUE(step()(x.read(), y.write()).start(s));
  ASSERT_TRUE(mix()(y.read(), z.write()).start(s));
  s.cancel();
  gate.finish({});
  EXPECT_HAS(errorOf(s.sync()), "error[E0289]: kernel 'step' was cancelled before it ran");
  EXPECT_HAS(errorOf(z.values()), "because kernel 'step' was cancelled before it ran");
  ASSERT_TRUE(step()(x.read(), y.write()).start(s)); // later work is not
  EXPECT_TRUE(s.sync());
}

TEST_F(LaunchTest, AnOwnerMayGoWhileItsMemoryIsUsed) {
  Stream s = cpu.stream();
  Event gate;
  auto y = unwritten(3);
  {
    auto x = vector({1, 2, 3});
    s.wait(gate);
    ASSERT_TRUE(step()(x.read(), y.write()).start(s));
    EXPECT_HAS(errorOf(x.release()), "work that has not ended, or a graph, uses it");
  }
  gate.finish({});
  EXPECT_EQ(*y.values(), (Floats{3, 5, 7}));
  ASSERT_TRUE(s.sync());
  auto loan = y.read();
  EXPECT_HAS(errorOf(y.release()), "error[E0285]");
  {
    auto gone = loan.lend();
  }
  EXPECT_TRUE(y.release());
  EXPECT_HAS(errorOf(y.release()), "error[E0288]");
}

TEST_F(LaunchTest, ShapesThatCannotBe) {
  EXPECT_HAS(errorOf(cpu.empty<float>({-1})), "error[E0284]: a tensor cannot have the shape [-1]");
  EXPECT_HAS(errorOf(cpu.empty<float>({int64_t(1) << 40, int64_t(1) << 40})), "error[E0284]");
  EXPECT_HAS(errorOf(cpu.empty<float>({int64_t(1) << 50})), "error[E0250]");
  auto none = cpu.empty<float>({0, 5});
  ASSERT_TRUE(none);
  EXPECT_EQ(*none->values(), Floats{});
  EXPECT_HAS(errorOf(cpu.from<float>({2}, Floats{1})), "4 bytes for a tensor of 8");
}

//===-- Combinations --------------------------------------------------------===//

TEST_F(LaunchTest, ThenMapAndZip) {
  auto x = vector({1, 2});
  auto chain = step()(x.read(), unwritten(2).give()).then([&](Tensor<float> y) {
    return step()(y.read(), unwritten(2).give());
  });
  auto both = zip(std::move(chain), step()(x.read(), unwritten(2).give()));
  auto sum = both.then([&](std::tuple<Tensor<float>, Tensor<float>> pair) {
                   auto &[a, b] = pair;
                   return add()(a.read(), b.read(), unwritten(2).give());
                 })
                 .map([](Tensor<float> t) { return std::pair(std::move(t), 5); })
                 .sync();
  ASSERT_TRUE(sum) << errorOf(sum);
  EXPECT_EQ(*sum->first.values(), (Floats{10, 16}));
  EXPECT_EQ(sum->second, 5);
}

TEST_F(LaunchTest, AFailureEndsAChain) {
  auto x = vector({1, 2});
  bool reached = false;
  auto r = step()(x.read(), unwritten(3).give())
               .then([&](Tensor<float> y) {
                 reached = true;
                 return step()(y.read(), unwritten(3).give());
               })
               .sync();
  EXPECT_HAS(errorOf(r), "operand 'y' has extent 3");
  EXPECT_FALSE(reached);
}

TEST_F(LaunchTest, AnExceptionOfACallbackGoesToWhoStartsAndEndsTheLoans) {
  auto x = vector({1, 2}), y = vector({0, 0});
  EXPECT_THROW((void)step()(x.read(), y.write())
                   .map([](Done) -> int { throw std::runtime_error("of the user"); })
                   .sync(),
               std::runtime_error);
  EXPECT_EQ(*y.values(), (Floats{3, 5})); // what was before it has run
  EXPECT_TRUE(step()(x.read(), y.write()).sync());
}

TEST_F(LaunchTest, PartsOfAnOperationRunOnTheirStreams) {
  auto x = vector({1, 2});
  Stream one = cpu.stream(), two = cpu.stream();
  auto r = zip(step()(x.read(), unwritten(2).give()).on(one),
               slow()(x.read(), unwritten(2).give()).on(two))
               .sync();
  ASSERT_TRUE(r) << errorOf(r);
  EXPECT_EQ(*std::get<1>(*r).values(), (Floats{3, 5}));
}

TEST_F(LaunchTest, SeveralOutputsComeBackTogether) {
  auto x = vector({4, 5}), y = vector({0, 0});
  auto r = step()(x.give(), y.give()).sync();
  ASSERT_TRUE(r) << errorOf(r);
  EXPECT_EQ(*std::get<0>(*r).values(), (Floats{4, 5}));
  EXPECT_EQ(*std::get<1>(*r).values(), (Floats{9, 11}));
}

TEST_F(LaunchTest, ASharedOperationRunsOnce) {
  auto x = vector({1, 2});
  auto shared = slow()(x.read(), unwritten(2).give()).shared();
  const int64_t before = rangesRun();
  std::vector<std::thread> threads;
  std::atomic<int> good{0};
  for (int t = 0; t < 6; ++t)
    threads.emplace_back([&, shared] {
      auto r = shared.sync();
      good += r && *(*r)->values() == Floats{3, 5};
    });
  for (std::thread &t : threads)
    t.join();
  EXPECT_EQ(good.load(), 6);
  EXPECT_EQ(rangesRun(), before + 1);
  auto more = step()((*shared.sync())->read(), unwritten(2).give()).sync();
  EXPECT_EQ(*more->values(), (Floats{7, 11}));
}

//===-- Tasks ---------------------------------------------------------------===//

Task<float> twice(const Tensor<float> &x, Tensor<float> y) {
  auto first = co_await step()(x.read(), y.give());
  if (!first)
    co_return first.takeError();
  auto second = co_await mix()(x.read(), first->give());
  if (!second)
    co_return second.takeError();
  co_return second->values()->front();
}

Task<float> sumOfTwo(const Tensor<float> &x, Tensor<float> y, Tensor<float> z) {
  auto a = co_await twice(x, std::move(y));
  auto b = co_await twice(x, std::move(z));
  if (!a || !b)
    co_return a ? b.takeError() : a.takeError();
  co_return *a + *b;
}

TEST_F(LaunchTest, TasksAwaitOperationsAndEachOther) {
  auto x = vector({1});
  auto r = sumOfTwo(x, unwritten(1), unwritten(1)).sync();
  ASSERT_TRUE(r) << errorOf(r);
  EXPECT_EQ(*r, 20);
  auto bad = sumOfTwo(x, unwritten(1), unwritten(2)).sync();
  EXPECT_HAS(errorOf(bad), "operand 'y' has extent 2");
}

Task<int> thrower(const Tensor<float> &x, Tensor<float> y) {
  auto r = co_await step()(x.read(), y.give());
  if (r)
    throw std::runtime_error("of the user");
  co_return 1;
}

TEST_F(LaunchTest, AnExceptionEndsATaskWithAnError) {
  auto x = vector({1});
  EXPECT_HAS(errorOf(thrower(x, unwritten(1)).sync()), "an exception left a task: of the user");
  {
    auto dropped = thrower(x, unwritten(1));
  } // never begun
}

TEST_F(LaunchTest, ManyTasksAtOnce) {
  auto x = vector({1});
  std::vector<std::thread> threads;
  std::atomic<int> good{0};
  for (int t = 0; t < 4; ++t)
    threads.emplace_back([&] {
      for (int i = 0; i < 20; ++i) {
        auto r = twice(x, cpu.empty<float>({1}).take()).sync();
        good += r && *r == 10;
      }
    });
  for (std::thread &t : threads)
    t.join();
  EXPECT_EQ(good.load(), 80);
}

} // namespace
} // namespace imbrex::launch
