// Tukey's HSD and the Games-Howell test: comparisons of means by the studentised range.
#include "stats/procedures/posthoc/PairStatistics.h"

#include "stats/numeric/StudentizedRange.h"

#include <cmath>
#include <numbers>

namespace imbrex::stats {
namespace {

/// q = |difference| / (error / sqrt 2), where error is that of the difference.
void rangeRow(ResultRow &row, double difference, double error, const StudentizedRange &range) {
  double q = std::abs(difference) / error * std::numbers::sqrt2;
  row.numbers = {{"q", q}, {"df", range.df}, {"raw p", std::nan("")}};
  if (!std::isnan(q))
    row.p.undirected = PValue::of(std::isinf(q) ? 0 : range.sf(q));
}

double halfWidth(double error, const StudentizedRange &range, double level) {
  return range.quantile(level) * error / std::numbers::sqrt2;
}

} // namespace

TestResult tukeyHsd(const NamedGroups &groups, double level) {
  TestResult result{.id = "tukey_hsd", .name = "Tukey's HSD"};
  result.method = "studentised range, Tukey-Kramer; intervals hold together";
  if (!acceptComparisons(result, groups, 1))
    return result;
  GroupMoments moments(groups.values);
  StudentizedRange range{static_cast<double>(groups.values.size()), moments.freedom()};
  if (range.df < 1)
    return result.refused("there are no more values than groups");
  double critical = halfWidth(1, range, level); // the same for all pairs
  compareAll(result, groups, [&](ResultRow &row, size_t i, size_t j) {
    double error = moments.pooledError(i, j);
    rangeRow(row, moments.difference(i, j), error, range);
    row.estimate = moments.estimate(i, j, critical * error, level, "Tukey-Kramer");
    row.effects = pairEffects(groups.values[i], groups.values[j], level);
  });
  return result;
}

TestResult gamesHowell(const NamedGroups &groups, double level) {
  TestResult result{.id = "games_howell", .name = "Games-Howell test"};
  result.method = "studentised range with Welch's degrees of freedom; intervals hold together";
  if (!acceptComparisons(result, groups, 2))
    return result;
  GroupMoments moments(groups.values);
  compareAll(result, groups, [&](ResultRow &row, size_t i, size_t j) {
    double error = moments.ownError(i, j);
    StudentizedRange range{static_cast<double>(groups.values.size()), moments.ownFreedom(i, j)};
    if (error == 0)
      range.df = moments.freedom();
    rangeRow(row, moments.difference(i, j), error, range);
    row.estimate = moments.estimate(i, j, halfWidth(error, range, level), level, "Games-Howell");
    row.effects = pairEffects(groups.values[i], groups.values[j], level);
  });
  return result;
}

} // namespace imbrex::stats
