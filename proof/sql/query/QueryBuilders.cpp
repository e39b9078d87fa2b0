#include "proof/sql/query/Builders.h"
#include "proof/sql/query/Types.h"

#include <cassert>

namespace imbrex::sql {

/// Fills in the columns.
static QueryPtr finish(Query query, const Catalog &catalog = {}) {
  Result<std::vector<Column>> columns = derivedColumns(query, catalog);
  assert(columns.ok() && "parts do not fit");
  if (columns)
    query.columns = columns.take();
  return std::make_shared<const Query>(std::move(query));
}

static Query node(QueryKind kind, std::vector<QueryPtr> inputs) {
  Query query;
  query.kind = kind;
  query.inputs = std::move(inputs);
  return query;
}

QueryPtr makeScan(const Catalog &catalog, uint32_t table) {
  Query query = node(QueryKind::Scan, {});
  query.table = table;
  return finish(std::move(query), catalog);
}

QueryPtr makeValues(std::vector<Column> columns, std::vector<std::vector<ExprPtr>> rows) {
  Query query = node(QueryKind::Values, {});
  query.columns = std::move(columns);
  query.rows = std::move(rows);
  return finish(std::move(query));
}

QueryPtr makeFilter(QueryPtr input, ExprPtr condition) {
  Query query = node(QueryKind::Filter, {std::move(input)});
  query.condition = std::move(condition);
  return finish(std::move(query));
}

QueryPtr makeProject(QueryPtr input, std::vector<ExprPtr> exprs, std::vector<std::string> names) {
  Query query = node(QueryKind::Project, {std::move(input)});
  names.resize(exprs.size());
  for (std::string &name : names)
    query.columns.push_back({std::move(name), {}});
  query.exprs = std::move(exprs);
  return finish(std::move(query));
}

QueryPtr makeJoin(JoinKind kind, QueryPtr left, QueryPtr right, ExprPtr condition,
                  Lateral lateral) {
  Query query = node(QueryKind::Join, {std::move(left), std::move(right)});
  query.join = kind;
  query.condition = std::move(condition);
  query.lateral = lateral == Lateral::Yes;
  return finish(std::move(query));
}

QueryPtr makeSetOp(SetKind set, Duplicates duplicates, std::vector<QueryPtr> inputs) {
  Query query = node(QueryKind::SetOp, std::move(inputs));
  query.set = set;
  query.all = duplicates == Duplicates::Keep;
  query.columns = query.inputs[0]->columns;
  return finish(std::move(query));
}

QueryPtr makeDistinct(QueryPtr input) {
  return finish(node(QueryKind::Distinct, {std::move(input)}));
}

QueryPtr makeGroup(QueryPtr input, std::vector<ExprPtr> keys,
                   std::vector<std::vector<uint32_t>> groupingSets,
                   std::vector<Aggregate> aggregates,
                   std::vector<std::vector<uint32_t>> groupingCalls) {
  Query query = node(QueryKind::Group, {std::move(input)});
  query.exprs = std::move(keys);
  query.groupingSets = std::move(groupingSets);
  query.aggregates = std::move(aggregates);
  query.groupingCalls = std::move(groupingCalls);
  deriveAggregateTypes(query);
  return finish(std::move(query));
}

QueryPtr makeWindow(QueryPtr input, std::vector<WindowFunction> windows) {
  Query query = node(QueryKind::Window, {std::move(input)});
  query.windows = std::move(windows);
  deriveAggregateTypes(query);
  return finish(std::move(query));
}

QueryPtr makeSort(QueryPtr input, std::vector<SortKey> order, ExprPtr limit, ExprPtr offset) {
  Query query = node(QueryKind::Sort, {std::move(input)});
  query.order = std::move(order);
  query.limit = std::move(limit);
  query.offset = std::move(offset);
  return finish(std::move(query));
}

QueryPtr renamed(const QueryPtr &query, std::vector<std::string> names) {
  Query copy = *query;
  for (size_t i = 0; i < names.size() && i < copy.columns.size(); ++i)
    copy.columns[i].name = std::move(names[i]);
  return std::make_shared<const Query>(std::move(copy));
}

Comparison settled(Comparison comparison, const Query &first, const Query &second) {
  if (comparison != Comparison::Automatic)
    return comparison;
  return outermostSort(first) && outermostSort(second) ? Comparison::List : Comparison::Bag;
}

const Query *outermostSort(const Query &query) {
  const Query *current = &query;
  while (current->kind == QueryKind::Project)
    current = current->inputs[0].get();
  return current->kind == QueryKind::Sort ? current : nullptr;
}

} // namespace imbrex::sql
