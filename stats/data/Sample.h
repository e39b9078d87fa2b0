// What procedures see of a table: complete rows, groups, and values matched by key. Counts what it
// leaves out.
#pragma once

#include "stats/data/Table.h"

namespace imbrex::stats {

/// Rows in which none of the named columns is missing (listwise deletion), in order.
struct CompleteRows {
  std::vector<uint32_t> rows;
  size_t dropped = 0;
  std::vector<std::pair<std::string, size_t>> missing; // by column, only where there are any
};
CompleteRows completeRows(const Table &table, const std::vector<std::string> &names);

/// The values of a column in those rows; of a category its code plus one, which is its rank for an
/// ordinal.
std::vector<double> valuesOf(const Column &column, const CompleteRows &rows);
std::vector<int> codesOf(const Column &column, const CompleteRows &rows);

/// Values split by category; one vector for each category, also for one that is empty.
std::vector<std::vector<double>> groupsOf(const Column &values, const Column &groups,
                                          const CompleteRows &rows);

/// One row a subject, one column a level: what paired and repeated-measures procedures need.
struct Matched {
  std::vector<std::string> subjects;
  std::vector<std::vector<double>> values; // [subject][level]
  size_t incomplete = 0;                   // subjects left out because a level is missing
  std::vector<uint32_t> subjectOfRow;      // of each row of the table, or `none`

  static constexpr uint32_t none = UINT32_MAX;
};

/// The category of each matched subject in a column that does not vary within subjects; the code -1
/// where it is missing. E1220 names a subject that has two.
Result<std::vector<int32_t>> categoryOfSubjects(const Matched &matched, const Column &column);

/// Matches by the categories of `key`; without a key, the i-th value of each level belongs to
/// subject i. E1220 when a subject has two values in a level, or when without a key the levels have
/// different numbers of values. Missing values drop the subject, whether the row is there or not.
Result<Matched> matchByKey(const Table &table, const Column &values, const Column &levels,
                           const Column *key);

} // namespace imbrex::stats
