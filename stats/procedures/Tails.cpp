#include "stats/procedures/Tails.h"

#include "stats/numeric/Distributions.h"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace imbrex::stats {
namespace {

PValue fromLog(double value, double log) { return {value, log}; }

PValue doubled(double tail, double logTail) {
  return {std::min(1.0, 2 * tail), std::min(0.0, logTail + std::numbers::ln2)};
}

template <class Distribution> PValues symmetricTails(const Distribution &d, double statistic) {
  double distance = std::abs(statistic);
  PValues p;
  p.undirected = doubled(d.sf(distance), d.logSf(distance));
  p.greater = fromLog(d.sf(statistic), d.logSf(statistic));
  p.less = fromLog(d.cdf(statistic), d.logCdf(statistic));
  return p;
}

template <class Distribution> PValues upperTail(const Distribution &d, double statistic) {
  PValues p;
  p.undirected = statistic <= 0 ? PValue{1, 0} : fromLog(d.sf(statistic), d.logSf(statistic));
  return p;
}

bool allFinite(std::span<const double> values) {
  return std::all_of(values.begin(), values.end(), [](double v) { return std::isfinite(v); });
}

} // namespace

PValues normalTails(double z) { return symmetricTails(Normal{}, z); }
PValues studentTails(double t, double df) { return symmetricTails(StudentT{df}, t); }
PValues chiSquaredTail(double statistic, double df) { return upperTail(ChiSquared{df}, statistic); }
PValues fisherFTail(double statistic, double df1, double df2) {
  return upperTail(FisherF{df1, df2}, statistic);
}

PValues exactTails(double atMost, double atLeast) {
  PValues p;
  p.less = PValue::of(std::min(1.0, atMost));
  p.greater = PValue::of(std::min(1.0, atLeast));
  p.undirected = PValue::of(std::min(1.0, 2 * std::min(atMost, atLeast)));
  return p;
}

bool acceptPairs(TestResult &result, std::span<const double> x, std::span<const double> y,
                 size_t least) {
  result.n = {{"pairs", static_cast<double>(x.size())}};
  if (x.size() != y.size())
    result.refused("the two columns have " + std::to_string(x.size()) + " and " +
                   std::to_string(y.size()) + " values, but each value needs its partner");
  else if (!allFinite(x) || !allFinite(y))
    result.refused("a value is not finite");
  else if (x.size() < least)
    result.refused("there are " + std::to_string(x.size()) + " pairs, but at least " +
                   std::to_string(least) + " are needed");
  return result.defined();
}

bool isConstant(std::span<const double> values) {
  return std::all_of(values.begin(), values.end(), [&](double v) { return v == values[0]; });
}

} // namespace imbrex::stats
