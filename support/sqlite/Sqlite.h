// SQLite behind a small C++ interface: one database handle, prepared statements, typed cells. The
// only user of sqlite3.h.
//
// A Database is used by one thread at a time. Statements must not outlive their Database. Every
// text is UTF-8. Errors are E0810-E0814 and carry SQLite's own words.
#pragma once

#include "support/Result.h"

#include <chrono>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

struct sqlite3;
struct sqlite3_stmt;

namespace imbrex::sqlite {

struct Blob {
  std::string bytes;
  bool operator==(const Blob &) const = default;
};

/// What a cell of a result holds, or a parameter is given; monostate is NULL.
using Cell = std::variant<std::monostate, int64_t, double, std::string, Blob>;

enum class Step { Row, Done };

/// A prepared statement: bind, then step until Done; reset to run it again.
class Statement {
public:
  Statement(Statement &&) = default;
  Statement &operator=(Statement &&) = default;

  /// Parameters are numbered from 1, as `?1` in SQL.
  Status bind(int parameter, const Cell &value);
  Result<Step> step();
  Status reset(); // keeps the bound values

  int columnCount() const;
  std::string columnName(int column) const;
  /// As declared in the table that the column comes from, in SQLite's words; empty for expressions.
  std::string declaredType(int column) const;
  /// Of the current row; valid until the next step.
  Cell cell(int column) const;

private:
  friend class Database;
  struct Finalize {
    void operator()(sqlite3_stmt *statement) const;
  };
  explicit Statement(sqlite3_stmt *statement) : handle(statement) {}
  std::unique_ptr<sqlite3_stmt, Finalize> handle;
};

/// A whole result, for queries that are known to be small.
struct Rows {
  std::vector<std::string> columns;
  std::vector<std::vector<Cell>> rows;
};

enum class Access { ReadOnly, ReadWrite, Create };

class Database {
public:
  Database(Database &&) = default;
  Database &operator=(Database &&) = default;

  static Result<Database> inMemory();
  static Result<Database> open(const std::string &path, Access access);

  Result<Statement> prepare(std::string_view sql);
  /// Runs all statements of `script`; rows that they return are dropped.
  Status execute(const std::string &script);
  /// Runs one statement and collects its rows; E0813 beyond `mostRows`.
  Result<Rows> query(std::string_view sql, size_t mostRows = 1'000'000);
  /// From now on queries run as they are written. For results that must be right at any speed:
  /// SQLite's rewrites of nested queries have had wrong results.
  void disableOptimizations();
  /// Statements that run longer from now on fail with E0812. Zero: no limit.
  void setTimeLimit(std::chrono::milliseconds limit);

private:
  struct Close {
    void operator()(sqlite3 *database) const;
  };
  struct Deadline {
    std::chrono::steady_clock::time_point end;
  };
  explicit Database(sqlite3 *database) : handle(database) {}
  static Result<Database> openFlags(const std::string &path, int flags);

  std::unique_ptr<Deadline> deadline; // its address is known to SQLite
  std::unique_ptr<sqlite3, Close> handle;
};

/// "SQLite 3.40.1".
std::string version();

} // namespace imbrex::sqlite
