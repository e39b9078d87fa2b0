// Schemas: tables with their constraints, views, functions.
#include "proof/sql/bind/Binder.h"
#include "proof/sql/parse/Parse.h"
#include "proof/sql/query/Builders.h"
#include "proof/sql/query/Rewrite.h"

#include <algorithm>
#include <map>
#include <set>
#include <unordered_set>

namespace imbrex::sql {
namespace {

constexpr uint64_t MaxSchemaSize = 10 * MaxTreeSize;

/// As SQLite sees it.
bool isReal(const std::string &type) {
  return type.find("REAL") != std::string::npos || type.find("FLOA") != std::string::npos ||
         type.find("DOUB") != std::string::npos;
}

class SchemaReader {
public:
  SchemaReader(Schema &schema, const Semantics &semantics, const std::string &file)
      : schema(schema), dialect(semantics.dialect), binder(schema, semantics, file) {}

  void read(const std::vector<ast::Statement> &statements) {
    for (const ast::Statement &statement : statements) {
      switch (statement.kind) {
      case ast::StatementKind::Query:
        binder.fail(1013, "a schema holds a query", "", "a file of its own for it",
                    statement.place);
      case ast::StatementKind::Table:
        table(statement.table);
        break;
      case ast::StatementKind::View:
        view(statement.view);
        break;
      case ast::StatementKind::Function:
        function(statement.function);
        break;
      case ast::StatementKind::Alter: {
        uint32_t index = tableOf(statement.alter.name);
        constraints(index, statement.alter.keys, statement.alter.checks);
        for (const auto &key : statement.alter.foreignKeys)
          pending.emplace_back(index, key);
        break;
      }
      case ast::StatementKind::Nothing:
        break;
      }
    }
    // Foreign keys may point forward.
    for (const auto &[index, key] : pending)
      foreignKey(index, key);
  }

private:
  /// Views of views grow fast.
  void charge(uint64_t size, Place place) {
    if (size > MaxTreeSize || (parts += size) > MaxSchemaSize)
      binder.fail(1001, "the schema is too large",
                  "with views in line a view or CHECK has over " + std::to_string(MaxTreeSize) +
                      " parts, or all of them have over " + std::to_string(MaxSchemaSize),
                  "a smaller schema", place);
  }

  void refuseKnown(const std::string &name, const ast::Name &written) {
    if (schema.tables.contains(name) || schema.views.contains(name))
      binder.fail(1010, "the table " + written.text + " is declared twice", "", "one declaration",
                  written.place);
  }

  uint32_t tableOf(const ast::Name &name) {
    auto found = schema.tables.find(binder.folded(name));
    if (found == schema.tables.end())
      binder.fail(1020, "there is no table " + name.text, "", "declaring it", name.place);
    return found->second;
  }

  std::vector<uint32_t> columnsOf(uint32_t table, const std::vector<ast::Name> &names) {
    std::vector<uint32_t> result;
    const std::vector<std::string> &known = schema.columns[table];
    for (const ast::Name &name : names) {
      auto found = std::find(known.begin(), known.end(), binder.folded(name));
      if (found == known.end())
        binder.fail(
            1011, "the table " + schema.catalog.tables[table].name + " has no column " + name.text,
            "", "one of its columns", name.place);
      result.push_back(uint32_t(found - known.begin()));
    }
    return result;
  }

  void table(const ast::CreateTable &create) {
    std::string name = binder.folded(create.name);
    refuseKnown(name, create.name);
    uint32_t index = uint32_t(schema.catalog.tables.size());
    Table table{create.name.text, {}};
    std::vector<std::string> columns;
    std::unordered_set<std::string> known;
    std::vector<int64_t> lengths;
    binder.limitColumns(create.columns.size(), "the table", create.name.place);
    for (const ast::ColumnDefinition &column : create.columns) {
      std::string columnName = binder.folded(column.name);
      if (!known.insert(columnName).second)
        binder.fail(1010, "the column " + column.name.text + " is declared twice", "",
                    "one declaration", column.name.place);
      if (column.type.name == "INTEGER" && column.type.parameters.empty())
        integers.emplace(index, uint32_t(columns.size()));
      columns.push_back(columnName);
      Type type = binder.declaredType(column.type);
      type.nullable = !column.notNull;
      table.columns.push_back({column.name.text, type});
      // CHAR(n) pads, so its values are not the text alone.
      bool varies = column.type.name.find("VAR") != std::string::npos;
      lengths.push_back(type.base == BaseType::Number && isReal(column.type.name) ? RealColumn
                        : varies && !column.type.parameters.empty() ? column.type.parameters[0]
                                                                    : 0);
    }
    if (columns.empty())
      binder.fail(1010, "the table " + create.name.text + " has no column", "", "a column",
                  create.name.place);
    schema.catalog.tables.push_back(std::move(table));
    schema.columns.push_back(std::move(columns));
    schema.lengths.push_back(std::move(lengths));
    schema.tables.emplace(name, index);
    if (create.isStrict)
      strict.insert(index);
    constraints(index, create.keys, create.checks);
    for (const auto &key : create.foreignKeys)
      pending.emplace_back(index, key);
  }

