// The CPU: a queue is a thread that runs kernels on a pool of its own.
#include "runtime/device/cpu/CpuDevice.h"
#include "runtime/launch/Backend.h"

#include <condition_variable>
#include <cstring>
#include <deque>
#include <thread>

namespace imbrex::launch {
namespace {

Status runCall(runtime::CpuDevice &device, const KernelCall &call) {
  const LoadedKernel &k = *call.kernel;
  auto result = device.launch({k.code, call.operands, call.admitted.dims.data(),
                               call.admitted.points, k.scratchBytes, k.imports});
  switch (result.status) {
  case runtime::LaunchStatus::Good:
    return {};
  case runtime::LaunchStatus::NoMemory:
    return badInput(250, "kernel '" + k.contract.kernel + "' is not run: memory ran out");
  case runtime::LaunchStatus::CheckFailed:
    break;
  }
  const auto n = static_cast<size_t>(result.check);
  return badInput(287, "kernel '" + k.contract.kernel + "' stopped: a check of it failed",
                  n < k.checks.size() ? k.checks[n] : "check " + std::to_string(n));
}

/// The first reason not to run: something it needs failed, or it was cancelled.
Status mayRun(const Work &work) {
  Status found;
  for (const Dependency &d : work.after) {
    const Status &s = d.event.wait();
    if (s || !d.needsResult || !found)
      continue;
    const Error &e = s.error();
    // A chain of failures names its beginning only.
    found = badInput(286, work.what + " is not run: what it reads was not computed",
                     e.code == 286 && !e.because.empty()
                         ? e.because
                         : e.what + (e.because.empty() ? "" : "; because " + e.because));
  }
  if (found && work.stop.stop_requested())
    return badInput(289, work.what + " was cancelled before it ran");
  return found;
}

class CpuQueue final : public Queue {
  struct Item {
    Work work;
    Event event;
  };
  struct State {
    explicit State(int threads) : device(threads) {}
    std::mutex mutex;
    std::condition_variable changed;
    std::deque<Item> items;
    bool busy = false, stopping = false;
    runtime::CpuDevice device; // used by whoever set `busy`
  };

public:
  explicit CpuQueue(int threads) : state(std::make_shared<State>(threads)) {}

  ~CpuQueue() override {
    {
      std::lock_guard lock(state->mutex);
      state->stopping = true;
    }
    state->changed.notify_all();
    // The last owner of a queue may be an operation that ends on its thread.
    if (worker.joinable() && worker.get_id() == std::this_thread::get_id())
      worker.detach();
    else if (worker.joinable())
      worker.join();
  }

  void submit(Work work, Event event) override {
    const bool here = work.callerFinishes; // then no thread need wake up for it
    {
      std::lock_guard lock(state->mutex);
      state->items.push_back({std::move(work), std::move(event)});
      if (!here && !worker.joinable())
        worker = std::thread([s = state] { serve(*s); });
    }
    if (!here)
      state->changed.notify_all();
  }

  void finish(const Event &event) override {
    std::unique_lock lock(state->mutex);
    while (!event.done()) {
      if (!state->busy && !state->items.empty())
        runOne(*state, lock);
      else
        state->changed.wait(lock);
    }
  }

private:
  static void serve(State &state) {
    std::unique_lock lock(state.mutex);
    while (true) {
      if (!state.busy && !state.items.empty())
        runOne(state, lock);
      else if (state.stopping && state.items.empty() && !state.busy)
        return;
      else
        state.changed.wait(lock);
    }
  }

  static void runOne(State &state, std::unique_lock<std::mutex> &lock) {
    Item item = std::move(state.items.front());
    state.items.pop_front();
    state.busy = true;
    lock.unlock();
    Status status = mayRun(item.work);
    for (size_t i = 0; item.work.calls && i < item.work.calls->size() && status; ++i)
      status = runCall(state.device, *(*item.work.calls)[i]);
    item.work = {}; // memory that nobody else holds is free when the event ends
    item.event.finish(std::move(status));
    lock.lock();
    state.busy = false;
    state.changed.notify_all();
  }

  std::shared_ptr<State> state;
  std::thread worker;
};

class CpuBackend final : public Backend {
public:
  explicit CpuBackend(int threads)
      : threads(threads), pool(std::make_shared<runtime::StoragePool>(256ull << 20)) {}
  std::string_view target() const override { return "cpu"; }
  std::unique_ptr<Queue> makeQueue() override { return std::make_unique<CpuQueue>(threads); }
  std::shared_ptr<void> allocate(uint64_t bytes) override {
    runtime::StorageRef block = pool->allocate(bytes);
    if (!block)
      return nullptr;
    void *data = block->data();
    return {data, [block](void *) {}};
  }
  void *hostAddress(void *memory) override { return memory; }
  Status upload(void *to, const void *from, uint64_t bytes) override {
    return copy(to, from, bytes);
  }
  Status download(void *to, const void *from, uint64_t bytes) override {
    return copy(to, from, bytes);
  }

private:
  static Status copy(void *to, const void *from, uint64_t bytes) {
    if (bytes)
      std::memcpy(to, from, bytes);
    return {};
  }
  int threads;
  std::shared_ptr<runtime::StoragePool> pool;
};

} // namespace

std::unique_ptr<Backend> makeCpuBackend(int threads) {
  return std::make_unique<CpuBackend>(threads);
}

} // namespace imbrex::launch
