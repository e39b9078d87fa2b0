// One factor within subjects: the usual repeated measures analysis, and its test of sphericity
// alone.
#include "stats/procedures/anova/Repeated.h"

#include <algorithm>
#include <cmath>

namespace imbrex::stats {
namespace {

RepeatedDesign oneFactor(const std::vector<std::vector<double>> &conditions, double level) {
  RepeatedDesign design;
  design.level = level;
  design.within.push_back({"condition", {}});
  for (size_t j = 0; j < conditions.size(); ++j)
    design.within[0].levels.push_back(std::to_string(j + 1));
  for (size_t i = 0; !conditions.empty() && i < conditions[0].size(); ++i) {
    design.subjects.emplace_back();
    for (const auto &condition : conditions)
      design.subjects.back().push_back(condition[i]);
  }
  return design;
}

bool rectangular(const std::vector<std::vector<double>> &conditions) {
  return std::all_of(conditions.begin(), conditions.end(),
                     [&](const auto &c) { return c.size() == conditions[0].size(); });
}

} // namespace

TestResult repeatedAnova(const std::vector<std::vector<double>> &conditions, double level) {
  TestResult result;
  if (rectangular(conditions))
    result = mixedAnova(oneFactor(conditions, level));
  else
    result.refused("a subject lacks a condition: conditions have different numbers of values");
  result.id = "rm_one_way_anova";
  result.name = "one-way repeated measures analysis of variance";
  return result;
}

TestResult mauchly(const std::vector<std::vector<double>> &conditions) {
  TestResult anova = repeatedAnova(conditions), result;
  result.id = "mauchly";
  result.name = "Mauchly's test of sphericity";
  result.method = "chi-square approximation of second order";
  result.n = anova.n;
  if (anova.outcome == Outcome::Refused)
    return result.refused(anova.reason);
  const ResultTable *table = anova.table("sphericity");
  if (!table) {
    result.notes.push_back("two conditions are always spherical");
    result.statistics = {{"W", 1}};
    result.p.undirected = PValue{1, 0};
    return result;
  }
  const ResultRow &row = table->rows[0];
  result.tables = {*table};
  if (std::isnan(row.number("Mauchly's W")))
    return result.undefined(
        "there are fewer subjects than the test needs, or measures depend on each other");
  result.statistics = {{"W", row.number("Mauchly's W")}};
  result.p = row.p;
  return result;
}

} // namespace imbrex::stats
