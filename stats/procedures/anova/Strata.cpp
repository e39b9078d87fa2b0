#include "stats/procedures/anova/Strata.h"

#include <algorithm>
#include <bit>
#include <cmath>

namespace imbrex::stats {
namespace {

/// Orthonormal contrasts of one factor (Helmert), or its mean.
Matrix contrasts(size_t levels, bool effect) {
  Matrix result;
  if (!effect) {
    result.append(std::vector<double>(levels, 1 / std::sqrt(double(levels))));
    return result;
  }
  for (size_t c = 1; c < levels; ++c) {
    std::vector<double> column(levels, 0.0);
    double size = std::sqrt(double(c * (c + 1)));
    std::fill(column.begin(), column.begin() + c, 1 / size);
    column[c] = -double(c) / size;
    result.append(column);
  }
  return result;
}

Matrix kronecker(const Matrix &a, const Matrix &b) {
  Matrix result;
  for (size_t i = 0; i < a.columns(); ++i)
    for (size_t j = 0; j < b.columns(); ++j) {
      std::vector<double> column;
      for (double x : a.column(i))
        for (double y : b.column(j))
          column.push_back(x * y);
      result.append(column);
    }
  return result;
}

Matrix scoresOf(const std::vector<std::vector<double>> &subjects, const Matrix &contrast) {
  Matrix scores(subjects.size(), contrast.columns());
  for (size_t j = 0; j < contrast.columns(); ++j)
    for (size_t i = 0; i < subjects.size(); ++i)
      scores.at(i, j) = dot(subjects[i], contrast.column(j));
  return scores;
}

void fitErrors(Stratum &stratum, const std::vector<Term> &terms) {
  Orthogonalisation model(joined(terms));
  size_t p = stratum.scores.columns();
  std::vector<std::vector<double>> residuals;
  for (size_t j = 0; j < p; ++j) {
    residuals.emplace_back(stratum.scores.column(j).begin(), stratum.scores.column(j).end());
    model.effects(residuals.back());
    model.effects(residuals.back()); // what the first pass left by rounding
  }
  stratum.errors = Matrix(p, p);
  for (size_t a = 0; a < p; ++a)
    for (size_t b = 0; b < p; ++b)
      stratum.errors.at(a, b) = dot(residuals[a], residuals[b]);
  for (size_t a = 0; a < p; ++a)
    stratum.errorSquares += stratum.errors.at(a, a);
  stratum.df = double(stratum.scores.rows()) - double(model.rank());
  // Roundoff of exact fits is no variance.
  double total = 0;
  for (size_t j = 0; j < p; ++j)
    total += dot(stratum.scores.column(j), stratum.scores.column(j));
  if (stratum.errorSquares <= 1e-28 * total)
    stratum.errorSquares = 0;
}

} // namespace

std::vector<Stratum> strataOf(const RepeatedDesign &design, const std::vector<Term> &terms,
                              const std::vector<std::vector<double>> &scaled) {
  std::vector<uint32_t> sets;
  for (uint32_t set = 0; set < 1u << design.within.size(); ++set)
    sets.push_back(set);
  std::sort(sets.begin(), sets.end(), [](uint32_t a, uint32_t b) {
    return std::pair(std::popcount(a), a) < std::pair(std::popcount(b), b);
  });
  std::vector<Stratum> strata;
  for (uint32_t set : sets) {
    Stratum stratum;
    Matrix contrast;
    contrast.append(std::vector<double>{1});
    for (size_t w = 0; w < design.within.size(); ++w) {
      bool effect = set >> w & 1;
      contrast = kronecker(contrast, contrasts(design.within[w].levels.size(), effect));
      if (effect)
        stratum.names.push_back(design.within[w].name);
    }
    stratum.scores = scoresOf(scaled, contrast);
    fitErrors(stratum, terms);
    strata.push_back(std::move(stratum));
  }
  return strata;
}

} // namespace imbrex::stats
