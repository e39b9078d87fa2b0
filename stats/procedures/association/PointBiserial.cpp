#include "stats/procedures/association/PointBiserial.h"

#include "stats/procedures/association/Pearson.h"

#include <vector>

namespace imbrex::stats {

TestResult pointBiserial(std::span<const double> first, std::span<const double> second,
                         double level) {
  std::vector<double> values(first.begin(), first.end()), codes(first.size(), 0.0);
  values.insert(values.end(), second.begin(), second.end());
  codes.resize(values.size(), 1.0);
  TestResult result;
  if (!first.empty() && !second.empty())
    result = pearson(values, codes, level);
  result.id = "pointbiserial_corr";
  result.name = "Point-biserial correlation";
  result.n = {{"first group", static_cast<double>(first.size())},
              {"second group", static_cast<double>(second.size())}};
  if (first.empty() || second.empty())
    return result.refused(first.empty() ? "the first group is empty" : "the second group is empty");
  if (!result.defined() && result.outcome == Outcome::Undefined)
    result.reason = "all measurements are equal, so a correlation has no value";
  for (EffectSize &effect : result.effects)
    effect.name = "point-biserial r";
  if (result.estimate)
    result.estimate->name = "point-biserial r";
  result.notes.push_back("positive: the second category has the larger values");
  return result;
}

} // namespace imbrex::stats
