// Facts of the declaration: numbers and types of variables, design. They need no data.
#include "stats/language/Keys.h"
#include "stats/select/Measure.h"

namespace imbrex::stats {
namespace {

using Names = std::vector<std::string>;

Evidence fact(bool holds, std::string text = {}) {
  return {holds ? Answer::Holds : Answer::Fails, std::move(text), {}};
}

std::string list(const Names &names) {
  std::string text;
  for (const std::string &name : names)
    text += (text.empty() ? "" : ", ") + name;
  return text.empty() ? "none" : text;
}

template <class Test> Evidence type(const Situation &s, const Names &v, Test test) {
  const Variable &variable = s.variable(v[0]);
  return fact(test(variable), "it is " + measureName(variable.measure));
}

template <class Test> Evidence categories(const Situation &s, const Names &v, Test test) {
  const Variable &variable = s.variable(v[0]);
  if (variable.continuous())
    return fact(false, "it is " + measureName(variable.measure));
  return fact(test(variable.categories.size()), "it has " + list(variable.categories));
}

/// A key that repeats although nothing is within subjects: several rows of one participant.
Evidence independent(const Situation &s, const Names &, double) {
  for (const std::string &name : s.ordered)
    if (s.within(name))
      return fact(false, "'" + name + "' is within subjects");
  const Column *key = s.hasData() ? s.key() : nullptr;
  if (!key || key->kind != ColumnKind::Category || s.study.rules == "tea-2019")
    return fact(true, s.study.data.key.empty() ? "no key is declared: each row counts" : "");
  std::vector<bool> seen(key->categories.size());
  for (uint32_t row : s.rows().rows) {
    if (key->codes[row] < 0)
      continue;
    auto code = static_cast<size_t>(key->codes[row]);
    if (seen[code])
      return fact(false,
                  "'" + key->categories[code] + "' of the key " + key->name + " has several rows");
    seen[code] = true;
  }
  return fact(true, "each row has its own " + key->name);
}

Evidence paired(const Situation &s, const Names &, double) {
  bool one = s.explanatory.size() == 1 && s.ordered.size() == 2;
  return fact(one && s.within(s.explanatory[0]),
              one ? "" : "the hypothesis is no pair of variables");
}

std::string withinText(const Situation &s) {
  return "within subjects: " + list(s.withinFactors()) + "; between: " + list(s.betweenFactors());
}

} // namespace

const std::vector<NamedMeasurement> &declaredFacts() {
  using S = Situation;
  static const std::vector<NamedMeasurement> facts = {
      {"bivariate", 0,
       [](const S &s, const Names &, double) {
         return fact(s.ordered.size() == 2, "they are " + list(s.ordered));
       }},
      {"one_explanatory", 0,
       [](const S &s, const Names &, double) {
         return fact(s.explanatory.size() == 1, "explanatory: " + list(s.explanatory));
       }},
      {"several_explanatory", 0,
       [](const S &s, const Names &, double) {
         return fact(s.explanatory.size() >= 2, "explanatory: " + list(s.explanatory));
       }},
      {"one_explained", 0,
       [](const S &s, const Names &, double) {
         return fact(s.explained.size() == 1, "explained: " + list(s.explained));
       }},
      {"no_covariates", 0,
       [](const S &s, const Names &, double) {
         return fact(s.hypothesis.given.empty(), "given: " + list(s.hypothesis.given));
       }},
      {"with_covariates", 0,
       [](const S &s, const Names &, double) {
         return fact(!s.hypothesis.given.empty(), "given: " + list(s.hypothesis.given));
       }},
      {"linear_form", 0,
       [](const S &s, const Names &, double) {
         return fact(s.hypothesis.form == HypothesisForm::Linear);
       }},
      {"against_constant", 0,
       [](const S &s, const Names &, double) {
         return fact(s.hypothesis.form == HypothesisForm::Constant);
       }},
      {"all_within", 0,
       [](const S &s, const Names &, double) {
         return fact(s.anyWithin() && s.betweenFactors().empty(), withinText(s));
       }},
      {"within_and_between", 0,
       [](const S &s, const Names &, double) {
         return fact(s.anyWithin() && !s.betweenFactors().empty(), withinText(s));
       }},
      {"paired_observations", 0, paired},
      {"independent_observations", 0, independent},
      {"categorical", 1,
       [](const S &s, const Names &v, double) {
         return type(s, v, [](const Variable &x) { return x.categorical(); });
       }},
      {"continuous", 1,
       [](const S &s, const Names &v, double) {
         return type(s, v, [](const Variable &x) { return x.continuous(); });
       }},
      {"continuous_or_ordinal", 1,
       [](const S &s, const Names &v, double) {
         return type(s, v, [](const Variable &x) { return x.measure != Measure::Nominal; });
       }},
      {"continuous_or_two_categories", 1,
       [](const S &s, const Names &v, double) {
         return s.variable(v[0]).continuous() ? type(s, v, [](const Variable &) { return true; })
                                              : categories(s, v, [](size_t n) { return n == 2; });
       }},
      {"two_categories", 1,
       [](const S &s, const Names &v, double) {
         return categories(s, v, [](size_t n) { return n == 2; });
       }},
      {"two_or_more_categories", 1,
       [](const S &s, const Names &v, double) {
         return categories(s, v, [](size_t n) { return n >= 2; });
       }},
      {"three_or_more_categories", 1,
       [](const S &s, const Names &v, double) {
         return categories(s, v, [](size_t n) { return n >= 3; });
       }},
  };
  return facts;
}

} // namespace imbrex::stats
