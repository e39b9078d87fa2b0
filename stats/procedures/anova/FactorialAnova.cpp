#include "stats/numeric/Moments.h"
#include "stats/procedures/Tails.h"
#include "stats/procedures/anova/CellEstimates.h"
#include "stats/procedures/anova/Terms.h"
#include "stats/procedures/anova/VarianceShares.h"

#include <cmath>

namespace imbrex::stats {
namespace {

/// The values of a design as weighted cell means, in units of a common scale.
struct Collapsed {
  Matrix means; // one column, times the roots of the weights
  std::vector<double> rootWeights;
  double within = 0;
  double total = 0;
  double df = 0; // within
};

Collapsed collapse(const Cells &cells, const std::vector<double> &scaled) {
  Collapsed result;
  std::vector<double> weightedMeans;
  Sum within;
  for (const auto &rows : cells.rows) {
    std::vector<double> values;
    for (size_t row : rows)
      values.push_back(scaled[row]);
    Moments moments = momentsOf(values);
    within.add(moments.squares);
    result.rootWeights.push_back(std::sqrt(double(values.size())));
    weightedMeans.push_back(moments.mean * result.rootWeights.back());
  }
  result.means.append(weightedMeans);
  result.within = within.value();
  result.total = momentsOf(scaled).squares;
  result.df = double(scaled.size()) - double(cells.rows.size());
  return result;
}

std::string typeText(SumsOfSquares type) {
  return type == SumsOfSquares::TypeI    ? "Type I sums of squares (sequential)"
         : type == SumsOfSquares::TypeII ? "Type II sums of squares"
                                         : "Type III sums of squares, factors coded to sum to zero";
}

bool accept(TestResult &result, const FactorialDesign &design, const Cells &cells) {
  result.n = {{"values", double(design.outcome.size())}};
  if (design.factors.empty())
    result.refused("there is no factor");
  else if (!allFinite(design.outcome))
    result.refused("a value of the outcome is not finite");
  else if (cells.problem)
    result.refused(*cells.problem);
  return result.defined();
}

} // namespace

std::vector<double> cellResiduals(const FactorialDesign &design) {
  std::vector<double> residuals(design.outcome.size());
  for (const auto &rows : collectCells(design.factors, design.outcome.size()).rows) {
    std::vector<double> values;
    for (size_t row : rows)
      values.push_back(design.outcome[row]);
    CommonScale scale{std::span<const double>(values)};
    double mean = momentsOf(scale.scaled(values)).mean;
    for (size_t row : rows)
      residuals[row] = scale.difference(scale.scaled(design.outcome[row]) - mean);
  }
  return residuals;
}

std::vector<std::vector<double>> cellsOf(const FactorialDesign &design) {
  std::vector<std::vector<double>> result;
  for (const auto &rows : collectCells(design.factors, design.outcome.size()).rows) {
    if (rows.empty())
      continue;
    result.emplace_back();
    for (size_t row : rows)
      result.back().push_back(design.outcome[row]);
  }
  return result;
}

std::optional<CellEstimates> plainCells(const FactorialDesign &design, TestResult &result) {
  Cells cells = collectCells(design.factors, design.outcome.size());
  if (!accept(result, design, cells))
    return std::nullopt;
  CommonScale scale{std::span<const double>(design.outcome)};
  Collapsed data = collapse(cells, scale.scaled(design.outcome));
  if (data.df < 1) {
    result.refused("no cell has a second value, so no variance can be estimated");
    return std::nullopt;
  }
  size_t count = cells.rows.size();
  CellEstimates estimates{std::move(cells),      scale,  {}, Matrix(count, count),
                          data.within / data.df, data.df};
  for (size_t cell = 0; cell < count; ++cell) {
    double root = data.rootWeights[cell];
    estimates.means.push_back(data.means.at(cell, 0) / root);
    estimates.covariance.at(cell, cell) = 1 / (root * root);
  }
  return estimates;
}

std::optional<CellEstimates> estimateCells(const FactorialDesign &design, TestResult &result) {
  return design.covariates.empty() ? plainCells(design, result) : adjustedCells(design, result);
}

TestResult factorialAnova(const FactorialDesign &design) {
  TestResult result;
  result.id = "factorial_ANOVA";
  result.name = design.factors.size() == 2 ? "two-way analysis of variance"
                                           : "factorial analysis of variance";
  result.method = typeText(design.sums);
  Cells cells = collectCells(design.factors, design.outcome.size());
  if (!accept(result, design, cells))
    return result;
  CommonScale scale{std::span<const double>(design.outcome)};
  Collapsed data = collapse(cells, scale.scaled(design.outcome));
  if (data.df < 1)
    return result.refused("no cell has a second value, so no variance can be estimated");
  std::vector<Term> terms = factorTerms(design.factors, cells.codes, data.rootWeights);
  double unit = scale.difference(1), n = double(design.outcome.size());
  ResultTable table{"analysis of variance", {}};
  for (size_t t = 1; t < terms.size(); ++t) {
    TermSquares term = termSquares(terms, t, data.means, design.sums);
    table.rows.push_back(testedRow(
        terms[t].name, {term.squares[0], term.df, data.within, data.df, unit, n, data.total},
        design.level));
  }
  table.rows.push_back({"residuals",
                        {{"sum of squares", data.within * unit * unit},
                         {"df", data.df},
                         {"mean square", data.within / data.df * unit * unit}},
                        {},
                        {},
                        {}});
  double df = double(cells.rows.size()) - 1, model = std::fmax(0, data.total - data.within);
  result.tables = {table};
  result.df = {{"df model", df}, {"df residual", data.df}};
  if (data.within == 0 && data.total == 0)
    return result.undefined("all values are equal: F would be 0/0");
  if (data.within == 0)
    result.notes.push_back("the values do not vary within cells: F is infinite");
  result.statistics = {{"F", model / df / (data.within / data.df)}};
  result.p = fisherFTail(result.statistics[0].value, df, data.df);
  reportVarianceShares(result.effects,
                       "whole model: ", {result.statistics[0].value, df, data.df, n}, design.level);
  return result;
}

} // namespace imbrex::stats
