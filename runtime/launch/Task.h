// Coroutines over operations: asynchronous code that reads like synchronous code.
//
//   Task<float> norm(const Kernel &square, const Tensor<float> &x, Tensor<float> y) {
//     Result<Tensor<float>> squares = co_await square(x.read(), y.give());
//     if (!squares)
//       co_return squares.takeError();
//     co_return total(*squares->values());
//   }
//   Result<float> n = norm(square, x, std::move(y)).sync();
//
// co_await gives what sync() would, and no thread waits meanwhile. A coroutine goes on on the
// process's one resuming thread: it should start work and not compute for long, and must not call
// sync() on what another coroutine has still to start. Works in coroutine types of others, too.
//
// A task is lazy: it begins when it is awaited or synced, and dropping it before does nothing. What
// it takes by reference must live until it ends; clang says so where it sees that it does not.
#pragma once

#include "runtime/launch/Graph.h"

#include <coroutine>

#if defined(__clang__)
#define IMX_TASK [[clang::coro_return_type, clang::coro_lifetimebound]]
#else
#define IMX_TASK
#endif

namespace imbrex::launch {

/// Resumes `then` when all of the events have ended, on the resuming thread.
void resumeAfter(std::vector<Event> events, std::coroutine_handle<> then);

/// Of unhandled_exception: the exception's text as an Error.
Error exceptionLeft();

template <class T> class Awaiter {
public:
  explicit Awaiter(Operation<T> op) : op(std::move(op)) {}
  bool await_ready() const { return false; }
  bool await_suspend(std::coroutine_handle<> waiting) {
    auto device = op.device();
    if (device) {
      at.device = device.get();
      at.queue = device->usual.get();
    }
    value.emplace(op.start(at));
    if (at.events.empty())
      return false; // refused, or nothing to wait for
    keep = std::move(device);
    // Nothing of this object is touched any more: another thread may have resumed already.
    resumeAfter(at.events, waiting);
    return true;
  }
  Result<T> await_resume() {
    if (Status s = finished(at); !s && *value)
      return s.takeError();
    return std::move(*value);
  }

private:
  Operation<T> op;
  Starting at;
  std::shared_ptr<DeviceCore> keep;
  std::optional<Result<T>> value;
};

template <class T> Awaiter<T> Operation<T>::operator co_await() && {
  return Awaiter<T>(std::move(*this));
}

template <class T> class [[nodiscard]] IMX_TASK Task {
public:
  struct promise_type {
    std::optional<Result<T>> result;
    std::coroutine_handle<> next = std::noop_coroutine();
    Event ended; // not part of the frame, which whoever waits for the end destroys

    Task get_return_object() {
      return Task(std::coroutine_handle<promise_type>::from_promise(*this));
    }
    std::suspend_always initial_suspend() noexcept { return {}; }
    struct Last {
      bool await_ready() noexcept { return false; }
      std::coroutine_handle<> await_suspend(std::coroutine_handle<promise_type> self) noexcept {
        std::coroutine_handle<> next = self.promise().next;
        Event ended = self.promise().ended;
        ended.finish({});
        return next;
      }
      void await_resume() noexcept {}
    };
    Last final_suspend() noexcept { return {}; }
    void return_value(Result<T> value) { result.emplace(std::move(value)); }
    void unhandled_exception() { result.emplace(exceptionLeft()); }
  };

  Task(Task &&other) noexcept : self(std::exchange(other.self, nullptr)) {}
  Task &operator=(Task &&other) noexcept {
    std::swap(self, other.self);
    return *this;
  }
  ~Task() {
    if (self)
      self.destroy(); // at its beginning or its end
  }

  /// Runs it and waits for its end.
  Result<T> sync() {
    if (!self || self.promise().result)
      return usedOperation();
    Event ended = self.promise().ended;
    self.resume();
    (void)ended.wait();
    return std::move(*self.promise().result);
  }

  bool await_ready() const { return false; }
  std::coroutine_handle<> await_suspend(std::coroutine_handle<> waiting) {
    self.promise().next = waiting;
    return self;
  }
  Result<T> await_resume() { return std::move(*self.promise().result); }

private:
  explicit Task(std::coroutine_handle<promise_type> self) : self(self) {}
  std::coroutine_handle<promise_type> self;
};

} // namespace imbrex::launch
