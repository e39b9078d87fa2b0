#include "stats/procedures/association/PartialCorrelation.h"

#include "stats/numeric/Moments.h"
#include "stats/procedures/Tails.h"
#include "stats/procedures/association/Correlation.h"
#include "stats/procedures/association/Pearson.h"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace imbrex::stats {
namespace {

constexpr double dependent = 1e-10; // what is left of a column that the others determine

double norm(std::span<const double> v) {
  return std::sqrt(std::inner_product(v.begin(), v.end(), v.begin(), 0.0));
}

/// In units of its own spread: what is left of it must not be measured by its distance from zero.
std::vector<double> scaled(std::span<const double> values) {
  return CommonScale(values).scaled(values);
}

/// Orthonormal columns, the first spanning the constant.
class Basis {
public:
  explicit Basis(size_t n) : columns{std::vector<double>(n, 1 / std::sqrt(double(n)))} {}

  std::vector<double> residual(std::span<const double> values) const {
    std::vector<double> rest(values.begin(), values.end());
    for (int pass = 0; pass < 2; ++pass)
      for (const std::vector<double> &column : columns) {
        double share = std::inner_product(rest.begin(), rest.end(), column.begin(), 0.0);
        for (size_t i = 0; i < rest.size(); ++i)
          rest[i] -= share * column[i];
      }
    return rest;
  }

  /// Leaves out a column that the others determine.
  void add(std::span<const double> values) {
    std::vector<double> rest = residual(values);
    double length = norm(rest);
    if (length <= dependent * norm(values))
      return;
    for (double &value : rest)
      value /= length;
    columns.push_back(std::move(rest));
  }

  size_t covariates() const { return columns.size() - 1; }

private:
  std::vector<std::vector<double>> columns;
};

} // namespace

TestResult partialCorrelation(std::span<const double> x, std::span<const double> y,
                              const std::vector<std::vector<double>> &covariates, double level) {
  TestResult result{.id = "partial_corr", .name = "Partial correlation"};
  result.method = "Pearson's r of the residuals; t distribution; interval by Fisher's z";
  if (!acceptPairs(result, x, y, 3))
    return result;
  Basis basis(x.size());
  for (const std::vector<double> &covariate : covariates) {
    if (!acceptPairs(result, x, covariate, 3))
      return result;
    basis.add(scaled(covariate));
  }
  if (basis.covariates() < covariates.size())
    result.notes.push_back("covariates that others determine were left out");
  double n = static_cast<double>(x.size()), k = static_cast<double>(basis.covariates());
  if (n - 2 - k < 1)
    return result.refused("there are too few rows for this number of covariates");
  std::vector<double> ownX = scaled(x), ownY = scaled(y);
  std::vector<double> restX = basis.residual(ownX), restY = basis.residual(ownY);
  if (norm(restX) <= dependent * norm(ownX) || norm(restY) <= dependent * norm(ownY))
    return result.undefined("the covariates determine one of the variables");
  double r = correlationOf(restX, restY);
  testCorrelation(result, r, n - 2 - k);
  std::optional<Interval> interval;
  if (n - 3 - k > 0)
    interval = fisherInterval(r, 1 / std::sqrt(n - 3 - k), level, "Fisher's z");
  reportCorrelation(result, "partial r", r, interval);
  return result;
}

} // namespace imbrex::stats
