// SELECT: what its clauses mean in which order. Expressions are bound over the row of FROM first;
// aggregates and window functions leave them as stand-ins (Scope.h) until their operators exist.
#include "proof/sql/bind/Binder.h"
#include "proof/sql/bind/Grouping.h"
#include "proof/sql/query/Builders.h"
#include "proof/sql/query/Rewrite.h"
#include "proof/sql/query/Types.h"

#include <algorithm>

namespace imbrex::sql {

static uint32_t levelInside(const Scope *outer) { return outer ? outer->level + 1 : 0; }

/// How a column without a name is called by others; empty: not at all.
std::string Binder::impliedName(const ast::Expr &expr, size_t index) const {
  if (rules.unnamed == UnnamedColumns::Calcite)
    return "EXPR$" + std::to_string(index);
  if (rules.unnamed != UnnamedColumns::Postgres)
    return {};
  std::string name;
  switch (expr.kind) {
  case ast::ExprKind::Function:
    name = expr.names.back().text;
    break;
  case ast::ExprKind::Case:
    name = "case";
    break;
  case ast::ExprKind::Exists:
    name = "exists";
    break;
  case ast::ExprKind::Cast:
    if (expr.operands[0]->kind == ast::ExprKind::Name)
      return folded(expr.operands[0]->names.back());
    name = impliedName(*expr.operands[0], index);
    break;
  default:
    break;
  }
  return folded(ast::Name{name});
}

void Binder::expandStar(const ast::Expr &star, const Scope &scope, std::vector<Item> &items) const {
  std::string table = star.names.empty() ? "" : folded(star.names.back());
  std::vector<const ScopeColumn *> chosen;
  bool known = table.empty();
  for (const ScopeColumn &column : *scope.columns) {
    known |= column.table == table;
    if ((table.empty() ? !column.merged : column.table == table) && column.name != AnyColumn)
      chosen.push_back(&column);
  }
  bool shapeless = std::any_of(scope.columns->begin(), scope.columns->end(),
                               [](const ScopeColumn &c) { return c.name == AnyColumn; });
  if (shapeless && scope.columns->size() > 1)
    notSupported("* over VALUES without rows and other tables", star.place);
  if (!known)
    fail(1020, "there is no table " + star.names.back().text + " in FROM", "", "its name or *",
         star.place);
  if (!table.empty())
    std::sort(chosen.begin(), chosen.end(),
              [](const auto *a, const auto *b) { return a->expr->index < b->expr->index; });
  limitColumns(items.size() + chosen.size(), "SELECT", star.place);
  for (const ScopeColumn *column : chosen)
    items.push_back(
        {nullptr, column->expr, column->written, column->name, star.place, column->length});
}

std::vector<Binder::Item> Binder::expandItems(const ast::Select &select, const Scope &scope) const {
  std::vector<Item> items;
  limitColumns(select.items.size(), "SELECT", select.items[0].expr->place);
  for (const ast::SelectItem &item : select.items) {
    if (item.expr->kind == ast::ExprKind::Star) {
      if (select.from.empty())
        fail(1021, "* without FROM", "", "a list of columns", item.expr->place);
      expandStar(*item.expr, scope, items);
      continue;
    }
    Item result{item.expr, nullptr, "", "", item.expr->place};
    bool isName = item.expr->kind == ast::ExprKind::Name;
    if (item.alias) {
      result.written = item.alias->text;
      result.name = folded(*item.alias);
    } else if (isName) {
      result.written = item.expr->names.back().text;
      result.name = folded(item.expr->names.back());
    } else {
      result.name = impliedName(*item.expr, items.size());
    }
    items.push_back(std::move(result));
  }
  return items;
}

/// Keys over the row before grouping, or over an item that they name or equal. New items are
/// hidden.
std::vector<SortKey> Binder::bindOrder(const ast::Query &query, const Scope &scope,
                                       const CommonScope *common, std::vector<Item> &items) {
  std::vector<SortKey> order;
  size_t visible = items.size();
  limitColumns(visible + query.order.size(), "ORDER BY", query.place);
  for (const ast::OrderItem &item : query.order) {
    std::optional<int64_t> position = ordinal(item.expr, visible, "ORDER BY");
    if (!position && item.expr->kind == ast::ExprKind::Name && item.expr->names.size() == 1) {
      std::string name = folded(item.expr->names[0]);
      for (size_t i = 0; i < visible && !position; ++i)
        if (items[i].name == name && !(items[i].written.empty()))
          position = int64_t(i);
    }
    if (!position) {
      ExprPtr raw = bindExpr(item.expr, scope, common);
      for (size_t i = 0; i < items.size() && !position; ++i)
        if (same(*items[i].raw, *raw))
          position = int64_t(i);
      if (!position) {
        position = int64_t(items.size());
        items.push_back({item.expr, raw, "", "", item.expr->place});
      }
    }
    order.push_back(sortKey(item, makeColumn(0, uint32_t(*position), items[*position].raw->type)));
  }
  if (items.size() > visible && query.select.distinct)
    fail(1043, "ORDER BY of a SELECT DISTINCT names something that is not selected",
         "rows that differ in it have become one", "selecting it", items[visible].place);
  return order;
}

NamedQuery Binder::bindSelect(const ast::Query &query, const Scope *outer,
                              const CommonScope *common, Ordering ordering) {
  const ast::Select &select = query.select;
  if (!select.distinctOn.empty())
    notSupported("DISTINCT ON", select.distinctOn[0]->place);
  Relation from = bindFrom(select.from, outer, common);
  Calls calls;
  calls.namedWindows = &select.windows;
  Scope plain{&from.columns, outer, levelInside(outer)};
  plain.clause = "WHERE";
  QueryPtr input = from.query;
  if (select.where)
    input = makeFilter(input, bindCondition(select.where, plain, common));

  std::vector<Item> items = expandItems(select, plain);
  std::vector<ExprPtr> keys;
  std::vector<std::vector<uint32_t>> sets = {{}};
  plain.clause = "GROUP BY";
  if (select.grouped)
    bindGroupBy(select, plain, common, items, keys, sets);
  calls.emptyGroups = std::any_of(sets.begin(), sets.end(), [](auto &set) { return set.empty(); });

  Scope full = plain;
  full.calls = &calls;
  full.windowsAllowed = true;
  full.clause = "SELECT";
  for (Item &item : items)
    if (!item.raw)
      item.raw = bindExpr(item.source, full, common);
  for (Item &item : items)
    if (auto length = lengths.find(item.raw.get()); length != lengths.end())
      item.length = length->second;
  std::vector<ScopeColumn> aliases;
  for (const Item &item : items)
    if (!item.written.empty())
      aliases.push_back({"", item.name, item.written, item.raw});
  if (rules.aliasInHaving || rules.qualify)
    full.aliases = &aliases;
  ExprPtr qualify = select.qualify ? bindCondition(select.qualify, full, common) : nullptr;
  size_t visible = items.size();
  full.clause = "ORDER BY";
  std::vector<SortKey> order = bindOrder(query, full, common, items);
  full.windowsAllowed = false;
  full.clause = "HAVING";
  ExprPtr having = select.having ? bindCondition(select.having, full, common) : nullptr;

  bool isGrouped =
      select.grouped || having || !calls.aggregates.empty() || !calls.groupings.empty();
  uint32_t keyCount = 0, aggregateCount = 0;
  if (isGrouped) {
    Grouping grouping(*this, schema, from, calls, std::move(keys), std::move(sets));
    auto map = [&](ExprPtr &e, Place place) {
      if (e)
        e = grouping.grouped(e, place, places);
    };
    for (Item &item : items)
      map(item.raw, item.place);
    map(having, select.having ? select.having->place : query.place);
    map(qualify, select.qualify ? select.qualify->place : query.place);
    for (WindowFunction &window : calls.windows)
      forEachPart(window, [&](ExprPtr &e) { map(e, query.place); });
    input = grouping.group(input);
    keyCount = grouping.keyCount();
    aggregateCount = uint32_t(calls.aggregates.size());
  }
  uint32_t windows = uint32_t(input->columns.size());
  auto settle = [&](ExprPtr &e) {
    if (e)
      e = Grouping::settled(e, *input, keyCount, aggregateCount, windows);
  };
  settle(having);
  if (having)
    input = makeFilter(input, having);
  if (!calls.windows.empty()) {
    for (WindowFunction &window : calls.windows)
      forEachPart(window, settle);
    input = makeWindow(input, calls.windows);
  }
  settle(qualify);
  if (qualify)
    input = makeFilter(input, qualify);

  NamedQuery result;
  std::vector<ExprPtr> exprs;
  std::vector<std::string> written;
  bool cuts = query.limit || query.offset;
  bool sorts = cuts || (ordering == Ordering::Keep && !order.empty());
  if (!sorts)
    items.resize(visible);
  for (Item &item : items) {
    settle(item.raw);
    exprs.push_back(item.raw);
    written.push_back(item.written);
    result.names.push_back(item.name);
    result.lengths.push_back(item.length);
    result.sources.push_back(item.written.empty() && item.source ? std::vector{item.source}
                                                                 : std::vector<ast::ExprPtr>());
  }
  result.names.resize(visible);
  result.sources.resize(visible);
  result.lengths.resize(visible);
  result.query = makeProject(input, std::move(exprs), std::move(written));
  if (select.distinct)
    result.query = makeDistinct(result.query);
  if (!sorts)
    return result;
  for (SortKey &key : order)
    key.expr = makeColumn(*result.query, key.expr->index);
  ExprPtr limit = query.limit ? bindCount(query.limit, outer, common, "LIMIT") : nullptr;
  ExprPtr offset = query.offset ? bindCount(query.offset, outer, common, "OFFSET") : nullptr;
  result.query = makeSort(result.query, std::move(order), limit, offset);
  if (items.size() == visible)
    return result;
  std::vector<ExprPtr> kept;
  written.clear();
  for (uint32_t i = 0; i < visible; ++i) {
    kept.push_back(makeColumn(*result.query, i));
    written.push_back(items[i].written);
  }
  result.query = makeProject(result.query, std::move(kept), std::move(written));
  return result;
}

} // namespace imbrex::sql
