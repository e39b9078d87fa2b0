// Two streams cannot race for a tensor: random programs over streams and threads, against the same
// program in sequence. The thread sanitizer runs this, too, and sees every access of the kernels.
#include "runtime/launch/LaunchTestSupport.h"

#include <cstring>
#include <gtest/gtest.h>
#include <random>
#include <thread>

namespace imbrex::launch {
namespace {

using namespace test;
using Floats = std::vector<float>;

constexpr int64_t kSize = 24;

struct Program {
  struct Step {
    int kernel, a, b, out; // numbers of tensors; a part of them for kernels 3 and 4
                           // 6: the host assigns; 7: a graph of two kernels over tensors 0 to 2
    int64_t begin, end;
    int stream;
  };
  int tensors = 0;
  std::vector<Step> steps;
};

Program randomProgram(std::mt19937 &random, int tensors, int streams, int length) {
  auto pick = [&](int n) { return static_cast<int>(random() % static_cast<unsigned>(n)); };
  Program p{tensors, {}};
  for (int i = 0; i < length; ++i) {
    Program::Step s{pick(8), pick(tensors), pick(tensors), pick(tensors), 0, 0, pick(streams)};
    s.begin = pick(kSize);
    s.end = s.begin + 1 + pick(static_cast<int>(kSize - s.begin));
    while (s.a == s.out || s.b == s.out)
      s.out = pick(tensors);
    p.steps.push_back(s);
  }
  return p;
}

std::vector<Floats> initial(int tensors) {
  std::vector<Floats> all;
  for (int t = 0; t < tensors; ++t) {
    all.emplace_back();
    for (int64_t i = 0; i < kSize; ++i)
      all.back().push_back(static_cast<float>((t * 7 + i * 3) % 11 - 5));
  }
  return all;
}

std::vector<Floats> inSequence(const Program &p) {
  auto m = initial(p.tensors);
  for (const auto &s : p.steps) {
    Floats &a = m[static_cast<size_t>(s.a)], &b = m[static_cast<size_t>(s.b)],
           &out = m[static_cast<size_t>(s.out)];
    for (int64_t n = 0; n < kSize; ++n) {
      auto i = static_cast<size_t>(n);
      const bool inside = n >= s.begin && n < s.end;
      if (s.kernel == 0)
        out[i] = a[i] + b[i];
      else if (s.kernel == 1 || s.kernel == 5)
        out[i] = 2 * a[i] + 1;
      else if (s.kernel == 2)
        out[i] = 3 * out[i] + a[i];
      else if (s.kernel == 6)
        out[i] = static_cast<float>(s.begin);
      else if (s.kernel == 7)
        m[1][i] = 2 * m[0][i] + 1, m[2][i] = 3 * m[2][i] + m[1][i];
      else if (s.kernel == 3 && inside)
        out[i] = 2 * a[i] + 1;
      else if (s.kernel == 4 && inside)
        out[i] = a[static_cast<size_t>(s.begin + s.end - 1 - n)];
    }
  }
  return m;
}

Operation<Done> operation(const Program::Step &s, std::vector<Tensor<float>> &t) {
  auto &a = t[static_cast<size_t>(s.a)], &b = t[static_cast<size_t>(s.b)],
       &out = t[static_cast<size_t>(s.out)];
  switch (s.kernel) {
  case 0:
    return add()(a.read(), b.read(), out.write());
  case 1:
    return step()(a.read(), out.write());
  case 2:
    return mix()(a.read(), out.write());
  case 3:
    return step()(a.read().part(0, s.begin, s.end), out.write().part(0, s.begin, s.end));
  case 4:
    return reversed()(a.read().part(0, s.begin, s.end), out.write().part(0, s.begin, s.end));
  default:
    return slow()(a.read(), out.write());
  }
}

/// Step 7: recorded once a round.
Graph<Done> graphOf(std::vector<Tensor<float>> &t) {
  return step()(t[0].read(), t[1].write())
      .then([&](Done) { return mix()(t[1].read(), t[2].write()); })
      .graph()
      .take();
}

Result<Done> start(const Program::Step &s, std::vector<Tensor<float>> &t, const Graph<Done> &graph,
                   const Stream &stream) {
  if (s.kernel == 7)
    return graph.replay().start(stream);
  if (s.kernel != 6)
    return operation(s, t).start(stream);
  Status assigned = t[static_cast<size_t>(s.out)].assign(
      Floats(static_cast<size_t>(kSize), static_cast<float>(s.begin)));
  return assigned ? Result<Done>(Done{}) : Result<Done>(assigned.takeError());
}

std::vector<Tensor<float>> tensorsOf(const Device &device, int count) {
  std::vector<Tensor<float>> t;
  for (const Floats &values : initial(count))
    t.push_back(device.from<float>({kSize}, values).take());
  return t;
}

TEST(Streams, RandomProgramsGiveWhatASequenceGives) {
  Device cpu = Device::cpu(2);
  std::vector<Stream> streams;
  for (int i = 0; i < 4; ++i)
    streams.push_back(cpu.stream());
  std::mt19937 random(5);
  for (int round = 0; round < 60; ++round) {
    Program p = randomProgram(random, 5, 4, 30);
    auto tensors = tensorsOf(cpu, p.tensors);
    auto graph = graphOf(tensors);
    for (const auto &s : p.steps) {
      auto r = start(s, tensors, graph, streams[static_cast<size_t>(s.stream)]);
      ASSERT_TRUE(r) << r.error().str();
    }
    auto want = inSequence(p);
    for (int t = 0; t < p.tensors; ++t) {
      auto got = tensors[static_cast<size_t>(t)].values();
      ASSERT_TRUE(got) << got.error().str();
      ASSERT_EQ(std::memcmp(got->data(), want[static_cast<size_t>(t)].data(), kSize * 4), 0)
          << "round " << round << " tensor " << t;
    }
  }
  for (const Stream &s : streams)
    EXPECT_TRUE(s.sync());
}

TEST(Streams, ProgramsOfSeveralThreadsDoNotDisturbEachOther) {
  // One device, a program a thread; all read one tensor besides their own.
  Device cpu = Device::cpu(2);
  Tensor<float> common = cpu.filled<float>({kSize}, 3).take();
  std::vector<std::thread> threads;
  std::atomic<int> good{0};
  for (unsigned t = 0; t < 3; ++t)
    threads.emplace_back([&, t] {
      std::mt19937 random(t);
      Stream streams[2] = {cpu.stream(), cpu.stream()};
      for (int round = 0; round < 10; ++round) {
        Program p = randomProgram(random, 4, 2, 20);
        auto tensors = tensorsOf(cpu, p.tensors);
        auto graph = graphOf(tensors);
        for (const auto &s : p.steps)
          (void)start(s, tensors, graph, streams[s.stream]);
        auto sum = add()(common.read(), tensors[0].read(), cpu.empty<float>({kSize}).take().give())
                       .start(streams[round % 2]);
        auto want = inSequence(p);
        bool same = true;
        for (size_t k = 0; k < tensors.size(); ++k)
          same &= std::memcmp(tensors[k].values()->data(), want[k].data(), kSize * 4) == 0;
        const float first = want[0][0] + 3;
        same &= std::memcmp(&sum->values()->front(), &first, 4) == 0;
        good += same;
      }
    });
  for (std::thread &t : threads)
    t.join();
  EXPECT_EQ(good.load(), 30);
}

TEST(Streams, AWriterOnOneStreamAndAReaderOnAnother) {
  // The hole of libraries whose streams know of no tensors: two futures over one buffer race.
  Device cpu = Device::cpu(1);
  auto x = cpu.filled<float>({64}, 1).take(), y = cpu.filled<float>({64}, 0).take();
  Stream one = cpu.stream(), two = cpu.stream();
  for (int i = 0; i < 20; ++i) {
    ASSERT_TRUE(slow()(x.read(), y.write()).start(one)); // y = 2*x + 1, late
    ASSERT_TRUE(step()(y.read(), x.write()).start(two)); // x = 2*y + 1, must wait
    ASSERT_TRUE(slow()(x.read(), y.write()).start(two));
    ASSERT_TRUE(mix()(y.read(), x.write()).start(one));
    ASSERT_TRUE(x.assign(Floats(64, 1))); // the host waits, too
  }
  ASSERT_TRUE(slow()(x.read(), y.write()).start(one));
  ASSERT_TRUE(step()(y.read(), x.write()).start(two));
  EXPECT_EQ(*x.values(), Floats(64, 7));
}

TEST(Streams, PiecesOfOneTensorAreWrittenAtTheSameTime) {
  Device cpu = Device::cpu(1);
  auto x = cpu.filled<float>({2}, 1).take(), y = cpu.filled<float>({2}, 0).take();
  Stream one = cpu.stream(), two = cpu.stream();
  auto [low, high] = y.write().split(0, 1);
  Event gate;
  one.wait(gate); // the first piece is not written before the second one is
  ASSERT_TRUE(step()(x.read().part(0, 0, 1), low.lend()).start(one));
  ASSERT_TRUE(step()(x.read().part(0, 1, 2), high.lend()).start(two));
  EXPECT_TRUE(two.sync());
  gate.finish({});
  EXPECT_TRUE(one.sync());
  EXPECT_EQ(*y.values(), (Floats{3, 3}));
}

TEST(Streams, EventsOrderWhatNoTensorDoes) {
  Device cpu = Device::cpu(1);
  auto x = cpu.filled<float>({1}, 1).take(), y = cpu.filled<float>({1}, 0).take();
  Stream one = cpu.stream(), two = cpu.stream();
  Event gate;
  two.wait(gate);
  ASSERT_TRUE(step()(x.read(), y.write()).start(two));
  Event after = two.record();
  EXPECT_FALSE(after.done());
  one.wait(after);
  Event last = one.record();
  gate.finish({});
  EXPECT_TRUE(last.wait());
  EXPECT_TRUE(after.done());
}

TEST(Streams, ADeviceMayGoBeforeItsTensorsAndStreams) {
  std::optional<Tensor<float>> y;
  {
    std::optional<Device> cpu(Device::cpu(1));
    auto x = cpu->filled<float>({2}, 1).take();
    y.emplace(cpu->empty<float>({2}).take());
    Stream s = cpu->stream();
    ASSERT_TRUE(slow()(x.read(), y->write()).start(s));
    cpu.reset();
  }
  EXPECT_EQ(*y->values(), (Floats{3, 3}));
  auto again = mix()(y->read(), y->write()).sync();
  EXPECT_FALSE(again); // and its queue still serves
}

} // namespace
} // namespace imbrex::launch
