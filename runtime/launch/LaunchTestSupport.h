// Kernels in C++ with the contracts that a verifier would have written for them, for tests of the
// host side. They run under the thread sanitizer, which sees every access.
#pragma once

#include "runtime/launch/Launch.h"

namespace imbrex::launch::test {

/// c[n] = a[n] + b[n], in blocks of 4.
Kernel add();
/// y[n] = 2*x[n] + 1
Kernel step();
/// y[n] = 3*y[n] + x[n]: reads what it writes.
Kernel mix();
/// y[n] = x[m - 1 - n]; takes m >= n.
Kernel reversed();
/// y[n, k] = x[n, k] with rows apart: strides of x are [s, 1].
Kernel copyRows();
/// As step, but stops with a check when an x is negative.
Kernel careful();
/// As step, with a millisecond before each range of blocks.
Kernel slow();
/// y[n] = blocks; the size `blocks` follows from no operand.
Kernel persistent();

/// How often any of these kernels ran a range of blocks.
int64_t rangesRun();

} // namespace imbrex::launch::test
