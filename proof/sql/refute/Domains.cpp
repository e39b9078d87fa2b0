#include "proof/sql/refute/Domains.h"

#include <algorithm>

namespace imbrex::sql {

namespace {

void addNew(std::vector<Cell> &cells, const std::optional<Cell> &cell) {
  if (cell && std::find(cells.begin(), cells.end(), *cell) == cells.end())
    cells.push_back(*cell);
}

std::vector<Cell> &of(std::array<std::vector<Cell>, BaseTypes> &cells, BaseType base) {
  return cells[size_t(base)];
}

void addPlain(Domains &domains, TextPool &pool) {
  of(domains.plain, BaseType::Bool) = {Cell::ofBool(false), Cell::ofBool(true)};
  for (int64_t number : {1, 2, 0, 3, -1})
    of(domains.plain, BaseType::Int).push_back(Cell::ofInt(number));
  of(domains.plain, BaseType::Number) = of(domains.plain, BaseType::Int);
  of(domains.plain, BaseType::Number).push_back({1, 2, CellTag::Number});
  for (const char *text : {"a", "b", "", "c"})
    of(domains.plain, BaseType::Text).push_back({pool.intern(text), 1, CellTag::Text});
  auto opaque = [&](BaseType base, std::initializer_list<const char *> texts) {
    for (const char *text : texts)
      of(domains.plain, base).push_back({pool.intern(text), 1, CellTag::Opaque, base});
  };
  opaque(BaseType::Date, {"2020-01-01", "2020-01-02", "2021-06-30"});
  opaque(BaseType::Time, {"00:00:00", "12:00:00", "12:30:00"});
  opaque(BaseType::Timestamp,
         {"2020-01-01 00:00:00", "2020-01-01 12:00:00", "2021-06-30 00:00:00"});
  opaque(BaseType::Interval, {"1 day", "2 days"});
  opaque(BaseType::Other, {"p", "q", "r"});
  of(domains.plain, BaseType::Unknown) = of(domains.plain, BaseType::Int);
}

void addConstant(Domains &domains, const Expr &expr, TextPool &pool) {
  if (expr.kind != ExprKind::Literal || isNull(expr.value))
    return;
  std::optional<Cell> cell = toCell(expr.value, pool);
  if (!cell)
    return;
  if (cell->tag == CellTag::Number) {
    for (const Cell &near : withNeighbours(*cell, pool))
      addNew(of(domains.constants, BaseType::Number), near);
    for (const Cell &near : withNeighbours(truncate(*cell), pool))
      addNew(of(domains.constants, BaseType::Int), near);
    return;
  }
  if (cell->tag == CellTag::Bool)
    return;
  BaseType base = cell->tag == CellTag::Text ? BaseType::Text : cell->base;
  for (const Cell &near : withNeighbours(*cell, pool))
    addNew(of(domains.constants, base), near);
}

int64_t integerOf(const ExprPtr &expr) {
  const auto *number = expr ? std::get_if<int64_t>(&expr->value) : nullptr;
  return number && expr->kind == ExprKind::Literal ? *number : 0;
}

void addSize(Domains &domains, int64_t size, size_t weight) {
  if (size >= 3 && size < int64_t(LargestTable))
    domains.sizes.insert(domains.sizes.end(), weight, uint32_t(size));
}

/// They count several times: other constants need not speak of rows.
void addLimits(const Query &query, Domains &domains) {
  constexpr size_t weight = 4;
  int64_t limit = integerOf(query.limit), offset = integerOf(query.offset);
  addSize(domains, limit, weight);
  addSize(domains, offset, weight);
  if (limit > 0 && limit < int64_t(LargestTable) && offset > 0 && offset < int64_t(LargestTable))
    addSize(domains, limit + offset, weight);
  for (const QueryPtr &input : query.inputs)
    addLimits(*input, domains);
}

void markTables(const Query &query, std::vector<bool> &used) {
  if (query.kind == QueryKind::Scan)
    used[query.table] = true;
  for (const QueryPtr &input : query.inputs)
    markTables(*input, used);
}

} // namespace

void Domains::withoutEmptyText(const TextPool &pool) {
  auto clear = [&](std::vector<Cell> &cells) {
    std::erase_if(cells, [&](const Cell &cell) {
      return cell.tag == CellTag::Text && pool.text(cell.number).empty();
    });
  };
  clear(of(plain, BaseType::Text));
  clear(of(constants, BaseType::Text));
  for (auto &table : ofColumns)
    for (auto &column : table)
      clear(column);
}

Domains collectDomains(const Query &first, const Query &second, const Catalog &catalog,
                       TextPool &pool) {
  Domains domains;
  addPlain(domains, pool);
  auto use = [&](const Expr &expr) { addConstant(domains, expr, pool); };
  for (const Query *query : {&first, &second}) {
    forEachExpr(*query, use);
    addLimits(*query, domains);
    forEachExpr(*query, [&](const Expr &expr) {
      if (expr.query)
        addLimits(*expr.query, domains);
      if (const auto *number = std::get_if<int64_t>(&expr.value))
        addSize(domains, *number, 1);
    });
  }
  for (const Table &table : catalog.tables)
    for (const ExprPtr &check : table.checks)
      forEachExpr(check, use);
  collectColumnConstants(first, catalog, pool, domains.ofColumns);
  collectColumnConstants(second, catalog, pool, domains.ofColumns);
  return domains;
}

std::vector<bool> usedTables(const Query &first, const Query &second, const Catalog &catalog) {
  std::vector<bool> used(catalog.tables.size());
  for (const Query *query : {&first, &second}) {
    markTables(*query, used);
    forEachExpr(*query, [&](const Expr &expr) {
      if (expr.query)
        markTables(*expr.query, used);
    });
  }
  for (bool changed = true; changed;) {
    changed = false;
    for (size_t t = 0; t < used.size(); ++t)
      for (const ForeignKey &key : catalog.tables[t].foreignKeys)
        if (used[t] && !used[key.table])
          used[key.table] = changed = true;
  }
  return used;
}

} // namespace imbrex::sql
