#include "stats/numeric/LeastSquares.h"

#include "stats/numeric/Moments.h"

#include <Eigen/Core>
#include <Eigen/SVD>

#include <algorithm>
#include <cmath>
#include <limits>

namespace imbrex::stats {
namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();

void subtract(std::span<double> y, double factor, std::span<const double> x) {
  for (size_t i = 0; i < y.size(); ++i)
    y[i] -= factor * x[i];
}

/// The length without overflow or underflow.
double length(std::span<const double> x) {
  double largest = 0;
  for (double v : x)
    largest = std::max(largest, std::fabs(v));
  if (largest == 0 || std::isinf(largest))
    return largest;
  int exponent = 0;
  std::frexp(largest, &exponent);
  if (std::abs(exponent) < 400)
    return std::sqrt(dot(x, x));
  Sum sum;
  for (double v : x) {
    double scaled = std::ldexp(v, -exponent);
    sum.add(scaled * scaled);
  }
  return std::ldexp(std::sqrt(sum.value()), exponent);
}

} // namespace

void Matrix::append(std::span<const double> column) {
  height = column.size();
  ++width;
  data.insert(data.end(), column.begin(), column.end());
}

double dot(std::span<const double> a, std::span<const double> b) {
  // Four partial sums: quick, and less rounding than one.
  double sums[4] = {};
  size_t i = 0;
  for (; i + 4 <= a.size(); i += 4)
    for (size_t lane = 0; lane < 4; ++lane)
      sums[lane] += a[i + lane] * b[i + lane];
  for (; i < a.size(); ++i)
    sums[0] += a[i] * b[i];
  return (sums[0] + sums[1]) + (sums[2] + sums[3]);
}

Orthogonalisation::Orthogonalisation(Matrix x, double tolerance)
    : q(std::move(x)), r(q.columns(), q.columns()), aliased(q.columns(), false) {
  for (size_t j = 0; j < q.columns(); ++j) {
    std::span<double> column = q.column(j);
    double before = length(column);
    for (int pass = 0; pass < 2; ++pass)
      for (size_t i = 0; i < j; ++i) {
        if (aliased[i])
          continue;
        double along = dot(q.column(i), column);
        subtract(column, along, q.column(i));
        r.at(i, j) += along;
      }
    double after = length(column);
    if (!(after > tolerance * before)) {
      aliased[j] = true;
      std::fill(column.begin(), column.end(), 0.0);
      continue;
    }
    r.at(j, j) = after;
    for (double &v : column)
      v /= after;
    ++independent;
  }
}

std::vector<double> Orthogonalisation::effects(std::vector<double> &y) const {
  std::vector<double> result(q.columns(), 0.0);
  for (size_t j = 0; j < q.columns(); ++j) {
    if (aliased[j])
      continue;
    result[j] = dot(q.column(j), y);
    subtract(y, result[j], q.column(j));
  }
  return result;
}

std::vector<double> Orthogonalisation::coefficients(std::span<const double> effects) const {
  std::vector<double> result(q.columns(), 0.0);
  for (size_t j = q.columns(); j-- > 0;) {
    if (aliased[j])
      continue;
    double rest = effects[j];
    for (size_t i = j + 1; i < q.columns(); ++i)
      rest -= r.at(j, i) * result[i];
    result[j] = rest / r.at(j, j);
  }
  return result;
}

std::vector<double> Orthogonalisation::solveTransposed(std::span<const double> g) const {
  std::vector<double> h(q.columns(), 0.0);
  for (size_t j = 0; j < q.columns(); ++j) {
    if (aliased[j])
      continue;
    double rest = g[j];
    for (size_t i = 0; i < j; ++i)
      rest -= r.at(i, j) * h[i];
    h[j] = rest / r.at(j, j);
  }
  return h;
}

void Orthogonalisation::addColumns(std::span<const double> coordinates,
                                   std::vector<double> &y) const {
  for (size_t j = 0; j < q.columns(); ++j)
    if (!aliased[j])
      subtract(y, -coordinates[j], q.column(j));
}

