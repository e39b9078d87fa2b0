// How far repeated measures are from sphericity, from the residual cross products of orthonormal
// contrasts.
#pragma once

#include "stats/numeric/LeastSquares.h"
#include "stats/procedures/TestResult.h"

namespace imbrex::stats {

struct Sphericity {
  double mauchlyW = 1; // NaN when there are fewer subjects than contrasts
  PValue mauchlyP;
  double greenhouseGeisser = 1;
  double huynhFeldt = 1; // at most 1
};

/// `errors` is p x p with `df` degrees of freedom. Mauchly's p by the second order expansion
/// (Anderson 1958, 10.7.3).
Sphericity sphericityOf(const Matrix &errors, double df);

} // namespace imbrex::stats
