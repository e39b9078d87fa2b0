// What the tests of one, two and paired groups share: checks of their input, and standardised
// differences.
#pragma once

#include "stats/procedures/TestResult.h"

#include <span>

namespace imbrex::stats {

/// Options of the tests of location. `hypothesised` is the value (one sample) or difference (two)
/// of the null.
struct LocationOptions {
  double hypothesised = 0;
  double level = 0.95; // of all intervals
};

/// Fill in `n` and refuse what is not finite or has fewer than `least` values (in each group).
bool acceptSample(TestResult &result, std::span<const double> values, size_t least);
bool acceptGroups(TestResult &result, std::span<const double> first, std::span<const double> second,
                  size_t leastEach);

/// Adds Cohen's d (or `name`) = t * unit with its interval by the noncentral t distribution, and
/// Hedges' g, the same without the bias of small samples (exact gamma correction). `unit` turns a
/// noncentrality into an effect.
struct StandardizedDifference {
  std::string name;
  std::string correctedName;
  double t;
  double df;
  double unit;
  std::string method; // of the interval
};
void reportDifference(TestResult &result, const StandardizedDifference &d, double level);

/// Hedges' correction J(df) = Γ(df/2) / (sqrt(df/2) Γ((df-1)/2)).
double hedgesCorrection(double df);

/// t, p-values, and the estimate with its interval, from a difference and its standard error, in
/// data units. A standard error of 0 gives an infinite t, or Undefined when the difference is as
/// hypothesised.
struct StudentizedDifference {
  std::string estimateName;
  double estimate;   // in the data's units
  double difference; // from the hypothesis, in the same units as `error`
  double error;      // standard error in scaled units
  double errorInData;
  double df;
};
void reportStudentized(TestResult &result, const StudentizedDifference &d, double level);

} // namespace imbrex::stats
