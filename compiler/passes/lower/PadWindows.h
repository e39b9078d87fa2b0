// Gives a window that reaches over its operand's edge a padded copy of the operand.
//
//   y[c,h,w] = sum(i,j) where 0 <= h+i-1 < H and … : x[c, h+i-1, w+j-1] * k[c,i,j]
// becomes
//   p[c,h,w] = 0 <= h-1 < H and … ? x[c, h-1, w-1] : 0
//   y[c,h,w] = sum(i,j) p[c, h+i, w+j] * k[c,i,j]
//
// so that the inner loop neither asks nor clamps and its loads are contiguous: it becomes vectors,
// whether it computes the window or is a product's. The copy is also the one place where a producer
// is fused. For sums, maxima and minima whose guard
// says nothing but that one read is in bounds; a left out term of a sum of products becomes a zero
// times the other factor, which differs only where that is not finite: the float contract's
// licence, as for products. Refuses: small windows' work, and copies that would be much larger than
// the operand.
#pragma once

#include "support/opmeaning/Program.h"

namespace imbrex::lower {

/// Before tileContractions: operands of products read the copy. All definitions must be in normal
/// form.
void padWindows(opmeaning::Program &program, const DimFacts &facts);

/// Recognises a padded copy by its form: p[j…] = guard ? x[j + low…] : constant.
bool isPadding(const opmeaning::Def &def);

} // namespace imbrex::lower
