// Properties that are tested: normality by Shapiro and Wilk, equal variance by Brown and Forsythe.
#include "stats/assumptions/Normality.h"
#include "stats/assumptions/Variances.h"
#include "stats/numeric/Moments.h"
#include "stats/procedures/anova/Repeated.h"
#include "stats/select/Measure.h"
#include "stats/select/Residuals.h"

#include <algorithm>
#include <cmath>

namespace imbrex::stats {
namespace {

using Names = std::vector<std::string>;

std::string decimals(const char *format, double value) {
  char text[40];
  std::snprintf(text, sizeof text, format, value);
  return text;
}

std::string pText(double p) {
  return p < 0.001 ? "p < .001" : "p = " + decimals("%.3f", p).substr(1);
}

std::string shown(const PropertyTest &t) {
  std::string p = t.p >= 0.9995 ? "p > .999" : pText(t.p);
  return t.test + (t.subject.empty() ? "" : " of " + t.subject) + ": " + t.symbol + " = " +
         decimals("%.4g", t.statistic) + ", " + p + ", n = " + std::to_string(t.n);
}

Evidence undefined(std::string reason) { return {Answer::Undefined, std::move(reason), {}}; }

/// Fails when a test's p is at most the threshold. The text shows the decisive tests: those that
/// fail, else the least p.
Evidence judged(std::vector<PropertyTest> tests, double threshold) {
  Evidence e;
  e.answer = Answer::Holds;
  auto least = std::min_element(tests.begin(), tests.end(),
                                [](const auto &a, const auto &b) { return a.p < b.p; });
  for (const PropertyTest &t : tests)
    if (t.p <= threshold) {
      e.answer = Answer::Fails;
      e.text += (e.text.empty() ? "" : "; ") + shown(t);
    }
  if (e.text.empty() && !tests.empty())
    e.text = (tests.size() > 1 ? "least p: " : "") + shown(*least);
  e.tests = std::move(tests);
  return e;
}

/// One test's result, or the reason why there is none.
std::string add(std::vector<PropertyTest> &tests, const TestResult &result, const char *symbol,
                const std::string &subject, size_t n, const std::string &name) {
  if (!result.defined() || !result.p.undirected)
    return (subject.empty() ? "" : subject + ": ") + result.reason;
  if (!std::isfinite(result.statistics[0].value))
    return (subject.empty() ? "" : subject + ": ") +
           "the values do not vary enough within groups, its statistic is infinite";
  tests.push_back(
      {subject, name, symbol, result.statistics[0].value, result.p.undirected->value, n});
  return "";
}

/// Beyond the sizes for which Shapiro and Wilk's p-value is known, what matters is whether means
/// are normal: by Edgeworth's expansion they are off by a term in skewness / sqrt(n).
constexpr size_t mostForShapiro = 5000;
constexpr double negligibleSkewness = 0.05;

/// Skewness over sqrt(n); NaN when all values are equal.
double skewnessOfMean(const std::vector<double> &values) {
  std::vector<double> scaled = CommonScale(values).scaled(values);
  Moments moments = momentsOf(scaled);
  double n = static_cast<double>(scaled.size()), cube = 0;
  for (double v : scaled)
    cube += std::pow(v - moments.mean, 3) / n;
  return std::abs(cube) / std::pow(moments.squares / n, 1.5) / std::sqrt(n);
}

Evidence normality(const Situation &s,
                   const std::vector<std::pair<std::string, std::vector<double>>> &samples,
                   double threshold) {
  std::vector<PropertyTest> tests;
  std::string large;
  for (const auto &[subject, values] : samples) {
    if (values.size() > mostForShapiro && s.study.rules != "tea-2019") {
      double term = skewnessOfMean(values);
      if (std::isnan(term))
        return undefined("all values of " + subject + " are equal");
      if (term >= negligibleSkewness)
        return {Answer::Fails, subject + " is too skewed for normal means", {}};
      large +=
          (large.empty() ? "" : "; ") + subject +
          " not tested for n = " + std::to_string(values.size()) +
          ": means of so many values are normal, skewness / sqrt(n) = " + decimals("%.2g", term);
      continue;
    }
    std::string reason =
        add(tests, shapiroWilk(values), "W", subject, values.size(), "Shapiro-Wilk");
    if (!reason.empty())
      return undefined("Shapiro-Wilk has no answer for " + reason);
  }
  Evidence e = judged(std::move(tests), threshold);
  if (!large.empty())
    e.text += (e.text.empty() ? "" : "; ") + large;
  return e;
}

Evidence normal(const Situation &s, const Names &v, double threshold) {
  if (!s.variable(v[0]).continuous())
    return undefined("'" + v[0] + "' is not numeric");
  return s.hasData() ? normality(s, {{v[0], s.values(v[0])}}, threshold) : Evidence();
}

Evidence groupsNormal(const Situation &s, const Names &v, double threshold) {
  if (!s.variable(v[1]).continuous() || s.variable(v[0]).continuous())
    return undefined("there are no groups of numbers");
  if (!s.hasData())
    return {};
  std::vector<std::pair<std::string, std::vector<double>>> samples;
  std::vector<std::vector<double>> groups = s.groups(v[0], v[1]);
  for (size_t i = 0; i < groups.size(); ++i)
    samples.emplace_back(v[0] + " = " + s.variable(v[0]).categories[i], std::move(groups[i]));
  return normality(s, samples, threshold);
}

bool cellsOfNumbers(const Situation &s, const Names &v) {
  return s.variable(v.back()).continuous() &&
         std::all_of(v.begin(), v.end() - 1,
                     [&](const std::string &x) { return s.variable(x).categorical(); });
}

Evidence cellsNormal(const Situation &s, const Names &v, double threshold) {
  if (!cellsOfNumbers(s, v))
    return undefined("there are no groups of numbers");
  if (!s.hasData())
    return {};
  std::vector<std::pair<std::string, std::vector<double>>> samples;
  for (auto &cell : s.cells({v.begin(), v.end() - 1}, v.back()))
    samples.emplace_back("cell " + std::to_string(samples.size() + 1), std::move(cell));
  return normality(s, samples, threshold);
}

Evidence variances(const std::vector<std::vector<double>> &groups, double threshold) {
  std::vector<PropertyTest> tests;
  size_t n = 0;
  for (const auto &group : groups) {
    if (group.empty())
      return undefined("a group is empty");
    n += group.size();
  }
  if (std::string reason =
          add(tests, levene(groups, LeveneCentre::Median), "F", "", n, "Brown-Forsythe");
      !reason.empty())
    return undefined("Brown-Forsythe has no answer: " + reason);
  return judged(std::move(tests), threshold);
}

/// An ordinal variable is taken by its ranks: groups that differ in location only have equal
/// spread.
Evidence equalVariance(const Situation &s, const Names &v, double threshold) {
  if (s.variable(v[0]).continuous() || s.variable(v[1]).measure == Measure::Nominal)
    return undefined("there are no groups with an order");
  return s.hasData() ? variances(s.groups(v[0], v[1]), threshold) : Evidence();
}

Evidence cellsEqualVariance(const Situation &s, const Names &v, double threshold) {
  if (!cellsOfNumbers(s, v))
    return undefined("there are no groups of numbers");
  return s.hasData() ? variances(s.cells({v.begin(), v.end() - 1}, v.back()), threshold)
                     : Evidence();
}

Evidence differencesNormal(const Situation &s, const Names &v, double threshold) {
  if (!cellsOfNumbers(s, v) || s.variable(v[0]).categories.size() != 2)
    return undefined("there are no differences of two numbers");
  if (!s.hasData())
    return {};
  Result<Matched> matched = s.matched(v[0], v[1]);
  if (!matched)
    return undefined(matched.error().what);
  std::vector<double> differences;
  for (const auto &pair : matched->values)
    differences.push_back(pair[0] - pair[1]);
  return normality(s, {{"the differences", std::move(differences)}}, threshold);
}

Evidence residualsNormal(const Situation &s, const Names &v, double threshold) {
  if (!s.variable(v.back()).continuous())
    return undefined("'" + v.back() + "' is not numeric");
  if (!s.hasData())
    return {};
  Result<std::vector<double>> residuals = modelResiduals(s, {v.begin(), v.end() - 1}, v.back());
  return residuals ? normality(s, {{"the residuals", residuals.take()}}, threshold)
                   : undefined(residuals.error().what);
}

Evidence mauchlys(const Situation &s, const Names &v, double threshold) {
  Result<Matched> matched = s.matched(v[0], v[1]);
  if (!matched)
    return undefined(matched.error().what);
  std::vector<std::vector<double>> conditions(s.variable(v[0]).categories.size());
  for (const auto &subject : matched->values)
    for (size_t j = 0; j < conditions.size(); ++j)
      conditions[j].push_back(subject[j]);
  std::vector<PropertyTest> tests;
  std::string reason = add(tests, mauchly(conditions), "W", "", matched->values.size(), "Mauchly");
  return reason.empty() ? judged(std::move(tests), threshold)
                        : undefined("Mauchly's test has no answer: " + reason);
}

Evidence sphericity(const Situation &s, const Names &v, double threshold) {
  if (!cellsOfNumbers(s, v))
    return undefined("there are no groups of numbers");
  if (s.variable(v[0]).categories.size() <= 2)
    return {Answer::Holds, "two conditions have one difference", {}};
  return s.hasData() ? mauchlys(s, v, threshold) : Evidence();
}

} // namespace

const std::vector<NamedMeasurement> &testedProperties() {
  static const std::vector<NamedMeasurement> properties = {
      {"normal", 1, normal},
      {"groups_normal", 2, groupsNormal},
      {"cells_normal", 2, cellsNormal},
      {"equal_variance", 2, equalVariance},
      {"cells_equal_variance", 2, cellsEqualVariance},
      {"differences_normal", 2, differencesNormal},
      {"residuals_normal", 2, residualsNormal},
      {"sphericity", 2, sphericity},
  };
  return properties;
}

} // namespace imbrex::stats
