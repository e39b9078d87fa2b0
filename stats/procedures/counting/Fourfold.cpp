#include "stats/procedures/counting/Fourfold.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <numbers>

namespace imbrex::stats {
namespace {

constexpr double negligible = 1e-18;
constexpr double equalProbability = 1 + 1e-7;

/// log(n!) - log(sqrt(2 pi n) (n/e)^n), n a whole number. The series is exact to double precision
/// from 16 on.
double stirlingError(double n) {
  if (n < 16) {
    static const auto table = [] {
      std::array<double, 16> errors{};
      long double logFactorial = 0;
      for (int i = 1; i < 16; ++i) {
        long double x = i;
        logFactorial += std::log(x);
        errors[static_cast<size_t>(i)] = static_cast<double>(
            logFactorial - 0.5L * std::log(2 * std::numbers::pi_v<long double> * x) -
            x * std::log(x) + x);
      }
      return errors;
    }();
    return table[static_cast<size_t>(n)];
  }
  double square = n * n;
  return (1. / 12 -
          (1. / 360 - (1. / 1260 - (1. / 1680 - 1. / 1188 / square) / square) / square) / square) /
         n;
}

/// x log(x / mean) + mean - x, without cancellation near x = mean.
double deviance(double x, double mean) {
  double difference = x - mean;
  if (std::abs(difference) < 0.1 * (x + mean)) {
    double v = difference / (x + mean), power = 2 * x * v, sum = difference * v;
    for (int j = 1; j < 1000; ++j) {
      power *= v * v;
      double next = sum + power / (2 * j + 1);
      if (next == sum)
        break;
      sum = next;
    }
    return sum;
  }
  return x * std::log(x / mean) + mean - x;
}

double logBinomial(double x, double n, double p) {
  if (x == 0)
    return n * std::log1p(-p);
  if (x == n)
    return n * std::log(p);
  double q = 1 - p;
  double exponent = stirlingError(n) - stirlingError(x) - stirlingError(n - x) -
                    deviance(x, n * p) - deviance(n - x, n * q);
  return exponent + 0.5 * std::log(n / (2 * std::numbers::pi * x * (n - x)));
}

/// Sum of the terms from `value` towards `step`, the first being 1, until they no longer count.
template <class Ratio> double tailSum(double value, double step, double end, const Ratio &ratio) {
  double term = 1, sum = 1;
  for (double x = value; x != end; x += step) {
    double factor = ratio(x, step);
    term *= factor;
    sum += term;
    if (term < negligible * sum && factor < 1)
      break;
  }
  return sum;
}

} // namespace

double Fourfold::least() const { return std::max(0.0, drawn - unmarked); }
double Fourfold::most() const { return std::min(drawn, marked); }
double Fourfold::mode() const {
  double guess = std::floor((drawn + 1) * ((marked + 1) / (marked + unmarked + 2)));
  return std::clamp(guess, least(), most());
}

double Fourfold::logProbability(double value) const {
  if (value < least() || value > most())
    return -std::numeric_limits<double>::infinity();
  double all = marked + unmarked;
  if (drawn == 0 || drawn == all || least() == most())
    return 0;
  // p is a power-of-two-free constant that cancels; drawn/all centres all three deviances.
  double p = drawn / all;
  return logBinomial(value, marked, p) + logBinomial(drawn - value, unmarked, p) -
         logBinomial(drawn, all, p);
}

double Fourfold::ratioUp(double value) const {
  return (marked - value) / (value + 1) * ((drawn - value) / (unmarked - drawn + value + 1));
}

namespace {
double tailFrom(const Fourfold &h, double value, double step) {
  double end = step > 0 ? h.most() : h.least();
  auto ratio = [&](double x, double s) { return s > 0 ? h.ratioUp(x) : 1 / h.ratioUp(x - 1); };
  return std::exp(h.logProbability(value)) * tailSum(value, step, end, ratio);
}
} // namespace

double Fourfold::atMost(double value) const {
  if (value >= most())
    return 1;
  if (value < least())
    return 0;
  // Sum the smaller side: the other would be a difference, or a walk over the whole range.
  return value > mode() ? 1 - tailFrom(*this, value + 1, 1) : tailFrom(*this, value, -1);
}

double Fourfold::atLeast(double value) const {
  if (value <= least())
    return 1;
  if (value > most())
    return 0;
  return value <= mode() ? 1 - tailFrom(*this, value - 1, -1) : tailFrom(*this, value, 1);
}

double Fourfold::asUnlikelyAs(double value) const {
  double centre = mode(), bound = logProbability(value) + std::log(equalProbability);
  if (bound >= logProbability(centre))
    return 1;
  bool above = value > centre;
  double here = above ? atLeast(value) : atMost(value);
  // The first value beyond the mode on the other side that is at most as probable, by bisection.
  double inner = centre, outer = above ? least() : most();
  if (logProbability(outer) > bound)
    return here;
  while (std::abs(outer - inner) > 1) {
    double middle = std::floor((outer + inner) / 2);
    (logProbability(middle) > bound ? inner : outer) = middle;
  }
  return std::min(1.0, here + (above ? atMost(outer) : atLeast(outer)));
}

double NoncentralFourfold::mode() const {
  // The largest x with ratioUp(x - 1) * odds >= 1; ratioUp decreases.
  double low = central.least(), high = central.most();
  while (low < high) {
    double middle = std::floor((low + high + 1) / 2);
    if (std::log(central.ratioUp(middle - 1)) + logOdds >= 0)
      low = middle;
    else
      high = middle - 1;
  }
  return low;
}

namespace {
struct Sums {
  double below = 0, above = 0,
         weighted = 0; // in units of the mode's probability, offset from the mode
};

/// One walk outwards from the mode; `split` decides where a term belongs: below counts x <= split.
Sums walk(const NoncentralFourfold &d, double split) {
  double centre = d.mode(), odds = std::exp(d.logOdds);
  Sums sums;
  auto add = [&](double x, double term) {
    (x <= split ? sums.below : sums.above) += term;
    sums.weighted += term * (x - centre);
  };
  add(centre, 1);
  double term = 1;
  // Terms count until they are negligible beside the smaller side, so that small tails stay
  // accurate.
  for (double x = centre; x < d.central.most(); ++x) {
    term *= d.central.ratioUp(x) * odds;
    add(x + 1, term);
    if (term < negligible * (x + 1 > split ? sums.above : sums.below) && x >= split)
      break;
    if (term == 0)
      break;
  }
  term = 1;
  for (double x = centre; x > d.central.least(); --x) {
    term /= d.central.ratioUp(x - 1) * odds;
    add(x - 1, term);
    if (term < negligible * (x - 1 > split ? sums.above : sums.below) && x - 1 <= split)
      break;
    if (term == 0)
      break;
  }
  return sums;
}
} // namespace

double NoncentralFourfold::mean() const {
  double centre = mode();
  Sums sums = walk(*this, centre);
  return centre + sums.weighted / (sums.below + sums.above);
}

double NoncentralFourfold::atMost(double value) const {
  if (value >= central.most())
    return 1;
  Sums sums = walk(*this, value);
  return sums.below / (sums.below + sums.above);
}

double NoncentralFourfold::atLeast(double value) const {
  if (value <= central.least())
    return 1;
  Sums sums = walk(*this, value - 1);
  return sums.above / (sums.below + sums.above);
}

} // namespace imbrex::stats
