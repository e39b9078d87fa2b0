#include "stats/select/Situation.h"

#include <algorithm>

namespace imbrex::stats {

Situation::Situation(const Study &study, const Hypothesis &hypothesis, const Table *table)
    : study(study), hypothesis(hypothesis), table(table), ordered(hypothesis.variables) {
  const Hypothesis &h = hypothesis;
  explanatory = h.variables;
  if (!h.outcome.empty()) {
    explained = {h.outcome};
    ordered.push_back(h.outcome);
  }
  // In `a, b` that the design leaves open, nothing explains.
  if (h.form == HypothesisForm::Association && h.outcome.empty())
    explanatory.clear();
  // `a ~ b` of two contributors is a relation, too.
  auto isExplained = [&](const std::string &name) {
    const auto &list = study.design.explained;
    return std::find(list.begin(), list.end(), name) != list.end();
  };
  if (h.form == HypothesisForm::Linear && !isExplained(h.outcome) && h.variables.size() == 1 &&
      h.given.empty() && !study.design.explained.empty()) {
    explanatory.clear();
    explained.clear();
  }
}

bool Situation::within(std::string_view name) const {
  const auto &list = study.design.within;
  return std::find(list.begin(), list.end(), name) != list.end();
}

bool Situation::anyWithin() const {
  return std::any_of(explanatory.begin(), explanatory.end(),
                     [&](const std::string &name) { return within(name); });
}

const CompleteRows &Situation::rows() const {
  if (!complete) {
    std::vector<std::string> names = ordered;
    names.insert(names.end(), hypothesis.given.begin(), hypothesis.given.end());
    complete = std::make_unique<CompleteRows>(completeRows(*table, names));
  }
  return *complete;
}

std::vector<std::vector<double>> Situation::groups(const std::string &x,
                                                   const std::string &y) const {
  return groupsOf(*column(y), *column(x), rows());
}

std::vector<std::vector<double>> Situation::cells(const std::vector<std::string> &xs,
                                                  const std::string &y) const {
  size_t count = 1;
  std::vector<const Column *> columns;
  for (const std::string &x : xs) {
    columns.push_back(column(x));
    count *= columns.back()->categories.size();
  }
  std::vector<std::vector<double>> result(count);
  std::vector<double> value = valuesOf(*column(y), rows());
  for (size_t i = 0; i < rows().rows.size(); ++i) {
    size_t cell = 0;
    for (const Column *c : columns)
      cell = cell * c->categories.size() + static_cast<size_t>(c->codes[rows().rows[i]]);
    result[cell].push_back(value[i]);
  }
  return result;
}

std::vector<double> Situation::values(const std::string &name) const {
  return valuesOf(*column(name), rows());
}

std::vector<int> Situation::codes(const std::string &name) const {
  return codesOf(*column(name), rows());
}

Result<Matched> Situation::matched(const std::vector<std::string> &xs, const std::string &y) const {
  if (xs.size() == 1)
    return matchByKey(*table, *column(y), *column(xs[0]), key());
  Column combined;
  combined.codes.assign(table->rows, 0);
  combined.kind = ColumnKind::Category;
  combined.categories = {""};
  for (const std::string &x : xs) {
    const Column &c = *column(x);
    combined.name += (combined.name.empty() ? "" : ", ") + x;
    std::vector<std::string> longer;
    for (const std::string &head : combined.categories)
      for (const std::string &tail : c.categories)
        longer.push_back(head.empty() ? tail : head + ", " + tail);
    combined.categories = std::move(longer);
    auto count = static_cast<int32_t>(c.categories.size());
    for (size_t row = 0; row < table->rows; ++row) {
      int32_t &code = combined.codes[row];
      code = code < 0 || c.codes[row] < 0 ? Column::missingCode : code * count + c.codes[row];
    }
  }
  return matchByKey(*table, *column(y), combined, key());
}

std::vector<std::string> Situation::withinFactors() const {
  std::vector<std::string> names;
  std::copy_if(explanatory.begin(), explanatory.end(), std::back_inserter(names),
               [&](const std::string &x) { return within(x); });
  return names;
}

std::vector<std::string> Situation::betweenFactors() const {
  std::vector<std::string> names;
  std::copy_if(explanatory.begin(), explanatory.end(), std::back_inserter(names),
               [&](const std::string &x) { return !within(x); });
  return names;
}

std::vector<std::vector<double>> Situation::counts(const std::string &a,
                                                   const std::string &b) const {
  const Column &rowsOf = *column(a), &columnsOf = *column(b);
  std::vector<std::vector<double>> table(rowsOf.categories.size(),
                                         std::vector<double>(columnsOf.categories.size()));
  for (uint32_t row : rows().rows)
    ++table[static_cast<size_t>(rowsOf.codes[row])][static_cast<size_t>(columnsOf.codes[row])];
  return table;
}

} // namespace imbrex::stats
