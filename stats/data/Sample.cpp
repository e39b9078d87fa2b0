#include "stats/data/Sample.h"

#include <algorithm>
#include <cstdio>
#include <map>
#include <tuple>

namespace imbrex::stats {
namespace {

double valueAt(const Column &column, size_t row) {
  return column.kind == ColumnKind::Number ? column.numbers[row] : column.codes[row] + 1.0;
}

/// Subjects as they appear; the i-th of each level without a key.
Result<std::vector<uint32_t>> subjectOfRow(const Table &table, const Column &values,
                                           const Column &levels, const Column *key,
                                           size_t &subjects) {
  std::vector<uint32_t> subject(table.rows, UINT32_MAX);
  if (key) {
    std::map<double, uint32_t> known;
    for (size_t row = 0; row < table.rows; ++row)
      if (!key->isMissing(row))
        subject[row] = known.try_emplace(valueAt(*key, row), static_cast<uint32_t>(known.size()))
                           .first->second;
    subjects = known.size();
    return subject;
  }
  std::vector<uint32_t> next(levels.categories.size(), 0);
  for (size_t row = 0; row < table.rows; ++row)
    if (!levels.isMissing(row))
      subject[row] = next[static_cast<size_t>(levels.codes[row])]++;
  for (size_t i = 1; i < next.size(); ++i)
    if (next[i] != next[0])
      return badInput(1220, "cannot pair the values of '" + values.name + "' in row order",
                      "'" + levels.categories[0] + "' has " + std::to_string(next[0]) + " rows, '" +
                          levels.categories[i] + "' " + std::to_string(next[i]),
                      "`key: COLUMN` in the study's data block");
  subjects = next.empty() ? 0 : next[0];
  return subject;
}

std::string subjectName(const Column *key, size_t row, size_t index) {
  if (!key)
    return std::to_string(index + 1);
  if (key->kind == ColumnKind::Category)
    return key->categories[static_cast<size_t>(key->codes[row])];
  char text[32];
  std::snprintf(text, sizeof text, "%.15g", key->numbers[row]);
  return text;
}

} // namespace

CompleteRows completeRows(const Table &table, const std::vector<std::string> &names) {
  CompleteRows result;
  std::vector<const Column *> columns;
  for (const std::string &name : names)
    if (const Column *column = table.find(name)) {
      columns.push_back(column);
      if (column->missing)
        result.missing.emplace_back(name, column->missing);
    }
  result.rows.reserve(table.rows);
  for (size_t row = 0; row < table.rows; ++row) {
    bool complete = std::none_of(columns.begin(), columns.end(),
                                 [&](const Column *c) { return c->isMissing(row); });
    if (complete)
      result.rows.push_back(static_cast<uint32_t>(row));
  }
  result.dropped = table.rows - result.rows.size();
  return result;
}

std::vector<double> valuesOf(const Column &column, const CompleteRows &rows) {
  std::vector<double> values;
  values.reserve(rows.rows.size());
  for (uint32_t row : rows.rows)
    values.push_back(valueAt(column, row));
  return values;
}

std::vector<int> codesOf(const Column &column, const CompleteRows &rows) {
  std::vector<int> codes;
  codes.reserve(rows.rows.size());
  for (uint32_t row : rows.rows)
    codes.push_back(column.codes[row]);
  return codes;
}

std::vector<std::vector<double>> groupsOf(const Column &values, const Column &groups,
                                          const CompleteRows &rows) {
  std::vector<std::vector<double>> result(groups.categories.size());
  for (uint32_t row : rows.rows)
    result[static_cast<size_t>(groups.codes[row])].push_back(valueAt(values, row));
  return result;
}

namespace {

/// One value of a subject in a level.
struct Measured {
  uint32_t subject, level, row;
};

/// By subject and level; rows without any of the three are left out.
std::vector<Measured> measuredValues(const Column &values, const Column &levels,
                                     const std::vector<uint32_t> &subjectOfRow) {
  std::vector<Measured> list;
  for (size_t row = 0; row < subjectOfRow.size(); ++row)
    if (subjectOfRow[row] != UINT32_MAX && !levels.isMissing(row) && !values.isMissing(row))
      list.push_back({subjectOfRow[row], static_cast<uint32_t>(levels.codes[row]),
                      static_cast<uint32_t>(row)});
  std::sort(list.begin(), list.end(), [](const Measured &a, const Measured &b) {
    return std::tie(a.subject, a.level, a.row) < std::tie(b.subject, b.level, b.row);
  });
  return list;
}

} // namespace

Result<Matched> matchByKey(const Table &table, const Column &values, const Column &levels,
                           const Column *key) {
  size_t subjects = 0, k = levels.categories.size();
  Result<std::vector<uint32_t>> subject = subjectOfRow(table, values, levels, key, subjects);
  if (!subject)
    return subject.takeError();
  std::vector<Measured> list = measuredValues(values, levels, *subject);
  Matched result;
  std::vector<uint32_t> place(subjects, Matched::none);
  for (size_t from = 0, to = 0; from < list.size(); from = to) {
    const Measured &first = list[from];
    for (to = from + 1; to < list.size() && list[to].subject == first.subject; ++to)
      if (list[to].level == list[to - 1].level)
        return badInput(1220,
                        "subject '" + subjectName(key, first.row, first.subject) +
                            "' has two values of '" + values.name + "' for '" +
                            levels.categories[list[to].level] + "'",
                        "the key '" + (key ? key->name : "") + "' matches them",
                        "another key, or averages of repeated measurements");
    if (to - from != k)
      continue;
    place[first.subject] = static_cast<uint32_t>(result.subjects.size());
    result.subjects.push_back(subjectName(key, first.row, first.subject));
    std::vector<double> row;
    for (size_t i = from; i < to; ++i)
      row.push_back(valueAt(values, list[i].row));
    result.values.push_back(std::move(row));
  }
  result.incomplete = subjects - result.subjects.size();
  result.subjectOfRow = subject.take();
  for (uint32_t &s : result.subjectOfRow)
    s = s == UINT32_MAX ? Matched::none : place[s];
  return result;
}

Result<std::vector<int32_t>> categoryOfSubjects(const Matched &matched, const Column &column) {
  std::vector<int32_t> codes(matched.subjects.size(), Column::missingCode);
  for (size_t row = 0; row < matched.subjectOfRow.size(); ++row) {
    uint32_t subject = matched.subjectOfRow[row];
    if (subject == Matched::none || column.isMissing(row))
      continue;
    int32_t &code = codes[subject];
    if (code >= 0 && code != column.codes[row])
      return badInput(1220,
                      "subject '" + matched.subjects[subject] + "' has two values of '" +
                          column.name + "', '" + column.categories[static_cast<size_t>(code)] +
                          "' and '" + column.categories[static_cast<size_t>(column.codes[row])] +
                          "'",
                      "'" + column.name + "' is not within subjects",
                      "`within: " + column.name + "` in the design, or another key");
    code = column.codes[row];
  }
  return codes;
}

} // namespace imbrex::stats
