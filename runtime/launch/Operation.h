// Work that was written down and not started: what a launch of a kernel gives.
//
//   auto op = add(a.read(), b.read(), c.give());     Operation<Tensor<float>>; nothing runs yet
//   Result<Tensor<float>> sum = op.sync();           runs it, waits, and gives c back
//
//   op.start(stream)            hands it to a stream and goes on. The value is a tensor that fills
//                               later: whoever looks at it, host or kernel, waits for that
//   co_await op                 as sync(), without a thread that waits (Task.h)
//   op.then(f)                  f takes the value and gives the next operation
//   op.map(f)                   f takes the value and gives another value
//   zip(a, b)                   both; the values in a tuple
//   op.on(stream)               runs there, whatever it is a part of
//   op.shared()                 can be used many times, runs once
//   op.graph()                  recorded, to be replayed (Graph.h)
//
// f runs when the operation starts, on the thread that starts it. An operation holds its loans from
// when it is written down until it is started; then the work holds the memory until it ends. One
// that is dropped does nothing and ends its loans; what was given to it is gone.
#pragma once

#include "runtime/launch/Stream.h"

#include <tuple>

namespace imbrex::launch {

/// The value of an operation that only writes what it borrowed.
struct Done {};

template <class T> class Operation;
template <class T> class SharedOperation;
template <class T> class Graph;
template <class T> class Awaiter;

/// How an operation is carried out. Not for users.
template <class T> class Recipe {
public:
  virtual ~Recipe() = default;
  virtual Result<T> start(Starting &at) = 0;
  /// Where it runs when nobody says so. Null: it is faulty, and start says how.
  virtual std::shared_ptr<DeviceCore> device() const = 0;
};

Error usedOperation();
Error foreignCapture();
/// sync() in its parts: the first failure among what was started.
Status finished(const Starting &at);
template <class T> Result<Graph<T>> captureGraph(Recipe<T> &recipe, const Site &site);

template <class T>
class [[nodiscard("an operation does nothing until it is started")]] IMX_OWNED Operation {
public:
  using Value = T;
  Operation(Operation &&) noexcept = default;
  Operation &operator=(Operation &&) noexcept = default;

  /// Runs it and waits. An Error says what was refused or what failed.
  IMX_USES_UP Result<T> sync() {
    auto own = std::move(recipe);
    auto device = own ? own->device() : nullptr;
    if (!device)
      return own ? faulty(*own) : Result<T>(usedOperation());
    Starting at;
    at.device = device.get();
    at.queue = device->usual.get();
    return run(*own, std::move(at));
  }
  IMX_USES_UP Result<T> sync(const Stream &stream) {
    auto own = std::move(recipe);
    return own ? run(*own, stream.starting()) : Result<T>(usedOperation());
  }
  /// Hands it to the stream. An Error says what was refused; what fails later is told by the
  /// stream's sync and by whoever needs the value.
  IMX_USES_UP Result<T> start(const Stream &stream) {
    Starting at = stream.starting();
    return start(at);
  }
  /// For those who combine operations.
  IMX_USES_UP Result<T> start(Starting &at) {
    auto own = std::move(recipe);
    return own ? own->start(at) : Result<T>(usedOperation());
  }

  template <class F> IMX_USES_UP auto then(F f);
  template <class F> IMX_USES_UP auto map(F f);
  IMX_USES_UP Operation on(const Stream &stream);
  IMX_USES_UP SharedOperation<T> shared();
  IMX_USES_UP Result<Graph<T>> graph(Site at = Site::current()) {
    auto own = std::move(recipe);
    if (!own)
      return usedOperation();
    return captureGraph(*own, at);
  }
  Awaiter<T> operator co_await() &&;

