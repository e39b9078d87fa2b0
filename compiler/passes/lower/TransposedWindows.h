// Gives a transposed convolution with strides the form of a dense one, by output phases.
//
//   y[o,j] = sum(c,k) where (j + p - k) mod s = 0 and … : x[c, (j + p - k) div s] * w[c,o,k]
// becomes
//   v[c,o,r,u] = r + s*(T-1-u) < K ? w[c, o, r + s*(T-1-u)] : 0            T = ceil(K / s)
//   z[o,r,q] = sum(c,u) where 0 <= q + u - (T-1) < X : x[c, q + u - (T-1)] * v[c,o,r,u]
//   y[o,j] = z[o, (j + p) mod s, (j + p) div s]
//
// so that windows with a stride of 1 read each element s times less often, and no term is there
// only to be left out; rows of the product are channels and phases. A term that was left out
// becomes a zero, which differs only where the other factor is not finite: the float contract's
// licence, as for products. Refuses: types other than f32, kernels of open sizes, and where it
// saves no terms (a kernel of one element, many dilated ones).
#pragma once

#include "support/opmeaning/Program.h"

namespace imbrex::lower {

/// Before padWindows, which then gives the windows their edge. All definitions must be in normal
/// form. Costs the copy of the kernels, which is made while compiling where these are constants,
/// and the reordering of the result, which fuses with what reads it.
void splitTransposedWindows(opmeaning::Program &program, const DimFacts &facts);

} // namespace imbrex::lower
