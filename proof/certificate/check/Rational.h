// Exact fractions over 128 bits. What does not fit makes the certificate unacceptable.
#pragma once

#include <string>

namespace imbrex::check {

/// Why a certificate is not accepted: thrown by every part of the checker, caught in check().
struct Rejection {
  std::string why;
};

struct Rational {
  __int128 over = 0, under = 1; // lowest terms, under > 0

  Rational(__int128 n = 0) : over(n) {}
  Rational(__int128 n, __int128 d);
  /// "-3/2" or "5".
  static Rational of(const std::string &text);
  std::string str() const;

  bool isInteger() const { return under == 1; }
  int sign() const { return over > 0 ? 1 : over < 0 ? -1 : 0; }
  Rational floor() const;
  bool operator==(const Rational &) const = default;
  Rational operator-() const { return {-over, under}; }
  Rational operator+(const Rational &b) const;
  Rational operator-(const Rational &b) const { return *this + -b; }
  Rational operator*(const Rational &b) const;
  Rational operator/(const Rational &b) const;
};

__int128 gcd(__int128 a, __int128 b);

} // namespace imbrex::check
