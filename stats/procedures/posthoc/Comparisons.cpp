#include "stats/procedures/posthoc/Comparisons.h"

#include <cmath>

namespace imbrex::stats {
namespace {

ResultTable tableOfPairs(const NamedGroups &groups, const ComparePair &compare) {
  ResultTable table{.title = "comparisons"};
  for (size_t first = 0; first < groups.values.size(); ++first)
    for (size_t second = first + 1; second < groups.values.size(); ++second) {
      ResultRow row{.name = groups.pair(first, second)};
      compare(row, first, second);
      table.rows.push_back(std::move(row));
    }
  return table;
}

} // namespace

std::string NamedGroups::name(size_t group) const {
  return group < names.size() ? names[group] : std::to_string(group + 1);
}

bool acceptComparisons(TestResult &result, const NamedGroups &groups, size_t least) {
  for (size_t i = 0; i < groups.values.size(); ++i)
    result.n.push_back({groups.name(i), static_cast<double>(groups.values[i].size())});
  if (groups.values.size() < 2)
    result.refused("at least 2 groups are needed");
  else if (!allFinite(groups.values))
    result.refused("a value is not finite");
  for (size_t i = 0; i < groups.values.size() && result.defined(); ++i)
    if (groups.values[i].size() < least)
      result.refused("group '" + groups.name(i) + "' has " +
                     std::to_string(groups.values[i].size()) + " values, but at least " +
                     std::to_string(least) + " are needed");
  return result.defined();
}

void compareAll(TestResult &result, const NamedGroups &groups, const ComparePair &compare) {
  result.tables.push_back(tableOfPairs(groups, compare));
}

void compareAll(TestResult &result, const NamedGroups &groups, Adjustment adjustment,
                const ComparePair &compare) {
  ResultTable table = tableOfPairs(groups, compare);
  std::vector<double> raw;
  for (const ResultRow &row : table.rows)
    raw.push_back(row.number("raw p"));
  std::vector<double> adjusted = adjustPValues(raw, adjustment);
  for (size_t i = 0; i < table.rows.size(); ++i)
    if (!std::isnan(adjusted[i]))
      table.rows[i].p.undirected = PValue::of(adjusted[i]);
  result.method += std::string(result.method.empty() ? "" : "; ") +
                   std::string(nameOf(adjustment)) + " p-values";
  result.tables.push_back(std::move(table));
}

} // namespace imbrex::stats
