// DuckDB behind a small C++ interface, through its C API. Its library is not linked but opened when
// a file needs it, so that nothing depends on it; what is used of the API is declared in Duckdb.cpp
// and has been stable since version 0.7.
//
// All values come as text: the caller casts in SQL. A Database is used by one thread at a time;
// queries must not outlive it. Errors are E0820 (the library) and E0821 (DuckDB's own words).
#pragma once

#include "support/Result.h"

#include <memory>
#include <optional>
#include <string>
#include <string_view>

namespace imbrex::duckdb {

struct Api;

/// Opens `library`, or what the system finds as libduckdb.so, and checks that it has the functions
/// needed. It stays open until the process ends. E0820.
Result<const Api *> loadLibrary(const std::string &library = {});
std::string version(const Api &api);

/// The rows of one statement, in pieces of at most a few thousand. Each cell must be VARCHAR.
class Query {
public:
  Query(Query &&other) noexcept;
  Query &operator=(Query &&) = delete;
  ~Query();

  size_t columnCount() const;
  std::string columnName(size_t column) const;
  /// The next piece; 0 rows: there is none.
  size_t next();
  /// Nothing is NULL. Valid until next().
  std::optional<std::string_view> text(size_t column, size_t row) const;

private:
  friend class Database;
  struct State;
  explicit Query(std::unique_ptr<State> state);
  std::unique_ptr<State> state;
};

class Database {
public:
  Database(Database &&other) noexcept;
  Database &operator=(Database &&) = delete;
  ~Database();

  /// A database file, read only; in memory without one. It never fetches extensions by itself.
  static Result<Database> open(const Api &api, const std::string &path = {});
  Status execute(const std::string &statement);
  /// Exactly one statement. E0821 for several.
  Result<Query> query(const std::string &statement);

private:
  Database(const Api &api, void *database, void *connection)
      : api(&api), database(database), connection(connection) {}
  const Api *api;
  void *database, *connection;
};

/// 'it''s' and "a ""name""".
std::string literal(std::string_view text);
std::string identifier(std::string_view name);

} // namespace imbrex::duckdb
