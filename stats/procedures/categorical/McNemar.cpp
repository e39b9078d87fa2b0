#include "stats/procedures/categorical/McNemar.h"

#include "stats/procedures/Tails.h"
#include "stats/procedures/categorical/Binomial.h"

#include <cmath>

namespace imbrex::stats {
namespace {

/// p / (1 - p)
double oddsOf(double p) { return p / (1 - p); }

void addEffects(TestResult &result, int64_t b, int64_t c, double level) {
  Interval share = clopperPearson(b, b + c, level);
  double ratio = static_cast<double>(b) / static_cast<double>(c);
  Interval odds{oddsOf(share.low), oddsOf(share.high), level, level, share.method};
  result.estimate = Estimate{"odds ratio", ratio, odds};
  result.effects.push_back({"odds ratio", ratio, odds, EffectDirection::FirstMinusSecond});
  double g = static_cast<double>(b) / static_cast<double>(b + c) - 0.5;
  result.effects.push_back({"Cohen's g", g,
                            Interval{share.low - .5, share.high - .5, level, level, share.method},
                            EffectDirection::FirstMinusSecond});
}

} // namespace

TestResult mcnemar(const ContingencyTable &table, McNemarMethod method, double level) {
  TestResult result{.id = "mcnemar", .name = "McNemar's test"};
  if (!acceptTable(result, table, EmptyMargins::Accept))
    return result;
  if (!table.fourfold())
    return result.refused("McNemar's test needs two measurements with the same 2 categories");
  int64_t b = table.counts.at(0, 1), c = table.counts.at(1, 0);
  auto changed = static_cast<double>(b + c), excess = static_cast<double>(b - c);
  result.n.push_back({"subjects that changed", changed});
  if (b + c == 0)
    return result.undefined("no subject changed its category");
  PValues exact = binomialTails(b, b + c, 0.5);
  if (method == McNemarMethod::Exact) {
    result.statistics = {{"changes one way", static_cast<double>(b)},
                         {"changes the other way", static_cast<double>(c)}};
    result.p = exact;
    result.method = "exact binomial";
  } else {
    bool correct = method == McNemarMethod::Corrected && b != c;
    double distance = std::abs(excess) - (correct ? 1 : 0);
    double statistic = distance * distance / changed;
    result.statistics = {{"chi-square", statistic}};
    result.df = {{"df", 1}};
    result.p = normalTails(std::copysign(std::sqrt(statistic), excess));
    result.p.undirected = chiSquaredTail(statistic, 1).undirected;
    result.method =
        correct ? "chi-square distribution, continuity correction" : "chi-square distribution";
    if (changed < 25)
      result.notes.push_back("fewer than 25 subjects changed: prefer the exact form");
  }
  addEffects(result, b, c, level);
  return result;
}

} // namespace imbrex::stats
