// The linear model behind analysis of variance: terms coded to sum to zero, and their sums of
// squares.
#pragma once

#include "stats/numeric/LeastSquares.h"
#include "stats/procedures/anova/Factorial.h"

#include <optional>

namespace imbrex::stats {

/// A product of factors (or a covariate, or the intercept) and its columns. `members` are indices
/// of factors; a covariate has the index factors + its own; the intercept none.
struct Term {
  std::string name;
  std::vector<size_t> members;
  Matrix columns;
  bool covariate = false;

  bool contains(const Term &other) const;
};

/// The intercept and all products of factors, by order and then as the factors come. Row i has the
/// levels codes[f][i] and is multiplied by rootWeights[i].
std::vector<Term> factorTerms(const std::vector<Factor> &factors,
                              const std::vector<std::vector<int32_t>> &codes,
                              std::span<const double> rootWeights);

/// Sum of squares of term `wanted` for each response (column of y), and its degrees of freedom.
struct TermSquares {
  std::vector<double> squares;
  double df = 0;
};
TermSquares termSquares(const std::vector<Term> &terms, size_t wanted, const Matrix &y,
                        SumsOfSquares type);

/// The columns of several terms side by side.
Matrix joined(std::span<const Term> terms);

/// The same model in few rows: an orthogonal transformation turns the columns into those of a
/// triangle and leaves all sums of squares as they are, so that the values are passed over once
/// however many terms are tested.
struct ReducedModel {
  std::vector<Term> terms;
  Matrix y;               // one column
  double restSquares = 0; // what no term explains
};
ReducedModel reduceModel(std::vector<Term> terms, std::vector<double> y);

/// Cells of a design: which occur, and what is wrong with them.
struct Cells {
  std::vector<std::vector<int32_t>> codes; // per factor, of each cell
  std::vector<std::vector<size_t>> rows;   // values in each cell
  std::optional<std::string> problem; // a cell is empty, a code is out of range, too many cells
};
Cells collectCells(const std::vector<Factor> &factors, size_t rows);

std::string termName(const std::vector<std::string> &names);

/// What the F test of a term against its error takes.
struct TermTest {
  double squares, df, errorSquares, errorDf;
  double unit;             // data units per unit of the sums of squares' root
  double n = 0;            // values, one of each subject; 0: repeated measures
  double totalSquares = 0; // 0: no eta squared of the total
};
/// A row of an ANOVA table. Effects: partial eta squared with its interval; of single measures
/// partial omega and epsilon squared too, which have no agreed form where measures are repeated.
ResultRow testedRow(const std::string &name, const TermTest &test, double level);

} // namespace imbrex::stats
