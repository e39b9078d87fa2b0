// What several pictures share.
#pragma once

#include "stats/report/svg/Frame.h"
#include "stats/report/svg/Pictures.h"

namespace imbrex::stats {

inline constexpr size_t mostPoints = 2000;

/// Every how many-th value is drawn.
size_t strideOf(size_t values);
/// Says so in the picture when not all are drawn.
void mentionStride(Canvas &canvas, size_t stride);

/// Quantile of sorted values by linear interpolation (R's type 7).
double quantileOfSorted(std::span<const double> sorted, double p);

/// The mean's interval by Student's t: half its width; 0 for fewer than two values.
double halfInterval(const Moments &moments, double level);

void diamond(Canvas &canvas, Point centre, double radius);

} // namespace imbrex::stats
