// Power of common tests, and the sample size that reaches a power. All from noncentral
// distributions; two-sided power counts both rejection regions.
//
// Every function gives the power in [0, 1], or NaN when its arguments make no sense (alpha outside
// (0, 1), n below 2). Sizes may be fractional: solveSize finds the real size at which the power is
// reached, and the next whole one.
#pragma once

#include "stats/procedures/TestResult.h"

#include <functional>
#include <optional>

namespace imbrex::stats {

/// One sample or pairs (d = mean difference / its standard deviation), n values.
double powerOneSampleT(double d, double n, double alpha, Alternative alternative);
/// Two independent groups of sizes n1 and n2, d over the common standard deviation.
double powerTwoSampleT(double d, double n1, double n2, double alpha, Alternative alternative);
/// One-way analysis of variance, k groups of n each, Cohen's f (standard deviation of means over
/// that within).
double powerAnova(double f, double k, double n, double alpha);
/// Pearson's correlation r against 0, n pairs: the t approximation of Cohen with Fisher's z and
/// bias term.
double powerCorrelation(double r, double n, double alpha, Alternative alternative);
/// Chi-square tests with `df`, effect w, n observations in all.
double powerChiSquare(double w, double n, double df, double alpha);
/// Two proportions, Cohen's h (arcsine difference), groups of n1 and n2.
double powerTwoProportions(double h, double n1, double n2, double alpha, Alternative alternative);
/// One proportion against a fixed one, Cohen's h, n observations.
double powerOneProportion(double h, double n, double alpha, Alternative alternative);

/// Cohen's h of two proportions.
double effectOfProportions(double p1, double p2);

struct SampleSize {
  double exact;   // at which the power is the one asked for
  int64_t whole;  // the smallest whole size with at least that power
  double reached; // its power
};

/// The size at which `power(size)`, increasing, reaches `wanted`; `least` is the smallest size that
/// makes sense. Nothing when it is not reached below 10^9.
std::optional<SampleSize> solveSize(const std::function<double(double)> &power, double wanted,
                                    double least = 2);

} // namespace imbrex::stats
