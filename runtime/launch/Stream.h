// Devices and streams.
//
//   Device cpu = Device::cpu();
//   Stream copies = cpu.stream();                                  its work runs in order
//   (void)add(a.read(), b.read(), c.write()).start(copies);        goes on at once
//   Status s = copies.sync();                                      waits; the first failure since
//
// Streams say where work runs, never what it must wait for: an operation waits for whatever else
// uses its tensors, on any stream. Event and Stream::wait are for order that no tensor tells.
#pragma once

#include "runtime/launch/Tensor.h"

namespace imbrex::launch {

class Stream;
class Capture;

/// Where an operation starts, and what became of it. Made by sync(), start() and co_await.
struct Starting {
  DeviceCore *device = nullptr;
  Queue *queue = nullptr;
  class StreamState *stream = nullptr; // null: the device's usual queue
  std::vector<Event> events;           // of all work that was issued
  bool here = false;                   // the caller waits for each launch
  Capture *capture = nullptr;          // work is recorded, not issued
  std::stop_token stop;

  /// Issues work that starts here: to the queue, after what it depends on, and on record.
  Status issue(Work work, std::span<const Use> uses, std::span<const BorrowRef> own);
};

/// A handle; copies are the same device.
class Device {
public:
  /// threads 0: as many as the process may use.
  static Device cpu(int threads = 0) { return Device(makeCpuBackend(threads)); }
  /// Any other, by what it brings.
  explicit Device(std::unique_ptr<Backend> backend)
      : core(std::make_shared<DeviceCore>(std::move(backend))) {}

  /// A tensor that nobody wrote yet: reading it before something wrote all of it is an error.
  template <Element T> Result<Tensor<T>> empty(Shape shape, Site at = Site::current()) const {
    auto buffer = makeBuffer(core, elementType<T>(), std::move(shape), at);
    if (!buffer)
      return buffer.takeError();
    return Access::make<T>(buffer.take());
  }
  template <Element T>
  Result<Tensor<T>> from(Shape shape, std::span<const T> values, Site at = Site::current()) const {
    auto tensor = empty<T>(std::move(shape), at);
    if (tensor)
      if (Status s = tensor->assign(values, at); !s)
        return s.takeError();
    return tensor;
  }
  template <Element T>
  Result<Tensor<T>> filled(Shape shape, T value, Site at = Site::current()) const {
    auto tensor = empty<T>(std::move(shape), at);
    if (!tensor)
      return tensor;
    int64_t count = 1;
    for (int64_t extent : tensor->shape())
      count *= extent;
    std::vector<T> values(static_cast<size_t>(count), value);
    if (Status s = tensor->assign(values, at); !s)
      return s.takeError();
    return tensor;
  }
  Stream stream() const;

  /// For operations.
  const std::shared_ptr<DeviceCore> &inside() const { return core; }

private:
  std::shared_ptr<DeviceCore> core;
};

class StreamState {
public:
  explicit StreamState(std::shared_ptr<DeviceCore> device)
      : device(std::move(device)), queue(this->device->backend->makeQueue()) {}
  void note(const Event &event);
  Status sync();
  Event record();
  void wait(const Event &event);
  void cancel();

  std::shared_ptr<DeviceCore> device; // outlives the queue
  std::unique_ptr<Queue> queue;

private:
  friend class Stream;
  void submit(Work work, Event event);
  std::mutex mutex;
  std::vector<Event> issued; // since the last sync, without those that ended well
  std::stop_source stop;
};

/// A handle; copies are the same stream. The last one waits for its work.
class Stream {
public:
  explicit Stream(std::shared_ptr<DeviceCore> device)
      : state(std::make_shared<StreamState>(std::move(device))) {}
  /// Waits for all that was given to it. The first failure since the last sync.
  Status sync() const { return state->sync(); }
  /// Ends when all that was given to it so far has.
  Event record() const { return state->record(); }
  /// What is given to it from now on waits for the event.
  void wait(const Event &event) const { state->wait(event); }
  /// Work that has not begun does not; what needs its results fails with E0289 as the cause.
  void cancel() const { state->cancel(); }

  /// For operations.
  Starting starting() const;
  const std::shared_ptr<StreamState> &inside() const { return state; }

private:
  std::shared_ptr<StreamState> state;
};

inline Stream Device::stream() const { return Stream(core); }

} // namespace imbrex::launch