Matrix Orthogonalisation::inverseCross() const {
  size_t n = q.columns();
  Matrix inverse(n, n), result(n, n); // inverse of R, column by column
  for (size_t j = 0; j < n; ++j) {
    if (aliased[j])
      continue;
    std::vector<double> unit(n, 0.0);
    unit[j] = 1;
    std::vector<double> column = coefficients(unit);
    std::copy(column.begin(), column.end(), inverse.column(j).begin());
  }
  for (size_t a = 0; a < n; ++a)
    for (size_t b = 0; b < n; ++b)
      for (size_t j = std::max(a, b); j < n; ++j)
        result.at(a, b) += inverse.at(a, j) * inverse.at(b, j);
  return result;
}

std::vector<double> Orthogonalisation::leverages() const {
  std::vector<double> result(q.rows(), 0.0);
  for (size_t j = 0; j < q.columns(); ++j)
    for (size_t i = 0; i < q.rows(); ++i)
      result[i] += q.at(i, j) * q.at(i, j);
  return result;
}

double Orthogonalisation::condition() const {
  size_t n = q.columns();
  if (n == 0 || independent < n)
    return n == 0 ? 1 : infinity;
  Eigen::MatrixXd scaled(n, n);
  for (size_t j = 0; j < n; ++j) {
    double size = length(r.column(j));
    for (size_t i = 0; i < n; ++i)
      scaled(i, j) = r.at(i, j) / size;
  }
  Eigen::JacobiSVD<Eigen::MatrixXd> svd(scaled);
  return svd.singularValues()(0) / svd.singularValues()(n - 1);
}

namespace {

/// y - r - Xb.
std::vector<double> missing(const Matrix &x, std::span<const double> y,
                            const LeastSquaresFit &fit) {
  std::vector<long double> sum(y.size());
  for (size_t i = 0; i < y.size(); ++i)
    sum[i] = static_cast<long double>(y[i]) - fit.residuals[i];
  for (size_t j = 0; j < x.columns(); ++j) {
    std::span<const double> column = x.column(j);
    for (size_t i = 0; i < y.size(); ++i)
      sum[i] -= static_cast<long double>(fit.coefficients[j]) * column[i];
  }
  return {sum.begin(), sum.end()};
}

/// -X'r.
std::vector<double> slant(const Matrix &x, const std::vector<double> &residuals) {
  std::vector<double> result(x.columns());
  for (size_t j = 0; j < x.columns(); ++j) {
    long double sum = 0;
    std::span<const double> column = x.column(j);
    for (size_t i = 0; i < residuals.size(); ++i)
      sum -= static_cast<long double>(column[i]) * residuals[i];
    result[j] = static_cast<double>(sum);
  }
  return result;
}

} // namespace

LeastSquaresFit leastSquares(const Matrix &x, const Orthogonalisation &factors,
                             std::span<const double> y) {
  LeastSquaresFit fit;
  fit.residuals.assign(y.begin(), y.end());
  std::vector<double> along = factors.effects(fit.residuals);
  fit.coefficients = factors.coefficients(along);
  for (int step = 0; step < 3; ++step) {
    std::vector<double> rest = missing(x, y, fit);
    std::vector<double> tilt = factors.solveTransposed(slant(x, fit.residuals));
    along = factors.effects(rest);
    for (size_t j = 0; j < along.size(); ++j)
      along[j] -= tilt[j];
    factors.addColumns(tilt, rest);
    std::vector<double> change = factors.coefficients(along);
    for (size_t j = 0; j < change.size(); ++j)
      fit.coefficients[j] += change[j];
    for (size_t i = 0; i < rest.size(); ++i)
      fit.residuals[i] += rest[i];
  }
  Sum squares;
  for (double e : fit.residuals)
    squares.add(e * e);
  fit.residualSquares = squares.value();
  return fit;
}

double logDeterminant(const Matrix &symmetric) {
  size_t n = symmetric.rows();
  Matrix l(n, n);
  double result = 0;
  for (size_t j = 0; j < n; ++j) {
    double pivot = symmetric.at(j, j);
    for (size_t k = 0; k < j; ++k)
      pivot -= l.at(j, k) * l.at(j, k);
    if (!(pivot > 1e-14 * symmetric.at(j, j)))
      return -infinity;
    l.at(j, j) = std::sqrt(pivot);
    result += std::log(pivot);
    for (size_t i = j + 1; i < n; ++i) {
      double v = symmetric.at(i, j);
      for (size_t k = 0; k < j; ++k)
        v -= l.at(i, k) * l.at(j, k);
      l.at(i, j) = v / l.at(j, j);
    }
  }
  return result;
}

} // namespace imbrex::stats
