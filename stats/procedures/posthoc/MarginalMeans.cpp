#include "stats/procedures/posthoc/MarginalMeans.h"

#include "stats/numeric/Distributions.h"
#include "stats/numeric/StudentizedRange.h"
#include "stats/procedures/Tails.h"
#include "stats/procedures/anova/CellEstimates.h"
#include "stats/procedures/groups/Samples.h"
#include "stats/procedures/posthoc/Adjust.h"

#include <cmath>
#include <numbers>

namespace imbrex::stats {
namespace {

using CellSet = std::vector<size_t>;

/// Cells with `level` of `factor`; of all combinations of the other factors, or of that of `like`.
CellSet cellsWith(const Cells &cells, size_t factor, size_t level,
                  std::optional<size_t> like = {}) {
  CellSet found;
  for (size_t cell = 0; cell < cells.rows.size(); ++cell) {
    bool wanted = static_cast<size_t>(cells.codes[factor][cell]) == level;
    for (size_t f = 0; like && f < cells.codes.size(); ++f)
      wanted = wanted && (f == factor || cells.codes[f][cell] == cells.codes[f][*like]);
    if (wanted)
      found.push_back(cell);
  }
  return found;
}

/// "c, d": the levels of the other factors.
std::string othersOf(const FactorialDesign &design, const Cells &cells, size_t factor,
                     size_t cell) {
  std::string text;
  for (size_t f = 0; f < cells.codes.size(); ++f)
    if (f != factor)
      text += (text.empty() ? "" : ", ") +
              design.factors[f].levels[static_cast<size_t>(cells.codes[f][cell])];
  return text;
}

struct Difference {
  double estimate = 0; // scaled
  double spread = 0;   // its standard error over the residual deviation
};

/// The mean of `first` less `factor` times the mean of `second`.
Difference differenceOf(const CellEstimates &e, const CellSet &first, const CellSet &second,
                        double factor = 1) {
  std::vector<std::pair<size_t, double>> weights;
  for (size_t cell : first)
    weights.emplace_back(cell, 1 / static_cast<double>(first.size()));
  for (size_t cell : second)
    weights.emplace_back(cell, -factor / static_cast<double>(second.size()));
  // Where the data's zero lies counts when the weights do not cancel.
  Difference d{(factor - 1) * e.scale.scaled(0.0), 0};
  for (auto [i, a] : weights) {
    d.estimate += a * e.means[i];
    for (auto [j, b] : weights)
      d.spread += a * e.covariance.at(i, j) * b;
  }
  d.spread = std::sqrt(d.spread);
  return d;
}

std::optional<CellEstimates> prepare(TestResult &result, const FactorialDesign &design,
                                     size_t factor) {
  if (factor < design.factors.size())
    return estimateCells(design, result);
  result.refused("there is no such factor");
  return std::nullopt;
}

/// t, the estimate with an interval `quantile` errors wide at each side, and Cohen's d.
ResultRow rowOf(const CellEstimates &e, double level, std::string name, const Difference &d,
                double quantile, const char *method) {
  double deviation = std::sqrt(e.variance);
  double t = d.estimate / (d.spread * deviation);
  double middle = e.scale.difference(d.estimate),
         reach = quantile * e.scale.difference(d.spread * deviation);
  ResultRow row{.name = std::move(name)};
  row.numbers = {{"t", t}, {"df", e.df}};
  row.estimate = Estimate{"difference of means", middle,
                          Interval{middle - reach, middle + reach, level, level, method}};
  if (std::isnan(t))
    return row;
  TestResult effects;
  reportDifference(effects, {"Cohen's d", "Hedges' g", t, e.df, d.spread, "noncentral t"}, level);
  row.effects = std::move(effects.effects);
  return row;
}

/// Calls visit(first, second) for each pair of levels of the factor.
template <class Visit> void eachPair(const FactorialDesign &design, size_t factor, Visit visit) {
  for (size_t i = 0; i < design.factors[factor].levels.size(); ++i)
    for (size_t j = i + 1; j < design.factors[factor].levels.size(); ++j)
      visit(i, j);
}

std::string pairName(const Factor &factor, size_t first, size_t second) {
  return factor.levels[first] + " - " + factor.levels[second];
}

} // namespace

TestResult marginalMeans(const FactorialDesign &design, size_t factor) {
  TestResult result{.id = "marginal_means", .name = "Comparisons of marginal means"};
  std::optional<CellEstimates> cells = prepare(result, design, factor);
  if (!cells)
    return result;
  const CellEstimates &e = *cells;
  const Factor &compared = design.factors[factor];
  result.method = "studentised range over the levels of " + compared.name +
                  ", error of the whole model; intervals hold together";
  StudentizedRange range{static_cast<double>(compared.levels.size()), e.df};
  double critical = range.quantile(design.level) / std::numbers::sqrt2;
  ResultTable table{.title = "comparisons"};
  eachPair(design, factor, [&](size_t i, size_t j) {
    Difference d = differenceOf(e, cellsWith(e.cells, factor, i), cellsWith(e.cells, factor, j));
    ResultRow row = rowOf(e, design.level, pairName(compared, i, j), d, critical, "Tukey-Kramer");
    if (double t = row.number("t"); !std::isnan(t))
      row.p.undirected =
          PValue::of(std::isinf(t) ? 0 : range.sf(std::abs(t) * std::numbers::sqrt2));
    table.rows.push_back(std::move(row));
  });
  result.tables = {std::move(table)};
  return result;
}

TestResult simpleEffects(const FactorialDesign &design, size_t factor) {
  TestResult result{.id = "simple_effects", .name = "Simple effects"};
  std::optional<CellEstimates> cells = prepare(result, design, factor);
  if (!cells)
    return result;
  const CellEstimates &e = *cells;
  double quantile = StudentT{e.df}.quantileUpper((1 - design.level) / 2);
  ResultTable table{.title = "comparisons"};
  std::vector<double> raw;
  for (size_t like : cellsWith(e.cells, factor, 0))
    eachPair(design, factor, [&](size_t i, size_t j) {
      Difference d =
          differenceOf(e, cellsWith(e.cells, factor, i, like), cellsWith(e.cells, factor, j, like));
      std::string name = pairName(design.factors[factor], i, j);
      if (std::string others = othersOf(design, e.cells, factor, like); !others.empty())
        name += " at " + others;
      ResultRow row = rowOf(e, design.level, name, d, quantile, "Student's t");
      double t = row.number("t");
      raw.push_back(std::isnan(t) ? t : studentTails(t, e.df).undirected->value);
      row.numbers.push_back({"raw p", raw.back()});
      table.rows.push_back(std::move(row));
    });
  std::vector<double> adjusted = adjustPValues(raw, Adjustment::Holm);
  for (size_t i = 0; i < adjusted.size(); ++i)
    if (!std::isnan(adjusted[i]))
      table.rows[i].p.undirected = PValue::of(adjusted[i]);
  result.method = "t with the error of the whole model; Holm p-values for " +
                  std::to_string(raw.size()) + " comparisons";
  result.tables = {std::move(table)};
  return result;
}

TestResult marginalContrast(const FactorialDesign &design, const MarginalPair &pair) {
  TestResult result{.id = "marginal_contrast", .name = "t-test of marginal means"};
  std::optional<CellEstimates> cells = prepare(result, design, pair.factor);
  if (!cells)
    return result;
  const CellEstimates &e = *cells;
  const Factor &factor = design.factors[pair.factor];
  if (pair.first >= factor.levels.size() || pair.second >= factor.levels.size())
    return result.refused(factor.name + " has no such level");
  result.method = "error of the whole model";
  Difference d = differenceOf(e, cellsWith(e.cells, pair.factor, pair.first),
                              cellsWith(e.cells, pair.factor, pair.second), pair.scale);
  double error = d.spread * std::sqrt(e.variance);
  double difference = d.estimate - e.scale.scaledDifference(pair.hypothesised);
  reportStudentized(result,
                    {"difference of means", e.scale.difference(d.estimate), difference, error,
                     e.scale.difference(error), e.df},
                    design.level);
  if (result.defined())
    reportDifference(
        result, {"Cohen's d", "Hedges' g", result.statistic("t"), e.df, d.spread, "noncentral t"},
        design.level);
  return result;
}

} // namespace imbrex::stats
