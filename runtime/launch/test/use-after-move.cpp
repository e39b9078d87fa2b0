// A tensor that was moved or given away is used no more.
// clang-format off: a diagnostic stands on its line
#include "runtime/launch/Launch.h"
using namespace imbrex::launch;

void movedAway(Tensor<float> x) {
  Tensor<float> y = std::move(x);
  (void)x.values(); // expected-error {{invalid invocation of method 'values' on object 'x' while it is in the 'consumed' state}}
  (void)y.values();
}

void readAfterGiving(const Kernel &add, const Tensor<float> &a, Tensor<float> c) {
  auto sum = add(a.read(), a.read(), c.give());
  (void)c.values(); // expected-error {{invalid invocation of method 'values' on object 'c' while it is in the 'consumed' state}}
  (void)sum.sync();
}

void assignAfterGiving(const Kernel &step, const Tensor<float> &x, Tensor<float> y) {
  (void)step(x.read(), y.give()).sync();
  (void)y.assign({}); // expected-error {{invalid invocation of method 'assign' on object 'y' while it is in the 'consumed' state}}
}

void noTensor() {
  Tensor<float> none;
  (void)none.read(); // expected-error {{invalid invocation of method 'read' on object 'none' while it is in the 'consumed' state}}
}
