#include "stats/report/document/Repeat.h"

#include "stats/language/WriteStudy.h"

#include <algorithm>
#include <set>

namespace imbrex::stats {
namespace {

const std::set<std::string> independentPairs{"students_t", "welchs_t", "mannwhitney_u",
                                             "brunner_munzel", "permutation_test"};
const std::set<std::string> matchedPairs{"paired_students_t", "wilcoxon_signed_rank", "sign_test"};
const std::set<std::string> groupTests{"f_test", "welch_anova", "kruskall_wallis",
                                       "brunner_dette_munk"};
const std::set<std::string> conditionTests{"friedman", "rm_one_way_anova",
                                           "rm_one_way_anova_corrected", "cochran_q", "mcnemar"};
const std::set<std::string> columnTests{"pearson_corr", "spearman_corr", "kendalltau_corr",
                                        "partial_corr"};
const std::set<std::string> countTests{"chi_square", "fishers_exact"};
const std::set<std::string> constantTests{"one_sample_t", "one_sample_wilcoxon", "one_sample_sign"};
const std::set<std::string> regressions{"linear_regression", "logistic_regression"};
const std::set<std::string> models{"factorial_anova", "ancova"};

bool categoricalFirst(const Situation &s) {
  return s.ordered.size() == 2 && s.variable(s.ordered[0]).categorical();
}

std::optional<Groups> conditionsOf(const Situation &s) {
  Result<Matched> matched = s.matched(s.ordered[0], s.ordered[1]);
  if (!matched)
    return std::nullopt;
  Groups conditions(s.variable(s.ordered[0]).categories.size());
  for (const std::vector<double> &subject : matched->values)
    for (size_t j = 0; j < conditions.size(); ++j)
      conditions[j].push_back(subject[j]);
  return conditions;
}

/// The two of `all` that the procedure compared, in its order.
bool takePair(Analysis &analysis, const Groups &all, const std::vector<std::string> &categories,
              const std::vector<std::string> &wanted) {
  if (wanted.size() != 2)
    return false;
  for (const std::string &name : wanted) {
    auto found = std::find(categories.begin(), categories.end(), name);
    if (found == categories.end())
      return false;
    analysis.samples.push_back(all[static_cast<size_t>(found - categories.begin())]);
    analysis.names.push_back(name);
  }
  return true;
}

bool takeCounts(Analysis &analysis, const Situation &s) {
  if (s.ordered.size() != 2)
    return false;
  std::vector<std::vector<double>> counts = s.counts(s.ordered[0], s.ordered[1]);
  analysis.counts.rows = counts.size();
  analysis.counts.columns = counts.empty() ? 0 : counts[0].size();
  for (const std::vector<double> &row : counts)
    for (double count : row)
      analysis.counts.counts.push_back(static_cast<int64_t>(count));
  return true;
}

bool takeColumns(Analysis &analysis, const Situation &s) {
  if (s.explained.size() != 1)
    return false;
  analysis.columns.push_back({s.explained[0], s.values(s.explained[0]), {}, {}});
  for (const std::string &x : s.explanatory)
    analysis.columns.push_back({x, {}, s.codes(x), s.variable(x).categories});
  if (analysis.procedure == "ancova")
    for (const std::string &z : s.hypothesis.given)
      analysis.columns.push_back({z, s.values(z), {}, {}});
  return true;
}

/// The outcome, the explanatory variables and the covariates; categories by their rank, as
/// regression takes them.
bool takePredictors(Analysis &analysis, const Situation &s) {
  const Variable &y = s.variable(s.hypothesis.outcome);
  if (y.categorical())
    analysis.columns.push_back({y.name, {}, s.codes(y.name), y.categories});
  else
    analysis.columns.push_back({y.name, s.values(y.name), {}, {}});
  for (const auto *names : {&s.hypothesis.variables, &s.hypothesis.given})
    for (const std::string &name : *names)
      analysis.columns.push_back({name, s.values(name), {}, {}});
  return true;
}

bool takeMatched(Analysis &analysis, const Situation &s, const Computed &computed, bool pair) {
  std::optional<Groups> conditions = conditionsOf(s);
  if (!conditions)
    return false;
  const std::vector<std::string> &categories = s.variable(s.ordered[0]).categories;
  if (pair)
    return takePair(analysis, *conditions, categories, computed.groups);
  analysis.samples = std::move(*conditions);
  analysis.names = categories;
  return true;
}

bool plainComparison(const Situation &s) {
  for (const Comparison &c : s.hypothesis.comparisons)
    if (c.factor != 1 || c.margin)
      return false;
  return true;
}

/// McNemar's table of first against second answers; Cochran's answers are 0 and 1.
void recodeAnswers(Analysis &analysis) {
  for (std::vector<double> &condition : analysis.samples)
    for (double &value : condition)
      value -= 1;
  if (analysis.procedure != "mcnemar")
    return;
  analysis.counts = {2, 2, {0, 0, 0, 0}};
  for (size_t i = 0; i < analysis.samples[0].size(); ++i)
    ++analysis.counts
          .counts[static_cast<size_t>(analysis.samples[0][i] * 2 + analysis.samples[1][i])];
}

void addFollowUp(std::vector<Analysis> &list, const HypothesisAnalysis &a) {
  const Situation &s = *a.situation;
  if (!a.pairs || !a.pairs->defined() || !categoricalFirst(s))
    return;
  Analysis analysis;
  analysis.procedure = a.pairs->id;
  analysis.title = writeHypothesis(*a.hypothesis);
  analysis.level = 1 - s.study.alpha;
  analysis.result = *a.pairs;
  std::optional<Groups> matched;
  if (a.pairs->id == "conover_blocks" || a.pairs->id == "pairwise_paired_t") {
    matched = conditionsOf(s);
    if (!matched)
      return;
  }
  analysis.samples = matched ? *matched : s.groups(s.ordered[0], s.ordered[1]);
  list.push_back(std::move(analysis));
}

} // namespace

bool takeSamples(Analysis &analysis, const std::string &computation, const Situation &s,
                 const Computed &computed) {
  if (!plainComparison(s))
    return false; // scaled groups and equality within a margin have no counterpart in the scripts
  if (independentPairs.count(computation) && categoricalFirst(s))
    return takePair(analysis, s.groups(s.ordered[0], s.ordered[1]),
                    s.variable(s.ordered[0]).categories, computed.groups);
  if (matchedPairs.count(computation) && categoricalFirst(s))
    return takeMatched(analysis, s, computed, true);
  if (conditionTests.count(computation) && categoricalFirst(s)) {
    if (!takeMatched(analysis, s, computed, false))
      return false;
    if (computation == "cochran_q" || computation == "mcnemar")
      recodeAnswers(analysis);
    return true;
  }
  if (groupTests.count(computation) && categoricalFirst(s)) {
    analysis.samples = s.groups(s.ordered[0], s.ordered[1]);
    analysis.names = s.variable(s.ordered[0]).categories;
    return true;
  }
  if (computation.starts_with("pointbiserial") && s.ordered.size() == 2) {
    size_t x = s.variable(s.ordered[0]).categorical() ? 0 : 1;
    analysis.samples = s.groups(s.ordered[x], s.ordered[1 - x]);
    return analysis.samples.size() == 2;
  }
  if (columnTests.count(computation) && s.ordered.size() == 2) {
    analysis.samples = {s.values(s.ordered[0]), s.values(s.ordered[1])};
    if (computation == "partial_corr")
      for (const std::string &z : s.hypothesis.given)
        analysis.samples.push_back(s.values(z));
    return true;
  }
  if (constantTests.count(computation)) {
    analysis.samples = {s.values(s.hypothesis.outcome)};
    analysis.hypothesised = s.hypothesis.constant;
    return true;
  }
  if (countTests.count(computation))
    return takeCounts(analysis, s);
  if (regressions.count(computation))
    return takePredictors(analysis, s);
  return models.count(computation) > 0 && takeColumns(analysis, s);
}

std::vector<Analysis> analysesOf(const StudyAnalysis &study) {
  std::vector<Analysis> list;
  for (const HypothesisAnalysis &a : study.hypotheses) {
    ComputeSetting setting = settingFor(*a.situation);
    for (const ProcedureRun &run : a.runs) {
      Analysis analysis;
      analysis.procedure =
          run.procedure->computes.empty() ? run.procedure->id : run.procedure->computes;
      analysis.title = writeHypothesis(*a.hypothesis);
      analysis.conventions = setting.conventions;
      analysis.level = setting.level;
      analysis.alternative = run.computed.alternative;
      analysis.result = run.computed.result;
      if (!takeSamples(analysis, analysis.procedure, *a.situation, run.computed)) {
        analysis.samples.clear();
        analysis.procedure += " of this form"; // named as left out
      }
      list.push_back(std::move(analysis));
    }
    addFollowUp(list, a);
  }
  return list;
}

} // namespace imbrex::stats
