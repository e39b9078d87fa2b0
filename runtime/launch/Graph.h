// An operation that was recorded once and runs many times.
//
//   auto step = scale(x.read(), y.give()).then([&](Tensor<float> y) { … }).graph();   runs nothing
//   step->replay().sync();                       all kernels in one piece of work
//   step->value().values();                      what the operation gave
//
// Recording checks shapes and facts; nothing of that is repeated. Each replay checks who holds the
// memory, as a launch does (E0285), waits for what uses it on any stream, and asks that what it
// reads was written. Between replays a graph keeps its memory alive and excludes nobody: new inputs
// are assigned to its tensors, or other tensors are put in their place by rebind().
//
// Functions of then and map run once, while recording. They see tensors that nothing has filled:
// looking at their values is an error there.
#pragma once

#include "runtime/launch/Kernel.h"

namespace imbrex::launch {

/// What is being recorded, and afterwards what is replayed. Not for users.
class Capture {
public:
  explicit Capture(Site site) : site(site) {}
  Status add(const Launch &launch, KernelCall call, std::vector<Use> uses);
  Status replay(Starting &at);
  Status rebind(const std::shared_ptr<Buffer> &from, const std::shared_ptr<Buffer> &to);
  std::shared_ptr<DeviceCore> where() const { return device; }
  size_t kernels() const { return nodes.size(); }

private:
  struct Node {
    Kernel kernel;
    std::vector<Use> uses; // by operand
  };
  /// What the whole reads that it does not write before, and what it writes.
  std::vector<Use> outerUses() const;
  std::string what() const { return "the graph recorded at " + text(site); }

  Site site;
  std::shared_ptr<DeviceCore> device;
  mutable std::mutex mutex; // replays may start on several threads, and rebind between them
  std::vector<Node> nodes;
  std::shared_ptr<const KernelCalls> calls = std::make_shared<KernelCalls>();
  std::vector<Use> outer;
};

template <class T> class IMX_OWNED Graph {
public:
  Graph(Graph &&) noexcept = default;
  Graph &operator=(Graph &&) noexcept = default;

  /// The value of the operation; its tensors fill with each replay.
  IMX_USES const T &value() const { return result; }
  IMX_USES size_t kernels() const { return capture->kernels(); }
  /// One run of it. The graph may be dropped before that ends.
  IMX_USES Operation<Done> replay() const {
    return detail::makeOperation<Done>(capture->where(),
                                       [capture = capture](Starting &at) -> Result<Done> {
                                         if (Status s = capture->replay(at); !s)
                                           return s.takeError();
                                         return Done{};
                                       });
  }
  /// From the next replay on the graph reads `to` where it read `from`. Shapes may differ if the
  /// kernels admit them; what is refused changes nothing. E0290 when it writes `from`, or never
  /// uses it.
  template <Element E> IMX_USES Status rebind(const Tensor<E> &from, const Tensor<E> &to) {
    return capture->rebind(Access::buffer(from), Access::buffer(to));
  }

  Graph(std::shared_ptr<Capture> capture, T value)
      : capture(std::move(capture)), result(std::move(value)) {}

private:
  std::shared_ptr<Capture> capture;
  T result;
};

template <class T> Result<Graph<T>> captureGraph(Recipe<T> &recipe, const Site &site) {
  auto capture = std::make_shared<Capture>(site);
  Starting at;
  at.capture = capture.get();
  Result<T> value = recipe.start(at);
  if (!value)
    return value.takeError();
  return Graph<T>(std::move(capture), value.take());
}

} // namespace imbrex::launch
