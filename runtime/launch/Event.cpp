#include "runtime/launch/Event.h"

namespace imbrex::launch {

const Status &Event::wait() const {
  while (!done())
    state->ended.wait(0, std::memory_order_acquire);
  return state->status;
}

void Event::whenDone(std::function<void()> then) const {
  {
    std::lock_guard lock(state->mutex);
    if (!done()) {
      state->callbacks.push_back(std::move(then));
      return;
    }
  }
  then();
}

void Event::finish(Status status) const {
  std::vector<std::function<void()>> callbacks;
  {
    std::lock_guard lock(state->mutex);
    state->status = std::move(status);
    state->ended.store(1, std::memory_order_release);
    callbacks.swap(state->callbacks);
  }
  state->ended.notify_all();
  for (auto &call : callbacks)
    call();
}

} // namespace imbrex::launch
