// Which pictures belong to a hypothesis.
#include "stats/language/WriteStudy.h"
#include "stats/report/document/Document.h"
#include "stats/report/svg/Pictures.h"
#include "stats/select/Residuals.h"

namespace imbrex::stats {
namespace {

constexpr size_t mostPanels = 6; // of one kind: more are hard to read

void add(Document &document, std::string svg, std::string caption) {
  Block block{BlockKind::Picture, std::move(caption), {}, {}, std::move(svg), {}};
  document.blocks.push_back(std::move(block));
}

std::vector<std::vector<double>> conditionsOf(const Situation &s) {
  std::vector<std::vector<double>> conditions;
  Result<Matched> matched = s.matched(s.ordered[0], s.ordered[1]);
  if (!matched)
    return conditions;
  conditions.resize(s.variable(s.ordered[0]).categories.size());
  for (const std::vector<double> &subject : matched->values)
    for (size_t j = 0; j < conditions.size(); ++j)
      conditions[j].push_back(subject[j]);
  return conditions;
}

void twoVariables(Document &document, const Situation &s, const Variable &x, const Variable &y) {
  Labels labels{y.name + " by " + x.name, x.name, y.name};
  if (x.categorical() && y.categorical()) {
    add(document, shares(s.counts(x.name, y.name), x.categories, y.categories, labels),
        "Shares of " + y.name + " in each category of " + x.name + ".");
  } else if (x.categorical()) {
    add(document, boxAndStrip(s.groups(x.name, y.name), x.categories, labels),
        "Box: quartiles and median; whiskers: furthest value within 1.5 quartile distances; dots: "
        "all values; diamond: mean.");
    if (s.within(x.name))
      if (auto conditions = conditionsOf(s); !conditions.empty())
        add(document, subjectLines(conditions, x.categories, labels),
            "One line for each participant; red: means.");
  } else if (y.categorical()) {
    add(document,
        boxAndStrip(s.groups(y.name, x.name), y.categories, {labels.title, y.name, x.name}),
        "Box: quartiles and median; dots: all values; diamond: mean.");
  } else {
    add(document, scatterWithFit(s.values(x.name), s.values(y.name), 1 - s.study.alpha, labels),
        "Least-squares line with the interval of the mean.");
  }
}

/// Means of the cells of two factors, over all others.
void interaction(Document &document, const Situation &s, const Variable &a, const Variable &b) {
  const std::string &y = s.explained[0];
  std::vector<std::vector<double>> cells = s.cells({a.name, b.name}, y);
  std::vector<Groups> rows(a.categories.size());
  for (size_t i = 0; i < cells.size(); ++i)
    rows[i / b.categories.size()].push_back(cells[i]);
  add(document,
      interactionPlot(rows, a.categories, b.categories, 1 - s.study.alpha,
                      {y + " by " + a.name + " and " + b.name, a.name, y}, b.name),
      "Means of the cells of " + a.name + " and " + b.name + " with their intervals.");
}

/// Every pair of factors. The one with more categories lies along the axis, the other is a line.
void interactions(Document &document, const Situation &s) {
  std::vector<const Variable *> factors;
  for (const std::string &x : s.explanatory)
    if (s.variable(x).categorical())
      factors.push_back(&s.variable(x));
  size_t count = 0;
  for (size_t i = 0; i < factors.size(); ++i)
    for (size_t j = i + 1; j < factors.size() && count < mostPanels; ++j, ++count) {
      bool swap = factors[j]->categories.size() > factors[i]->categories.size();
      interaction(document, s, *factors[swap ? j : i], *factors[swap ? i : j]);
    }
}

/// Normal quantiles of what tests ask for: each group, differences of pairs, or residuals.
void normality(Document &document, const Situation &s) {
  if (s.explained.size() != 1 || s.variable(s.explained[0]).categorical())
    return;
  const std::string &y = s.explained[0];
  std::vector<std::string> factors;
  for (const std::string &x : s.explanatory)
    if (s.variable(x).categorical())
      factors.push_back(x);
  bool within = s.anyWithin();
  if (within && factors.size() == 1 && s.variable(factors[0]).categories.size() == 2) {
    std::vector<std::vector<double>> conditions = conditionsOf(s);
    for (size_t i = 0; !conditions.empty() && i < conditions[0].size(); ++i)
      conditions[0][i] -= conditions[1][i];
    if (!conditions.empty() && conditions[0].size() > 2)
      add(document, normalQuantiles(conditions[0], {"Normal quantiles", "", "differences of " + y}),
          "Normal differences lie along the line.");
    return;
  }
  if (!within && factors.size() == 1 && factors.size() == s.explanatory.size() &&
      s.variable(factors[0]).categories.size() <= mostPanels) {
    const Variable &x = s.variable(factors[0]);
    std::vector<std::vector<double>> groups = s.groups(x.name, y);
    for (size_t g = 0; g < groups.size(); ++g)
      if (groups[g].size() > 2)
        add(document,
            normalQuantiles(groups[g],
                            {"Normal quantiles", "", y + ", " + x.name + " = " + x.categories[g]}),
            "Normal values lie along the line: " + y + " in " + x.name + " = " + x.categories[g] +
                ".");
    return;
  }
  if (Result<std::vector<double>> residuals = modelResiduals(s, s.explanatory, y))
    add(document, normalQuantiles(*residuals, {"Normal quantiles", "", "residuals of " + y}),
        "Normal residuals lie along the line.");
}

} // namespace

void addPictures(Document &document, const HypothesisAnalysis &a) {
  const Situation &s = *a.situation;
  if (!s.hasData() || s.rows().rows.empty())
    return;
  size_t before = document.blocks.size();
  document.blocks.push_back({BlockKind::Heading, "The data", {}, {}, {}, {}});
  if (s.ordered.size() == 2)
    twoVariables(document, s, s.variable(s.ordered[0]), s.variable(s.ordered[1]));
  else if (s.hypothesis.form == HypothesisForm::Linear && s.explained.size() == 1)
    for (size_t i = 0; i < s.explanatory.size() && i < mostPanels; ++i)
      twoVariables(document, s, s.variable(s.explanatory[i]), s.variable(s.explained[0]));
  else if (s.explained.size() == 1 && s.variable(s.explained[0]).continuous())
    interactions(document, s);
  if (!s.explanatory.empty())
    normality(document, s);
  if (document.blocks.size() == before + 1)
    document.blocks.pop_back();
}

} // namespace imbrex::stats
