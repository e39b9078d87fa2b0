#include "stats/procedures/categorical/CochranQ.h"

#include "stats/procedures/Tails.h"
#include "stats/procedures/effect/ChiSquaredInterval.h"

#include <algorithm>

namespace imbrex::stats {
namespace {

bool accept(TestResult &result, const std::vector<std::vector<int>> &answers) {
  if (answers.size() < 2) {
    result.refused("at least 2 measurements are needed");
    return false;
  }
  for (const std::vector<int> &measurement : answers) {
    if (measurement.size() != answers[0].size())
      result.refused("each subject needs all measurements");
    else if (std::any_of(measurement.begin(), measurement.end(),
                         [](int a) { return a != 0 && a != 1; }))
      result.refused("Cochran's Q needs answers with 2 categories");
  }
  if (result.defined() && answers[0].empty())
    result.refused("there are no subjects");
  return result.defined();
}

} // namespace

TestResult cochranQ(const std::vector<std::vector<int>> &answers, double level) {
  TestResult result{.id = "cochran_q", .name = "Cochran's Q test"};
  if (!accept(result, answers))
    return result;
  auto k = static_cast<double>(answers.size()), n = static_cast<double>(answers[0].size());
  double columnSquares = 0, rowSum = 0, rowSquares = 0, informative = 0;
  for (const std::vector<int> &measurement : answers) {
    auto yes = static_cast<double>(std::count(measurement.begin(), measurement.end(), 1));
    columnSquares += yes * yes;
  }
  for (size_t subject = 0; subject < answers[0].size(); ++subject) {
    double yes = 0;
    for (const std::vector<int> &measurement : answers)
      yes += measurement[subject];
    rowSum += yes;
    rowSquares += yes * yes;
    informative += yes > 0 && yes < k;
  }
  result.n = {{"subjects", n}, {"subjects whose answers differ", informative}};
  if (informative == 0)
    return result.undefined("no subject's answers differ between the measurements");
  double q = (k - 1) * (k * columnSquares - rowSum * rowSum) / (k * rowSum - rowSquares);
  result.statistics = {{"Q", q}};
  result.df = {{"df", k - 1}};
  result.p = chiSquaredTail(q, k - 1);
  result.method = "chi-square distribution";
  result.effects.push_back(
      {"eta squared", q / (n * (k - 1)), shareInterval(q, k - 1, n * (k - 1), level)});
  if (informative * k < 24)
    result.notes.push_back("few subjects' answers differ: the approximation is rough");
  return result;
}

} // namespace imbrex::stats
