#include "stats/report/document/Repeat.h"

#include "stats/language/WriteStudy.h"

#include <algorithm>
#include <set>

namespace imbrex::stats {
namespace {

const std::set<std::string> independentPairs{"students_t", "welchs_t", "mannwhitney_u",
                                             "brunner_munzel", "permutation_test"};
const std::set<std::string> matchedPairs{"paired_students_t", "wilcoxon_signed_rank", "sign_test",
                                         "permutation_paired"};
const std::set<std::string> groupTests{"f_test", "welch_anova", "kruskall_wallis",
                                       "brunner_dette_munk", "permutation_f"};
const std::set<std::string> conditionTests{"friedman", "cochran_q", "mcnemar"};
const std::set<std::string> columnTests{"pearson_corr", "spearman_corr", "kendalltau_corr",
                                        "partial_corr"};
const std::set<std::string> countTests{"chi_square", "fishers_exact"};
const std::set<std::string> constantTests{"one_sample_t", "one_sample_wilcoxon", "one_sample_sign"};
const std::set<std::string> regressions{"linear_regression", "logistic_regression"};
const std::set<std::string> models{"factorial_anova", "ancova"};
const std::set<std::string> repeatedTests{"rm_one_way_anova", "rm_one_way_anova_corrected",
                                          "rm_factorial_anova", "mixed_anova"};
/// Those that test equality within a margin by two one-sided tests.
const std::set<std::string> equivalenceTests{"students_t",           "welchs_t",
                                             "mannwhitney_u",        "paired_students_t",
                                             "wilcoxon_signed_rank", "sign_test"};

bool categoricalFirst(const Situation &s) {
  return s.ordered.size() == 2 && s.variable(s.ordered[0]).categorical();
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

/// Factors within participants, their combinations, and the groups of the participants.
bool takeRepeated(Analysis &analysis, const Situation &s) {
  std::vector<std::string> within = s.withinFactors();
  if (within.empty() || s.explained.size() != 1)
    return false;
  Result<Matched> matched = s.matched(within, s.explained[0]);
  if (!matched)
    return false;
  size_t combinations = 1;
  for (const std::string &name : within) {
    analysis.within.push_back({name, {}, {}, s.variable(name).categories});
    combinations *= s.variable(name).categories.size();
  }
  std::vector<bool> known(matched->subjects.size(), true);
  for (const std::string &name : s.betweenFactors()) {
    Result<std::vector<int32_t>> codes = categoryOfSubjects(*matched, *s.column(name));
    if (!codes)
      return false;
    for (size_t i = 0; i < known.size(); ++i)
      known[i] = known[i] && (*codes)[i] >= 0;
    analysis.columns.push_back(
        {name, {}, {codes->begin(), codes->end()}, s.variable(name).categories});
  }
  analysis.samples.resize(combinations);
  for (size_t i = known.size(); i-- > 0;)
    if (!known[i])
      for (AnalysedColumn &column : analysis.columns)
        column.codes.erase(column.codes.begin() + static_cast<std::ptrdiff_t>(i));
  for (size_t i = 0; i < known.size(); ++i)
    for (size_t j = 0; known[i] && j < combinations; ++j)
      analysis.samples[j].push_back(matched->values[i][j]);
  return true;
}

/// The groups of which the bootstrap shows medians, in the order of its rows.
bool takeMedians(Analysis &analysis, const Situation &s) {
  for (size_t i = 0; i + 1 < s.ordered.size(); ++i) {
    const Variable &x = s.variable(s.ordered[i]);
    if (!x.categorical())
      continue;
    for (std::vector<double> &group : s.groups(x.name, s.ordered.back()))
      if (!group.empty())
        analysis.samples.push_back(std::move(group));
  }
  return !analysis.samples.empty();
}

/// The prediction's factor scales the second group.
void takePrediction(Analysis &analysis, const Computed &computed, const Contrast *contrast) {
  if (!contrast || analysis.samples.size() != 2)
    return;
  for (double &value : analysis.samples[1])
    value *= contrast->factor;
  if (contrast->margin && equivalenceTests.count(analysis.procedure))
    takeMargin(analysis, computed, *contrast->margin);
}

/// Two of several measurements, where a contrast names them.
void takeTwo(Groups &conditions, const Contrast *contrast) {
  if (contrast)
    conditions = {conditions[contrast->first], conditions[contrast->second]};
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

} // namespace

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

bool takeColumns(Analysis &analysis, const Situation &s, Covariates covariates) {
  if (s.explained.size() != 1)
    return false;
  analysis.columns.push_back({s.explained[0], s.values(s.explained[0]), {}, {}});
  for (const std::string &x : s.explanatory)
    analysis.columns.push_back({x, {}, s.codes(x), s.variable(x).categories});
  if (covariates == Covariates::Take)
    for (const std::string &z : s.hypothesis.given)
      analysis.columns.push_back({z, s.values(z), {}, {}});
  return true;
}

void takeMargin(Analysis &analysis, const Computed &computed, double margin) {
  analysis.hypothesised = computed.alternative == Alternative::Greater ? -margin : margin;
  analysis.title += ", the larger p of both one-sided tests";
  analysis.result.effects.clear();
}

Analysis analysisOf(const HypothesisAnalysis &a, std::string procedure, const Computed &computed,
                    const Contrast *contrast) {
  ComputeSetting setting = settingFor(*a.situation);
  Analysis analysis;
  analysis.procedure = std::move(procedure);
  analysis.title = writeHypothesis(*a.hypothesis);
  analysis.conventions = setting.conventions;
  analysis.level = setting.level;
  analysis.alternative = computed.alternative;
  analysis.result = computed.result;
  if (!takeSamples(analysis, analysis.procedure, *a.situation, computed, contrast)) {
    analysis.samples.clear();
    analysis.procedure += " of this form"; // named as left out
  }
  return analysis;
}

bool takeSamples(Analysis &analysis, const std::string &computation, const Situation &s,
                 const Computed &computed, const Contrast *given) {
  std::optional<Contrast> predicted;
  if (!given && categoricalFirst(s))
    if (std::vector<Contrast> all = contrastsOf(s, s.variable(s.ordered[0])); !all.empty())
      predicted = all[0];
  const Contrast *contrast = given ? given : predicted ? &*predicted : nullptr;
  if (independentPairs.count(computation) && categoricalFirst(s)) {
    if (!takePair(analysis, s.groups(s.ordered[0], s.ordered[1]),
                  s.variable(s.ordered[0]).categories, computed.groups))
      return false;
    takePrediction(analysis, computed, contrast);
    return true;
  }
  if (matchedPairs.count(computation) && categoricalFirst(s)) {
    if (!takeMatched(analysis, s, computed, true))
      return false;
    takePrediction(analysis, computed, contrast);
    return true;
  }
  if (repeatedTests.count(computation))
    return takeRepeated(analysis, s);
  if (computation == "bootstrap")
    return takeMedians(analysis, s);
  if (conditionTests.count(computation) && categoricalFirst(s)) {
    if (!takeMatched(analysis, s, computed, false))
      return false;
    if (computation == "mcnemar")
      takeTwo(analysis.samples, given);
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
  return models.count(computation) > 0 &&
         takeColumns(analysis, s, computation == "ancova" ? Covariates::Take : Covariates::Leave);
}

std::vector<Analysis> analysesOf(const StudyAnalysis &study) {
  std::vector<Analysis> list;
  for (const HypothesisAnalysis &a : study.hypotheses) {
    for (const ProcedureRun &run : a.runs)
      list.push_back(analysisOf(a, run.procedure->computes, run.computed));
    for (const FollowUp &one : a.comparisons)
      addComparisons(list, a, one);
  }
  return list;
}

} // namespace imbrex::stats
