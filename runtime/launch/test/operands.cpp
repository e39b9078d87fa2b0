// Operands say how they are lent.
// clang-format off: a diagnostic stands on its line
#include "runtime/launch/Launch.h"
using namespace imbrex::launch;

// expected-note@* 0+ {{}}
void bareTensor(const Kernel &step, Tensor<float> x, Tensor<float> y) {
  (void)step(x.read(), std::move(y)); // expected-error@runtime/launch/Kernel.h:* {{operands are loans: x.read(), x.write() or x.give()}}
}
