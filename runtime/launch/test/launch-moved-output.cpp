// An output that was given away is not launched again, and no operation or loan is used twice.
// clang-format off: a diagnostic stands on its line
#include "runtime/launch/Launch.h"
using namespace imbrex::launch;

void giveTwice(const Kernel &add, const Tensor<float> &a, const Tensor<float> &b, Tensor<float> c) {
  (void)add(a.read(), b.read(), c.give()).sync();
  (void)add(a.read(), b.read(), c.give()).sync(); // expected-error {{invalid invocation of method 'give' on object 'c' while it is in the 'consumed' state}}
}

void writeMoved(const Kernel &step, const Tensor<float> &x, Tensor<float> y) {
  Tensor<float> other = std::move(y);
  (void)step(x.read(), y.write()).sync(); // expected-error {{invalid invocation of method 'write' on object 'y' while it is in the 'consumed' state}}
  (void)other.values();
}

void readGiven(const Kernel &step, Tensor<float> x, Tensor<float> y) {
  (void)step(x.read(), y.give()).sync();
  (void)step(y.read(), x.give()).sync(); // expected-error {{invalid invocation of method 'read' on object 'y' while it is in the 'consumed' state}}
}

void syncTwice(const Kernel &step, const Tensor<float> &x, Tensor<float> y) {
  auto op = step(x.read(), y.give());
  (void)op.sync();
  (void)op.sync(); // expected-error {{invalid invocation of method 'sync' on object 'op' while it is in the 'consumed' state}}
}

void startAfterThen(const Kernel &step, const Tensor<float> &x, Tensor<float> y, Stream s) {
  auto op = step(x.read(), y.give());
  auto both = op.then([&](Tensor<float> z) { return step(x.read(), z.give()); });
  (void)op.start(s); // expected-error {{invalid invocation of method 'start' on object 'op' while it is in the 'consumed' state}}
  (void)both.start(s);
}

void lendTwice(const Kernel &step, const Tensor<float> &x, Tensor<float> y) {
  auto piece = y.write();
  (void)step(x.read(), piece.lend()).sync();
  (void)step(x.read(), piece.lend()).sync(); // expected-error {{invalid invocation of method 'lend' on object 'piece' while it is in the 'consumed' state}}
}

void hostAfterSplit(Tensor<float> y) {
  auto whole = y.write();
  auto halves = whole.split(0, 4);
  (void)whole.host(); // expected-error {{invalid invocation of method 'host' on object 'whole' while it is in the 'consumed' state}}
}
