// WITH, VALUES, set operations, ORDER BY and LIMIT over them.
#include "proof/sql/bind/Binder.h"
#include "proof/sql/query/Builders.h"
#include "proof/sql/query/Rewrite.h"
#include "proof/sql/query/Types.h"

#include <algorithm>

namespace imbrex::sql {

static uint32_t levelInside(const Scope *outer) { return outer ? outer->level + 1 : 0; }

NamedQuery Binder::bindQuery(const ast::QueryPtr &query, const Scope *outer,
                             const CommonScope *common, Ordering ordering) {
  std::vector<std::unique_ptr<CommonScope>> added;
  for (const ast::CommonTable &table : query->with) {
    CommonScope entry{folded(table.name), {}, levelInside(outer), false, common};
    if (query->recursive) {
      CommonScope self = entry;
      self.unfinished = true;
      entry.query = bindQuery(table.query, outer, &self, Ordering::Drop);
    } else {
      entry.query = bindQuery(table.query, outer, common, Ordering::Drop);
    }
    NamedQuery &bound = entry.query;
    if (table.columns.size() > bound.names.size())
      fail(1031, "the common table " + table.name.text + " names too many columns",
           "it has " + std::to_string(bound.names.size()), "fewer names", table.name.place);
    std::vector<std::string> written;
    for (size_t i = 0; i < table.columns.size(); ++i) {
      bound.names[i] = folded(table.columns[i]);
      written.push_back(table.columns[i].text);
    }
    bound.query = renamed(bound.query, std::move(written));
    added.push_back(std::make_unique<CommonScope>(std::move(entry)));
    common = added.back().get();
  }
  return bindBody(*query, outer, common, ordering);
}

NamedQuery Binder::bindBody(const ast::Query &query, const Scope *outer, const CommonScope *common,
                            Ordering ordering) {
  switch (query.kind) {
  case ast::BodyKind::Select:
    return bindSelect(query, outer, common, ordering);
  case ast::BodyKind::Values:
    return sorted(bindValues(query, outer, common), query, outer, common, ordering);
  case ast::BodyKind::SetOp:
    return sorted(bindSetOp(query, outer, common), query, outer, common, ordering);
  case ast::BodyKind::Nested:
    return sorted(bindQuery(query.inputs[0], outer, common, Ordering::Drop), query, outer, common,
                  ordering);
  }
  return {};
}

NamedQuery Binder::bindValues(const ast::Query &query, const Scope *outer,
                              const CommonScope *common) {
  std::vector<ScopeColumn> none;
  Scope scope{&none, outer, levelInside(outer)};
  scope.clause = "VALUES";
  std::vector<std::vector<ExprPtr>> rows;
  for (const auto &row : query.rows) {
    limitColumns(row.size(), "a row of VALUES", query.place);
    rows.push_back(bindAll(row, scope, common));
    if (row.size() != rows[0].size())
      fail(1031, "VALUES has rows of different lengths",
           "the first row has " + std::to_string(rows[0].size()) + " values", "equal lengths",
           row[0]->place);
  }
  std::vector<Column> columns;
  NamedQuery result;
  for (size_t i = 0; i < (rows.empty() ? 0 : rows[0].size()); ++i) {
    std::vector<ExprPtr> values;
    for (const auto &row : rows)
      values.push_back(row[i]);
    unify(values, query.place, "VALUES");
    for (size_t k = 0; k < rows.size(); ++k)
      rows[k][i] = values[k];
    columns.push_back({"", values[0]->type});
    result.names.push_back(rules.unnamed == UnnamedColumns::Calcite ? "EXPR$" + std::to_string(i)
                           : rules.folding == NameFolding::Lower
                               ? "column" + std::to_string(i + 1)
                               : "COLUMN" + std::to_string(i + 1));
  }
  result.query = makeValues(std::move(columns), std::move(rows));
  return result;
}

/// Converts columns; values of a Project below are converted in place.
QueryPtr Binder::withColumnTypes(QueryPtr query, const std::vector<Type> &types,
                                 Place place) const {
  bool fits = true;
  for (size_t i = 0; i < types.size(); ++i)
    fits &= sameBase(query->columns[i].type, types[i]) || types[i].base == BaseType::Unknown;
  if (fits)
    return query;
  bool inPlace = query->kind == QueryKind::Project;
  std::vector<ExprPtr> exprs;
  std::vector<std::string> names;
  for (uint32_t i = 0; i < types.size(); ++i) {
    ExprPtr column = inPlace ? query->exprs[i] : makeColumn(*query, i);
    exprs.push_back(coerce(column, types[i], place, "a set operation"));
    names.push_back(query->columns[i].name);
  }
  return makeProject(inPlace ? query->inputs[0] : query, std::move(exprs), std::move(names));
}

NamedQuery Binder::bindSetOp(const ast::Query &query, const Scope *outer,
                             const CommonScope *common) {
  std::vector<NamedQuery> inputs;
  for (const ast::QueryPtr &input : query.inputs)
    inputs.push_back(bindQuery(input, outer, common, Ordering::Drop));
  // An empty VALUES has as many columns as it takes.
  size_t arity = 0;
  for (const NamedQuery &input : inputs)
    arity = std::max(arity, input.names.size());
  std::vector<Type> types;
  for (size_t i = 0; i < inputs.size(); ++i)
    if (inputs[i].names.size() != arity)
      fail(1031, "a set operation joins queries with different numbers of columns",
           "they have " + std::to_string(arity) + " and " + std::to_string(inputs[i].names.size()),
           "equal numbers", query.place);
  for (size_t column = 0; column < arity; ++column) {
    std::vector<ExprPtr> values;
    for (const NamedQuery &input : inputs) {
      bool isProject = input.query->kind == QueryKind::Project;
      values.push_back(isProject ? input.query->exprs[column]
                                 : makeColumn(*input.query, uint32_t(column)));
    }
    types.push_back(commonType(values, query.place, "a set operation"));
  }
  std::vector<QueryPtr> parts;
  for (size_t i = 0; i < inputs.size(); ++i)
    parts.push_back(withColumnTypes(inputs[i].query, types, query.inputs[i]->place));
  Duplicates duplicates = query.all ? Duplicates::Keep : Duplicates::Remove;
  NamedQuery result{makeSetOp(query.set, duplicates, std::move(parts)), inputs[0].names, {}};
  for (const NamedQuery &input : inputs)
    for (size_t i = 0; i < input.sources.size(); ++i) {
      result.sources.resize(std::max(result.sources.size(), i + 1));
      result.sources[i].insert(result.sources[i].end(), input.sources[i].begin(),
                               input.sources[i].end());
    }
  return result;
}

SortKey Binder::sortKey(const ast::OrderItem &item, ExprPtr expr) const {
  bool reversed = item.direction == Direction::Descending;
  bool first = semantics.nulls == NullSorting::First ||
               (semantics.nulls == NullSorting::Smallest && !reversed) ||
               (semantics.nulls == NullSorting::Largest && reversed);
  return {std::move(expr), item.direction,
          item.nulls.value_or(first ? NullOrder::First : NullOrder::Last)};
}

/// ORDER BY 2, GROUP BY 2: the index of the column, from 0.
std::optional<int64_t> Binder::ordinal(const ast::ExprPtr &expr, size_t columns,
                                       const char *what) const {
  if (expr->kind != ast::ExprKind::Number ||
      expr->text.find_first_not_of("0123456789") != std::string::npos)
    return std::nullopt;
  int64_t position = expr->text.size() < 10 ? std::stoll(expr->text) : 0;
  if (position < 1 || position > int64_t(columns))
    fail(1043, std::string(what) + " " + expr->text + " is no position",
         "there are " + std::to_string(columns) + " columns", "a smaller number", expr->place);
  return position - 1;
}

ExprPtr Binder::bindCount(const ast::ExprPtr &expr, const Scope *outer, const CommonScope *common,
                          const char *what) {
  std::vector<ScopeColumn> none;
  Scope scope{&none, outer, levelInside(outer)};
  scope.clause = what;
  ExprPtr count = coerce(bindExpr(expr, scope, common), {BaseType::Int}, expr->place, what);
  bool negative = count->kind == ExprKind::Literal && !isNull(count->value) &&
                  std::get<int64_t>(count->value) < 0;
  if (negative)
    fail(1043, std::string(what) + " is negative", "", "a number of rows", expr->place);
  return count;
}

/// ORDER BY and LIMIT over a query whose columns are all there is.
NamedQuery Binder::sorted(NamedQuery input, const ast::Query &query, const Scope *outer,
                          const CommonScope *common, Ordering ordering) {
  std::vector<ScopeColumn> columns;
  for (uint32_t i = 0; i < input.names.size(); ++i)
    columns.push_back({"", input.names[i], "", makeColumn(*input.query, i)});
  Scope scope{&columns, outer, levelInside(outer)};
  scope.clause = "ORDER BY";
  std::vector<SortKey> order;
  for (const ast::OrderItem &item : query.order) {
    std::optional<int64_t> position = ordinal(item.expr, columns.size(), "ORDER BY");
    order.push_back(
        sortKey(item, position ? columns[*position].expr : bindExpr(item.expr, scope, common)));
  }
  bool cuts = query.limit || query.offset;
  if (!cuts && (order.empty() || ordering == Ordering::Drop))
    return input;
  ExprPtr limit = query.limit ? bindCount(query.limit, outer, common, "LIMIT") : nullptr;
  ExprPtr offset = query.offset ? bindCount(query.offset, outer, common, "OFFSET") : nullptr;
  input.query = makeSort(input.query, std::move(order), limit, offset);
  return input;
}

NamedQuery Binder::bindSubquery(const ast::QueryPtr &query, const Scope &scope,
                                const CommonScope *common) {
  return bindQuery(query, &scope, common, Ordering::Drop);
}

} // namespace imbrex::sql
