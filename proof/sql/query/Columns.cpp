#include "proof/sql/query/Types.h"

#include <algorithm>

namespace imbrex::sql {

static Error rule(std::string text) { return internalError(1090, std::move(text)); }

using Columns = std::vector<Column>;

/// As many columns as `types`, named as the query names them.
static Columns named(const Query &query, const std::vector<Type> &types) {
  Columns result;
  for (size_t i = 0; i < types.size(); ++i)
    result.push_back({i < query.columns.size() ? query.columns[i].name : "", types[i]});
  return result;
}

static Result<Columns> ofValues(const Query &query) {
  Columns result = query.columns;
  for (Column &column : result)
    column.type.nullable = false;
  for (const auto &row : query.rows) {
    if (row.size() != result.size())
      return rule("VALUES with rows of different lengths");
    for (size_t i = 0; i < row.size(); ++i) {
      if (!agree(result[i].type, row[i]->type))
        return rule("VALUES mixes " + typeName(result[i].type) + " and " + typeName(row[i]->type));
      result[i].type.nullable |= row[i]->type.nullable;
    }
  }
  return result;
}

static Columns ofJoin(const Query &query) {
  auto part = [&](size_t input, bool padded) {
    Columns columns = query.inputs[input]->columns;
    for (Column &column : columns)
      column.type.nullable |= padded;
    return columns;
  };
  JoinKind kind = query.join;
  Columns result = part(0, kind == JoinKind::Right || kind == JoinKind::Full);
  if (kind == JoinKind::Semi || kind == JoinKind::Anti)
    return result;
  Columns right = part(1, kind == JoinKind::Left || kind == JoinKind::Full);
  result.insert(result.end(), right.begin(), right.end());
  return result;
}

static Result<Columns> ofSetOp(const Query &query) {
  Columns result = query.inputs[0]->columns;
  if (query.inputs.size() < 2 || (query.set != SetKind::Union && query.inputs.size() != 2))
    return rule("a set operation with a wrong number of inputs");
  for (size_t k = 1; k < query.inputs.size(); ++k) {
    const Columns &other = query.inputs[k]->columns;
    if (other.size() != result.size())
      return rule("a set operation over different numbers of columns");
    for (size_t i = 0; i < result.size(); ++i) {
      if (!agree(result[i].type, other[i].type))
        return rule("a set operation mixes " + typeName(result[i].type) + " and " +
                    typeName(other[i].type));
      bool nullable = result[i].type.nullable;
      if (query.set == SetKind::Union)
        nullable |= other[i].type.nullable;
      if (query.set == SetKind::Intersect)
        nullable &= other[i].type.nullable;
      if (result[i].type.base == BaseType::Unknown)
        result[i].type = other[i].type;
      result[i].type.nullable = nullable;
    }
  }
  return named(query, [&] {
    std::vector<Type> types;
    for (const Column &column : result)
      types.push_back(column.type);
    return types;
  }());
}

static Result<Columns> ofGroup(const Query &query) {
  std::vector<Type> types;
  bool emptySet = false;
  for (const auto &set : query.groupingSets)
    emptySet |= set.empty();
  for (uint32_t key = 0; key < query.exprs.size(); ++key) {
    Type type = query.exprs[key]->type;
    for (const auto &set : query.groupingSets)
      type.nullable |= std::find(set.begin(), set.end(), key) == set.end();
    types.push_back(type);
  }
  for (const Aggregate &aggregate : query.aggregates) {
    Result<Type> type =
        aggregateType(aggregate, emptySet ? Groups::MayBeEmpty : Groups::NeverEmpty);
    if (!type)
      return type.takeError();
    types.push_back(*type);
  }
  types.insert(types.end(), query.groupingCalls.size(), Type{BaseType::Int, {}, false});
  return named(query, types);
}

static Result<Columns> ofWindow(const Query &query) {
  Columns result = query.inputs[0]->columns;
  for (const WindowFunction &window : query.windows) {
    Result<Type> type = windowType(window);
    if (!type)
      return type.takeError();
    size_t index = result.size();
    result.push_back({index < query.columns.size() ? query.columns[index].name : "", *type});
  }
  return result;
}

Result<Columns> derivedColumns(const Query &query, const Catalog &catalog) {
  switch (query.kind) {
  case QueryKind::Scan:
    if (query.table >= catalog.tables.size())
      return rule("a scan of a table that does not exist");
    return catalog.tables[query.table].columns;
  case QueryKind::Values:
    return ofValues(query);
  case QueryKind::Project: {
    std::vector<Type> types;
    for (const ExprPtr &expr : query.exprs)
      types.push_back(expr->type);
    return named(query, types);
  }
  case QueryKind::Join:
    return ofJoin(query);
  case QueryKind::SetOp:
    return ofSetOp(query);
  case QueryKind::Group:
    return ofGroup(query);
  case QueryKind::Window:
    return ofWindow(query);
  case QueryKind::Filter:
  case QueryKind::Distinct:
  case QueryKind::Sort:
    return query.inputs[0]->columns;
  }
  return rule("a query of no kind");
}

} // namespace imbrex::sql