  /// SQLite's primary keys take NULL as UNIQUE does, but for its row numbers and in two newer kinds
  /// of tables.
  bool mayHoldNull(uint32_t index, const std::vector<uint32_t> &key) const {
    return dialect == Dialect::Sqlite && !strict.contains(index) &&
           !(key.size() == 1 && integers.contains({index, key[0]}));
  }

  void constraints(uint32_t index, const std::vector<ast::KeyDefinition> &keys,
                   const std::vector<ast::ExprPtr> &checks) {
    for (const ast::KeyDefinition &key : keys) {
      std::vector<uint32_t> columns = columnsOf(index, key.columns);
      Table &table = schema.catalog.tables[index];
      if (key.primary)
        primary[index] = columns;
      bool forbidsNull = key.primary && !mayHoldNull(index, columns);
      for (uint32_t column : columns)
        if (forbidsNull)
          table.columns[column].type.nullable = false;
      table.keys.push_back({std::move(columns), forbidsNull});
    }
    if (checks.empty())
      return;
    std::vector<ScopeColumn> columns;
    const Table &table = schema.catalog.tables[index];
    for (uint32_t i = 0; i < table.columns.size(); ++i)
      columns.push_back({binder.folded({table.name}), schema.columns[index][i],
                         table.columns[i].name, makeColumn(0, i, table.columns[i].type)});
    for (const ast::ExprPtr &check : checks) {
      Scope scope{&columns};
      scope.clause = "CHECK";
      ExprPtr condition = binder.bindCondition(check, scope, nullptr);
      charge(treeSize(*condition), check->place);
      schema.catalog.tables[index].checks.push_back(std::move(condition));
    }
  }

  void foreignKey(uint32_t index, const ast::ForeignKeyDefinition &definition) {
    ForeignKey key;
    key.columns = columnsOf(index, definition.columns);
    key.table = tableOf(definition.table);
    const Table &target = schema.catalog.tables[key.table];
    if (definition.target.empty()) {
      if (auto it = primary.find(key.table); it != primary.end())
        key.target = it->second;
    } else {
      key.target = columnsOf(key.table, definition.target);
    }
    std::vector<uint32_t> sorted = key.target;
    std::sort(sorted.begin(), sorted.end());
    bool isKey = std::any_of(target.keys.begin(), target.keys.end(), [&](const Key &candidate) {
      std::vector<uint32_t> columns = candidate.columns;
      std::sort(columns.begin(), columns.end());
      return columns == sorted;
    });
    if (key.target.empty() || !isKey || key.target.size() != key.columns.size())
      binder.fail(1012, "a foreign key refers to what is no key of " + target.name, "",
                  "PRIMARY KEY or UNIQUE there", definition.table.place);
    schema.catalog.tables[index].foreignKeys.push_back(std::move(key));
  }

  void view(const ast::CreateView &create) {
    std::string name = binder.folded(create.name);
    refuseKnown(name, create.name);
    NamedQuery query = binder.bindQuery(create.query, nullptr, nullptr, Ordering::Drop);
    if (create.columns.size() > query.names.size())
      binder.fail(1031, "the view " + create.name.text + " names too many columns",
                  "it has " + std::to_string(query.names.size()), "fewer names", create.name.place);
    std::vector<std::string> written;
    for (size_t i = 0; i < create.columns.size(); ++i) {
      query.names[i] = binder.folded(create.columns[i]);
      written.push_back(create.columns[i].text);
    }
    query.query = renamed(query.query, std::move(written));
    charge(treeSize(*query.query), create.name.place);
    schema.views.emplace(name, std::move(query));
  }

  void function(const ast::CreateFunction &create) {
    UserFunction function{create.name.text, {}, binder.declaredType(create.result)};
    function.result.nullable = !create.notNull;
    for (const ast::TypeName &type : create.parameters) {
      // A parameter whose type is a table takes a row of it.
      auto table = schema.tables.find(binder.folded({type.name}));
      if (table == schema.tables.end())
        function.parameters.push_back(binder.declaredType(type));
      else
        for (const Column &column : schema.catalog.tables[table->second].columns)
          function.parameters.push_back(column.type);
    }
    std::string name = upperCase(create.name.text);
    schema.catalog.functions.push_back(create.name.text);
    if (!schema.functions.emplace(name, std::move(function)).second)
      binder.fail(1010, "the function " + create.name.text + " is declared twice", "",
                  "one declaration", create.name.place);
  }

  Schema &schema;
  Dialect dialect;
  Binder binder;
  std::map<uint32_t, std::vector<uint32_t>> primary; // keys by table
  std::set<uint32_t> strict;                         // tables
  std::set<std::pair<uint32_t, uint32_t>> integers;  // tables and columns of the type INTEGER
  uint64_t parts = 0;                                // of views and checks
  std::vector<std::pair<uint32_t, ast::ForeignKeyDefinition>> pending;
};

} // namespace

Result<Schema> readSchema(std::string_view text, const std::string &file,
                          const Semantics &semantics) {
  Result<std::vector<ast::Statement>> statements =
      parseStatements(text, file, DialectRules::of(semantics.dialect));
  if (!statements)
    return statements.takeError();
  Schema schema;
  try {
    SchemaReader(schema, semantics, file).read(*statements);
  } catch (BindError &error) {
    return std::move(error.error);
  }
  return schema;
}

} // namespace imbrex::sql
