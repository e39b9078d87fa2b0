#include "stats/select/Residuals.h"

#include "stats/numeric/LeastSquares.h"

#include <algorithm>
#include <map>
#include <numeric>

namespace imbrex::stats {
namespace {

double mean(const std::vector<double> &values) {
  return std::accumulate(values.begin(), values.end(), 0.0) / static_cast<double>(values.size());
}

/// The cell of each row, numbered as they appear.
std::vector<size_t> cellOfRows(const Situation &s, const std::vector<std::string> &factors,
                               size_t rows, size_t &count) {
  std::vector<std::vector<int>> codes;
  for (const std::string &f : factors)
    codes.push_back(s.codes(f));
  std::map<std::vector<int>, size_t> known;
  std::vector<size_t> cells;
  std::vector<int> cell(codes.size());
  for (size_t i = 0; i < rows; ++i) {
    for (size_t k = 0; k < codes.size(); ++k)
      cell[k] = codes[k][i];
    cells.push_back(known.try_emplace(cell, known.size()).first->second);
  }
  count = known.size();
  return cells;
}

/// Factors span their cells, which then only need means; each covariate is a column.
std::vector<double> betweenResiduals(const Situation &s, const std::vector<std::string> &xs,
                                     const std::string &y) {
  std::vector<std::string> covariates = s.hypothesis.given, factors;
  for (const std::string &x : xs)
    (s.variable(x).continuous() ? covariates : factors).push_back(x);
  std::vector<double> values = s.values(y);
  size_t count = 0;
  std::vector<size_t> cells = cellOfRows(s, factors, values.size(), count);
  if (covariates.empty()) {
    std::vector<double> sum(count), n(count);
    for (size_t i = 0; i < values.size(); ++i) {
      sum[cells[i]] += values[i];
      ++n[cells[i]];
    }
    for (size_t i = 0; i < values.size(); ++i)
      values[i] -= sum[cells[i]] / n[cells[i]];
    return values;
  }
  Matrix x(values.size(), count);
  for (size_t i = 0; i < values.size(); ++i)
    x.at(i, cells[i]) = 1;
  for (const std::string &c : covariates)
    x.append(s.values(c));
  Orthogonalisation orthogonal(x);
  return leastSquares(x, orthogonal, values).residuals;
}

/// y - participant - condition + overall, within each group of participants.
std::vector<double> withinResiduals(const std::vector<std::vector<double>> &subjects,
                                    const std::vector<int> &group) {
  std::map<int, std::vector<size_t>> members;
  for (size_t i = 0; i < subjects.size(); ++i)
    members[group[i]].push_back(i);
  std::vector<double> residuals;
  for (const auto &[g, list] : members) {
    size_t k = subjects[list[0]].size();
    std::vector<double> condition(k);
    for (size_t i : list)
      for (size_t j = 0; j < k; ++j)
        condition[j] += subjects[i][j] / static_cast<double>(list.size());
    double overall = mean(condition);
    for (size_t i : list) {
      double own = mean(subjects[i]);
      for (size_t j = 0; j < k; ++j)
        residuals.push_back(subjects[i][j] - own - condition[j] + overall);
    }
  }
  return residuals;
}

/// The combination of categories between subjects of each matched participant.
Result<std::vector<int>> groupOfSubjects(const Situation &s,
                                         const std::vector<std::string> &between,
                                         const Matched &matched) {
  std::vector<std::vector<int32_t>> combination(matched.subjects.size());
  for (const std::string &name : between) {
    Result<std::vector<int32_t>> codes = categoryOfSubjects(matched, *s.column(name));
    if (!codes)
      return codes.takeError();
    for (size_t i = 0; i < combination.size(); ++i)
      combination[i].push_back((*codes)[i]);
  }
  std::map<std::vector<int32_t>, int> known;
  std::vector<int> groups;
  for (const auto &codes : combination)
    groups.push_back(known.try_emplace(codes, static_cast<int>(known.size())).first->second);
  return groups;
}

} // namespace

Result<std::vector<double>> modelResiduals(const Situation &s, const std::vector<std::string> &xs,
                                           const std::string &y) {
  std::vector<std::string> within, between;
  for (const std::string &x : xs)
    (s.within(x) ? within : between).push_back(x);
  if (within.empty())
    return betweenResiduals(s, xs, y);
  auto number = std::find_if(xs.begin(), xs.end(),
                             [&](const std::string &x) { return s.variable(x).continuous(); });
  if (number != xs.end() || !s.hypothesis.given.empty())
    return badInput(1255, "residuals of such a design are not known",
                    "it has repeated measures and a numeric explanatory variable or covariate");
  Result<Matched> matched = s.matched(within, y);
  if (!matched)
    return matched.takeError();
  if (matched->values.empty())
    return badInput(1255, "no participant is complete");
  Result<std::vector<int>> group = groupOfSubjects(s, between, *matched);
  if (!group)
    return group.takeError();
  return withinResiduals(matched->values, *group);
}

} // namespace imbrex::stats
