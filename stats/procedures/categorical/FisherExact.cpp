#include "stats/procedures/categorical/FisherExact.h"

#include "stats/numeric/Roots.h"
#include "stats/procedures/categorical/ChiSquare.h"
#include "stats/procedures/counting/Fourfold.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace imbrex::stats {
namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();

struct Cells {
  double a, b, c, d;

  Fourfold margins() const { return {a + c, b + d, a + b}; }
  double sampleOdds() const {
    double up = a * d, down = b * c;
    return down == 0 ? (up == 0 ? std::nan("") : infinity) : up / down;
  }
  /// A start for root finding, finite for every table.
  double guess() const { return std::log((a + .5) / (b + .5)) - std::log((c + .5) / (d + .5)); }
  double guessError() const {
    return std::sqrt(1 / (a + .5) + 1 / (b + .5) + 1 / (c + .5) + 1 / (d + .5));
  }
};

/// The log odds at which an increasing function is 0.
template <class F> double solveLogOdds(const Cells &cells, const F &increasing) {
  double centre = cells.guess(), step = cells.guessError();
  for (int i = 0; i < 60; ++i, step *= 2)
    if (increasing(centre - step) <= 0 && increasing(centre + step) >= 0)
      if (auto root = findRoot(increasing, centre - step, centre + step))
        return *root;
  return std::nan("");
}

double conditionalOdds(const Cells &cells) {
  Fourfold margins = cells.margins();
  if (cells.a == margins.least())
    return 0;
  if (cells.a == margins.most())
    return infinity;
  return std::exp(solveLogOdds(cells, [&](double logOdds) {
    return NoncentralFourfold{margins, logOdds}.mean() - cells.a;
  }));
}

Interval oddsInterval(const Cells &cells, double level) {
  Fourfold margins = cells.margins();
  double tail = (1 - level) / 2;
  Interval interval{0, infinity, level, level, "exact, noncentral hypergeometric"};
  if (cells.a != margins.least())
    interval.low = std::exp(solveLogOdds(cells, [&](double logOdds) {
      return NoncentralFourfold{margins, logOdds}.atLeast(cells.a) - tail;
    }));
  if (cells.a != margins.most())
    interval.high = std::exp(solveLogOdds(cells, [&](double logOdds) {
      return tail - NoncentralFourfold{margins, logOdds}.atMost(cells.a);
    }));
  return interval;
}

} // namespace

TestResult fisherExact(const ContingencyTable &table, OddsRatio oddsRatio, double level) {
  TestResult result{.id = "fishers_exact", .name = "Fisher's exact test"};
  if (!acceptTable(result, table, EmptyMargins::Accept))
    return result;
  if (!table.fourfold())
    return result.refused("this form of Fisher's test needs a 2 x 2 table");
  result.method = "exact, given the margins";
  const CountTable &counts = table.counts;
  auto at = [&](size_t row, size_t column) { return static_cast<double>(counts.at(row, column)); };
  Cells cells{at(0, 0), at(0, 1), at(1, 0), at(1, 1)};
  Fourfold margins = cells.margins();
  result.p.less = PValue::of(margins.atMost(cells.a));
  result.p.greater = PValue::of(margins.atLeast(cells.a));
  result.p.undirected = PValue::of(margins.asUnlikelyAs(cells.a));
  if (std::string empty = emptyMargin(table); !empty.empty()) {
    result.notes.push_back(empty + ": the odds ratio is undefined");
    return result;
  }
  double conditional = conditionalOdds(cells), sample = cells.sampleOdds();
  Interval interval = oddsInterval(cells, level);
  bool asSample = oddsRatio == OddsRatio::Sample;
  result.statistics = {{"odds ratio", asSample ? sample : conditional},
                       {"conditional odds ratio", conditional},
                       {"sample odds ratio", sample}};
  result.estimate = Estimate{"odds ratio", asSample ? sample : conditional, interval};
  result.effects.push_back(
      {"odds ratio", asSample ? sample : conditional, interval, EffectDirection::FirstMinusSecond});
  addAssociationEffects(result, table, level);
  return result;
}

} // namespace imbrex::stats
