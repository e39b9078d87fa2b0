#include "stats/numeric/Ranks.h"

#include <algorithm>
#include <numeric>

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

Ranking midranks(std::span<const double> values) {
  std::vector<size_t> order(values.size());
  std::iota(order.begin(), order.end(), size_t{0});
  std::sort(order.begin(), order.end(), [&](size_t a, size_t b) { return values[a] < values[b]; });
  Ranking ranking;
  ranking.doubled.resize(values.size());
  for (size_t first = 0; first < order.size();) {
    size_t end = first + 1;
    while (end < order.size() && values[order[end]] == values[order[first]])
      ++end;
    // Ranks first+1 … end: twice their mean is first + 1 + end.
    for (size_t i = first; i < end; ++i)
      ranking.doubled[order[i]] = static_cast<int64_t>(first + 1 + end);
    if (end - first > 1)
      ranking.ties.push_back(static_cast<int64_t>(end - first));
    first = end;
  }
  return ranking;
}

std::vector<double> mergeRoundoff(std::span<const double> values,
                                  std::span<const double> tolerances) {
  std::vector<size_t> order(values.size());
  std::iota(order.begin(), order.end(), size_t{0});
  std::sort(order.begin(), order.end(), [&](size_t a, size_t b) { return values[a] < values[b]; });
  std::vector<double> result(values.begin(), values.end());
  for (size_t i = 0; i < order.size(); ++i) {
    size_t at = order[i];
    if (values[at] <= tolerances[at]) {
      result[at] = 0;
      continue;
    }
    if (i == 0)
      continue;
    size_t before = order[i - 1];
    double tolerance = std::max(tolerances[at], tolerances[before]);
    if (values[at] - values[before] <= tolerance)
      result[at] = result[before];
  }
  return result;
}

} // namespace imbrex::stats
