// An operation that is dropped does nothing, and the compiler says so; so it does of a result.
// clang-format off: a diagnostic stands on its line
#include "runtime/launch/Launch.h"
using namespace imbrex::launch;

void dropOperation(const Kernel &step, const Tensor<float> &x, Tensor<float> y) {
  step(x.read(), y.write()); // expected-error {{ignoring return value of type 'Operation<imbrex::launch::Done>' declared with 'nodiscard' attribute: an operation does nothing until it is started}}
}

void dropResult(const Kernel &step, const Tensor<float> &x, Tensor<float> y) {
  step(x.read(), y.write()).sync(); // expected-error {{ignoring return value of type}}
}

void dropLoan(Tensor<float> y) {
  y.write(); // expected-error {{ignoring return value of type}}
  y.give();  // expected-error {{ignoring return value of type}}
}
