#include "proof/sql/bind/Grouping.h"

#include "proof/sql/query/Builders.h"
#include "proof/sql/query/Rewrite.h"

#include <algorithm>

namespace imbrex::sql {

Type Grouping::keyType(uint32_t key) const {
  Type type = keys[key]->type;
  for (const auto &set : sets)
    type.nullable |= std::find(set.begin(), set.end(), key) == set.end();
  return type;
}

/// Does a key of a table without NULLs, among the grouping keys, determine this column of the row?
bool Grouping::follows(uint32_t column) const {
  if (sets.size() != 1 || sets[0].size() != keys.size())
    return false;
  for (const ScopeTable &part : from.tables) {
    const Table &table = schema.catalog.tables[part.table];
    if (column < part.offset || column >= part.offset + table.columns.size())
      continue;
    for (const Key &key : table.keys) {
      bool covered = std::all_of(key.columns.begin(), key.columns.end(), [&](uint32_t c) {
        return !table.columns[c].type.nullable &&
               std::any_of(keys.begin(), keys.end(), [&](const ExprPtr &k) {
                 return k->kind == ExprKind::Column && k->depth == 0 && k->index == part.offset + c;
               });
      });
      if (covered && !key.columns.empty())
        return true;
    }
  }
  return false;
}

ExprPtr Grouping::grouped(const ExprPtr &raw, Place place,
                          const std::unordered_map<const Expr *, Place> &places) {
  return rewrite(raw, [&](const ExprPtr &e, uint32_t level) -> ExprPtr {
    bool constant = e->kind == ExprKind::Literal || e->kind == ExprKind::Parameter;
    for (uint32_t k = 0; k < keys.size() && !constant; ++k)
      if (same(*keys[k], *e, level))
        return makeColumn(level, k, keyType(k));
    if (e->kind != ExprKind::Column)
      return nullptr;
    if (e->depth != level || e->index >= AggregateBase)
      return e;
    if (!follows(e->index)) {
      auto known = places.find(e.get());
      std::string name = "a column";
      for (const ScopeColumn &column : from.columns)
        if (column.expr->kind == ExprKind::Column && column.expr->index == e->index)
          name = "the column " + column.written;
      binder.fail(1040, name + " is neither grouped nor aggregated",
                  "its rows in a group may differ", "adding it to GROUP BY",
                  known != places.end() ? known->second : place);
    }
    keys.push_back(makeColumn(0, e->index, e->type));
    sets[0].push_back(uint32_t(keys.size() - 1));
    return makeColumn(level, uint32_t(keys.size() - 1), e->type);
  });
}

QueryPtr Grouping::group(QueryPtr input) {
  std::vector<std::vector<uint32_t>> groupings;
  for (const GroupingCall &call : calls.groupings) {
    std::vector<uint32_t> indices;
    for (const ExprPtr &operand : call.keys) {
      uint32_t key = 0;
      while (key < keys.size() && !same(*keys[key], *operand))
        ++key;
      if (key == keys.size())
        binder.fail(1040, "GROUPING of something that is not grouped", "",
                    "an expression of GROUP BY", call.place);
      indices.push_back(key);
    }
    groupings.push_back(std::move(indices));
  }
  return makeGroup(std::move(input), keys, sets, calls.aggregates, std::move(groupings));
}

ExprPtr Grouping::settled(const ExprPtr &expr, const Query &row, uint32_t keyCount,
                          uint32_t aggregateCount, uint32_t windows) {
  return rewrite(expr, [&](const ExprPtr &e, uint32_t level) -> ExprPtr {
    if (e->kind != ExprKind::Column)
      return nullptr;
    if (e->depth != level || e->index < AggregateBase)
      return e;
    uint32_t index = e->index >= WindowBase ? e->index - WindowBase + windows
                     : e->index >= GroupingBase
                         ? e->index - GroupingBase + keyCount + aggregateCount
                         : e->index - AggregateBase + keyCount;
    Type type = index < row.columns.size() ? row.columns[index].type : e->type;
    return makeColumn(level, index, type);
  });
}

} // namespace imbrex::sql
