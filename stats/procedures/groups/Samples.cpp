#include "stats/procedures/groups/Samples.h"

#include "stats/numeric/Distributions.h"
#include "stats/numeric/Moments.h"
#include "stats/numeric/NoncentralLimits.h"
#include "stats/procedures/Tails.h"

#include <cmath>
#include <limits>

namespace imbrex::stats {
namespace {

bool accept(TestResult &result, std::span<const double> values, size_t least,
            const std::string &who) {
  if (!allFinite(values))
    result.refused(who + " holds a value that is not finite");
  else if (values.size() < least)
    result.refused(who + " has " + std::to_string(values.size()) + " values, but at least " +
                   std::to_string(least) + " are needed");
  return result.defined();
}

} // namespace

bool acceptSample(TestResult &result, std::span<const double> values, size_t least) {
  result.n = {{"values", double(values.size())}};
  return accept(result, values, least, "the sample");
}

bool acceptGroups(TestResult &result, std::span<const double> first, std::span<const double> second,
                  size_t leastEach) {
  result.n = {{"first", double(first.size())}, {"second", double(second.size())}};
  return accept(result, first, leastEach, "the first group") &&
         accept(result, second, leastEach, "the second group");
}

double hedgesCorrection(double df) {
  if (df <= 1)
    return std::numeric_limits<double>::quiet_NaN();
  if (df > 1e4) // Γ(df/2) / Γ((df-1)/2) cancels; the series is good to the last bit here
    return 1 - 3 / (4 * df) * (1 + 7 / (24 * df));
  return std::exp(logGamma(df / 2) - std::log(df / 2) / 2 - logGamma((df - 1) / 2));
}

void reportDifference(TestResult &result, const StandardizedDifference &d, double level) {
  EffectSize effect{d.name, d.t * d.unit, {}, EffectDirection::FirstMinusSecond};
  auto limits = noncentralityOfT(d.t, d.df, level);
  if (limits)
    effect.interval =
        Interval{limits->first * d.unit, limits->second * d.unit, level, level, d.method};
  result.effects.push_back(effect);
  double correction = hedgesCorrection(d.df);
  if (std::isnan(correction) || !std::isfinite(effect.value))
    return;
  effect.name = d.correctedName;
  effect.value *= correction;
  if (effect.interval) {
    effect.interval->low *= correction;
    effect.interval->high *= correction;
  }
  result.effects.push_back(effect);
}

void reportStudentized(TestResult &result, const StudentizedDifference &d, double level) {
  result.df = {{"df", d.df}};
  result.estimate = Estimate{d.estimateName, d.estimate, {}};
  if (d.error == 0 && d.difference == 0) {
    result.undefined("the values do not vary and their difference is exactly the hypothesised one: "
                     "t would be 0/0");
    return;
  }
  double t = d.difference / d.error; // infinite when the error is 0
  if (d.error == 0)
    result.notes.push_back("the values do not vary within groups: t is infinite");
  result.statistics = {{"t", t}};
  result.p = studentTails(t, d.df);
  double reach = StudentT{d.df}.quantileUpper((1 - level) / 2) * d.errorInData;
  result.estimate->interval =
      Interval{d.estimate - reach, d.estimate + reach, level, level, "Student's t"};
}

} // namespace imbrex::stats
