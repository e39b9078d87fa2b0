// Reading what Calcite prints wrongly, always with a remark. Only where the text has no meaning as
// it stands, and one reading.
#include "proof/sql/bind/Binder.h"
#include "proof/sql/query/Rewrite.h"

#include <algorithm>

namespace imbrex::sql {
namespace {

bool sameText(const ast::Expr &a, const ast::Expr &b) {
  if (a.kind != b.kind || a.query || b.query || a.text != b.text || a.flag != b.flag ||
      a.negated != b.negated || a.op != b.op || a.type.name != b.type.name ||
      a.type.parameters != b.type.parameters || a.call.distinct != b.call.distinct ||
      a.call.star != b.call.star || a.call.filter || b.call.filter || a.call.over || b.call.over ||
      !a.call.order.empty() || !b.call.order.empty())
    return false;
  auto sameName = [](const ast::Name &x, const ast::Name &y) {
    return x.quoted == y.quoted && x.text == y.text;
  };
  auto sameOperand = [](const ast::ExprPtr &x, const ast::ExprPtr &y) { return sameText(*x, *y); };
  return std::equal(a.names.begin(), a.names.end(), b.names.begin(), b.names.end(), sameName) &&
         std::equal(a.operands.begin(), a.operands.end(), b.operands.begin(), b.operands.end(),
                    sameOperand);
}

/// The tables that names in `expr` stand after.
void collectTables(const ast::ExprPtr &expr, std::vector<ast::Name> &tables) {
  if (!expr)
    return;
  if (expr->kind == ast::ExprKind::Name && expr->names.size() > 1)
    tables.push_back(expr->names[expr->names.size() - 2]);
  for (const ast::ExprPtr &operand : expr->operands)
    collectTables(operand, tables);
}

void collectTables(const ast::TableRef &ref, std::vector<ast::Name> &tables) {
  collectTables(ref.on, tables);
  for (const ast::TableRefPtr &side : {ref.left, ref.right})
    if (side)
      collectTables(*side, tables);
}

} // namespace

/// Calcite prints A, B LEFT JOIN C ON ... for joins from left to right, so conditions may name A.
bool Binder::reachesBefore(const ast::TableRef &ref, const Relation &before) const {
  std::vector<ast::Name> tables;
  if (rules.repairsNames)
    collectTables(ref, tables);
  return std::any_of(tables.begin(), tables.end(), [&](const ast::Name &name) {
    return std::any_of(before.columns.begin(), before.columns.end(),
                       [&](const ScopeColumn &column) { return column.table == folded(name); });
  });
}

/// Calcite prints queries whose table names do not fit: t4.X where the subquery is called t3. Where
/// no table has that name and exactly one has such a column, that one is meant.
ExprPtr Binder::repaired(const std::vector<ast::Name> &names, const Scope &scope) {
  if (!rules.repairsNames || names.size() != 2)
    return nullptr;
  std::string table = folded(names[0]), name = folded(names[1]);
  uint32_t depth = 0;
  for (const Scope *s = &scope; s; s = s->outer, ++depth) {
    std::vector<const ScopeColumn *> ofTable;
    for (const ScopeColumn &column : *s->columns)
      if (column.table == table)
        ofTable.push_back(&column);
    // EXPR$1 of a table whose columns have names is the one in that place.
    size_t digits = name.find_last_not_of("0123456789") + 1;
    bool positional = name.substr(0, digits) == "EXPR$" && name.size() == digits + 1;
    size_t position = positional ? size_t(name.back() - '0') : ofTable.size();
    if (position < ofTable.size()) {
      addRemark("read " + names[0].text + "." + names[1].text + " as column " +
                std::to_string(position + 1) + " of " + names[0].text);
      return shifted(ofTable[position]->expr, depth);
    }
    if (!ofTable.empty())
      return nullptr;
  }
  depth = 0;
  for (const Scope *s = &scope; s; s = s->outer, ++depth) {
    std::vector<const ScopeColumn *> found;
    for (const ScopeColumn &column : *s->columns)
      if ((column.name == name || column.name == AnyColumn) && !column.merged)
        found.push_back(&column);
    if (found.size() > 1)
      return nullptr;
    if (found.empty())
      continue;
    addRemark("read " + names[0].text + "." + names[1].text + " as " +
              (found[0]->table.empty() ? "" : found[0]->table + ".") + names[1].text +
              ", since no table is called " + names[0].text);
    return shifted(found[0]->expr, depth);
  }
  return nullptr;
}

/// Where a column of a subquery has no name, Calcite repeats its expression to refer to it:
/// SUM(COUNT(*)) over a subquery with a column COUNT(*).
ExprPtr Binder::repairedText(const ast::Expr &expr, const Scope &scope) {
  const ScopeColumn *found = nullptr;
  for (const ScopeColumn &column : *scope.columns) {
    bool repeats = std::any_of(column.sources.begin(), column.sources.end(),
                               [&](const ast::ExprPtr &source) { return sameText(*source, expr); });
    if (repeats && found)
      return nullptr;
    if (repeats)
      found = &column;
  }
  if (!found)
    return nullptr;
  std::string what =
      expr.kind == ast::ExprKind::Function ? expr.names.back().text + "(...)" : "an expression";
  addRemark("read " + what + " in line " + std::to_string(expr.place.line) + ", column " +
            std::to_string(expr.place.column) + " as the column of " + found->table +
            " that is written so");
  return found->expr;
}

/// The same where the expression names tables that are not here.
ExprPtr Binder::repairedForeign(const ast::ExprPtr &expr, const Scope &scope) {
  std::vector<ast::Name> tables;
  collectTables(expr, tables);
  auto isHere = [&](const ast::Name &name) {
    for (const Scope *s = &scope; s; s = s->outer)
      for (const ScopeColumn &column : *s->columns)
        if (column.table == folded(name))
          return true;
    return false;
  };
  bool foreign = std::any_of(tables.begin(), tables.end(),
                             [&](const ast::Name &name) { return !isHere(name); });
  return foreign ? repairedText(*expr, scope) : nullptr;
}

} // namespace imbrex::sql
