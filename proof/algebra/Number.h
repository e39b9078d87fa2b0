// Coefficients: exact rationals over 128 bits. Overflow is not an error here but a flag that the
// owner of the computation asks for (Pool::overflowed): a result that depends on it is not used.
#pragma once

#include <cstdint>
#include <string>

namespace imbrex::algebra {

using Integer = __int128;

struct Number {
  Integer numerator = 0;
  Integer denominator = 1; // > 0, lowest terms

  bool operator==(const Number &) const = default;
  bool isZero() const { return numerator == 0; }
  bool isOne() const { return numerator == 1 && denominator == 1; }
  bool isInteger() const { return denominator == 1; }
  std::string str() const;
};

inline std::string toText(Integer value) {
  if (value == 0)
    return "0";
  bool negative = value < 0;
  std::string digits;
  for (; value != 0; value /= 10)
    digits.insert(digits.begin(), char('0' + int(negative ? -(value % 10) : value % 10)));
  return (negative ? "-" : "") + digits;
}

inline std::string Number::str() const {
  return toText(numerator) + (denominator == 1 ? "" : "/" + toText(denominator));
}

inline Integer greatestCommonDivisor(Integer a, Integer b) {
  a = a < 0 ? -a : a;
  b = b < 0 ? -b : b;
  while (b != 0) {
    Integer rest = a % b;
    a = b;
    b = rest;
  }
  return a;
}

inline Integer multiplied(Integer a, Integer b, bool &overflow) {
  Integer result = 0;
  overflow |= __builtin_mul_overflow(a, b, &result);
  return result;
}

/// Lowest terms. The denominator is not zero.
inline Number makeNumber(Integer numerator, Integer denominator) {
  if (denominator == 0) // only after an overflow
    return {};
  if (denominator < 0) {
    numerator = -numerator;
    denominator = -denominator;
  }
  Integer divisor = greatestCommonDivisor(numerator, denominator);
  if (divisor > 1) {
    numerator /= divisor;
    denominator /= divisor;
  }
  return {numerator, denominator};
}

inline Number add(Number a, Number b, bool &overflow) {
  Integer x = multiplied(a.numerator, b.denominator, overflow);
  Integer y = multiplied(b.numerator, a.denominator, overflow), sum = 0;
  overflow |= __builtin_add_overflow(x, y, &sum);
  return makeNumber(sum, multiplied(a.denominator, b.denominator, overflow));
}

inline Number multiply(Number a, Number b, bool &overflow) {
  Integer numerator = multiplied(a.numerator, b.numerator, overflow);
  return makeNumber(numerator, multiplied(a.denominator, b.denominator, overflow));
}

inline Number reciprocal(Number a) { return makeNumber(a.denominator, a.numerator); }

/// Towards negative infinity, and towards zero.
inline Integer floorOf(Number a) {
  Integer quotient = a.numerator / a.denominator;
  return quotient - (a.numerator < 0 && a.numerator % a.denominator != 0 ? 1 : 0);
}
inline Integer truncated(Number a) { return a.numerator / a.denominator; }

} // namespace imbrex::algebra
