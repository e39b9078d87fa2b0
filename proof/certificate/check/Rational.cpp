#include "proof/certificate/check/Rational.h"

#include <limits>

namespace imbrex::check {

__int128 gcd(__int128 a, __int128 b) {
  a = a < 0 ? -a : a;
  b = b < 0 ? -b : b;
  while (b != 0) {
    __int128 rest = a % b;
    a = b;
    b = rest;
  }
  return a;
}

// The least number has no opposite, so it does not count as one.
static __int128 checked(bool overflows, const __int128 &result) {
  if (overflows || result == std::numeric_limits<__int128>::min())
    throw Rejection{"a number is too large"};
  return result;
}
static __int128 times(__int128 a, __int128 b) {
  __int128 result;
  return checked(__builtin_mul_overflow(a, b, &result), result);
}
static __int128 plus(__int128 a, __int128 b) {
  __int128 result;
  return checked(__builtin_add_overflow(a, b, &result), result);
}

Rational::Rational(__int128 n, __int128 d) : over(n), under(d) {
  if (under == 0)
    throw Rejection{"a number is divided by zero"};
  if (under < 0) {
    over = -over;
    under = -under;
  }
  if (__int128 common = gcd(over, under); common > 1) {
    over /= common;
    under /= common;
  }
}

Rational Rational::of(const std::string &text) {
  __int128 parts[2] = {0, 1};
  size_t at = 0, digits = 0;
  bool negative = at < text.size() && text[at] == '-';
  at += negative;
  for (int part = 0; part < 2; ++part, digits = 0) {
    parts[part] = 0;
    for (; at < text.size() && text[at] >= '0' && text[at] <= '9'; ++at, ++digits)
      parts[part] = plus(times(parts[part], 10), text[at] - '0');
    if (digits == 0)
      throw Rejection{"'" + text + "' is no number"};
    if (at == text.size()) {
      parts[1] = part == 0 ? 1 : parts[1];
      break;
    }
    if (part == 1 || text[at++] != '/')
      throw Rejection{"'" + text + "' is no number"};
  }
  return {negative ? -parts[0] : parts[0], parts[1]};
}

std::string Rational::str() const {
  auto digits = [](__int128 n) {
    std::string text;
    bool negative = n < 0;
    do {
      text.insert(text.begin(), char('0' + int(negative ? -(n % 10) : n % 10)));
      n /= 10;
    } while (n != 0);
    return (negative ? "-" : "") + text;
  };
  return digits(over) + (under == 1 ? "" : "/" + digits(under));
}

Rational Rational::floor() const {
  __int128 quotient = over / under;
  return quotient - (over < 0 && over % under != 0 ? 1 : 0);
}

Rational Rational::operator+(const Rational &b) const {
  return {plus(times(over, b.under), times(b.over, under)), times(under, b.under)};
}
Rational Rational::operator*(const Rational &b) const {
  return {times(over, b.over), times(under, b.under)};
}
Rational Rational::operator/(const Rational &b) const {
  return {times(over, b.under), times(under, b.over)};
}

} // namespace imbrex::check
