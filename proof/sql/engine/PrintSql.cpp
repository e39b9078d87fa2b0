#include "proof/sql/engine/PrintSql.h"

#include "proof/sql/engine/Printer.h"

#include <algorithm>
#include <set>

namespace imbrex::sql {

using namespace print;

namespace {

/// Words that engines reserve and that are likely as names.
const std::set<std::string> Reserved = {
    "ALL",     "AND",     "ANY",     "AS",     "ASC",          "BOTH",    "CASE",    "CHECK",
    "COLUMN",  "CROSS",   "DESC",    "DO",     "ELSE",         "END",     "EXCEPT",  "FALSE",
    "FOR",     "FROM",    "FULL",    "GRANT",  "GROUP",        "HAVING",  "IN",      "INNER",
    "INTO",    "IS",      "JOIN",    "LEFT",   "LIKE",         "LIMIT",   "NOT",     "NULL",
    "OFFSET",  "ON",      "OR",      "ORDER",  "OUTER",        "RIGHT",   "SELECT",  "TABLE",
    "THEN",    "TO",      "TRUE",    "UNION",  "UNIQUE",       "USER",    "USING",   "VALUES",
    "WHEN",    "WHERE",   "WINDOW",  "WITH",   "INDEX",        "PRIMARY", "DEFAULT", "END",
    "ANALYSE", "ANALYZE", "COLLATE", "CREATE", "CURRENT_DATE", "DISTINCT"};

std::string upper(std::string text) {
  for (char &c : text)
    c = c >= 'a' && c <= 'z' ? char(c - 32) : c;
  return text;
}

bool isPlainWord(const std::string &name) {
  if (name.empty() || !(isalpha(static_cast<unsigned char>(name[0])) || name[0] == '_'))
    return false;
  return std::all_of(name.begin(), name.end(),
                     [](unsigned char c) { return c < 128 && (isalnum(c) || c == '_'); }) &&
         !Reserved.count(upper(name));
}

Texts namesOf(const Table &table, const std::vector<uint32_t> &columns) {
  Texts names;
  for (uint32_t column : columns)
    names.push_back(printName(table.columns[column].name));
  return names;
}

std::string foreignKey(const Catalog &catalog, const Table &table, const ForeignKey &key) {
  const Table &target = catalog.tables[key.table];
  return "FOREIGN KEY (" + join(namesOf(table, key.columns), ", ") + ") REFERENCES " +
         printName(target.name) + " (" + join(namesOf(target, key.target), ", ") + ")";
}

/// Tables that foreign keys of `table` may name: in PostgreSQL those that exist already.
bool mayRefer(Engine engine, size_t table, const ForeignKey &key) {
  return engine == Engine::Sqlite || key.table <= table;
}

} // namespace

const char *engineName(Engine engine) { return engine == Engine::Sqlite ? "SQLite" : "PostgreSQL"; }

std::string printName(const std::string &name) {
  if (isPlainWord(name))
    return name;
  std::string quoted = "\"";
  for (char c : name)
    quoted += c == '"' ? std::string("\"\"") : std::string(1, c);
  return quoted + "\"";
}

std::string printValue(const Value &value, const Type &type, Engine engine) {
  if (isNull(value)) {
    bool typed = engine == Engine::Postgres && type.base != BaseType::Unknown;
    return typed ? "CAST(NULL AS " + typeText(type, engine) + ")" : "NULL";
  }
  if (const Opaque *opaque = std::get_if<Opaque>(&value);
      opaque && (engine == Engine::Sqlite || opaque->base == BaseType::Other))
    return toSql(Value(opaque->text));
  std::string text = toSql(value);
  // A bare text has no type yet in PostgreSQL, which functions and aggregates want to know.
  if (engine == Engine::Postgres && std::holds_alternative<std::string>(value))
    return "TEXT " + text;
  return text[0] == '-' ? "(" + text + ")" : text;
}

std::string printTables(const Catalog &catalog, Engine engine, const Semantics &semantics,
                        const std::vector<bool> &used) {
  std::string script;
  for (size_t t = 0; t < catalog.tables.size(); ++t) {
    if (!used.empty() && !used[t])
      continue;
    const Table &table = catalog.tables[t];
    Texts parts;
    for (const Column &column : table.columns)
      parts.push_back(printName(column.name) + " " + typeText(column.type, engine) +
                      (column.type.nullable ? "" : " NOT NULL"));
    bool primary = false;
    for (const Key &key : table.keys) {
      if (key.columns.empty())
        continue;
      parts.push_back((key.primary && !primary ? "PRIMARY KEY (" : "UNIQUE (") +
                      join(namesOf(table, key.columns), ", ") + ")");
      primary |= key.primary;
    }
    for (const ForeignKey &key : table.foreignKeys)
      if (mayRefer(engine, t, key))
        parts.push_back(foreignKey(catalog, table, key));
    Texts row;
    for (const Column &column : table.columns)
      row.push_back(printName(column.name));
    for (const ExprPtr &check : table.checks) {
      Interpretation none;
      Printer printer(catalog, engine, semantics, none);
      std::string text = printer.exprOver(*check, row);
      if (!printer.error())
        parts.push_back("CHECK (" + text + ")");
    }
    script += "CREATE TABLE " + printName(table.name) + " (" + join(parts, ", ") + ");\n";
  }
  return script;
}

std::string printRows(const Database &database, const Catalog &catalog, Engine engine) {
  std::string script;
  for (size_t t = 0; t < database.tables.size(); ++t) {
    if (database.tables[t].empty())
      continue;
    const Table &table = catalog.tables[t];
    Texts rows;
    for (const auto &row : database.tables[t]) {
      Texts cells;
      for (size_t c = 0; c < row.size(); ++c)
        cells.push_back(isNull(row[c]) ? "NULL"
                                       : printValue(row[c], table.columns[c].type, engine));
      rows.push_back("(" + join(cells, ", ") + ")");
    }
    script += "INSERT INTO " + printName(table.name) + " VALUES " + join(rows, ", ") + ";\n";
  }
  return script;
}

Result<std::string> printSql(const Query &query, const Catalog &catalog, Engine engine,
                             const Semantics &semantics, const Interpretation &meaning) {
  Printer printer(catalog, engine, semantics, meaning);
  std::string text = printer.selectList(query);
  if (printer.error())
    return *printer.error();
  return text;
}

namespace print {

std::string join(const Texts &texts, const char *separator) {
  std::string result;
  for (const std::string &text : texts)
    result += (result.empty() ? "" : separator) + text;
  return result;
}

std::string typeText(const Type &type, Engine engine) {
  bool sqlite = engine == Engine::Sqlite;
  switch (type.base) {
  case BaseType::Bool:
    return "BOOLEAN";
  case BaseType::Int:
    return sqlite ? "INTEGER" : "BIGINT";
  case BaseType::Number:
    // SQLite's NUMERIC would make 2.0 an integer, and division by it would truncate.
    return sqlite ? "REAL" : "NUMERIC";
  case BaseType::Date:
    return sqlite ? "TEXT" : "DATE";
  case BaseType::Time:
    return sqlite ? "TEXT" : "TIME";
  case BaseType::Timestamp:
    return sqlite ? "TEXT" : "TIMESTAMP";
  case BaseType::Interval:
    return sqlite ? "TEXT" : "INTERVAL";
  default:
    return "TEXT";
  }
}

} // namespace print

} // namespace imbrex::sql
