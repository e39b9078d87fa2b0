// Element functions on host numbers: the defining arithmetic. Floats are doubles that hold a value
// of their dtype exactly; integers are int64, U64 by its bits.
#pragma once

#include "support/opmeaning/ElementFunctions.h"

#include <cmath>
#include <cstdint>
#include <limits>

namespace imbrex::opmeaning {

/// v rounded once, half to even, to a float type.
double roundTo(DType type, double v);
/// An integer of type `from` as a float of type `to`, rounded once.
double intToFloat(DType from, int64_t v, DType to);

using UnaryReal = double (*)(double);
using BinaryReal = double (*)(double, double);
/// The function over the reals (in double), before rounding; null when it does not take floats or
/// its result is Bool.
UnaryReal unaryReal(FnId fn);
BinaryReal binaryReal(FnId fn);
/// Functions from floats to Bool.
bool testReal(FnId fn, double a, double b);

/// Functions on integers and Bool; sets `undefined` for x/0 and leaves the result 0.
int64_t applyInteger(FnId fn, DType type, int64_t a, int64_t b, bool &undefined);
/// a < b in the order of the type.
bool integerLess(DType type, int64_t a, int64_t b);

/// NaN wins; the first of two NaN.
inline double maxReal(double a, double b) {
  return std::isnan(a) ? a : std::isnan(b) ? b : a < b ? b : a;
}
inline double minReal(double a, double b) {
  return std::isnan(a) ? a : std::isnan(b) ? b : b < a ? b : a;
}

/// The least and the greatest value of an integer type or Bool.
int64_t leastInteger(DType type);
int64_t greatestInteger(DType type);

} // namespace imbrex::opmeaning
