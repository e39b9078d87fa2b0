// Procedures for relations of two variables, for tables of counts, and for one sample.
#include "stats/procedures/association/Kendall.h"
#include "stats/procedures/association/PartialCorrelation.h"
#include "stats/procedures/association/Pearson.h"
#include "stats/procedures/association/PointBiserial.h"
#include "stats/procedures/association/Spearman.h"
#include "stats/procedures/categorical/ChiSquare.h"
#include "stats/procedures/categorical/CochranQ.h"
#include "stats/procedures/categorical/FisherExact.h"
#include "stats/procedures/categorical/FisherExactTable.h"
#include "stats/procedures/categorical/McNemar.h"
#include "stats/procedures/categorical/SignTest.h"
#include "stats/procedures/groups/RankTests.h"
#include "stats/procedures/groups/TTests.h"
#include "stats/procedures/resampling/Bootstrap.h"
#include "stats/select/Compute.h"

namespace imbrex::stats {
namespace {

Computed refused(std::string reason) {
  Computed c;
  c.result.refused(std::move(reason));
  return c;
}

/// Comparisons of an ordinal variable's categories: with its order, the other variable grows with
/// it; against, it falls.
Alternative orderedPrediction(const Situation &s) {
  const Variable *v = s.study.find(s.hypothesis.compared);
  if (!v || v->measure != Measure::Ordinal || s.study.rules == "tea-2019")
    return Alternative::TwoSided;
  bool up = true, down = true;
  for (const Contrast &c : contrastsOf(s, *v)) {
    bool rises = (c.alternative == Alternative::Greater) == (c.first > c.second);
    up &= c.alternative != Alternative::TwoSided && rises;
    down &= c.alternative != Alternative::TwoSided && !rises;
  }
  return up == down ? Alternative::TwoSided : up ? Alternative::Greater : Alternative::Less;
}

/// `y ~ +x` predicts a positive relation, `y ~ -x` a negative one.
Alternative trendOf(const Situation &s) {
  const auto &terms = s.hypothesis.terms;
  if (!s.hypothesis.comparisons.empty())
    return orderedPrediction(s);
  if (terms.size() != 1 || terms[0].trend == Trend::Either)
    return Alternative::TwoSided;
  return terms[0].trend == Trend::Positive ? Alternative::Greater : Alternative::Less;
}

std::string trendText(const Situation &s) {
  Alternative a = trendOf(s);
  return a == Alternative::TwoSided ? "" : a == Alternative::Greater ? "positive" : "negative";
}

template <class Test> Computed correlation(const ComputeSetting &setting, Test test) {
  const Situation &s = setting.situation;
  std::vector<std::string> names = s.ordered;
  if (names.size() != 2)
    return refused("it needs two variables");
  Computed c;
  c.result = test(s.values(names[0]), s.values(names[1]));
  c.alternative = trendOf(s);
  c.prediction = trendText(s);
  c.groups = names;
  if (!s.hypothesis.comparisons.empty())
    c.result.notes.push_back(
        c.prediction.empty() ? "tested in both directions: the prediction compares categories"
                             : "the prediction is taken for a " + c.prediction +
                                   " relation with the order of '" + s.hypothesis.compared + "'");
  return c;
}

Computed pearsonR(const ComputeSetting &s, const Contrast *) {
  return correlation(s, [&](const auto &x, const auto &y) { return pearson(x, y, s.level); });
}

Computed kendallTau(const ComputeSetting &s, const Contrast *) {
  return correlation(
      s, [&](const auto &x, const auto &y) { return kendall(x, y, s.conventions, s.level); });
}

Computed spearmanRho(const ComputeSetting &s, const Contrast *) {
  return correlation(
      s, [&](const auto &x, const auto &y) { return spearman(x, y, s.conventions, s.level); });
}

Computed partial(const ComputeSetting &setting, const Contrast *) {
  std::vector<std::vector<double>> covariates;
  for (const std::string &z : setting.situation.hypothesis.given)
    covariates.push_back(setting.situation.values(z));
  return correlation(setting, [&](const auto &x, const auto &y) {
    return partialCorrelation(x, y, covariates, setting.level);
  });
}

/// Whichever of the two has categories.
Computed biserial(const ComputeSetting &setting, const Contrast *) {
  const Situation &s = setting.situation;
  if (s.ordered.size() != 2)
    return refused("it needs two variables");
  bool firstHas = s.variable(s.ordered[0]).categorical();
  const std::string &x = s.ordered[firstHas ? 0 : 1], &y = s.ordered[firstHas ? 1 : 0];
  if (s.variable(x).continuous() || s.variable(x).categories.size() != 2)
    return refused("it needs a variable with two categories");
  std::vector<std::vector<double>> groups = s.groups(x, y);
  Computed c;
  c.result = pointBiserial(groups[0], groups[1], setting.level);
  c.groups = s.variable(x).categories;
  std::vector<Contrast> contrasts = contrastsOf(s, s.variable(x));
  if (!contrasts.empty()) { // positive: the second category has larger values
    const Contrast &k = contrasts[0];
    bool forward = (k.alternative == Alternative::Greater) == (k.first == 1);
    c.alternative = k.alternative == Alternative::TwoSided ? Alternative::TwoSided
                    : forward                              ? Alternative::Greater
                                                           : Alternative::Less;
    c.prediction = k.text;
  }
  return c;
}

std::optional<ContingencyTable> tableOf(const Situation &s) {
  if (s.ordered.size() != 2 || s.variable(s.ordered[0]).continuous() ||
      s.variable(s.ordered[1]).continuous())
    return std::nullopt;
  std::vector<int> rows = s.codes(s.ordered[0]), columns = s.codes(s.ordered[1]);
  return ContingencyTable::of(std::vector<int64_t>(rows.begin(), rows.end()),
                              std::vector<int64_t>(columns.begin(), columns.end()),
                              s.variable(s.ordered[0]).categories,
                              s.variable(s.ordered[1]).categories);
}

template <class Test> Computed counted(const Situation &s, Test test) {
  std::optional<ContingencyTable> table = tableOf(s);
  if (!table)
    return refused("it needs two variables with categories");
  Computed c;
  c.result = test(*table);
  return c;
}

Computed chiSquare(const ComputeSetting &s, const Contrast *) {
  return counted(s.situation, [&](const ContingencyTable &t) {
    return chiSquareIndependence(t, s.conventions.yates, s.level);
  });
}

Computed fisher(const ComputeSetting &s, const Contrast *) {
  return counted(s.situation, [&](const ContingencyTable &t) {
    return t.fourfold() ? fisherExact(t, s.conventions.oddsRatio, s.level)
                        : fisherExactTable(t, {}, s.level);
  });
}

/// Answers of matched participants: 0 for the first category of y, 1 for the second.
Result<std::vector<std::vector<int>>> answersOf(const Situation &s, Matched &used) {
  if (s.ordered.size() != 2 || s.variable(s.ordered[1]).categories.size() != 2)
    return badInput(1256, "it needs an answer with two categories");
  Result<Matched> matched = s.matched(s.ordered[0], s.ordered[1]);
  if (!matched)
    return matched.takeError();
  std::vector<std::vector<int>> answers(s.variable(s.ordered[0]).categories.size());
  for (const auto &subject : matched->values)
    for (size_t j = 0; j < answers.size(); ++j)
      answers[j].push_back(static_cast<int>(subject[j]) - 1);
  used = matched.take();
  return answers;
}

Computed cochran(const ComputeSetting &setting, const Contrast *) {
  Matched matched;
  auto answers = answersOf(setting.situation, matched);
  if (!answers)
    return refused(answers.error().what);
  Computed c;
  c.result = cochranQ(*answers, setting.level);
  noteIncomplete(c.result, matched);
  return c;
}

/// Of the only two measurements, or of the two that `contrast` names.
Computed mcnemarTest(const ComputeSetting &setting, const Contrast *contrast) {
  Matched matched;
  auto answers = answersOf(setting.situation, matched);
  if (!answers || (!contrast && answers->size() != 2))
    return refused(answers ? "it needs two conditions" : answers.error().what);
  const auto &names = setting.situation.variable(setting.situation.ordered[1]).categories;
  const std::vector<int> &first = (*answers)[contrast ? contrast->first : 0],
                         &second = (*answers)[contrast ? contrast->second : 1];
  Computed c;
  c.result = mcnemar(ContingencyTable::of(std::vector<int64_t>(first.begin(), first.end()),
                                          std::vector<int64_t>(second.begin(), second.end()), names,
                                          names),
                     McNemarMethod::Exact, setting.level);
  noteIncomplete(c.result, matched);
  return c;
}

Alternative constantAlternative(const Hypothesis &h) {
  return h.order == Order::Greater ? Alternative::Greater
         : h.order == Order::Less  ? Alternative::Less
                                   : Alternative::TwoSided;
}

template <class Test> Computed oneSample(const ComputeSetting &setting, Test test) {
  const Situation &s = setting.situation;
  if (s.hypothesis.form != HypothesisForm::Constant)
    return refused("the hypothesis is not about a constant");
  Computed c;
  c.result = test(s.values(s.hypothesis.outcome), s.hypothesis.constant);
  c.alternative = constantAlternative(s.hypothesis);
  return c;
}

Computed oneT(const ComputeSetting &s, const Contrast *) {
  return oneSample(s, [&](const std::vector<double> &values, double constant) {
    LocationOptions options;
    options.hypothesised = constant;
    options.level = s.level;
    return oneSampleT(values, options);
  });
}

Computed oneWilcoxon(const ComputeSetting &s, const Contrast *) {
  return oneSample(s, [&](const std::vector<double> &values, double constant) {
    RankOptions options;
    options.conventions = s.conventions;
    options.hypothesised = constant;
    options.level = s.level;
    return oneSampleWilcoxon(values, options);
  });
}

Computed oneSign(const ComputeSetting &s, const Contrast *) {
  return oneSample(s, [&](std::vector<double> values, double constant) {
    for (double &value : values)
      value -= constant;
    return signTest(values, s.level);
  });
}

/// Resampling very many values only repeats what their order says (the sign test's interval).
constexpr size_t mostResampled = 5000;

Estimate medianOfGroup(const std::vector<double> &values, double level) {
  if (values.size() == 1)
    return {"median", values[0], std::nullopt};
  if (values.size() > mostResampled) {
    TestResult signs = signTest(values, level);
    std::vector<double> copy = values;
    std::optional<Interval> interval;
    if (signs.estimate)
      interval = signs.estimate->interval;
    return {"median", medianOf(std::move(copy)), interval};
  }
  BootstrapOptions options;
  options.method = BootstrapMethod::Percentile;
  options.level = level;
  BootstrapResult b = bootstrap(
      {values}, Resampling::WithinGroups,
      [](const Groups &g) { return centreOf(g[0], Centre::Median); }, options);
  return {"median", b.value, b.interval};
}

/// An interval of the median of each group, for each factor by itself.
Computed medians(const ComputeSetting &setting, const Contrast *) {
  const Situation &s = setting.situation;
  if (s.ordered.empty() || s.variable(s.ordered.back()).measure == Measure::Nominal)
    return refused("it needs values with an order");
  std::vector<std::string> factors;
  for (size_t i = 0; i + 1 < s.ordered.size(); ++i)
    if (s.variable(s.ordered[i]).categorical())
      factors.push_back(s.ordered[i]);
  Computed c;
  c.result.name = "Bootstrap intervals of the medians";
  ResultTable table{"medians", {}};
  bool large = false;
  for (const std::string &factor : factors) {
    std::vector<std::vector<double>> groups = s.groups(factor, s.ordered.back());
    for (size_t i = 0; i < groups.size(); ++i) {
      ResultRow row;
      row.name = factor + " = " + s.variable(factor).categories[i];
      if (groups[i].empty())
        continue;
      row.estimate = medianOfGroup(groups[i], setting.level);
      large |= groups[i].size() > mostResampled;
      table.rows.push_back(std::move(row));
    }
  }
  if (table.rows.empty())
    return refused("there are no groups");
  c.result.tables.push_back(std::move(table));
  c.result.method = std::string("percentile, 9999 samples, seed 1") +
                    (large ? "; order statistics of groups over 5000 values" : "");
  c.result.notes.push_back("intervals, no test: overlapping intervals do not prove equality");
  return c;
}

} // namespace

const std::vector<NamedComputation> &relationComputations() {
  static const std::vector<NamedComputation> list = {
      {"pearson_corr", pearsonR},
      {"kendalltau_corr", kendallTau},
      {"spearman_corr", spearmanRho},
      {"partial_corr", partial},
      {"pointbiserial_corr", biserial},
      {"chi_square", chiSquare},
      {"fishers_exact", fisher},
      {"mcnemar", mcnemarTest},
      {"cochran_q", cochran},
      {"one_sample_t", oneT},
      {"one_sample_wilcoxon", oneWilcoxon},
      {"one_sample_sign", oneSign},
      {"bootstrap", medians},
  };
  return list;
}

} // namespace imbrex::stats
