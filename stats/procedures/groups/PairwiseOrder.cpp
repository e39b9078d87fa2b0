#include "stats/procedures/groups/PairwiseOrder.h"

#include <bit>
#include <cmath>
#include <numeric>

namespace imbrex::stats {
namespace {

/// Doubles in their order as integers.
int64_t toOrder(double x) {
  int64_t bits = std::bit_cast<int64_t>(x == 0 ? 0.0 : x);
  return bits < 0 ? INT64_MIN - bits : bits;
}
double fromOrder(int64_t order) {
  return std::bit_cast<double>(order < 0 ? INT64_MIN - order : order);
}

/// The smallest double with count(x) >= k; the count grows with x.
template <class Count> double smallestWith(double low, double high, int64_t k, Count count) {
  int64_t a = toOrder(low), b = toOrder(high);
  while (a < b) {
    int64_t middle = std::midpoint(a, b);
    middle -= middle == b; // midpoint rounds towards its first argument, except across zero
    if (count(fromOrder(middle)) >= k)
      b = middle;
    else
      a = middle + 1;
  }
  return fromOrder(b);
}

double halfSum(double a, double b) { return a / 2 + b / 2; }

} // namespace

double differenceAt(std::span<const double> first, std::span<const double> second, int64_t k) {
  // Differences grow with i and fall with j, rounded as they are: rounding is monotone.
  auto count = [&](double x) {
    int64_t total = 0;
    size_t j = 0; // second[j …] give differences <= x
    for (double a : first) {
      while (j < second.size() && a - second[j] > x)
        ++j;
      total += int64_t(second.size() - j);
    }
    return total;
  };
  return smallestWith(first.front() - second.back(), first.back() - second.front(), k, count);
}

double medianDifference(std::span<const double> first, std::span<const double> second) {
  int64_t pairs = int64_t(first.size()) * int64_t(second.size());
  double upper = differenceAt(first, second, pairs / 2 + 1);
  return pairs % 2 ? upper : halfSum(differenceAt(first, second, pairs / 2), upper);
}

double walshAverageAt(std::span<const double> values, int64_t k) {
  auto count = [&](double x) {
    int64_t total = 0;
    size_t j = values.size(); // values[0 … j) give averages <= x with values[i]
    for (size_t i = 0; i < values.size(); ++i) {
      while (j > 0 && halfSum(values[i], values[j - 1]) > x)
        --j;
      total += j > i ? int64_t(j - i) : 0;
    }
    return total;
  };
  return smallestWith(values.front(), values.back(), k, count);
}

double medianWalshAverage(std::span<const double> values) {
  int64_t n = int64_t(values.size()), pairs = n * (n + 1) / 2;
  double upper = walshAverageAt(values, pairs / 2 + 1);
  return pairs % 2 ? upper : halfSum(walshAverageAt(values, pairs / 2), upper);
}

} // namespace imbrex::stats
