// A device of another kind: memory that the host does not reach, its own code, its own way to order
// queues. What a GPU would bring; nothing but Backend.h is used.
#include "runtime/launch/LaunchTestSupport.h"

#include <condition_variable>
#include <cstring>
#include <deque>
#include <gtest/gtest.h>
#include <map>
#include <thread>

namespace imbrex::launch {
namespace {

using Floats = std::vector<float>;

/// Addresses of the device: no memory of the host lies there.
constexpr uintptr_t kFar = uintptr_t(1) << 52;

std::byte *near(const void *far) {
  return reinterpret_cast<std::byte *>(reinterpret_cast<uintptr_t>(far) - kFar);
}

/// Its code: a function of near addresses and the number of points.
using FarCode = void (*)(const std::vector<float *> &operands, int64_t points);

class FarQueue final : public Queue {
public:
  FarQueue() : worker([this] { serve(); }) {}
  ~FarQueue() override {
    {
      std::lock_guard lock(mutex);
      stopping = true;
    }
    changed.notify_all();
    worker.join();
  }
  void submit(Work work, Event event) override {
    {
      std::lock_guard lock(mutex);
      items.emplace_back(std::move(work), std::move(event));
    }
    changed.notify_all();
  }

private:
  void serve() {
    std::unique_lock lock(mutex);
    while (true) {
      changed.wait(lock, [&] { return stopping || !items.empty(); });
      if (items.empty())
        return;
      auto [work, event] = std::move(items.front());
      items.pop_front();
      lock.unlock();
      Status status;
      for (const Dependency &d : work.after)
        if (const Status &s = d.event.wait(); !s && d.needsResult && status)
          status = badInput(286, work.what + " is not run: what it reads was not computed",
                            s.error().what);
      for (size_t i = 0; work.calls && i < work.calls->size() && status; ++i)
        run(*(*work.calls)[i]);
      work = {};
      event.finish(std::move(status));
      lock.lock();
    }
  }
  static void run(const KernelCall &call) {
    std::vector<float *> operands;
    for (const ImxView &v : call.operands)
      operands.push_back(reinterpret_cast<float *>(near(v.data)));
    reinterpret_cast<FarCode>(const_cast<void *>(call.kernel->code))(operands,
                                                                     call.admitted.points);
  }
  std::mutex mutex;
  std::condition_variable changed;
  std::deque<std::pair<Work, Event>> items;
  bool stopping = false;
  std::thread worker;
};

class FarBackend final : public Backend {
public:
  std::string_view target() const override { return "far"; }
  std::unique_ptr<Queue> makeQueue() override { return std::make_unique<FarQueue>(); }
  std::shared_ptr<void> allocate(uint64_t bytes) override {
    auto *memory = static_cast<std::byte *>(std::aligned_alloc(64, (bytes + 64) / 64 * 64));
    return {reinterpret_cast<void *>(reinterpret_cast<uintptr_t>(memory) + kFar),
            [](void *far) { std::free(near(far)); }};
  }
  void *hostAddress(void *) override { return nullptr; }
  Status upload(void *to, const void *from, uint64_t bytes) override {
    std::memcpy(near(to), from, bytes);
    return {};
  }
  Status download(void *to, const void *from, uint64_t bytes) override {
    std::memcpy(to, near(from), bytes);
    return {};
  }
};

/// y[n] = x[n] + 1
Kernel farStep() {
  LoadedKernel k;
  const DimExpr n = DimExpr::symbol("n");
  k.contract = {"far_step",
                {{"n"}},
                {{"x", DType::F32, {n}, {1}, ViewAccess::Read},
                 {"y", DType::F32, {n}, {1}, ViewAccess::Write}},
                {},
                {n}};
  k.target = "far";
  FarCode code = [](const std::vector<float *> &v, int64_t points) {
    for (int64_t i = 0; i < points; ++i)
      v[1][i] = v[0][i] + 1;
  };
  k.code = reinterpret_cast<const void *>(code);
  return Kernel(std::move(k));
}

template <class T> std::string errorOf(const Result<T> &r) { return r ? "" : r.error().str(); }

TEST(FarDevice, LaunchesStreamsAndGraphsNeedNothingOfTheHost) {
  Device far(std::make_unique<FarBackend>());
  auto x = far.from<float>({3}, Floats{1, 2, 3}).take();
  auto y = far.empty<float>({3}).take(), z = far.empty<float>({3}).take();
  Stream one = far.stream(), two = far.stream();
  ASSERT_TRUE(farStep()(x.read(), y.write()).start(one));
  ASSERT_TRUE(farStep()(y.read(), z.write()).start(two));
  EXPECT_EQ(*z.values(), (Floats{3, 4, 5}));
  auto graph = farStep()(z.read(), y.write()).graph();
  ASSERT_TRUE(graph);
  ASSERT_TRUE(graph->replay().sync());
  EXPECT_EQ(*y.values(), (Floats{4, 5, 6}));
}

TEST(FarDevice, WhatDoesNotGoTogetherIsRefused) {
  Device far(std::make_unique<FarBackend>()), cpu = Device::cpu(1);
  auto x = far.filled<float>({3}, 1).take(), y = far.empty<float>({3}).take();
  auto here = cpu.filled<float>({3}, 1).take();
  auto loan = x.read();
  EXPECT_NE(errorOf(loan.host()).find("the host does not reach this memory"), std::string::npos);
  EXPECT_NE(errorOf(test::step()(x.read(), y.write()).sync())
                .find("kernel 'step' is refused: it is code for cpu, and its operands are on far"),
            std::string::npos);
  EXPECT_NE(errorOf(farStep()(here.read(), y.write()).sync()).find("on different devices"),
            std::string::npos);
  Stream s = cpu.stream();
  EXPECT_NE(errorOf(farStep()(x.read(), y.write()).start(s)).find("are of different devices"),
            std::string::npos);
}

} // namespace
} // namespace imbrex::launch
