// Runs SQL texts on real engines: SQLite in this process, PostgreSQL as a private server of ours in
// a temporary folder. Both read from a fresh database each time.
//
// E1111: the engine does not accept a text, or is not there; E1112: what it returned does not fit
// the expected types.
#pragma once

#include "proof/sql/engine/PrintSql.h"

#include <chrono>
#include <memory>

namespace imbrex::sql {

using Rows = std::vector<std::vector<Value>>;

/// Statements that make the database, then queries with the types of their columns.
struct EngineJob {
  std::string setup;
  std::vector<std::string> queries;
  std::vector<std::vector<Column>> columns; // of each query; a query without columns has one more
  std::chrono::milliseconds limit{2000};    // for each query
  std::string notes = {};                   // comments on the queries, for who reads them
};

Result<std::vector<Rows>> runOnSqlite(const EngineJob &job);

/// A server that listens on a socket in its own folder only. Starting takes about a second; the
/// destructor stops it and deletes the folder.
class PostgresServer {
public:
  /// Null when PostgreSQL is not installed or does not start; `whyNot` says it.
  static std::unique_ptr<PostgresServer> start(std::string &whyNot);
  ~PostgresServer();

  Result<std::vector<Rows>> run(const EngineJob &job);
  const std::string &version() const; // "PostgreSQL 15.18"

private:
  struct State;
  explicit PostgresServer(std::unique_ptr<State> state);
  std::unique_ptr<State> state;
};

std::string sqliteVersion();

/// Engines compute fractions in floating point or with a limited scale: equal up to 1e-9 of the
/// larger one. All other values exactly.
bool nearlyEqual(const Value &a, const Value &b);
/// As bags; as lists when `ties` are given, where rows of one tie may be permuted.
bool nearlyEqual(const Rows &a, const Rows &b);

} // namespace imbrex::sql
