// Repeated measures split into orthogonal strata: subjects' means, and one stratum for each set of
// within factors.
#pragma once

#include "stats/procedures/anova/Repeated.h"
#include "stats/procedures/anova/Terms.h"

namespace imbrex::stats {

/// A set of within factors and every subject's scores on its contrasts.
struct Stratum {
  std::vector<std::string> names;
  Matrix scores;
  Matrix errors; // residual cross products
  double df = 0; // of the errors, per contrast
  double errorSquares = 0;
};

/// By the number of within factors; the first one has none. `terms` are those of the factors
/// between subjects.
std::vector<Stratum> strataOf(const RepeatedDesign &design, const std::vector<Term> &terms,
                              const std::vector<std::vector<double>> &scaled);

} // namespace imbrex::stats
