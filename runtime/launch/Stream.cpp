#include "runtime/launch/Stream.h"

#include <algorithm>

namespace imbrex::launch {

Status Starting::issue(Work work, std::span<const Use> uses, std::span<const BorrowRef> own) {
  work.stop = stop;
  work.callerFinishes = here;
  auto event = launch::issue(*device, *queue, std::move(work), uses, own);
  if (!event)
    return event.takeError();
  events.push_back(*event);
  if (stream)
    stream->note(*event);
  if (here)
    queue->finish(*event);
  return {};
}

void StreamState::note(const Event &event) {
  std::lock_guard lock(mutex);
  std::erase_if(issued, [](const Event &e) { return e.done() && e.wait(); });
  issued.push_back(event);
}

Status StreamState::sync() {
  std::vector<Event> events;
  {
    std::lock_guard lock(mutex);
    events.swap(issued);
  }
  Status first;
  for (const Event &e : events)
    if (const Status &s = e.wait(); !s && first)
      first = s;
  return first;
}

Event StreamState::record() {
  Event event;
  submit({.what = "an event"}, event);
  return event;
}

void StreamState::wait(const Event &event) {
  Work work{.what = "a wait"};
  work.after.push_back({event, false});
  submit(std::move(work), Event());
}

/// In the order of launches, as those do it.
void StreamState::submit(Work work, Event event) {
  std::lock_guard lock(device->mutex);
  queue->submit(std::move(work), std::move(event));
}

void StreamState::cancel() {
  std::lock_guard lock(mutex);
  stop.request_stop();
  stop = std::stop_source();
}

Starting Stream::starting() const {
  Starting s;
  s.device = state->device.get();
  s.queue = state->queue.get();
  s.stream = state.get();
  std::lock_guard lock(state->mutex);
  s.stop = state->stop.get_token();
  return s;
}

} // namespace imbrex::launch
