#include "proof/sql/engine/Engines.h"

#include "support/sqlite/Sqlite.h"

#include <algorithm>
#include <cmath>

namespace imbrex::sql {

namespace {

constexpr size_t MostRows = 200'000;

Error misfit(const Column &column) {
  return unsupported(1112, "SQLite returned a value of another type",
                     "column '" + column.name + "' is of another type here");
}

/// The fraction that the floating-point number stands for most probably.
Rational fractionOf(double value) {
  for (int64_t denominator : {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 12, 16, 100, 1000, 10000}) {
    double scaled = value * double(denominator);
    if (std::fabs(scaled) < 1e15 && std::fabs(scaled - std::round(scaled)) < 1e-9)
      return {int64_t(std::llround(scaled)), denominator};
  }
  return {int64_t(std::llround(value * 1e6)), 1'000'000};
}

Result<Value> toValue(const sqlite::Cell &cell, const Column &column) {
  BaseType base = column.type.base;
  if (cell.index() == 0)
    return Value();
  if (const int64_t *number = std::get_if<int64_t>(&cell)) {
    if (base == BaseType::Bool)
      return Value(*number != 0);
    if (base == BaseType::Number)
      return Value(Rational{*number, 1});
    if (base == BaseType::Int || base == BaseType::Unknown)
      return Value(*number);
    return misfit(column);
  }
  if (const double *number = std::get_if<double>(&cell)) {
    Rational value = fractionOf(*number);
    if (base == BaseType::Number)
      return Value(value);
    if (base == BaseType::Int && value.denominator == 1)
      return Value(value.numerator);
    // A fraction where an integer is declared is kept: engines differ in what they promote.
    return base == BaseType::Int ? Result<Value>(Value(value)) : misfit(column);
  }
  if (const std::string *text = std::get_if<std::string>(&cell)) {
    if (base == BaseType::Text || base == BaseType::Unknown)
      return Value(*text);
    if (base >= BaseType::Date)
      return Value(Opaque{base, *text});
  }
  return misfit(column);
}

double approximate(const Rational &value) {
  return double(value.numerator) / double(value.denominator);
}

const Rational *rational(const Value &value, Rational &buffer) {
  if (const int64_t *number = std::get_if<int64_t>(&value)) {
    buffer = {*number, 1};
    return &buffer;
  }
  return std::get_if<Rational>(&value);
}

int order(const Value &a, const Value &b) {
  Rational bufferA, bufferB;
  const Rational *x = rational(a, bufferA), *y = rational(b, bufferB);
  if (x && y) {
    if (nearlyEqual(a, b))
      return 0;
    return approximate(*x) < approximate(*y) ? -1 : 1;
  }
  size_t i = x ? 2 : a.index(), j = y ? 2 : b.index();
  if (i != j)
    return i < j ? -1 : 1;
  return a < b ? -1 : b < a ? 1 : 0;
}

bool rowLess(const std::vector<Value> &a, const std::vector<Value> &b) {
  for (size_t i = 0; i < a.size() && i < b.size(); ++i)
    if (int result = order(a[i], b[i]))
      return result < 0;
  return a.size() < b.size();
}

Result<Rows> collect(sqlite::Database &database, const std::string &sql,
                     const std::vector<Column> &columns) {
  Result<sqlite::Rows> result = database.query(sql, MostRows);
  if (!result)
    return unsupported(1111, "SQLite does not run a query", result.error().because);
  Rows rows;
  for (const auto &cells : result->rows) {
    if (cells.size() < columns.size())
      return unsupported(1112, "SQLite returned fewer columns than expected");
    auto &row = rows.emplace_back();
    for (size_t c = 0; c < columns.size(); ++c) {
      Result<Value> value = toValue(cells[c], columns[c]);
      if (!value)
        return value.takeError();
      row.push_back(value.take());
    }
  }
  return rows;
}

} // namespace

Result<std::vector<Rows>> runOnSqlite(const EngineJob &job) {
  Result<sqlite::Database> database = sqlite::Database::inMemory();
  if (!database)
    return database.takeError();
  database->disableOptimizations();
  // The standard's LIKE tells capitals from small letters; SQLite's does not by default.
  if (Status status = database->execute("PRAGMA case_sensitive_like = ON;" + job.setup); !status)
    return unsupported(1111, "SQLite does not accept the tables", status.error().because);
  std::vector<Rows> results;
  for (size_t q = 0; q < job.queries.size(); ++q) {
    database->setTimeLimit(job.limit);
    Result<Rows> rows = collect(*database, job.queries[q], job.columns[q]);
    if (!rows)
      return rows.takeError();
    results.push_back(rows.take());
  }
  return results;
}

std::string sqliteVersion() { return sqlite::version(); }

bool nearlyEqual(const Value &a, const Value &b) {
  Rational bufferA, bufferB;
  const Rational *x = rational(a, bufferA), *y = rational(b, bufferB);
  if (!x || !y)
    return a == b;
  double p = approximate(*x), q = approximate(*y);
  return *x == *y || std::fabs(p - q) <= 1e-9 * std::max(std::fabs(p), std::fabs(q)) ||
         // what fractionOf gives of numbers that are no simple fraction
         ((x->denominator == 1'000'000 || y->denominator == 1'000'000) && std::fabs(p - q) < 1e-6);
}

bool nearlyEqual(const Rows &a, const Rows &b) {
  if (a.size() != b.size())
    return false;
  Rows x = a, y = b;
  std::sort(x.begin(), x.end(), rowLess);
  std::sort(y.begin(), y.end(), rowLess);
  for (size_t i = 0; i < x.size(); ++i)
    if (!std::equal(x[i].begin(), x[i].end(), y[i].begin(), y[i].end(),
                    [](const Value &p, const Value &q) { return nearlyEqual(p, q); }))
      return false;
  return true;
}

} // namespace imbrex::sql
