// The algebra as SQL text that an engine runs with the algebra's meaning: what NULL sorts like,
// truncation, types of NULL and so on are spelled out. For queries that came without a text, and
// for tests that compare the evaluator with engines.
//
// E1110: a construct that the engine has no text for. Linear in the query, except that SQLite gets
// grouping sets as a union, which repeats their input.
#pragma once

#include "proof/sql/Verdict.h"

#include <map>
#include <string>

namespace imbrex::sql {

enum class Engine : uint8_t { Sqlite, Postgres };

const char *engineName(Engine engine);

/// A function given by its values, for lists of arguments.
struct FunctionTable {
  std::vector<std::pair<std::vector<Value>, Value>> rows;
};

/// What stands for the parts of a query that have no meaning of their own.
struct Interpretation {
  std::map<std::string, Value> parameters;
  std::map<std::string, FunctionTable> functions; // becomes a CASE
};

/// An outermost ORDER BY stays outermost.
Result<std::string> printSql(const Query &query, const Catalog &catalog, Engine engine,
                             const Semantics &semantics, const Interpretation &meaning = {});

/// CREATE TABLE statements with keys, checks and foreign keys; constraints that the engine has no
/// text for are left out, since a database that satisfies them needs no guard. Only tables marked
/// in `used`; all when it is empty.
std::string printTables(const Catalog &catalog, Engine engine, const Semantics &semantics,
                        const std::vector<bool> &used = {});

/// INSERT statements. Tables without rows get none.
std::string printRows(const Database &database, const Catalog &catalog, Engine engine);

/// A literal that the engine gives the type.
std::string printValue(const Value &value, const Type &type, Engine engine);

/// Quoted where it is no plain word.
std::string printName(const std::string &name);

} // namespace imbrex::sql
