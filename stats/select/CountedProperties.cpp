// Properties that only need counting.
#include "stats/select/Measure.h"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace imbrex::stats {
namespace {

using Names = std::vector<std::string>;

Evidence answer(bool holds, std::string text) {
  return {holds ? Answer::Holds : Answer::Fails, std::move(text), {}};
}

std::string shortText(double value) {
  char text[32];
  std::snprintf(text, sizeof text, value == std::floor(value) ? "%.0f" : "%.2f", value);
  return text;
}

Evidence observedCounts(const Situation &s, const Names &v, double) {
  if (s.variable(v[0]).continuous() || s.variable(v[1]).continuous())
    return {Answer::Undefined, "a numeric variable has no counts", {}};
  if (!s.hasData())
    return {};
  double least = HUGE_VAL;
  for (const auto &row : s.counts(v[0], v[1]))
    for (double count : row)
      least = std::min(least, count);
  return answer(least >= 5, "the least count is " + shortText(least));
}

/// Cochran's rule: no expected count under 1, and at most a fifth of them under 5; in a 2x2 table
/// none under 5.
Evidence expectedCounts(const Situation &s, const Names &v, double) {
  if (s.variable(v[0]).continuous() || s.variable(v[1]).continuous())
    return {Answer::Undefined, "a numeric variable has no counts", {}};
  if (!s.hasData())
    return {};
  std::vector<std::vector<double>> counts = s.counts(v[0], v[1]);
  std::vector<double> columns(counts.empty() ? 0 : counts[0].size());
  double total = 0;
  for (const auto &row : counts)
    for (size_t j = 0; j < row.size(); ++j) {
      columns[j] += row[j];
      total += row[j];
    }
  double least = HUGE_VAL;
  size_t small = 0, cells = 0;
  for (const auto &row : counts) {
    double sum = std::accumulate(row.begin(), row.end(), 0.0);
    for (double column : columns) {
      double expected = total > 0 ? sum * column / total : 0;
      least = std::min(least, expected);
      small += expected < 5;
      ++cells;
    }
  }
  bool enough = least >= 1 && (cells <= 4 ? small == 0 : small * 5 <= cells);
  return answer(enough, "the least expected count is " + shortText(least) + ", " +
                            std::to_string(small) + " of " + std::to_string(cells) +
                            " are under 5");
}

Evidence leastGroup(const std::vector<std::vector<double>> &groups) {
  size_t least = SIZE_MAX;
  for (const auto &group : groups)
    least = std::min(least, group.size());
  return answer(least >= 2 && least != SIZE_MAX,
                "the smallest holds " + std::to_string(least == SIZE_MAX ? 0 : least));
}

Evidence enoughValues(const Situation &s, const Names &v, double) {
  if (s.variable(v[0]).continuous())
    return {Answer::Undefined, "'" + v[0] + "' has no groups", {}};
  return s.hasData() ? leastGroup(s.groups(v[0], v[1])) : Evidence();
}

Evidence fullCells(const Situation &s, const Names &v, double) {
  Names xs(v.begin(), v.end() - 1);
  for (const std::string &x : xs)
    if (s.variable(x).continuous())
      return {Answer::Undefined, "'" + x + "' has no groups", {}};
  return s.hasData() ? leastGroup(s.cells(xs, v.back())) : Evidence();
}

} // namespace

const std::vector<NamedMeasurement> &countedProperties() {
  static const std::vector<NamedMeasurement> properties = {
      {"observed_counts_above_5", 2, observedCounts},
      {"expected_counts", 2, expectedCounts},
      {"enough_values", 2, enoughValues},
      {"full_cells", 2, fullCells},
  };
  return properties;
}

} // namespace imbrex::stats