  explicit Operation(std::unique_ptr<Recipe<T>> recipe) : recipe(std::move(recipe)) {}
  std::shared_ptr<DeviceCore> device() const { return recipe ? recipe->device() : nullptr; }

private:
  static Result<T> faulty(Recipe<T> &own) {
    Starting at;
    return own.start(at);
  }
  static Result<T> run(Recipe<T> &own, Starting at) {
    at.here = true;
    Result<T> value = own.start(at);
    if (Status s = finished(at); !s && value)
      return s.takeError();
    return value;
  }
  std::unique_ptr<Recipe<T>> recipe;
};

namespace detail {

template <class T, class F> class RecipeOf final : public Recipe<T> {
public:
  RecipeOf(std::shared_ptr<DeviceCore> device, F f) : where(std::move(device)), f(std::move(f)) {}
  Result<T> start(Starting &at) override { return f(at); }
  std::shared_ptr<DeviceCore> device() const override { return where; }

private:
  std::shared_ptr<DeviceCore> where;
  F f;
};

template <class T, class F> Operation<T> makeOperation(std::shared_ptr<DeviceCore> device, F f) {
  return Operation<T>(std::make_unique<RecipeOf<T, F>>(std::move(device), std::move(f)));
}

} // namespace detail

template <class T> template <class F> auto Operation<T>::then(F f) {
  using Next = std::invoke_result_t<F, T>;
  using U = typename Next::Value;
  auto where = device();
  return detail::makeOperation<U>(
      where, [own = std::move(*this), f = std::move(f)](Starting &at) mutable -> Result<U> {
        Result<T> value = own.start(at);
        if (!value)
          return value.takeError();
        return f(value.take()).start(at);
      });
}

template <class T> template <class F> auto Operation<T>::map(F f) {
  using U = std::invoke_result_t<F, T>;
  auto where = device();
  return detail::makeOperation<U>(
      where, [own = std::move(*this), f = std::move(f)](Starting &at) mutable -> Result<U> {
        Result<T> value = own.start(at);
        if (!value)
          return value.takeError();
        return f(value.take());
      });
}

template <class T> Operation<T> Operation<T>::on(const Stream &stream) {
  return detail::makeOperation<T>(
      stream.inside()->device,
      [own = std::move(*this), stream](Starting &outer) mutable -> Result<T> {
        if (outer.capture)
          return own.start(outer); // a graph's replay says where
        Starting at = stream.starting();
        Result<T> value = own.start(at);
        outer.events.insert(outer.events.end(), at.events.begin(), at.events.end());
        return value;
      });
}

/// Both, the first one first where they run on one stream.
template <class A, class B> Operation<std::tuple<A, B>> zip(Operation<A> a, Operation<B> b) {
  auto where = a.device() ? a.device() : b.device();
  using Both = std::tuple<A, B>;
  return detail::makeOperation<Both>(
      where, [a = std::move(a), b = std::move(b)](Starting &at) mutable -> Result<Both> {
        Result<A> first = a.start(at);
        if (!first)
          return first.takeError();
        Result<B> second = b.start(at);
        if (!second)
          return second.takeError();
        return Both(first.take(), second.take());
      });
}

/// A value that is there already, as an operation.
template <class T> Operation<T> ready(const Device &device, T value) {
  return detail::makeOperation<T>(
      device.inside(),
      [value = std::move(value)](Starting &) mutable -> Result<T> { return std::move(value); });
}

/// A value that several hold and nobody changes.
template <class T> class Shared {
public:
  explicit Shared(T value) : value(std::make_shared<const T>(std::move(value))) {}
  const T &operator*() const { return *value; }
  const T *operator->() const { return value.get(); }

private:
  std::shared_ptr<const T> value;
};

/// An operation that any number of others may use, from any thread: it runs once, when the first of
/// them starts. Copies are the same operation.
template <class T> class SharedOperation {
public:
  /// One use of it.
  Operation<Shared<T>> use() const {
    return detail::makeOperation<Shared<T>>(
        once->where, [once = once](Starting &at) { return once->start(at); });
  }
  Result<Shared<T>> sync() const { return use().sync(); }
  Result<Shared<T>> start(const Stream &stream) const { return use().start(stream); }

private:
  friend class Operation<T>;
  struct Once {
    explicit Once(Operation<T> op) : where(op.device()), op(std::move(op)) {}
    Result<Shared<T>> start(Starting &at) {
      std::lock_guard lock(mutex); // whoever comes second waits until it is started, not ended
      if (!value) {
        if (at.capture)
          return foreignCapture();
        const size_t before = at.events.size();
        Result<T> v = op.start(at);
        events.assign(at.events.begin() + static_cast<ptrdiff_t>(before), at.events.end());
        value.emplace(v ? Result<Shared<T>>(Shared<T>(v.take()))
                        : Result<Shared<T>>(v.takeError()));
        return *value;
      }
      at.events.insert(at.events.end(), events.begin(), events.end());
      return *value;
    }
    std::shared_ptr<DeviceCore> where;
    std::mutex mutex;
    Operation<T> op;
    std::optional<Result<Shared<T>>> value;
    std::vector<Event> events;
  };
  explicit SharedOperation(Operation<T> op) : once(std::make_shared<Once>(std::move(op))) {}
  std::shared_ptr<Once> once;
};

template <class T> SharedOperation<T> Operation<T>::shared() {
  return SharedOperation<T>(std::move(*this));
}

} // namespace imbrex::launch
