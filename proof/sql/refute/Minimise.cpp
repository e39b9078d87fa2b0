#include "proof/sql/refute/Search.h"

namespace imbrex::sql::refuter {

namespace {

bool differs(Pair &pair, const Instance &instance, const Meaning &meaning) {
  return pair.generator.isValid(instance, meaning) &&
         pair.run(instance, meaning) == Pair::Outcome::Different;
}

void eraseRow(Relation &rows, uint32_t row) {
  auto begin = rows.cells.begin() + long(size_t(row) * rows.width);
  rows.cells.erase(begin, begin + long(rows.width));
  --rows.count;
}

bool dropOneRow(Pair &pair, Candidate &candidate, const std::function<bool()> &isLate) {
  for (size_t t = 0; t < candidate.instance.tables.size(); ++t)
    for (uint32_t i = candidate.instance.tables[t].count; i-- > 0 && !isLate();) {
      Instance smaller = candidate.instance;
      eraseRow(smaller.tables[t], i);
      if (!differs(pair, smaller, candidate.meaning))
        continue;
      candidate.instance = std::move(smaller);
      return true;
    }
  return false;
}

/// Values that are easier to read, simplest first.
std::vector<Cell> simpler(const Cell &cell, const Type &type, TextPool &pool) {
  std::vector<Cell> result;
  switch (type.base) {
  case BaseType::Int:
  case BaseType::Number:
    for (int64_t number : {1, 2, 3, 0})
      result.push_back(Cell::ofInt(number));
    break;
  case BaseType::Text:
    for (const char *text : {"a", "b", "c"})
      result.push_back({pool.intern(text), 1, CellTag::Text});
    break;
  case BaseType::Bool:
    result.push_back(Cell::ofBool(true));
    break;
  default:
    break;
  }
  for (size_t i = 0; i < result.size(); ++i)
    if (result[i] == cell)
      result.resize(i);
  return result;
}

void simplifyValues(Pair &pair, Candidate &candidate, const std::function<bool()> &isLate) {
  for (size_t t = 0; t < candidate.instance.tables.size(); ++t) {
    Relation &rows = candidate.instance.tables[t];
    for (size_t c = 0; c < rows.cells.size() && !isLate(); ++c) {
      const Type &type = pair.catalog.tables[t].columns[c % rows.width].type;
      Cell before = rows.cells[c];
      for (const Cell &value : simpler(before, type, pair.pool)) {
        rows.cells[c] = value;
        if (differs(pair, candidate.instance, candidate.meaning)) {
          before = value;
          break;
        }
      }
      rows.cells[c] = before;
    }
  }
}

} // namespace

void minimise(Pair &pair, Candidate &candidate, const std::function<bool()> &isLate) {
  while (dropOneRow(pair, candidate, isLate)) {
  }
  simplifyValues(pair, candidate, isLate);
  while (dropOneRow(pair, candidate, isLate)) {
  }
}

} // namespace imbrex::sql::refuter
