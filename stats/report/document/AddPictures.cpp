// Which pictures belong to a hypothesis.
#include "stats/language/WriteStudy.h"
#include "stats/report/document/Document.h"
#include "stats/report/svg/Pictures.h"
#include "stats/select/Residuals.h"

namespace imbrex::stats {
namespace {

constexpr size_t mostPanels = 6; // of normal quantiles: more groups are hard to read

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

void twoVariables(Document &document, const Situation &s) {
  const Variable &x = s.variable(s.ordered[0]), &y = s.variable(s.ordered[1]);
  Labels labels{y.name + " by " + x.name, x.name, y.name};
  if (x.categorical() && y.measure == Measure::Nominal) {
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

/// Two factors: means of the cells.
void interaction(Document &document, const Situation &s) {
  const Variable &a = s.variable(s.explanatory[0]), &b = s.variable(s.explanatory[1]);
  const std::string &y = s.explained[0];
  std::vector<std::vector<double>> cells = s.cells({a.name, b.name}, y);
  std::vector<Groups> rows(a.categories.size());
  for (size_t i = 0; i < cells.size(); ++i)
    rows[i / b.categories.size()].push_back(cells[i]);
  add(document,
      interactionPlot(rows, a.categories, b.categories, 1 - s.study.alpha,
                      {y + " by " + a.name + " and " + b.name, a.name, y}, b.name),
      "Means of the cells with their intervals.");
}

/// Normal quantiles of residuals, or of each group.
void normality(Document &document, const Situation &s) {
  if (s.explained.size() != 1 || s.variable(s.explained[0]).categorical())
    return;
  const std::string &y = s.explained[0];
  std::vector<std::string> factors;
  for (const std::string &x : s.explanatory)
    if (s.variable(x).categorical())
      factors.push_back(x);
  if (factors.size() == 1 && factors.size() == s.explanatory.size() &&
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
    twoVariables(document, s);
  else if (s.explanatory.size() == 2 && s.explained.size() == 1 &&
           s.variable(s.explanatory[0]).categorical() && s.variable(s.explanatory[1]).categorical())
    interaction(document, s);
  if (!s.explanatory.empty())
    normality(document, s);
  if (document.blocks.size() == before + 1)
    document.blocks.pop_back();
}

} // namespace imbrex::stats
