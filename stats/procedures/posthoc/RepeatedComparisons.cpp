#include "stats/procedures/posthoc/RepeatedComparisons.h"

#include "stats/procedures/groups/TTests.h"
#include "stats/procedures/posthoc/Adjust.h"

#include <cmath>
#include <optional>

namespace imbrex::stats {
namespace {

/// A factor of either kind and where its codes are.
struct AnyFactor {
  std::string name;
  const std::vector<std::string> *levels;
  bool within;
  size_t index; // in its kind
};

std::vector<AnyFactor> factorsOf(const RepeatedDesign &design) {
  std::vector<AnyFactor> factors;
  for (size_t f = 0; f < design.between.size(); ++f)
    factors.push_back({design.between[f].name, &design.between[f].levels, false, f});
  for (size_t f = 0; f < design.within.size(); ++f)
    factors.push_back({design.within[f].name, &design.within[f].levels, true, f});
  return factors;
}

/// A level of each factor, or none: all of them.
using Choice = std::vector<std::optional<size_t>>;

/// The measures of a subject (the last within factor runs fastest) that the choice takes.
std::vector<size_t> measuresOf(const RepeatedDesign &design, const std::vector<AnyFactor> &factors,
                               const Choice &choice) {
  std::vector<size_t> measures{0};
  for (size_t f = 0; f < factors.size(); ++f) {
    if (!factors[f].within)
      continue;
    size_t levels = factors[f].levels->size();
    std::vector<size_t> next;
    for (size_t before : measures)
      for (size_t level = 0; level < levels; ++level)
        if (!choice[f] || *choice[f] == level)
          next.push_back(before * levels + level);
    measures = std::move(next);
  }
  return measures;
}

/// Mean over the chosen measures of each subject in the chosen groups.
std::vector<double> meansOf(const RepeatedDesign &design, const std::vector<AnyFactor> &factors,
                            const Choice &choice) {
  std::vector<size_t> measures = measuresOf(design, factors, choice);
  std::vector<double> means;
  for (size_t i = 0; i < design.subjects.size(); ++i) {
    bool wanted = true;
    for (size_t f = 0; f < factors.size(); ++f)
      if (!factors[f].within && choice[f])
        wanted &= design.between[factors[f].index].codes[i] == static_cast<int32_t>(*choice[f]);
    if (!wanted)
      continue;
    double sum = 0;
    for (size_t m : measures)
      sum += design.subjects[i][m] / static_cast<double>(measures.size());
    means.push_back(sum);
  }
  return means;
}

/// All choices of one level of each factor but `compared`.
std::vector<Choice> combinationsWithout(const std::vector<AnyFactor> &factors, size_t compared) {
  std::vector<Choice> choices{Choice(factors.size())};
  for (size_t f = 0; f < factors.size(); ++f) {
    if (f == compared)
      continue;
    std::vector<Choice> next;
    for (const Choice &choice : choices)
      for (size_t level = 0; level < factors[f].levels->size(); ++level) {
        next.push_back(choice);
        next.back()[f] = level;
      }
    choices = std::move(next);
  }
  return choices;
}

std::string placeOf(const std::vector<AnyFactor> &factors, const Choice &choice) {
  std::string text;
  for (size_t f = 0; f < factors.size(); ++f)
    if (choice[f])
      text += (text.empty() ? " at " : ", ") + (*factors[f].levels)[*choice[f]];
  return text;
}

void addPairs(LevelPairs &result, const RepeatedDesign &design,
              const std::vector<AnyFactor> &factors, size_t compared, Choice choice) {
  const std::vector<std::string> &levels = *factors[compared].levels;
  std::string place = placeOf(factors, choice);
  for (size_t i = 0; i < levels.size(); ++i)
    for (size_t j = i + 1; j < levels.size(); ++j) {
      ComparedLevels pair{levels[i] + " - " + levels[j] + place, {}, {}};
      choice[compared] = i;
      pair.first = meansOf(design, factors, choice);
      choice[compared] = j;
      pair.second = meansOf(design, factors, choice);
      result.pairs.push_back(std::move(pair));
    }
}

} // namespace

LevelPairs levelPairs(const RepeatedDesign &design, const std::string &factor,
                      ComparisonScope scope) {
  LevelPairs result;
  std::vector<AnyFactor> factors = factorsOf(design);
  for (size_t f = 0; f < factors.size(); ++f) {
    if (factors[f].name != factor)
      continue;
    result.paired = factors[f].within;
    std::vector<Choice> choices{Choice(factors.size())};
    if (scope == ComparisonScope::Simple)
      choices = combinationsWithout(factors, f);
    for (const Choice &choice : choices)
      addPairs(result, design, factors, f, choice);
  }
  return result;
}

TestResult repeatedComparisons(const RepeatedDesign &design, const std::string &factor,
                               ComparisonScope scope) {
  bool simple = scope == ComparisonScope::Simple;
  TestResult result{.id = "repeated_comparisons",
                    .name = simple ? "Simple effects" : "Comparisons of marginal means"};
  result.n = {{"subjects", static_cast<double>(design.subjects.size())}};
  LevelPairs levels = levelPairs(design, factor, scope);
  if (levels.pairs.empty())
    return result.refused("there is no factor '" + factor + "'");
  ResultTable table{.title = "comparisons"};
  std::vector<double> raw;
  for (const ComparedLevels &pair : levels.pairs) {
    TestResult test = levels.paired ? pairedT(pair.first, pair.second, {.level = design.level})
                                    : welchsT(pair.first, pair.second, {.level = design.level});
    raw.push_back(test.defined() ? test.p.undirected->value : std::nan(""));
    ResultRow row{.name = pair.name};
    row.numbers = {{"t", test.statistic("t")}, {"df", test.freedom()}, {"raw p", raw.back()}};
    row.estimate = test.estimate;
    row.effects = test.effects;
    table.rows.push_back(std::move(row));
  }
  std::vector<double> adjusted = adjustPValues(raw, Adjustment::Holm);
  for (size_t i = 0; i < adjusted.size(); ++i)
    if (!std::isnan(adjusted[i]))
      table.rows[i].p.undirected = PValue::of(adjusted[i]);
  result.method = std::string(levels.paired ? "paired t-tests" : "Welch's t-tests") +
                  "; Holm p-values for " + std::to_string(raw.size()) + " comparisons";
  result.tables = {std::move(table)};
  return result;
}

} // namespace imbrex::stats
