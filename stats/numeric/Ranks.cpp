#include "stats/numeric/Ranks.h"

#include <algorithm>

namespace imbrex::stats {

std::vector<double> Ranking::ranks() const {
  std::vector<double> result(doubled.size());
  for (size_t i = 0; i < doubled.size(); ++i)
    result[i] = rank(i);
  return result;
}

double Ranking::tieTerm() const {
  double sum = 0;
  for (int64_t t : ties) {
    double size = static_cast<double>(t);
    sum += size * (size - 1) * (size + 1);
  }
  return sum;
}

namespace {

struct Placed {
  double value;
  size_t index;
};

/// In increasing order. Values and places together: a sort of places alone misses the cache at each
/// comparison.
std::vector<Placed> sorted(std::span<const double> values) {
  std::vector<Placed> order(values.size());
  for (size_t i = 0; i < values.size(); ++i)
    order[i] = {values[i], i};
  std::sort(order.begin(), order.end(),
            [](const Placed &a, const Placed &b) { return a.value < b.value; });
  return order;
}

} // namespace

Ranking midranks(std::span<const double> values) {
  std::vector<Placed> order = sorted(values);
  Ranking ranking;
  ranking.doubled.resize(values.size());
  for (size_t first = 0; first < order.size();) {
    size_t end = first + 1;
    while (end < order.size() && order[end].value == order[first].value)
      ++end;
    // Ranks first+1 … end: twice their mean is first + 1 + end.
    for (size_t i = first; i < end; ++i)
      ranking.doubled[order[i].index] = static_cast<int64_t>(first + 1 + end);
    if (end - first > 1)
      ranking.ties.push_back(static_cast<int64_t>(end - first));
    first = end;
  }
  return ranking;
}

std::vector<double> mergeRoundoff(std::span<const double> values,
                                  std::span<const double> tolerances) {
  std::vector<Placed> order = sorted(values);
  std::vector<double> result(values.begin(), values.end());
  for (size_t i = 0; i < order.size(); ++i) {
    auto [value, at] = order[i];
    if (value <= tolerances[at]) {
      result[at] = 0;
      continue;
    }
    if (i == 0)
      continue;
    auto [smaller, before] = order[i - 1];
    if (value - smaller <= std::max(tolerances[at], tolerances[before]))
      result[at] = result[before];
  }
  return result;
}

} // namespace imbrex::stats
