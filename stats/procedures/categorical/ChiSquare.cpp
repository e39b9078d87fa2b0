#include "stats/procedures/categorical/ChiSquare.h"

#include "stats/procedures/Tails.h"
#include "stats/procedures/effect/ChiSquaredInterval.h"

#include <algorithm>
#include <cmath>

namespace imbrex::stats {
namespace {

double statisticWith(const ContingencyTable &table, Yates yates) {
  std::vector<double> expected = table.expected();
  double sum = 0;
  for (size_t i = 0; i < expected.size(); ++i) {
    double distance = std::abs(static_cast<double>(table.counts.counts[i]) - expected[i]);
    if (yates == Yates::Capped)
      distance -= std::min(0.5, distance);
    else if (yates == Yates::Full)
      distance -= 0.5;
    sum += distance * (distance / expected[i]);
  }
  return sum;
}

double likelihoodRatio(const ContingencyTable &table) {
  std::vector<double> expected = table.expected();
  double sum = 0;
  for (size_t i = 0; i < expected.size(); ++i)
    if (auto count = static_cast<double>(table.counts.counts[i]); count > 0)
      sum += count * std::log(count / expected[i]);
  return 2 * std::max(sum, 0.0);
}

double freedomOf(const ContingencyTable &table) {
  return static_cast<double>((table.counts.rows - 1) * (table.counts.columns - 1));
}

/// The table of expected counts, and a warning when they are small.
void reportExpected(TestResult &result, const ContingencyTable &table) {
  std::vector<double> expected = table.expected();
  ResultTable shown{.title = "expected counts"};
  for (size_t row = 0; row < table.counts.rows; ++row) {
    ResultRow line{.name = table.rowNames.empty() ? table.rowName(row) : table.rowNames[row]};
    for (size_t column = 0; column < table.counts.columns; ++column)
      line.numbers.push_back(
          {table.columnNames.empty() ? table.columnName(column) : table.columnNames[column],
           expected[row * table.counts.columns + column]});
    shown.rows.push_back(std::move(line));
  }
  result.tables.push_back(std::move(shown));
  auto small = std::count_if(expected.begin(), expected.end(), [](double e) { return e < 5; });
  if (small > 0)
    result.notes.push_back(std::to_string(small) + " of " + std::to_string(expected.size()) +
                           " expected counts are below 5: prefer Fisher's exact test");
}

} // namespace

double chiSquareOf(const ContingencyTable &table) { return statisticWith(table, Yates::None); }

void addAssociationEffects(TestResult &result, const ContingencyTable &table, double level) {
  double chiSquare = chiSquareOf(table), n = static_cast<double>(table.counts.total());
  auto rows = static_cast<double>(table.counts.rows);
  auto columns = static_cast<double>(table.counts.columns);
  double df = freedomOf(table), scale = n * (std::min(rows, columns) - 1);
  auto shared = rootInterval(chiSquare, df, scale, level);
  result.effects.push_back({"Cramer's V", std::min(1.0, std::sqrt(chiSquare / scale)), shared});
  if (n > 1) {
    double share = std::max(0.0, chiSquare / n - df / (n - 1));
    double lessRows = rows - (rows - 1) * (rows - 1) / (n - 1);
    double lessColumns = columns - (columns - 1) * (columns - 1) / (n - 1);
    double most = std::min(lessRows, lessColumns) - 1;
    if (most > 0)
      result.effects.push_back(
          {"bias-corrected V", std::sqrt(std::min(1.0, share / most)), shared});
  }
  if (!table.fourfold())
    return;
  const CountTable &c = table.counts;
  double sign = static_cast<double>(c.at(0, 0)) * static_cast<double>(c.at(1, 1)) <
                        static_cast<double>(c.at(0, 1)) * static_cast<double>(c.at(1, 0))
                    ? -1
                    : 1;
  auto interval = rootInterval(chiSquare, df, n, level);
  if (interval && sign < 0)
    interval = Interval{-interval->high, -interval->low, level, level, interval->method};
  result.effects.push_back({"phi", sign * std::min(1.0, std::sqrt(chiSquare / n)), interval,
                            EffectDirection::FirstMinusSecond});
}

TestResult chiSquareIndependence(const ContingencyTable &table, Yates yates, double level) {
  TestResult result{.id = "chi_square", .name = "Chi-square test of independence"};
  if (!acceptTable(result, table, EmptyMargins::Refuse))
    return result;
  Yates used = table.fourfold() ? yates : Yates::None;
  double statistic = statisticWith(table, used), df = freedomOf(table);
  result.method = used == Yates::None     ? "chi-square distribution, no continuity correction"
                  : used == Yates::Capped ? "chi-square distribution, Yates' correction, capped"
                                          : "chi-square distribution, Yates' correction";
  result.statistics = {{"chi-square", statistic}};
  if (used != Yates::None)
    result.statistics.push_back({"chi-square without correction", chiSquareOf(table)});
  result.df = {{"df", df}};
  result.p = chiSquaredTail(statistic, df);
  addAssociationEffects(result, table, level);
  reportExpected(result, table);
  return result;
}

TestResult gTestIndependence(const ContingencyTable &table, double level) {
  TestResult result{.id = "g_test", .name = "G test of independence"};
  if (!acceptTable(result, table, EmptyMargins::Refuse))
    return result;
  double statistic = likelihoodRatio(table), df = freedomOf(table);
  result.method = "likelihood ratio, chi-square distribution";
  result.statistics = {{"G", statistic}};
  result.df = {{"df", df}};
  result.p = chiSquaredTail(statistic, df);
  addAssociationEffects(result, table, level);
  reportExpected(result, table);
  return result;
}

} // namespace imbrex::stats
