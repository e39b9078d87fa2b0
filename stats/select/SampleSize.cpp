#include "stats/select/SampleSize.h"

#include "stats/select/Compute.h"

#include <cmath>
#include <limits>

namespace imbrex::stats {
namespace {

constexpr double anyEffect = std::numeric_limits<double>::infinity();

/// The tail of the first prediction, seen from its first group; effects are positive in that
/// direction, so that the tail is the upper one.
Alternative tailOf(const Situation &s) {
  const Hypothesis &h = s.hypothesis;
  bool directed = false;
  if (h.form == HypothesisForm::Constant)
    directed = h.order == Order::Greater || h.order == Order::Less;
  else if (!h.comparisons.empty())
    directed = h.comparisons[0].order == Order::Greater || h.comparisons[0].order == Order::Less;
  else if (h.terms.size() == 1)
    directed = h.terms[0].trend != Trend::Either;
  return directed ? Alternative::Greater : Alternative::TwoSided;
}

PowerQuestion oneSample(const Situation &s, std::string test, std::string unit,
                        std::string effect) {
  double alpha = s.study.alpha;
  Alternative tail = tailOf(s);
  return {std::move(test),
          std::move(effect),
          std::move(unit),
          .2,
          .5,
          .8,
          2,
          anyEffect,
          tail,
          [=](double d, double n) { return powerOneSampleT(d, n, alpha, tail); }};
}

PowerQuestion twoGroups(const Situation &s) {
  double alpha = s.study.alpha;
  Alternative tail = tailOf(s);
  return {"t test of two independent groups",
          "Cohen's d",
          "per group",
          .2,
          .5,
          .8,
          2,
          anyEffect,
          tail,
          [=](double d, double n) { return powerTwoSampleT(d, n, n, alpha, tail); }};
}

PowerQuestion severalGroups(const Situation &s, double k) {
  double alpha = s.study.alpha;
  return {"one-way analysis of variance",
          "Cohen's f",
          "per group",
          .1,
          .25,
          .4,
          2,
          anyEffect,
          Alternative::TwoSided,
          [=](double f, double n) { return powerAnova(f, k, n, alpha); }};
}

PowerQuestion correlation(const Situation &s) {
  double alpha = s.study.alpha;
  Alternative tail = tailOf(s);
  return {"correlation", "Pearson's r", "pairs", .1, .3, .5, 4, 1, tail, [=](double r, double n) {
            return powerCorrelation(r, n, alpha, tail);
          }};
}

PowerQuestion counts(const Situation &s, double df) {
  double alpha = s.study.alpha;
  return {"chi-square test",
          "Cohen's w",
          "observations",
          .1,
          .3,
          .5,
          4,
          anyEffect,
          Alternative::TwoSided,
          [=](double w, double n) { return powerChiSquare(w, n, df, alpha); }};
}

} // namespace

Result<PowerQuestion> powerQuestionOf(const Situation &s) {
  if (s.hypothesis.form == HypothesisForm::Constant)
    return oneSample(s, "one-sample t test", "values", "Cohen's d");
  if (s.ordered.size() != 2 || !s.hypothesis.given.empty())
    return unsupported(1260, "there is no formula for the power of such a design",
                       "it has more than two variables",
                       "its most important comparison as a hypothesis of its own");
  const Variable &x = s.variable(s.ordered[0]), &y = s.variable(s.ordered[1]);
  auto categories = [](const Variable &v) { return static_cast<double>(v.categories.size()); };
  if (x.categorical() && y.measure == Measure::Nominal && !s.anyWithin())
    return counts(s, (categories(x) - 1) * (categories(y) - 1));
  if (x.categorical() && y.measure != Measure::Nominal) {
    if (s.anyWithin() && x.categories.size() == 2)
      return oneSample(s, "paired t test", "participants", "Cohen's d_z");
    if (!s.anyWithin())
      return x.categories.size() == 2 ? twoGroups(s) : severalGroups(s, categories(x));
  }
  if (x.continuous() && y.continuous())
    return correlation(s);
  return unsupported(1260, "there is no formula for the power of such a design",
                     s.anyWithin() ? "it has repeated measures"
                                   : "it relates '" + x.name + "' and '" + y.name + "'",
                     "its most important comparison as a hypothesis of its own");
}

} // namespace imbrex::stats
