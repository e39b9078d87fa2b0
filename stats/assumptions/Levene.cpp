#include "stats/assumptions/Variances.h"
#include "stats/procedures/anova/OneWay.h"

#include <algorithm>
#include <cmath>

namespace imbrex::stats {
namespace {

double trimmedMean(std::vector<double> values) {
  size_t cut = values.size() / 10;
  std::sort(values.begin(), values.end());
  return momentsOf(std::span(values).subspan(cut, values.size() - 2 * cut)).mean;
}

double centreOf(const std::vector<double> &group, LeveneCentre centre) {
  switch (centre) {
  case LeveneCentre::Mean:
    return momentsOf(group).mean;
  case LeveneCentre::TrimmedMean:
    return trimmedMean(group);
  case LeveneCentre::Median:
    break;
  }
  return medianOf(group);
}

} // namespace

TestResult levene(const Groups &groups, LeveneCentre centre) {
  TestResult result;
  result.id = "levene";
  result.name = centre == LeveneCentre::Median ? "Levene's test (Brown-Forsythe)" : "Levene's test";
  result.method = centre == LeveneCentre::Mean     ? "distances from the means"
                  : centre == LeveneCentre::Median ? "distances from the medians"
                                                   : "distances from the 10 % trimmed means";
  if (!acceptManyGroups(result, groups, 1))
    return result;
  Groups distances = CommonScale(groups).scaled(groups);
  for (auto &group : distances) {
    double middle = centreOf(group, centre);
    for (double &x : group)
      x = std::fabs(x - middle);
  }
  TestResult f = oneWayF(distances);
  result.outcome = f.outcome;
  result.reason = f.outcome == Outcome::Undefined
                      ? "all values lie equally far from the centre of their group"
                      : f.reason;
  result.statistics = f.statistics;
  result.df = f.df;
  result.p = f.p;
  result.notes = f.notes;
  return result;
}

} // namespace imbrex::stats
