#include "stats/numeric/Roots.h"
#include "stats/numeric/BoostPolicy.h"

#include <boost/math/tools/toms748_solve.hpp>

#include <cmath>
#include <numeric>

namespace imbrex::stats {

std::optional<double> findRoot(const std::function<double(double)> &f, double low, double high) {
  double atLow = f(low), atHigh = f(high);
  if (std::isnan(atLow) || std::isnan(atHigh))
    return std::nullopt;
  if (atLow == 0 || atHigh == 0)
    return atLow == 0 ? low : high;
  if ((atLow < 0) == (atHigh < 0))
    return std::nullopt;
  std::uintmax_t steps = 200;
  auto bracket = boost::math::tools::toms748_solve(f, low, high, atLow, atHigh,
                                                   boost::math::tools::eps_tolerance<double>(50),
                                                   steps, BoostPolicy());
  return std::midpoint(bracket.first, bracket.second);
}

std::optional<double> findRootAbove(const std::function<double(double)> &f, double low, double high,
                                    int doublings) {
  double atLow = f(low);
  for (int i = 0; i < doublings; ++i) {
    double atHigh = f(high);
    if (std::isnan(atHigh) || std::isinf(high))
      return std::nullopt;
    if (atHigh == 0 || (atLow < 0) != (atHigh < 0))
      return findRoot(f, low, high);
    double step = 2 * (high - low);
    low = high, atLow = atHigh;
    high += step;
  }
  return std::nullopt;
}

} // namespace imbrex::stats
