// Procedures for two independent groups, and for pairs.
#include "stats/procedures/categorical/SignTest.h"
#include "stats/procedures/groups/RankTests.h"
#include "stats/procedures/groups/TTests.h"
#include "stats/procedures/resampling/Permutation.h"
#include "stats/select/Compute.h"

#include <algorithm>
#include <functional>

namespace imbrex::stats {
namespace {

/// Two samples in the order of the prediction, with the tail that it is about.
struct TwoSamples {
  std::vector<double> first, second;
  Contrast contrast;
  std::vector<std::string> names;
  std::string refusal; // why there are none
  Matched matched;     // of pairs: participants, and how many are incomplete
};

bool twoVariables(const Situation &s) {
  return s.ordered.size() == 2 && s.variable(s.ordered[0]).categorical();
}

/// x: the explanatory variable, or the first of an open relation.
TwoSamples samplesOf(const ComputeSetting &setting, const Contrast *given) {
  const Situation &s = setting.situation;
  TwoSamples t;
  if (!twoVariables(s)) {
    t.refusal = "it needs one variable with two categories and one to compare";
    return t;
  }
  const Variable &x = s.variable(s.ordered[0]);
  std::vector<Contrast> contrasts = contrastsOf(s, x);
  if (given)
    t.contrast = *given;
  else if (x.categories.size() != 2)
    t.refusal = "'" + x.name + "' does not have two categories";
  else if (!contrasts.empty())
    t.contrast = contrasts[0];
  if (t.refusal.empty())
    t.names = {x.categories[t.contrast.first], x.categories[t.contrast.second]};
  return t;
}

void scaleSecond(TwoSamples &t) {
  for (double &value : t.second)
    value *= t.contrast.factor;
}

TwoSamples independent(const ComputeSetting &setting, const Contrast *given) {
  TwoSamples t = samplesOf(setting, given);
  if (!t.refusal.empty())
    return t;
  const Situation &s = setting.situation;
  std::vector<std::vector<double>> groups = s.groups(s.ordered[0], s.ordered[1]);
  t.first = std::move(groups[t.contrast.first]);
  t.second = std::move(groups[t.contrast.second]);
  scaleSecond(t);
  return t;
}

TwoSamples pairs(const ComputeSetting &setting, const Contrast *given) {
  TwoSamples t = samplesOf(setting, given);
  if (!t.refusal.empty())
    return t;
  const Situation &s = setting.situation;
  Result<Matched> matched = s.matched(s.ordered[0], s.ordered[1]);
  if (!matched) {
    t.refusal = matched.error().what;
    return t;
  }
  for (const auto &values : matched->values) {
    t.first.push_back(values[t.contrast.first]);
    t.second.push_back(values[t.contrast.second]);
  }
  scaleSecond(t);
  t.matched = matched.take();
  return t;
}

using Test = std::function<TestResult(std::span<const double>, std::span<const double>, double)>;

enum class Shifts { No, Yes };

Computed run(const TwoSamples &t, const Test &test, Shifts shifts) {
  Computed c;
  if (!t.refusal.empty()) {
    c.result.refused(t.refusal);
    return c;
  }
  c.result = test(t.first, t.second, 0);
  c.alternative = t.contrast.alternative;
  c.prediction = t.contrast.text;
  c.groups = t.names;
  noteIncomplete(c.result, t.matched);
  if (t.contrast.margin && shifts == Shifts::Yes)
    decideEquivalence(c, *t.contrast.margin,
                      [&](double shift) { return test(t.first, t.second, shift); });
  else if (t.contrast.margin)
    c.result.notes.push_back("this procedure tests difference, not equality within a margin");
  if (t.contrast.factor != 1)
    c.result.notes.push_back("the values of " + t.names[1] +
                             " were multiplied by the factor of the "
                             "prediction");
  return c;
}

LocationOptions location(const ComputeSetting &setting, double shift) {
  LocationOptions options;
  options.level = setting.level;
  options.hypothesised = shift;
  return options;
}

RankOptions ranks(const ComputeSetting &setting, double shift) {
  RankOptions options;
  options.conventions = setting.conventions;
  options.level = setting.level;
  options.hypothesised = shift;
  return options;
}

using Values = std::span<const double>;

Computed students(const ComputeSetting &s, const Contrast *c) {
  return run(
      independent(s, c),
      [&](Values a, Values b, double shift) { return studentsT(a, b, location(s, shift)); },
      Shifts::Yes);
}

Computed welchs(const ComputeSetting &s, const Contrast *c) {
  return run(
      independent(s, c),
      [&](Values a, Values b, double shift) { return welchsT(a, b, location(s, shift)); },
      Shifts::Yes);
}

Computed mannWhitneyU(const ComputeSetting &s, const Contrast *c) {
  return run(
      independent(s, c),
      [&](Values a, Values b, double shift) { return mannWhitney(a, b, ranks(s, shift)); },
      Shifts::Yes);
}

Computed brunner(const ComputeSetting &s, const Contrast *c) {
  return run(
      independent(s, c), [&](Values a, Values b, double) { return brunnerMunzel(a, b, s.level); },
      Shifts::No);
}

/// Rearranging very many values only repeats what the t-tests say there.
constexpr size_t mostRearranged = 5000;

Computed permutation(const ComputeSetting &s, const Contrast *c) {
  TwoSamples t = independent(s, c);
  if (t.refusal.empty() && t.first.size() + t.second.size() > mostRearranged)
    t.refusal = "not run: there are more than 5000 values, for which the t-tests say the same";
  return run(
      t,
      [&](Values a, Values b, double) {
        return permutationTwoGroups(a, b, GroupStatistic::MeanDifference, {.level = s.level});
      },
      Shifts::No);
}

Computed pairedPermutation(const ComputeSetting &s, const Contrast *c) {
  TwoSamples t = pairs(s, c);
  if (t.refusal.empty() && t.first.size() > mostRearranged)
    t.refusal = "not run: there are more than 5000 pairs, for which the t test says the same";
  return run(
      t, [&](Values a, Values b, double) { return permutationPaired(a, b, {.level = s.level}); },
      Shifts::No);
}

Computed pairedTTest(const ComputeSetting &s, const Contrast *c) {
  return run(
      pairs(s, c),
      [&](Values a, Values b, double shift) { return pairedT(a, b, location(s, shift)); },
      Shifts::Yes);
}

Computed signedRank(const ComputeSetting &s, const Contrast *c) {
  return run(
      pairs(s, c),
      [&](Values a, Values b, double shift) { return wilcoxonSignedRank(a, b, ranks(s, shift)); },
      Shifts::Yes);
}

Computed signs(const ComputeSetting &s, const Contrast *c) {
  return run(
      pairs(s, c),
      [&](Values a, Values b, double shift) {
        std::vector<double> differences;
        for (size_t i = 0; i < a.size(); ++i)
          differences.push_back(a[i] - b[i] - shift);
        return signTest(differences, s.level);
      },
      Shifts::Yes);
}

} // namespace

const std::vector<NamedComputation> &twoGroupComputations() {
  static const std::vector<NamedComputation> list = {
      {"students_t", students},
      {"welchs_t", welchs},
      {"mannwhitney_u", mannWhitneyU},
      {"brunner_munzel", brunner},
      {"permutation_test", permutation},
      {"permutation_paired", pairedPermutation},
      {"paired_students_t", pairedTTest},
      {"wilcoxon_signed_rank", signedRank},
      {"sign_test", signs},
  };
  return list;
}

} // namespace imbrex::stats
