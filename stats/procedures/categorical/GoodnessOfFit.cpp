#include "stats/procedures/categorical/GoodnessOfFit.h"

#include "stats/procedures/Tails.h"
#include "stats/procedures/effect/ChiSquaredInterval.h"

#include <cmath>
#include <numeric>
#include <vector>

namespace imbrex::stats {
namespace {

std::string nameOf(std::span<const std::string> names, size_t index) {
  return index < names.size() ? "'" + names[index] + "'" : std::to_string(index + 1);
}

bool accept(TestResult &result, std::span<const int64_t> counts,
            std::span<const double> proportions, std::span<const std::string> names) {
  int64_t total = 0;
  for (size_t i = 0; i < counts.size(); ++i) {
    if (counts[i] < 0 || counts[i] > (int64_t{1} << 50)) {
      result.refused("the count of category " + nameOf(names, i) + " is out of range");
      return false;
    }
    total += counts[i];
    if (i < proportions.size() && !(proportions[i] > 0)) {
      result.refused("the proportion of category " + nameOf(names, i) + " is not positive");
      return false;
    }
  }
  result.n = {{"observations", static_cast<double>(total)}};
  if (counts.size() < 2)
    result.refused("at least 2 categories are needed");
  else if (proportions.size() != counts.size())
    result.refused("there are " + std::to_string(counts.size()) + " categories, but " +
                   std::to_string(proportions.size()) + " proportions");
  else if (total == 0)
    result.refused("there are no counts");
  else if (std::abs(std::accumulate(proportions.begin(), proportions.end(), 0.0) - 1) > 1e-8)
    result.refused("the proportions do not sum to 1");
  return result.defined();
}

} // namespace

TestResult goodnessOfFit(std::span<const int64_t> counts, std::span<const double> proportions,
                         std::span<const std::string> names, FitStatistic statistic, double level) {
  TestResult result{.id = "goodness_of_fit", .name = "Chi-square test of goodness of fit"};
  std::vector<double> equal(counts.size(), 1.0 / static_cast<double>(counts.size()));
  if (proportions.empty())
    proportions = equal;
  if (!accept(result, counts, proportions, names))
    return result;
  double n = result.n[0].value, chiSquare = 0, ratio = 0;
  size_t small = 0;
  ResultTable shown{.title = "expected counts"};
  for (size_t i = 0; i < counts.size(); ++i) {
    double expected = n * proportions[i], count = static_cast<double>(counts[i]);
    chiSquare += (count - expected) * ((count - expected) / expected);
    ratio += count > 0 ? 2 * count * std::log(count / expected) : 0;
    small += expected < 5;
    shown.rows.push_back(
        {.name = nameOf(names, i), .numbers = {{"observed", count}, {"expected", expected}}});
  }
  bool pearson = statistic == FitStatistic::Pearson;
  double df = static_cast<double>(counts.size()) - 1,
         value = pearson ? chiSquare : std::max(ratio, 0.0);
  result.statistics = {{pearson ? "chi-square" : "G", value}};
  result.df = {{"df", df}};
  result.p = chiSquaredTail(value, df);
  result.method = pearson ? "chi-square distribution" : "likelihood ratio, chi-square distribution";
  result.effects.push_back(
      {"Cohen's w", std::sqrt(chiSquare / n), rootInterval(chiSquare, df, n, level, HUGE_VAL)});
  if (small > 0)
    result.notes.push_back(std::to_string(small) + " expected counts are below 5");
  result.tables.push_back(std::move(shown));
  return result;
}

} // namespace imbrex::stats
