// The same programs, written as they should be: no diagnostic.
// expected-no-diagnostics
// clang-format off: a diagnostic stands on its line
#include "runtime/launch/Launch.h"
using namespace imbrex::launch;

imbrex::Result<std::vector<float>> moved(Tensor<float> x) {
  Tensor<float> y = std::move(x);
  return y.values();
}

imbrex::Result<std::vector<float>> comesBack(const Kernel &add, const Tensor<float> &a,
                                             Tensor<float> c) {
  auto sum = add(a.read(), a.read(), c.give());
  auto result = sum.sync();
  if (!result)
    return result.takeError();
  c = result.take(); // an owner again
  (void)add(a.read(), a.read(), c.write()).sync();
  return c.values();
}

void inLoops(const Kernel &step, const Tensor<float> &x, Tensor<float> y) {
  for (int i = 0; i < 3; ++i) {
    auto next = step(x.read(), y.give()).sync();
    if (!next)
      return;
    y = next.take();
  }
  (void)y.values();
}

void pieces(const Kernel &step, const Tensor<float> &x, Tensor<float> y) {
  auto [low, high] = y.write().split(0, 4);
  (void)step(x.read().part(0, 0, 4), low.lend()).sync();
  (void)step(x.read().part(0, 4, 8), high.lend()).sync();
}

void lastRead(const Tensor<float> &x) {
  auto loan = x.read();
  (void)loan.host();
  auto shorter = loan.part(0, 0, 2);
  (void)shorter.host();
}

Task<float> awaited(const Kernel &step, const Tensor<float> &x, Tensor<float> y) {
  auto first = co_await step(x.read(), y.give());
  if (!first)
    co_return first.takeError();
  auto second = co_await step(x.read(), first->give());
  co_return second ? 1.0f : 0.0f;
}
