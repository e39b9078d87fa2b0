// Pictures of data as analyses see them. Each returns a complete SVG document; values must be
// finite. At most 2,000 points are drawn in a picture (every k-th, which the picture says): boxes,
// lines and fits are those of all values.
#pragma once

#include "stats/numeric/Moments.h"
#include "stats/procedures/TestResult.h"

#include <optional>
#include <string>
#include <vector>

namespace imbrex::stats {

struct Labels {
  std::string title, x, y;
};

/// A box (quartiles, whiskers to the furthest value within 1.5 quartile distances) and every value
/// for each group, the mean as a diamond.
std::string boxAndStrip(const Groups &groups, const std::vector<std::string> &names,
                        const Labels &labels);
/// Pairs or repeated measures: one line a subject over the conditions, and the means.
/// conditions[j][subject].
std::string subjectLines(const Groups &conditions, const std::vector<std::string> &names,
                         const Labels &labels);
/// Values against normal quantiles, with the line through the quartiles.
std::string normalQuantiles(std::span<const double> values, const Labels &labels);
/// Points with the least-squares line and the band of its mean at the given level.
std::string scatterWithFit(std::span<const double> x, std::span<const double> y, double level,
                           const Labels &labels);
/// Means with their intervals by two factors: cells[i][j] are values of level i of the first, j of
/// the second.
std::string interactionPlot(const std::vector<Groups> &cells, const std::vector<std::string> &first,
                            const std::vector<std::string> &second, double level,
                            const Labels &labels, std::string_view secondName);
/// One bar a row, divided by the shares of the columns, with the counts. counts[row][column].
std::string shares(const std::vector<std::vector<double>> &counts,
                   const std::vector<std::string> &rows, const std::vector<std::string> &columns,
                   const Labels &labels);

} // namespace imbrex::stats
