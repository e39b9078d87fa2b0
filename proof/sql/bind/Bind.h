// Schemas and queries as text to the algebra of query/Query.h: names looked up, types checked,
// implicit casts explicit, views and common tables in line. What comes out satisfies verify().
// Errors say file:line:col. Queries whose tree would have over MaxTreeSize nodes (by views of
// views, say), and rows of over MaxColumns columns, are refused (E1001).
#pragma once

#include "proof/sql/parse/Ast.h"
#include "proof/sql/query/Query.h"
#include "proof/sql/query/Semantics.h"

#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace imbrex::sql {

constexpr uint64_t MaxTreeSize = 50'000;

/// Of a table, a join, a result; also keys, aggregates and windows of one SELECT.
constexpr size_t MaxColumns = 4000;

/// In place of a length: the column is declared REAL or the like.
constexpr int64_t RealColumn = -1;

/// A query with its column names as other queries refer to them.
struct NamedQuery {
  QueryPtr query;
  std::vector<std::string> names; // folded; empty: cannot be referred to
  /// For each column: what was written for it, where it has no name (to repair Calcite's texts).
  std::vector<std::vector<ast::ExprPtr>> sources = {};
  std::vector<int64_t> lengths = {}; // of VARCHAR(n) columns; 0, or missing: not known
};

/// A function that queries may call and of which nothing else is known.
struct UserFunction {
  std::string name; // as declared
  std::vector<Type> parameters;
  Type result;
};

/// The tables, with names as the dialect compares them.
struct Schema {
  Catalog catalog;
  std::map<std::string, uint32_t> tables;        // folded name: index in the catalog
  std::vector<std::vector<std::string>> columns; // folded names, for each table
  std::vector<std::vector<int64_t>> lengths;     // of VARCHAR(n); 0: any; RealColumn
  std::map<std::string, NamedQuery> views;
  std::map<std::string, UserFunction> functions; // by the name in capitals
};

/// CREATE TABLE, VIEW, FUNCTION, UNIQUE INDEX and ALTER TABLE ADD. A query is an error (E1013).
Result<Schema> readSchema(std::string_view text, const std::string &file,
                          const Semantics &semantics);

struct BoundQuery {
  QueryPtr query;
  std::vector<std::string> remarks; // how the text was read where that is not obvious
};

Result<BoundQuery> readQuery(std::string_view text, const std::string &file, const Schema &schema,
                             const Semantics &semantics);
Result<BoundQuery> bindQuery(const ast::QueryPtr &query, const std::string &file,
                             const Schema &schema, const Semantics &semantics);

} // namespace imbrex::sql
