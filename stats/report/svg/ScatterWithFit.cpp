#include "stats/report/svg/Common.h"

#include "stats/numeric/Distributions.h"

#include <cmath>

namespace imbrex::stats {
namespace {

struct Fit {
  double meanX, meanY, slope, deviation, squaresX, n;

  double at(double x) const { return meanY + slope * (x - meanX); }
  double half(double x, double level) const {
    double error = deviation * std::sqrt(1 / n + (x - meanX) * (x - meanX) / squaresX);
    return StudentT{n - 2}.quantileUpper((1 - level) / 2) * error;
  }
};

Fit fitOf(std::span<const double> x, std::span<const double> y) {
  Moments mx = momentsOf(x), my = momentsOf(y);
  double products = 0;
  for (size_t i = 0; i < x.size(); ++i)
    products += (x[i] - mx.mean) * (y[i] - my.mean);
  double slope = products / mx.squares, n = static_cast<double>(x.size());
  double rest = std::max(0.0, my.squares - slope * products);
  return {mx.mean, my.mean, slope, std::sqrt(rest / (n - 2)), mx.squares, n};
}

} // namespace

std::string scatterWithFit(std::span<const double> x, std::span<const double> y, double level,
                           const Labels &labels) {
  Canvas canvas(420, 320, labels.title);
  Range rangeX = Range::of(x), rangeY = Range::of(y);
  bool fitted = x.size() > 2 && rangeX.high > rangeX.low;
  Fit fit = fitted ? fitOf(x, y) : Fit{};
  fitted &= std::isfinite(fit.slope) && std::isfinite(fit.deviation); // squares may overflow
  constexpr int steps = 40;
  std::vector<double> grid, low, high;
  for (int i = 0; fitted && i <= steps; ++i) {
    grid.push_back(rangeX.low + (rangeX.high - rangeX.low) * i / steps);
    double half = fit.half(grid.back(), level);
    low.push_back(fit.at(grid.back()) - half);
    high.push_back(fit.at(grid.back()) + half);
    rangeY.include(low.back());
    rangeY.include(high.back());
  }
  Frame frame(canvas, rangeY.padded(), labels.y);
  frame.numbersBelow(rangeX.padded(), labels.x);
  if (fitted) {
    std::vector<Point> band;
    for (size_t i = 0; i < grid.size(); ++i)
      band.push_back({frame.x(grid[i]), frame.y(high[i])});
    for (size_t i = grid.size(); i-- > 0;)
      band.push_back({frame.x(grid[i]), frame.y(low[i])});
    canvas.polygon(band, "band");
    canvas.line({frame.x(rangeX.low), frame.y(fit.at(rangeX.low))},
                {frame.x(rangeX.high), frame.y(fit.at(rangeX.high))}, "fit");
  }
  size_t stride = strideOf(x.size());
  for (size_t i = 0; i < x.size(); i += stride)
    canvas.circle({frame.x(x[i]), frame.y(y[i])}, 3, "dot");
  mentionStride(canvas, stride);
  return canvas.finish();
}

} // namespace imbrex::stats
