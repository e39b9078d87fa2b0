#include "stats/select/Compute.h"

#include "stats/language/WriteStudy.h"

#include <algorithm>

namespace imbrex::stats {
namespace {

const NamedComputation *find(std::string_view id) {
  for (const auto *list :
       {&twoGroupComputations(), &severalGroupComputations(), &relationComputations(),
        &modelComputations(), &comparisonComputations()})
    for (const NamedComputation &c : *list)
      if (c.id == id)
        return &c;
  return nullptr;
}

/// What the published programs computed, in their right form: no exact tests, no correction of the
/// signed-rank test.
Conventions published() {
  Conventions c = Conventions::R42();
  c.name = "tea-2019";
  c.rankSumExact = c.signedRankExact = c.kendallExact = c.spearmanExact = ExactRule::Never;
  c.spearmanSeriesBelow = 0;
  c.signedRankContinuity = Continuity::None;
  c.yates = Yates::None;
  return c;
}

/// Rows and effects of "group 1" under the name of the category.
void nameGroups(Computed &c) {
  const std::string effect = "relative effect of ";
  for (size_t i = 0; i < c.groups.size(); ++i) {
    std::string group = "group " + std::to_string(i + 1);
    for (ResultTable &table : c.result.tables)
      for (ResultRow &row : table.rows)
        if (row.name == group)
          row.name = c.groups[i];
    for (EffectSize &e : c.result.effects)
      if (e.name == effect + group)
        e.name = effect + c.groups[i];
  }
}

} // namespace

Conventions conventionsOf(const Study &study) {
  if (study.conventions == "R-4.2")
    return Conventions::R42();
  if (study.conventions == "SciPy")
    return Conventions::SciPy();
  if (study.conventions.empty() && study.rules == "tea-2019")
    return published();
  return Conventions::R46();
}

ComputeSetting settingFor(const Situation &situation) {
  return {situation, conventionsOf(situation.study), 1 - situation.study.alpha};
}

bool computationExists(std::string_view id) { return find(id) != nullptr; }

Computed compute(std::string_view computation, const ComputeSetting &setting,
                 const Contrast *contrast) {
  Computed computed;
  if (const NamedComputation *c = find(computation)) {
    computed = c->compute(setting, contrast);
  } else {
    computed.result.refused("this version does not compute '" + std::string(computation) + "'");
  }
  nameGroups(computed);
  if (computed.result.id.empty())
    computed.result.id = computation;
  if (!computed.p && computed.result.defined())
    computed.p = computed.result.pFor(computed.alternative);
  return computed;
}

void decideEquivalence(Computed &c, double margin, const std::function<TestResult(double)> &test) {
  TestResult low = test(-margin), high = test(margin);
  if (!low.p.greater || !high.p.less)
    return;
  bool byLow = low.p.greater->value > high.p.less->value;
  const TestResult &larger = byLow ? low : high;
  c.p = byLow ? low.p.greater : high.p.less;
  c.alternative = byLow ? Alternative::Greater : Alternative::Less;
  c.result.statistics =
      larger.statistics; // estimate and effects stay those of the difference itself
  c.result.df = larger.df;
  c.result.method = larger.method;
  c.result.p = larger.p;
  c.result.notes.push_back("equivalence by two one-sided tests: p is the larger of the two");
}

void noteIncomplete(TestResult &result, const Matched &matched) {
  if (matched.incomplete)
    result.notes.push_back(std::to_string(matched.incomplete) +
                           (matched.incomplete == 1 ? " participant was" : " participants were") +
                           " left out because a condition is missing");
}

std::vector<Contrast> contrastsOf(const Situation &s, const Variable &variable) {
  std::vector<Contrast> contrasts;
  if (s.hypothesis.compared != variable.name)
    return contrasts;
  auto index = [&](const std::string &category) {
    return static_cast<size_t>(
        std::find(variable.categories.begin(), variable.categories.end(), category) -
        variable.categories.begin());
  };
  for (const Comparison &c : s.hypothesis.comparisons) {
    Contrast contrast;
    contrast.first = index(c.left);
    contrast.second = index(c.right);
    contrast.alternative = c.order == Order::Greater ? Alternative::Greater
                           : c.order == Order::Less  ? Alternative::Less
                                                     : Alternative::TwoSided;
    contrast.factor = c.factor;
    contrast.margin = c.margin;
    contrast.text = c.left + " " + orderSymbol(c.order) + " " +
                    (c.factor != 1 ? shortNumber(c.factor) + " × " : "") + c.right +
                    (c.margin ? " within " + shortNumber(*c.margin) : "");
    contrasts.push_back(std::move(contrast));
  }
  return contrasts;
}

} // namespace imbrex::stats
