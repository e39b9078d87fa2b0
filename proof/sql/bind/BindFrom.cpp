// FROM: tables, subqueries and joins, and which names they bring.
#include "proof/sql/bind/Binder.h"
#include "proof/sql/query/Builders.h"
#include "proof/sql/query/Rewrite.h"
#include "proof/sql/query/Types.h"
#include "support/text/Nearest.h"

#include <algorithm>
#include <set>

namespace imbrex::sql {

static uint32_t levelInside(const Scope *outer) { return outer ? outer->level + 1 : 0; }

static bool isLateral(const ast::TableRef &ref) {
  if (ref.kind == ast::TableKind::Join)
    return isLateral(*ref.left) || isLateral(*ref.right);
  return ref.kind == ast::TableKind::Derived && ref.lateral;
}

/// `columns` over a row in which they start at `offset`, with the types of that row.
static std::vector<ScopeColumn> moved(std::vector<ScopeColumn> columns, uint32_t offset,
                                      const std::vector<Column> &row) {
  for (ScopeColumn &column : columns)
    column.expr = rewrite(column.expr, [&](const ExprPtr &e, uint32_t) -> ExprPtr {
      if (e->kind != ExprKind::Column)
        return nullptr;
      return makeColumn(0, e->index + offset, row[e->index + offset].type);
    });
  return columns;
}

/// Calcite numbers columns of equal names: SAL, SAL0, SAL1.
static void numberDuplicates(std::vector<ScopeColumn> &columns) {
  std::set<std::string> used;
  for (const ScopeColumn &column : columns)
    used.insert(column.name);
  std::set<std::string> seen;
  for (ScopeColumn &column : columns) {
    if (column.name.empty() || seen.insert(column.name).second)
      continue;
    for (unsigned n = 0;; ++n)
      if (std::string name = column.name + std::to_string(n); used.insert(name).second) {
        column.name = name;
        break;
      }
  }
}

Relation Binder::relationOf(NamedQuery query, const ast::TableRef &ref,
                            const std::string &alias) const {
  Relation relation{query.query, {}, {}};
  if (ref.columnAliases.size() > query.names.size())
    fail(1031, "the table " + (ref.alias ? ref.alias->text : "") + " names too many columns",
         "it has " + std::to_string(query.names.size()), "fewer names", ref.place);
  bool anyColumn = query.query->kind == QueryKind::Values && query.query->columns.empty();
  if (anyColumn && ref.kind == ast::TableKind::Derived)
    relation.columns.push_back({alias, AnyColumn, "", makeNull()});
  for (uint32_t i = 0; i < query.names.size(); ++i) {
    bool given = i < ref.columnAliases.size();
    relation.columns.push_back({alias, given ? folded(ref.columnAliases[i]) : query.names[i],
                                given ? ref.columnAliases[i].text : query.query->columns[i].name,
                                makeColumn(*query.query, i)});
    relation.columns.back().length = i < query.lengths.size() ? query.lengths[i] : 0;
    if (i < query.sources.size())
      relation.columns.back().sources = query.sources[i];
  }
  if (rules.repairsNames)
    numberDuplicates(relation.columns);
  return relation;
}

void Binder::noTable(const ast::Name &name) const {
  std::vector<std::string> names;
  for (const Table &table : schema.catalog.tables)
    names.push_back(table.name);
  const std::string near = nearestName(name.text, names);
  fail(1020, "there is no table " + name.text, names.empty() ? "the schema is empty" : "",
       (near.empty() ? "" : near + ", or ") + "adding it to the schema", name.place);
}

Relation Binder::bindNamed(const ast::TableRef &ref, const Scope *outer,
                           const CommonScope *common) {
  const ast::Name &name = ref.names.back();
  std::string key = folded(name), alias = ref.alias ? folded(*ref.alias) : key;
  for (const CommonScope *c = common; c && ref.names.size() == 1; c = c->outer) {
    if (c->name != key)
      continue;
    if (c->unfinished)
      notSupported("a recursive common table", name.place);
    NamedQuery query = c->query;
    charge(treeSize(*query.query), name.place);
    query.query = shifted(query.query, levelInside(outer) - c->level);
    return relationOf(std::move(query), ref, alias);
  }
  if (auto view = schema.views.find(key); view != schema.views.end()) {
    charge(treeSize(*view->second.query), name.place);
    return relationOf(view->second, ref, alias);
  }
  auto found = schema.tables.find(key);
  if (found == schema.tables.end())
    noTable(name);
  uint32_t table = found->second;
  Relation relation = relationOf(
      {makeScan(schema.catalog, table), schema.columns[table], {}, schema.lengths[table]}, ref,
      alias);
  relation.tables.push_back({table, 0});
  return relation;
}

Relation Binder::bindTable(const ast::TableRef &ref, const Scope *outer,
                           const CommonScope *common) {
  switch (ref.kind) {
  case ast::TableKind::Named:
    return bindNamed(ref, outer, common);
  case ast::TableKind::Derived: {
    // Only LATERAL sees the rows of other tables; bindFrom and bindJoin pass their scope then.
    NamedQuery query = bindQuery(ref.query, outer, common, Ordering::Drop);
    return relationOf(std::move(query), ref, ref.alias ? folded(*ref.alias) : "");
  }
  case ast::TableKind::Join:
    return bindJoin(ref, outer, common);
  }
  return {};
}

void Binder::checkAliases(const Relation &left, const Relation &right, Place place) const {
  std::set<std::string> names;
  for (const ScopeColumn &column : left.columns)
    names.insert(column.table);
  names.erase("");
  for (const ScopeColumn &column : right.columns)
    if (names.contains(column.table))
      fail(1023, "the table name " + column.table + " is used twice",
           "its columns would be ambiguous", "a name for one of them: " + column.table + " AS x",
           place);
}

/// Both rows, one after the other, without a join yet.
static Relation beside(const Relation &left, const Relation &right) {
  std::vector<Column> row = left.query->columns;
  uint32_t width = uint32_t(row.size());
  row.insert(row.end(), right.query->columns.begin(), right.query->columns.end());
  Relation both{nullptr, left.columns, left.tables};
  std::vector<ScopeColumn> columns = moved(right.columns, width, row);
  both.columns.insert(both.columns.end(), columns.begin(), columns.end());
  for (ScopeTable table : right.tables)
    both.tables.push_back({table.table, table.offset + width});
  return both;
}

Relation Binder::joined(JoinKind kind, const Relation &left, const Relation &right,
                        ExprPtr condition, bool lateral) const {
  Relation result = beside(left, right);
  if (kind == JoinKind::Semi || kind == JoinKind::Anti) {
    result.columns = left.columns;
    result.tables = left.tables;
  }
  result.query = makeJoin(kind, left.query, right.query, std::move(condition),
                          lateral ? Lateral::Yes : Lateral::No);
  result.columns = moved(std::move(result.columns), 0, result.query->columns);
  return result;
}

/// The one column that `name` is, for USING.
static int findUnmerged(const std::vector<ScopeColumn> &columns, size_t begin, size_t end,
                        const std::string &name) {
  int found = -1;
  for (size_t i = begin; i < end; ++i)
    if (!columns[i].merged && columns[i].name == name)
      found = found == -1 ? int(i) : -2;
  return found;
}

Relation Binder::bindJoin(const ast::TableRef &ref, const Scope *outer, const CommonScope *common,
                          const Relation *before) {
  bool inside = before && ref.left->kind == ast::TableKind::Join;
  Relation left =
      inside ? bindJoin(*ref.left, outer, common, before) : bindTable(*ref.left, outer, common);
  if (before && !inside)
    left = joined(JoinKind::Inner, *before, left, makeBool(true), false);
  bool lateral = isLateral(*ref.right);
  Scope leftScope{&left.columns, outer, levelInside(outer)};
  leftScope.clause = "FROM";
  if (lateral && (ref.join == JoinKind::Right || ref.join == JoinKind::Full))
    notSupported("LATERAL on the right of a RIGHT or FULL JOIN", ref.place);
  Relation right = bindTable(*ref.right, lateral ? &leftScope : outer, common);
  if (rules.dialect != Dialect::Sqlite)
    checkAliases(left, right, ref.right->place);
  limitColumns(left.columns.size() + right.columns.size(), "a join", ref.place);
  Relation both = beside(left, right);
  std::vector<std::string> names;
  for (const ast::Name &name : ref.usingColumns)
    names.push_back(folded(name));
  size_t split = left.columns.size();
  for (size_t i = 0; ref.natural && i < split; ++i)
    if (!left.columns[i].merged &&
        findUnmerged(both.columns, split, both.columns.size(), left.columns[i].name) != -1)
      names.push_back(left.columns[i].name);

  std::vector<ExprPtr> conditions;
  std::vector<std::pair<int, int>> pairs;
  for (const std::string &name : names) {
    int a = findUnmerged(both.columns, 0, split, name);
    int b = findUnmerged(both.columns, split, both.columns.size(), name);
    if (a < 0 || b < 0)
      fail(a == -2 || b == -2 ? 1022 : 1021,
           "the column " + name + " is not once on each side of the join", "",
           "ON with a condition", ref.place);
    pairs.emplace_back(a, b);
    conditions.push_back(compare(Op::Equal, both.columns[a].expr, both.columns[b].expr, ref.place));
  }
  ExprPtr condition = makeAnd(std::move(conditions));
  if (ref.on) {
    Scope scope{&both.columns, outer, levelInside(outer)};
    scope.clause = "ON";
    condition = bindCondition(ref.on, scope, common);
  }
  Relation result = joined(ref.join, left, right, condition, lateral);
  if (pairs.empty() || ref.join == JoinKind::Semi || ref.join == JoinKind::Anti)
    return result;
  // The merged columns come first.
  std::vector<ScopeColumn> merged;
  for (auto [a, b] : pairs) {
    ScopeColumn column = result.columns[ref.join == JoinKind::Right ? b : a];
    column.table.clear();
    if (ref.join == JoinKind::Full) {
      std::vector<ExprPtr> values = {result.columns[a].expr, result.columns[b].expr};
      unify(values, ref.place, "USING");
      column.expr = makeCall(Op::Coalesce, std::move(values));
    }
    merged.push_back(std::move(column));
    result.columns[a].merged = result.columns[b].merged = true;
  }
  result.columns.insert(result.columns.begin(), merged.begin(), merged.end());
  return result;
}

Relation Binder::bindFrom(const std::vector<ast::TableRefPtr> &from, const Scope *outer,
                          const CommonScope *common) {
  if (from.empty())
    return {makeValues({}, {{}}), {}, {}};
  Relation result = bindTable(*from[0], outer, common);
  for (size_t i = 1; i < from.size(); ++i) {
    bool lateral = isLateral(*from[i]);
    if (from[i]->kind == ast::TableKind::Join && !lateral && reachesBefore(*from[i], result)) {
      addRemark("read joins after a comma as joins of all tables before them");
      result = bindJoin(*from[i], outer, common, &result);
      continue;
    }
    Scope scope{&result.columns, outer, levelInside(outer)};
    scope.clause = "FROM";
    Relation right = bindTable(*from[i], lateral ? &scope : outer, common);
    if (rules.dialect != Dialect::Sqlite)
      checkAliases(result, right, from[i]->place);
    limitColumns(result.columns.size() + right.columns.size(), "FROM", from[i]->place);
    result = joined(JoinKind::Inner, result, right, makeBool(true), lateral);
  }
  return result;
}

} // namespace imbrex::sql
