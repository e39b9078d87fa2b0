#include "proof/sql/decide/Decide.h"
#include "proof/sql/query/Builders.h"
#include "proof/sql/query/Types.h"

namespace imbrex::sql {

/// Without rows on every database, by its shape?
static bool isEmpty(const Query &query) {
  switch (query.kind) {
  case QueryKind::Values:
    return query.rows.empty();
  case QueryKind::Project:
  case QueryKind::Filter:
  case QueryKind::Distinct:
  case QueryKind::Sort:
    return isEmpty(*query.inputs[0]);
  default:
    return false;
  }
}

/// SELECT * FROM (VALUES): no rows, and no columns of its own.
static bool isShapeless(const Query &query) { return query.columns.empty() && isEmpty(query); }

static Type common(const Type &a, const Type &b) {
  if (a.base == BaseType::Unknown || (a.base == BaseType::Int && b.base == BaseType::Number))
    return b;
  return a;
}

static QueryPtr converted(const QueryPtr &query, const std::vector<Type> &types) {
  bool fits = true;
  std::vector<ExprPtr> exprs;
  std::vector<std::string> names;
  for (uint32_t i = 0; i < types.size(); ++i) {
    bool same = sameBase(query->columns[i].type, types[i]);
    ExprPtr column = makeColumn(*query, i);
    exprs.push_back(same ? column : makeCast(column, types[i]));
    names.push_back(query->columns[i].name);
    fits &= same;
  }
  return fits ? query : makeProject(query, std::move(exprs), std::move(names));
}

std::optional<std::string> alignColumns(QueryPtr &first, QueryPtr &second,
                                        const Semantics &semantics) {
  if (isShapeless(*first))
    first = makeValues(second->columns, {});
  else if (isShapeless(*second))
    second = makeValues(first->columns, {});
  size_t count = first->columns.size();
  if (count != second->columns.size())
    return "the first query has " + std::to_string(count) + " columns, the second " +
           std::to_string(second->columns.size());
  std::vector<Type> types;
  for (size_t i = 0; i < count; ++i) {
    const Column &a = first->columns[i], &b = second->columns[i];
    std::string which = "column " + std::to_string(i + 1);
    if (semantics.compareNames && a.name != b.name)
      return which + " is called '" + a.name + "' in the first query, '" + b.name +
             "' in the second";
    types.push_back(common(a.type, b.type));
    bool numbers = isNumeric(a.type) && isNumeric(b.type);
    if (!agree(a.type, b.type) && !numbers)
      return which + " is " + typeName(a.type) + " in the first query, " + typeName(b.type) +
             " in the second";
  }
  first = converted(first, types);
  second = converted(second, types);
  return std::nullopt;
}

} // namespace imbrex::sql
