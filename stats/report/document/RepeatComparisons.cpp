// From the comparisons that follow an analysis to what scripts repeat.
#include "stats/report/document/Repeat.h"

#include "stats/language/WriteStudy.h"
#include "stats/procedures/posthoc/RepeatedComparisons.h"
#include "stats/select/Designs.h"

#include <algorithm>

namespace imbrex::stats {
namespace {

Covariates covariatesOf(const HypothesisAnalysis &a) {
  return a.deciding()->procedure->computes == "ancova" ? Covariates::Take : Covariates::Leave;
}

/// What all comparisons of a hypothesis have in common.
Analysis begin(const HypothesisAnalysis &a, std::string procedure, const TestResult &result) {
  Analysis analysis;
  analysis.procedure = std::move(procedure);
  analysis.title = writeHypothesis(*a.hypothesis);
  analysis.level = 1 - a.situation->study.alpha;
  analysis.result = result;
  return analysis;
}

/// One planned pair of marginal means.
Analysis marginalOf(const HypothesisAnalysis &a, const Computed &computed,
                    const Contrast &contrast) {
  Analysis analysis = begin(a, "marginal_contrast", computed.result);
  analysis.title = contrast.text + " of " + analysis.title;
  analysis.alternative = computed.alternative;
  const Variable &x = a.situation->variable(a.hypothesis->compared);
  analysis.names = {x.name, x.categories[contrast.first], x.categories[contrast.second]};
  analysis.factor = contrast.factor;
  if (contrast.margin)
    takeMargin(analysis, computed, *contrast.margin);
  takeColumns(analysis, *a.situation, covariatesOf(a));
  return analysis;
}

/// One planned pair of participants' means: a t-test of two samples.
Analysis participantsOf(const HypothesisAnalysis &a, const Computed &computed,
                        const Contrast &contrast) {
  Analysis analysis = begin(a, computed.result.id, computed.result);
  analysis.title = contrast.text + " of " + analysis.title;
  analysis.alternative = computed.alternative;
  if (contrast.margin)
    takeMargin(analysis, computed, *contrast.margin);
  Result<ParticipantsMeans> means = participantsMeans(settingFor(*a.situation), contrast);
  if (means)
    analysis.samples = {std::move(means->first), std::move(means->second)};
  else
    analysis.procedure += " of this form"; // named as left out
  return analysis;
}

/// A comparison that was planned or is one of all pairs, as a test of two groups.
Analysis contrastOf(const HypothesisAnalysis &a, std::string test, const Contrast &contrast) {
  Computed computed = compute(test, settingFor(*a.situation), &contrast);
  if (test == "marginal_contrast")
    return marginalOf(a, computed, contrast);
  if (test == "participants_contrast")
    return participantsOf(a, computed, contrast);
  Analysis analysis = analysisOf(a, std::move(test), computed, &contrast);
  analysis.title = contrast.text + " of " + analysis.title;
  return analysis;
}

/// Comparisons of marginal means: the data of the model, and which factor.
bool takeMarginal(Analysis &analysis, const HypothesisAnalysis &a, const FollowUp &one) {
  analysis.names = {one.variable};
  return takeColumns(analysis, *a.situation, covariatesOf(a));
}

/// The first and second samples of each row in turn.
bool takeLevels(Analysis &analysis, const HypothesisAnalysis &a, const FollowUp &one) {
  Matched matched;
  Result<RepeatedDesign> design = repeatedDesignOf(settingFor(*a.situation), matched);
  if (!design)
    return false;
  bool simple = one.result.name == "Simple effects";
  LevelPairs levels = levelPairs(*design, one.variable,
                                 simple ? ComparisonScope::Simple : ComparisonScope::Marginal);
  for (ComparedLevels &pair : levels.pairs) {
    analysis.samples.push_back(std::move(pair.first));
    analysis.samples.push_back(std::move(pair.second));
  }
  return true;
}

bool takeCompared(Analysis &analysis, const HypothesisAnalysis &a, const FollowUp &one) {
  const Situation &s = *a.situation;
  const std::string &id = one.result.id;
  if (id == "marginal_means" || id == "simple_effects")
    return takeMarginal(analysis, a, one);
  if (id == "repeated_comparisons")
    return takeLevels(analysis, a, one);
  if (id != "conover_blocks" && id != "pairwise_paired_t") {
    analysis.samples = s.groups(s.ordered[0], s.ordered[1]);
    return true;
  }
  std::optional<Groups> matched = conditionsOf(s);
  if (matched)
    analysis.samples = std::move(*matched);
  return matched.has_value();
}

} // namespace

void addComparisons(std::vector<Analysis> &list, const HypothesisAnalysis &a, const FollowUp &one) {
  const Situation &s = *a.situation;
  const std::string &computed = a.deciding()->procedure->computes;
  const Variable &x = s.variable(one.variable);
  if (one.result.id == "planned_comparisons") {
    for (const Contrast &contrast : contrastsOf(s, x))
      list.push_back(contrastOf(a, std::string(pairwiseComputation(computed)), contrast));
  } else if (one.result.id == "each_pair") {
    for (const Contrast &contrast : pairsOf(x))
      list.push_back(contrastOf(a, std::string(eachPairComputation(computed)), contrast));
  } else if (one.result.defined()) {
    Analysis analysis = begin(a, one.result.id, one.result);
    if (!takeCompared(analysis, a, one))
      analysis.procedure += " of this form"; // named as left out
    list.push_back(std::move(analysis));
  }
}

} // namespace imbrex::stats
