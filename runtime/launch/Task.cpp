#include "runtime/launch/Task.h"

#include <condition_variable>
#include <deque>
#include <exception>
#include <thread>

namespace imbrex::launch {
namespace {

/// The thread that coroutines go on on.
class Resumer {
public:
  static Resumer &instance() {
    static Resumer resumer;
    return resumer;
  }
  void post(std::coroutine_handle<> then) {
    {
      std::lock_guard lock(mutex);
      ready.push_back(then);
      if (!worker.joinable())
        worker = std::thread([this] { run(); });
    }
    changed.notify_one();
  }
  ~Resumer() {
    {
      std::lock_guard lock(mutex);
      stopping = true;
    }
    changed.notify_one();
    if (worker.joinable())
      worker.join();
  }

private:
  void run() {
    std::unique_lock lock(mutex);
    while (true) {
      changed.wait(lock, [&] { return stopping || !ready.empty(); });
      if (ready.empty())
        return;
      std::coroutine_handle<> next = ready.front();
      ready.pop_front();
      lock.unlock();
      next.resume();
      lock.lock();
    }
  }
  std::mutex mutex;
  std::condition_variable changed;
  std::deque<std::coroutine_handle<>> ready;
  bool stopping = false;
  std::thread worker;
};

} // namespace

Error exceptionLeft() {
  std::string what = "an exception left a task";
  try {
    throw;
  } catch (const std::exception &e) {
    what += std::string(": ") + e.what();
  } catch (...) {
  }
  return badInput(291, what, "", "catching it within the task");
}

void resumeAfter(std::vector<Event> events, std::coroutine_handle<> then) {
  auto left = std::make_shared<std::atomic<size_t>>(events.size());
  for (const Event &e : events)
    e.whenDone([left, then] {
      if (left->fetch_sub(1, std::memory_order_acq_rel) == 1)
        Resumer::instance().post(then);
    });
}

} // namespace imbrex::launch
