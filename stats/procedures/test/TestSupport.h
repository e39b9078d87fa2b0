// Comparisons for tests of statistical procedures: numbers as printed in tables, and splitting of
// columns.
#pragma once

#include "stats/procedures/TestResult.h"

#include <cmath>
#include <gtest/gtest.h>
#include <span>
#include <vector>

namespace imbrex::stats {

/// `expected` was printed with about 7 digits: relative error at most `tolerance`.
inline void expectNumber(double expected, double actual, double tolerance, const char *what,
                         int line) {
  if (expected == 0 || !std::isfinite(expected))
    EXPECT_EQ(actual, expected) << what << ", line " << line;
  else
    EXPECT_LE(std::fabs(actual / expected - 1), tolerance)
        << what << " = " << actual << " instead of " << expected << ", line " << line;
}

#define EXPECT_NUMBER(expected, actual) expectNumber(expected, actual, 2e-6, #actual, __LINE__)
#define EXPECT_DIGITS(expected, actual, tolerance)                                                 \
  expectNumber(expected, actual, tolerance, #actual, __LINE__)

inline std::vector<double> part(const std::vector<double> &values, size_t from, size_t count) {
  return {values.begin() + from, values.begin() + from + count};
}

inline std::vector<double> where(const std::vector<double> &values,
                                 const std::vector<double> &group, double wanted) {
  std::vector<double> result;
  for (size_t i = 0; i < values.size(); ++i)
    if (group[i] == wanted)
      result.push_back(values[i]);
  return result;
}

} // namespace imbrex::stats
