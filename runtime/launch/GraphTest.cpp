// Recording an operation once and replaying it.
#include "runtime/launch/LaunchTestSupport.h"

#include <gtest/gtest.h>
#include <thread>

namespace imbrex::launch {
namespace {

using namespace test;
using Floats = std::vector<float>;

class GraphTest : public testing::Test {
protected:
  Tensor<float> vector(const Floats &values) {
    return cpu.from<float>({static_cast<int64_t>(values.size())}, values).take();
  }
  /// z = step(step(x)); y is between them.
  Result<Graph<Tensor<float>>> twoSteps(const Tensor<float> &x) {
    const int64_t n = x.shape()[0];
    return step()(x.read(), cpu.empty<float>({n}).take().give())
        .then([&, n](Tensor<float> y) {
          return step()(y.read(), cpu.empty<float>({n}).take().give());
        })
        .graph();
  }
  Device cpu = Device::cpu(2);
};

template <class T> std::string errorOf(const Result<T> &r) { return r ? "" : r.error().str(); }
#define EXPECT_HAS(text, part) EXPECT_NE((text).find(part), std::string::npos) << (text)

TEST_F(GraphTest, RecordsWithoutRunningAndReplays) {
  auto x = vector({1, 2});
  const int64_t before = rangesRun();
  auto graph = twoSteps(x);
  ASSERT_TRUE(graph) << errorOf(graph);
  EXPECT_EQ(graph->kernels(), 2u);
  EXPECT_EQ(rangesRun(), before);
  EXPECT_HAS(errorOf(graph->value().values()), "was never written there");
  ASSERT_TRUE(graph->replay().sync());
  EXPECT_EQ(*graph->value().values(), (Floats{7, 11}));
  // Changed parameters: other values in the same tensor.
  ASSERT_TRUE(x.assign(Floats{0, 10}));
  Stream s = cpu.stream();
  ASSERT_TRUE(graph->replay().start(s));
  EXPECT_EQ(*graph->value().values(), (Floats{3, 43}));
  EXPECT_TRUE(s.sync());
}

TEST_F(GraphTest, OtherTensorsTakeTheirPlace) {
  auto x = vector({1, 2}), other = vector({5, 5}), longer = vector({1, 2, 3});
  auto graph = twoSteps(x);
  ASSERT_TRUE(graph);
  ASSERT_TRUE(graph->rebind(x, other));
  ASSERT_TRUE(graph->replay().sync());
  EXPECT_EQ(*graph->value().values(), (Floats{23, 23}));
  EXPECT_HAS(errorOf(graph->rebind(x, other)), "error[E0290]"); // used no more
  EXPECT_HAS(errorOf(graph->rebind(other, longer)),
             "kernel 'step' is not launched: operand 'y' has extent 2");
  EXPECT_HAS(errorOf(graph->rebind(graph->value(), other)), "it writes the tensor made at");
  ASSERT_TRUE(graph->replay().sync()); // unchanged by what was refused
  EXPECT_EQ(*graph->value().values(), (Floats{23, 23}));
}

TEST_F(GraphTest, EachReplayChecksWhoHoldsTheMemory) {
  auto x = vector({1, 2});
  auto graph = twoSteps(x);
  ASSERT_TRUE(graph);
  ASSERT_TRUE(graph->replay().sync());
  {
    const int held = __LINE__ + 1;
    auto reader = graph->value().read();
    auto r = graph->replay().sync();
    EXPECT_HAS(errorOf(r), "error[E0285]: the graph recorded at");
    EXPECT_HAS(errorOf(r), "it writes operand 'y', borrowed at");
    EXPECT_HAS(errorOf(r), "GraphTest.cpp:" + std::to_string(held));
  }
  {
    auto writer = x.write();
    EXPECT_HAS(errorOf(graph->replay().sync()), "it reads operand 'x', borrowed at");
  }
  auto reader = x.read(); // readers may be many
  EXPECT_TRUE(graph->replay().sync());
}

TEST_F(GraphTest, WhatItReadsMustHaveBeenWritten) {
  auto x = cpu.empty<float>({2}).take();
  auto graph = twoSteps(x);
  ASSERT_TRUE(graph);
  EXPECT_HAS(errorOf(graph->replay().sync()), "is not run: what it reads was not computed");
  ASSERT_TRUE(x.assign(Floats{1, 1}));
  EXPECT_TRUE(graph->replay().sync());
}

TEST_F(GraphTest, AFailureEndsTheReplayAndReachesItsValue) {
  auto x = vector({-1, 1});
  auto z = cpu.empty<float>({2}).take();
  auto graph = careful()(x.read(), cpu.empty<float>({2}).take().give())
                   .then([&](Tensor<float> y) { return step()(y.read(), z.write()); })
                   .graph();
  ASSERT_TRUE(graph);
  EXPECT_HAS(errorOf(graph->replay().sync()), "kernel 'careful' stopped");
  EXPECT_HAS(errorOf(z.values()), "because kernel 'careful' stopped");
  ASSERT_TRUE(x.assign(Floats{1, 1}));
  ASSERT_TRUE(graph->replay().sync());
  EXPECT_EQ(*z.values(), (Floats{7, 7}));
}

TEST_F(GraphTest, OutlivesItsTensorsAndItself) {
  Stream s = cpu.stream();
  Event gate;
  auto z = cpu.empty<float>({2}).take();
  {
    std::optional<Graph<Done>> graph;
    {
      auto x = vector({1, 2});
      graph.emplace(step()(x.read(), z.write()).graph().take());
      EXPECT_HAS(errorOf(x.release()), "or a graph, uses it");
    }
    s.wait(gate);
    ASSERT_TRUE(graph->replay().start(s));
  }
  gate.finish({});
  EXPECT_EQ(*z.values(), (Floats{3, 5}));
}

TEST_F(GraphTest, ReplaysOnManyStreamsAndThreadsAreInOrder) {
  auto x = vector({1}), y = vector({0});
  // Each replay makes y = 3*y + 1, so the end tells how many there were, and that none overlapped.
  auto graph = mix()(x.read(), y.write()).graph();
  ASSERT_TRUE(graph);
  std::vector<std::thread> threads;
  std::atomic<int> good{0};
  for (int t = 0; t < 3; ++t)
    threads.emplace_back([&] {
      Stream s = cpu.stream();
      for (int i = 0; i < 4; ++i)
        good += graph->replay().start(s).ok();
      good += s.sync().ok();
    });
  for (std::thread &t : threads)
    t.join();
  EXPECT_EQ(good.load(), 15);
  float want = 0;
  for (int i = 0; i < 12; ++i)
    want = 3 * want + 1;
  EXPECT_EQ(*y.values(), (Floats{want}));
}

TEST_F(GraphTest, RefusesWhatCannotBeRepeated) {
  auto x = vector({1});
  auto shared = step()(x.read(), cpu.empty<float>({1}).take().give()).shared();
  auto graph = shared.use().graph();
  EXPECT_HAS(errorOf(graph), "error[E0290]: a shared operation cannot start within a graph");
  ASSERT_TRUE(shared.sync());
  auto after = shared.use()
                   .then([&](Shared<Tensor<float>> y) {
                     return step()(y->read(), cpu.empty<float>({1}).take().give());
                   })
                   .graph();
  ASSERT_TRUE(after) << errorOf(after);
  EXPECT_EQ(after->kernels(), 1u);
  auto inner = step()(x.read(), cpu.empty<float>({1}).take().give()).graph();
  EXPECT_HAS(errorOf(inner->replay().graph()), "is replayed within another graph");
}

} // namespace
} // namespace imbrex::launch
