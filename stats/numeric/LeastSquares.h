// Linear least squares by orthogonalisation, never by the normal equations.
//
// Columns are taken in order (modified Gram-Schmidt, each pass repeated: Björck 1967, Giraud et al.
// 2005), so that the squares of the effects are the sequential sums of squares of analysis of
// variance; a column that depends on earlier ones is left out and marked. Cost: 4 rows columns^2
// operations, one copy of the matrix.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

namespace imbrex::stats {

/// Dense, column by column.
class Matrix {
public:
  Matrix() = default;
  Matrix(size_t rows, size_t columns) : height(rows), width(columns), data(rows * columns) {}

  size_t rows() const { return height; }
  size_t columns() const { return width; }
  double &at(size_t row, size_t column) { return data[column * height + row]; }
  double at(size_t row, size_t column) const { return data[column * height + row]; }
  std::span<double> column(size_t j) { return std::span(data).subspan(j * height, height); }
  std::span<const double> column(size_t j) const {
    return std::span(data).subspan(j * height, height);
  }
  void append(std::span<const double> column);

private:
  size_t height = 0;
  size_t width = 0;
  std::vector<double> data;
};

class Orthogonalisation {
public:
  /// A column counts as dependent when less than `tolerance` of its length remains.
  explicit Orthogonalisation(Matrix x, double tolerance = 1e-10);

  size_t rank() const { return independent; }
  /// R: its columns have the inner products of the original ones, in as many rows as there are
  /// columns.
  const Matrix &triangle() const { return r; }
  bool dependent(size_t column) const { return aliased[column]; }
  /// Coordinates of y along each orthonormal column, 0 for dependent ones. y becomes the residual.
  std::vector<double> effects(std::vector<double> &y) const;
  /// Coefficients of the columns from their effects; 0 for dependent columns.
  std::vector<double> coefficients(std::span<const double> effects) const;
  /// h with R'h = g; 0 for dependent columns.
  std::vector<double> solveTransposed(std::span<const double> g) const;
  /// Adds the combination of orthonormal columns with these coordinates to y.
  void addColumns(std::span<const double> coordinates, std::vector<double> &y) const;
  /// (X'X)^-1; rows and columns of dependent columns are 0.
  Matrix inverseCross() const;
  /// Diagonal of the projection onto the columns: the leverage of each row.
  std::vector<double> leverages() const;
  /// Ratio of the largest to the smallest singular value, columns scaled to length 1; infinite when
  /// dependent.
  double condition() const;

private:
  Matrix q; // orthonormal columns; dependent ones are 0
  Matrix r; // upper triangle
  std::vector<bool> aliased;
  size_t independent = 0;
};

struct LeastSquaresFit {
  std::vector<double> coefficients;
  std::vector<double> residuals;
  double residualSquares = 0;
};

/// The solution and its residuals, refined together as one system with sums in extended precision
/// (Björck 1967): coefficients keep their digits when residuals are large too.
LeastSquaresFit leastSquares(const Matrix &x, const Orthogonalisation &factors,
                             std::span<const double> y);

double dot(std::span<const double> a, std::span<const double> b);

/// ln det of a symmetric positive definite matrix by Cholesky; -infinity when it is singular.
double logDeterminant(const Matrix &symmetric);

} // namespace imbrex::stats
