#include "stats/numeric/Distributions.h"
#include "stats/numeric/Moments.h"
#include "stats/procedures/Tails.h"
#include "stats/procedures/anova/CellEstimates.h"
#include "stats/procedures/anova/Terms.h"
#include "stats/procedures/anova/VarianceShares.h"

#include <algorithm>
#include <cmath>

namespace imbrex::stats {
namespace {

bool accept(TestResult &result, const FactorialDesign &design, const Cells &cells) {
  size_t n = design.outcome.size();
  result.n = {{"values", double(n)}};
  if (design.factors.empty() || design.covariates.empty())
    result.refused("analysis of covariance needs a factor and a covariate");
  else if (!allFinite(design.outcome))
    result.refused("a value of the outcome is not finite");
  else if (cells.problem)
    result.refused(*cells.problem);
  for (const Covariate &covariate : design.covariates) {
    if (!result.defined())
      break;
    if (covariate.values.size() != n)
      result.refused(covariate.name + " has another number of values than the outcome");
    else if (!allFinite(covariate.values))
      result.refused("a value of " + covariate.name + " is not finite");
    else if (isConstant(covariate.values))
      result.refused(covariate.name + " is constant");
  }
  return result.defined();
}

/// Covariates as terms after the intercept, centred at their means.
std::vector<Term> allTerms(const FactorialDesign &design) {
  std::vector<std::vector<int32_t>> codes;
  for (const Factor &factor : design.factors)
    codes.push_back(factor.codes);
  std::vector<double> ones(design.outcome.size(), 1.0);
  std::vector<Term> terms = factorTerms(design.factors, codes, ones), covariates;
  for (size_t c = 0; c < design.covariates.size(); ++c) {
    CommonScale scale{std::span<const double>(design.covariates[c].values)};
    std::vector<double> column = scale.scaled(design.covariates[c].values);
    double mean = momentsOf(column).mean;
    for (double &x : column)
      x -= mean;
    Term term{design.covariates[c].name, {design.factors.size() + c}, {}, true};
    term.columns.append(column);
    covariates.push_back(std::move(term));
  }
  terms.insert(terms.begin() + 1, covariates.begin(), covariates.end());
  return terms;
}

/// One more term: every covariate times every factor term.
Term slopeTerm(const std::vector<Term> &terms, size_t covariates) {
  Term slopes{"slopes", {size_t(-1)}, {}, true};
  for (size_t c = 1; c <= covariates; ++c)
    for (size_t t = covariates + 1; t < terms.size(); ++t)
      for (size_t j = 0; j < terms[t].columns.columns(); ++j) {
        std::vector<double> column(terms[c].columns.column(0).begin(),
                                   terms[c].columns.column(0).end());
        for (size_t i = 0; i < column.size(); ++i)
          column[i] *= terms[t].columns.at(i, j);
        slopes.columns.append(column);
      }
  return slopes;
}

struct Fit {
  std::vector<double> coefficients;
  Matrix inverse;
  double residual = 0;
  double df = 0;
};

/// The model of the first `count` terms, among `values` values.
Fit fitTerms(const ReducedModel &model, size_t count, size_t values) {
  Matrix columns = joined(std::span(model.terms).first(count));
  Orthogonalisation factors(columns);
  LeastSquaresFit fit = leastSquares(columns, factors, model.y.column(0));
  return {fit.coefficients, factors.inverseCross(), fit.residualSquares + model.restSquares,
          double(values) - double(factors.rank())};
}

/// The row of the model in each cell with the covariates at their means, which are 0.
std::vector<std::vector<double>> rowsOfCells(const std::vector<Term> &terms, const Cells &cells) {
  std::vector<std::vector<double>> result;
  for (const auto &rows : cells.rows) {
    result.emplace_back();
    for (const Term &term : terms)
      for (size_t j = 0; j < term.columns.columns(); ++j)
        result.back().push_back(term.covariate ? 0 : term.columns.at(rows[0], j));
  }
  return result;
}

/// From the fit of `terms`, among which slopes are not.
CellEstimates estimatesOf(Cells cells, const std::vector<std::vector<double>> &cellRows,
                          const Fit &fit, const CommonScale &scale) {
  size_t count = cellRows.size();
  CellEstimates e{std::move(cells), scale, {}, Matrix(count, count), fit.residual / fit.df, fit.df};
  for (size_t j = 0; j < count; ++j) {
    e.means.push_back(dot(cellRows[j], fit.coefficients));
    std::vector<double> projected;
    for (size_t a = 0; a < cellRows[j].size(); ++a)
      projected.push_back(dot(fit.inverse.column(a), cellRows[j])); // the inverse is symmetric
    for (size_t i = 0; i < count; ++i)
      e.covariance.at(i, j) = dot(cellRows[i], projected);
  }
  return e;
}

ResultTable adjustedMeans(const FactorialDesign &design, const CellEstimates &e) {
  ResultTable table{"adjusted means", {}};
  double quantile = StudentT{e.df}.quantileUpper((1 - design.level) / 2);
  for (size_t cell = 0; cell < e.means.size(); ++cell) {
    double mean = e.means[cell], error = std::sqrt(e.covariance.at(cell, cell) * e.variance);
    std::vector<std::string> names;
    for (size_t f = 0; f < design.factors.size(); ++f)
      names.push_back(design.factors[f].levels[e.cells.codes[f][cell]]);
    ResultRow row{termName(names), {{"standard error", e.scale.difference(error)}}, {}, {}, {}};
    row.estimate = Estimate{"adjusted mean", e.scale.location(mean),
                            Interval{e.scale.location(mean - quantile * error),
                                     e.scale.location(mean + quantile * error), design.level,
                                     design.level, "Student's t"}};
    table.rows.push_back(std::move(row));
  }
  return table;
}

/// Do covariates have other slopes in other cells? They are the last term of `model`, which
/// `larger` fits.
void reportSlopes(TestResult &result, const ReducedModel &model, const Fit &larger, double unit,
                  double n, double level) {
  TermSquares slopes =
      termSquares(model.terms, model.terms.size() - 1, model.y, SumsOfSquares::TypeI);
  if (larger.df >= 1 && slopes.df > 0)
    result.tables.push_back(
        {"homogeneity of slopes",
         {testedRow("covariates:factors",
                    {slopes.squares[0], slopes.df, larger.residual, larger.df, unit, n}, level)}});
}

/// F of all terms together; `total` is the outcome's sum of squares.
void reportWholeModel(TestResult &result, const Fit &fit, double total, double n, double level) {
  double df = n - 1 - fit.df;
  result.df = {{"df model", df}, {"df residual", fit.df}};
  if (total == 0) {
    result.undefined("all values are equal: F would be 0/0");
    return;
  }
  double f = std::fmax(0, total - fit.residual) / df / (fit.residual / fit.df);
  result.statistics = {{"F", f}};
  result.p = fisherFTail(f, df, fit.df);
  reportVarianceShares(result.effects, "whole model: ", {f, df, fit.df, n}, level);
}

} // namespace

std::optional<CellEstimates> adjustedCells(const FactorialDesign &design, TestResult &result) {
  Cells cells = collectCells(design.factors, design.outcome.size());
  if (!accept(result, design, cells))
    return std::nullopt;
  CommonScale scale{std::span<const double>(design.outcome)};
  std::vector<Term> terms = allTerms(design);
  std::vector<std::vector<double>> cellRows = rowsOfCells(terms, cells);
  size_t count = terms.size();
  ReducedModel model = reduceModel(std::move(terms), scale.scaled(design.outcome));
  Fit fit = fitTerms(model, count, design.outcome.size());
  if (fit.df < 1) {
    result.refused("there are no more values than the model has terms");
    return std::nullopt;
  }
  return estimatesOf(std::move(cells), cellRows, fit, scale);
}

TestResult ancova(const FactorialDesign &design) {
  TestResult result;
  result.id = "ancova";
  result.name = "analysis of covariance";
  result.method = design.sums == SumsOfSquares::TypeI    ? "Type I sums of squares"
                  : design.sums == SumsOfSquares::TypeII ? "Type II sums of squares"
                                                         : "Type III sums of squares";
  Cells cells = collectCells(design.factors, design.outcome.size());
  if (!accept(result, design, cells))
    return result;
  CommonScale scale{std::span<const double>(design.outcome)};
  std::vector<double> y = scale.scaled(design.outcome);
  std::vector<Term> terms = allTerms(design);
  size_t count = terms.size();
  std::vector<std::vector<double>> cellRows = rowsOfCells(terms, cells);
  terms.push_back(slopeTerm(terms, design.covariates.size()));
  ReducedModel model = reduceModel(std::move(terms), y);
  Fit fit = fitTerms(model, count, y.size());
  if (fit.df < 1)
    return result.refused("there are no more values than the model has terms");
  std::vector<Term> own(model.terms.begin(), model.terms.begin() + count);
  double unit = scale.difference(1), total = momentsOf(y).squares, n = double(y.size());
  ResultTable table{"analysis of variance", {}};
  for (size_t t = 1; t < count; ++t) {
    TermSquares term = termSquares(own, t, model.y, design.sums);
    if (term.df == 0)
      return result.refused(own[t].name + " depends on the other terms: it says nothing new");
    table.rows.push_back(testedRow(own[t].name,
                                   {term.squares[0], term.df, fit.residual, fit.df, unit, n, total},
                                   design.level));
  }
  table.rows.push_back(
      {"residuals", {{"sum of squares", fit.residual * unit * unit}, {"df", fit.df}}, {}, {}, {}});
  result.tables = {table};
  reportSlopes(result, model, fitTerms(model, count + 1, y.size()), unit, n, design.level);
  result.tables.push_back(adjustedMeans(design, estimatesOf(cells, cellRows, fit, scale)));
  reportWholeModel(result, fit, total, n, design.level);
  return result;
}

} // namespace imbrex::stats
