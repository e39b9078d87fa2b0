// After a procedure for several groups or factors: the planned comparisons, or all pairs.
#include "stats/procedures/posthoc/ComparisonsOfMeans.h"
#include "stats/procedures/posthoc/ComparisonsOfRanks.h"
#include "stats/procedures/posthoc/MarginalMeans.h"
#include "stats/procedures/posthoc/RepeatedComparisons.h"
#include "stats/select/Designs.h"
#include "support/text/Counted.h"

#include <cmath>
#include <limits>

namespace imbrex::stats {

std::string_view pairwiseComputation(std::string_view computation) {
  if (computation == "f_test" || computation == "welch_anova")
    return "welchs_t";
  if (computation == "kruskall_wallis" || computation == "brunner_dette_munk")
    return "brunner_munzel";
  if (computation == "permutation_f")
    return "permutation_test";
  if (computation.starts_with("rm_one_way_anova"))
    return "paired_students_t";
  if (computation == "friedman")
    return "wilcoxon_signed_rank";
  if (computation == "factorial_anova" || computation == "ancova")
    return "marginal_contrast";
  return computation == "rm_factorial_anova" || computation == "mixed_anova"
             ? "participants_contrast"
             : "";
}

namespace {

/// Each contrast by `test`; p adjusted by Holm.
TestResult compared(std::string_view test, const std::vector<Contrast> &contrasts,
                    const ComputeSetting &setting, std::string title, std::string name) {
  TestResult result;
  ResultTable table{std::move(title), {}};
  std::vector<double> raw;
  for (const Contrast &contrast : contrasts) {
    Computed c = compute(test, setting, &contrast);
    ResultRow row;
    row.name = contrast.text;
    raw.push_back(c.p ? c.p->value : std::numeric_limits<double>::quiet_NaN());
    row.numbers.push_back({"raw p", raw.back()});
    row.estimate = c.result.estimate;
    row.effects = c.result.effects;
    result.name = name + c.result.name;
    table.rows.push_back(std::move(row));
  }
  std::vector<double> adjusted = adjustPValues(raw, Adjustment::Holm);
  for (size_t i = 0; i < adjusted.size(); ++i)
    if (!std::isnan(adjusted[i]))
      table.rows[i].p.undirected = PValue::of(adjusted[i]);
  result.tables.push_back(std::move(table));
  result.method = "p adjusted by Holm for " + counted(contrasts.size(), "comparison");
  return result;
}

TestResult planned(std::string_view test, const std::vector<Contrast> &contrasts,
                   const ComputeSetting &setting) {
  TestResult result =
      compared(test, contrasts, setting, "planned comparisons", "Planned comparisons by ");
  result.id = "planned_comparisons";
  return result;
}

TestResult eachPair(std::string_view test, const ComputeSetting &setting) {
  const Variable &x = setting.situation.variable(setting.situation.ordered[0]);
  TestResult result = compared(test, pairsOf(x), setting, "comparisons", "Comparisons by ");
  result.id = "each_pair";
  return result;
}

NamedGroups groupsFor(const ComputeSetting &setting) {
  const Situation &s = setting.situation;
  return {s.groups(s.ordered[0], s.ordered[1]), s.variable(s.ordered[0]).categories};
}

std::optional<NamedGroups> conditionsFor(const ComputeSetting &setting) {
  const Situation &s = setting.situation;
  Result<Matched> matched = s.matched(s.ordered[0], s.ordered[1]);
  if (!matched)
    return std::nullopt;
  NamedGroups groups{{}, s.variable(s.ordered[0]).categories};
  groups.values.resize(groups.names.size());
  for (const auto &subject : matched->values)
    for (size_t j = 0; j < groups.values.size(); ++j)
      groups.values[j].push_back(subject[j]);
  return groups;
}

/// Each pair costs milliseconds, and nobody reads thousands of them.
constexpr size_t mostCompared = 60;

TestResult tooManyPairs(size_t groups) {
  TestResult result{.id = "all_pairs", .name = "Comparisons of all pairs"};
  return result.refused("not made: " + std::to_string(groups) + " groups have " +
                        std::to_string(groups * (groups - 1) / 2) +
                        " pairs; the hypothesis can name those of interest");
}

std::optional<TestResult> allPairs(std::string_view computation, const ComputeSetting &setting) {
  if (computation == "f_test")
    return tukeyHsd(groupsFor(setting), setting.level);
  if (computation == "welch_anova")
    return gamesHowell(groupsFor(setting), setting.level);
  if (computation == "kruskall_wallis" || computation == "brunner_dette_munk")
    return dunn(groupsFor(setting), Adjustment::Holm, setting.level);
  if (std::string_view test = eachPairComputation(computation); !test.empty())
    return eachPair(test, setting);
  std::optional<NamedGroups> conditions = conditionsFor(setting);
  if (conditions && computation.starts_with("rm_one_way_anova"))
    return pairwisePairedT(*conditions, Adjustment::Holm, setting.level);
  if (conditions && computation == "friedman")
    return conoverBlocks(*conditions, Adjustment::Holm, setting.level);
  return std::nullopt;
}

/// The p-value of a term, corrected for sphericity where it needs to be; 1 when there is none.
double termP(const TestResult &anova, const std::string &term) {
  for (const char *title : {"Greenhouse-Geisser", "analysis of variance"})
    if (const ResultTable *table = anova.table(title))
      if (const ResultRow *row = table->row(term); row && row->p.undirected)
        return row->p.undirected->value;
  return 1;
}

/// What is significant of a factor: an interaction, or itself.
struct Significance {
  bool alone = false, interaction = false;
};

/// Terms are named by their factors in the order of `factors`.
Significance significanceOf(const TestResult &anova, const std::vector<std::string> &factors,
                            size_t factor, double alpha) {
  Significance found;
  for (uint32_t set = 0; set < 1u << factors.size(); ++set) {
    std::vector<std::string> names;
    for (size_t f = 0; f < factors.size(); ++f)
      if (set >> f & 1)
        names.push_back(factors[f]);
    if ((set >> factor & 1) == 0 || termP(anova, termName(names)) > alpha)
      continue;
    (names.size() == 1 ? found.alone : found.interaction) = true;
  }
  return found;
}

/// For each factor `simple` where it interacts, `marginal` where it is significant alone and has
/// more than the two levels that its F test compares already.
template <class Compare>
std::vector<FollowUp> afterTerms(const TestResult &anova, const std::vector<std::string> &factors,
                                 const ComputeSetting &setting, Compare compare) {
  std::vector<FollowUp> list;
  for (size_t f = 0; f < factors.size(); ++f) {
    Significance found = significanceOf(anova, factors, f, 1 - setting.level);
    bool several = setting.situation.variable(factors[f]).categories.size() > 2;
    if (found.interaction || (found.alone && several))
      list.push_back({factors[f], compare(f, found.interaction ? ComparisonScope::Simple
                                                               : ComparisonScope::Marginal)});
  }
  return list;
}

std::vector<FollowUp> afterModel(std::string_view computation, const TestResult &anova,
                                 const ComputeSetting &setting) {
  const Situation &s = setting.situation;
  if (computation == "factorial_anova" || computation == "ancova") {
    FactorialDesign design = factorialDesignOf(setting);
    if (computation == "factorial_anova")
      design.covariates.clear();
    return afterTerms(anova, s.explanatory, setting, [&](size_t f, ComparisonScope scope) {
      return scope == ComparisonScope::Simple ? simpleEffects(design, f) : marginalMeans(design, f);
    });
  }
  Matched matched;
  Result<RepeatedDesign> design = repeatedDesignOf(setting, matched);
  if (!design)
    return {};
  std::vector<std::string> factors = s.betweenFactors(), within = s.withinFactors();
  factors.insert(factors.end(), within.begin(), within.end());
  return afterTerms(anova, factors, setting, [&](size_t f, ComparisonScope scope) {
    return repeatedComparisons(*design, factors[f], scope);
  });
}

} // namespace

std::vector<Contrast> pairsOf(const Variable &variable) {
  std::vector<Contrast> pairs;
  for (size_t i = 0; i < variable.categories.size(); ++i)
    for (size_t j = i + 1; j < variable.categories.size(); ++j) {
      Contrast pair;
      pair.first = i;
      pair.second = j;
      pair.text = variable.categories[i] + " - " + variable.categories[j];
      pairs.push_back(std::move(pair));
    }
  return pairs;
}

std::string_view eachPairComputation(std::string_view computation) {
  if (computation == "permutation_f")
    return "permutation_test";
  return computation == "cochran_q" ? "mcnemar" : "";
}

std::vector<FollowUp> followUp(std::string_view computation, const TestResult &omnibus,
                               const ComputeSetting &setting) {
  const Situation &s = setting.situation;
  std::string_view test = pairwiseComputation(computation);
  bool model = test == "marginal_contrast" || test == "participants_contrast";
  if (!model && (s.ordered.size() != 2 || s.variable(s.ordered[0]).categories.size() < 3))
    return {};
  const std::string &compared = model ? s.hypothesis.compared : s.ordered[0];
  std::vector<Contrast> contrasts;
  if (!test.empty() && !compared.empty())
    contrasts = contrastsOf(s, s.variable(compared));
  if (!contrasts.empty())
    return {{compared, planned(test, contrasts, setting)}};
  if (model)
    return afterModel(computation, omnibus, setting);
  size_t groups = s.variable(compared).categories.size();
  std::optional<TestResult> pairs =
      groups > mostCompared ? tooManyPairs(groups) : allPairs(computation, setting);
  return pairs ? std::vector<FollowUp>{{compared, *pairs}} : std::vector<FollowUp>();
}

} // namespace imbrex::stats
