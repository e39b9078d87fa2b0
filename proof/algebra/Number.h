// Coefficients: exact rationals over 64 bits. Overflow is not an error here but a flag that the
// owner of the computation asks for (Pool::overflowed): a result that depends on it is not used.
#pragma once

#include <cstdint>
#include <numeric>
#include <string>

namespace imbrex::algebra {

struct Number {
  int64_t numerator = 0;
  int64_t denominator = 1; // > 0, lowest terms

  bool operator==(const Number &) const = default;
  bool isZero() const { return numerator == 0; }
  bool isOne() const { return numerator == 1 && denominator == 1; }
  bool isInteger() const { return denominator == 1; }
  std::string str() const {
    return std::to_string(numerator) + (denominator == 1 ? "" : "/" + std::to_string(denominator));
  }
};

/// Sets `overflow` and returns 0 when the result does not fit.
inline Number makeNumber(__int128 numerator, __int128 denominator, bool &overflow) {
  if (denominator < 0) {
    numerator = -numerator;
    denominator = -denominator;
  }
  __int128 a = numerator < 0 ? -numerator : numerator, b = denominator;
  while (b != 0) {
    __int128 rest = a % b;
    a = b;
    b = rest;
  }
  if (a > 1) {
    numerator /= a;
    denominator /= a;
  }
  if (numerator > INT64_MAX || numerator < -INT64_MAX || denominator > INT64_MAX) {
    overflow = true;
    return {};
  }
  return {int64_t(numerator), int64_t(denominator)};
}

inline Number add(Number a, Number b, bool &overflow) {
  if (a.denominator == 1 && b.denominator == 1)
    return makeNumber(__int128(a.numerator) + b.numerator, 1, overflow);
  // Each product is below 2^126, so is their sum's magnitude below 2^127.
  return makeNumber(__int128(a.numerator) * b.denominator + __int128(b.numerator) * a.denominator,
                    __int128(a.denominator) * b.denominator, overflow);
}

inline Number multiply(Number a, Number b, bool &overflow) {
  return makeNumber(__int128(a.numerator) * b.numerator, __int128(a.denominator) * b.denominator,
                    overflow);
}

inline bool less(Number a, Number b) {
  return __int128(a.numerator) * b.denominator < __int128(b.numerator) * a.denominator;
}

} // namespace imbrex::algebra
