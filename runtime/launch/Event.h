// The end of work that was handed to a device: not yet, or done with a Status.
#pragma once

#include "support/Result.h"

#include <atomic>
#include <functional>
#include <memory>
#include <mutex>
#include <vector>

namespace imbrex::launch {

/// Copies are the same event. Thread-safe. A device may derive State to hold an event of its own
/// kind, so that its queues wait for each other without the host.
class Event {
public:
  class State {
  public:
    virtual ~State() = default;

  private:
    friend class Event;
    std::atomic<uint32_t> ended{0};
    Status status;
    std::mutex mutex;
    std::vector<std::function<void()>> callbacks; // until it ends
  };

  /// An event that finish() ends.
  Event() : state(std::make_shared<State>()) {}
  explicit Event(std::shared_ptr<State> state) : state(std::move(state)) {}
  /// One that has ended.
  static Event ended(Status status) {
    Event e;
    e.finish(std::move(status));
    return e;
  }

  bool done() const { return state->ended.load(std::memory_order_acquire) != 0; }
  /// Blocks until it has ended. The Status says how the work went.
  const Status &wait() const;
  /// Calls `then` once when it has ended, on the thread that ended it; at once when it has. `then`
  /// must be short and must not wait.
  void whenDone(std::function<void()> then) const;
  /// For devices: ends it. Once.
  void finish(Status status) const;
  State *get() const { return state.get(); }

private:
  std::shared_ptr<State> state;
};

} // namespace imbrex::launch
