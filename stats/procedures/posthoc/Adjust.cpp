#include "stats/procedures/posthoc/Adjust.h"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace imbrex::stats {
namespace {

/// The factor of the p-value with `rank` (from 1, smallest first) among `m`.
double factor(Adjustment adjustment, double rank, double m) {
  switch (adjustment) {
  case Adjustment::None:
    return 1;
  case Adjustment::Bonferroni:
    return m;
  case Adjustment::Holm:
  case Adjustment::Hochberg:
    return m - rank + 1;
  case Adjustment::BenjaminiHochberg:
    return m / rank;
  case Adjustment::BenjaminiYekutieli: {
    double harmonic = 0;
    for (double i = m; i >= 1; --i)
      harmonic += 1 / i;
    return harmonic * m / rank;
  }
  }
  return 1;
}

bool stepsUp(Adjustment adjustment) {
  return adjustment == Adjustment::Hochberg || adjustment == Adjustment::BenjaminiHochberg ||
         adjustment == Adjustment::BenjaminiYekutieli;
}

} // namespace

std::string_view nameOf(Adjustment adjustment) {
  switch (adjustment) {
  case Adjustment::None:
    return "unadjusted";
  case Adjustment::Bonferroni:
    return "Bonferroni";
  case Adjustment::Holm:
    return "Holm";
  case Adjustment::Hochberg:
    return "Hochberg";
  case Adjustment::BenjaminiHochberg:
    return "Benjamini-Hochberg";
  case Adjustment::BenjaminiYekutieli:
    return "Benjamini-Yekutieli";
  }
  return {};
}

std::vector<double> adjustPValues(std::span<const double> p, Adjustment adjustment) {
  std::vector<size_t> order;
  for (size_t i = 0; i < p.size(); ++i)
    if (!std::isnan(p[i]))
      order.push_back(i);
  std::sort(order.begin(), order.end(), [&](size_t a, size_t b) { return p[a] < p[b]; });
  std::vector<double> result(p.size(), std::nan(""));
  auto m = static_cast<double>(order.size());
  // BY's harmonic sum is the same for all ranks; factors are monotone, so one running extreme keeps
  // the order.
  double common = adjustment == Adjustment::BenjaminiYekutieli ? factor(adjustment, 1, m) / m : 1;
  Adjustment form =
      adjustment == Adjustment::BenjaminiYekutieli ? Adjustment::BenjaminiHochberg : adjustment;
  double running = stepsUp(adjustment) ? 1 : 0;
  for (size_t step = 0; step < order.size(); ++step) {
    size_t rank = stepsUp(adjustment) ? order.size() - step : step + 1;
    size_t index = order[rank - 1];
    double adjusted = common * factor(form, static_cast<double>(rank), m) * p[index];
    running = stepsUp(adjustment) ? std::min(running, adjusted) : std::max(running, adjusted);
    result[index] = std::min(1.0, running);
  }
  return result;
}

} // namespace imbrex::stats
