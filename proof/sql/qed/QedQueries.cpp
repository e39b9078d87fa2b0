// Operators: scan, values, filter, project, join, correlate, union, intersect, except, distinct,
// group, sort.
#include "proof/sql/qed/QedReader.h"

#include "proof/sql/query/Types.h"

#include <algorithm>
#include <map>

namespace imbrex::sql::qed {

namespace {

const std::map<std::string, JoinKind> JoinKinds = {
    {"INNER", JoinKind::Inner}, {"LEFT", JoinKind::Left}, {"RIGHT", JoinKind::Right},
    {"FULL", JoinKind::Full},   {"SEMI", JoinKind::Semi}, {"ANTI", JoinKind::Anti}};

Result<JoinKind> readJoinKind(const Json &json) {
  auto found = JoinKinds.find(json.toText());
  if (found == JoinKinds.end())
    return refused("a join of kind " + json.toText());
  return found->second;
}

ExprPtr asCondition(const ExprPtr &expr) {
  return agree(expr->type, {BaseType::Bool}) ? expr : nullptr;
}

/// `query` with its columns cast to `types`, where they differ.
QueryPtr castColumns(const QueryPtr &query, const std::vector<Type> &types) {
  std::vector<ExprPtr> exprs;
  bool changed = false;
  for (uint32_t i = 0; i < types.size(); ++i) {
    exprs.push_back(castTo(makeColumn(*query, i), types[i]));
    changed |= exprs.back()->kind != ExprKind::Column;
  }
  return changed ? makeProject(query, exprs) : query;
}

} // namespace

Result<QueryPtr> Reader::readQuery(const Json &json) {
  if (++parts > MostParts)
    return tooLarge("parts", MostParts);
  Result<QueryPtr> query = readOperator(json);
  if (query && (*query)->columns.size() > MostColumns)
    return tooLarge("columns", MostColumns);
  return query;
}

Result<QueryPtr> Reader::readOperator(const Json &json) {
  std::vector<std::string> keys = json.keys();
  if (keys.size() != 1)
    return damaged("an operator is expected, an object with one key");
  const std::string &kind = keys[0];
  Json body = json.at(kind);
  if (kind == "scan") {
    int64_t table = body.toInt(-1);
    if (table < 0 || size_t(table) >= catalog.tables.size())
      return damaged("a scan of a table that the file lacks");
    return makeScan(catalog, uint32_t(table));
  }
  if (kind == "distinct") {
    Result<QueryPtr> input = readQuery(body);
    return input ? Result<QueryPtr>(makeDistinct(*input)) : input;
  }
  if (kind == "values")
    return readValues(body);
  if (kind == "filter")
    return readFilter(body);
  if (kind == "project")
    return readProject(body);
  if (kind == "join")
    return readJoin(body);
  if (kind == "correlate")
    return readCorrelate(body);
  if (kind == "union")
    return readSetOp(SetKind::Union, body);
  if (kind == "intersect")
    return readSetOp(SetKind::Intersect, body);
  if (kind == "except")
    return readSetOp(SetKind::Except, body);
  if (kind == "group")
    return readGroup(body);
  if (kind == "sort")
    return readSort(body);
  return refused("the operator '" + kind + "'");
}

Result<QueryPtr> Reader::readValues(const Json &json) {
  std::vector<Column> columns;
  for (const Json &type : json.at("schema").items())
    columns.push_back({"", readType(type.toText())});
  std::vector<std::vector<ExprPtr>> rows;
  Scope scope(*this, {});
  for (const Json &item : json.at("content").items()) {
    Result<std::vector<ExprPtr>> row = readExprs(item);
    if (!row)
      return row.takeError();
    if (row->size() != columns.size())
      return damaged("a row of VALUES has a wrong number of columns");
    for (size_t i = 0; i < row->size(); ++i)
      (*row)[i] = castTo((*row)[i], columns[i].type);
    rows.push_back(row.take());
  }
  return makeValues(std::move(columns), std::move(rows));
}

Result<QueryPtr> Reader::readFilter(const Json &json) {
  Result<QueryPtr> input = readQuery(json.at("source"));
  if (!input)
    return input;
  Scope scope(*this, (*input)->columns);
  Result<ExprPtr> condition = readExpr(json.at("condition"));
  if (!condition)
    return condition.takeError();
  if (!asCondition(*condition))
    return refused("a filter by something that is no condition");
  return makeFilter(*input, *condition);
}

Result<QueryPtr> Reader::readProject(const Json &json) {
  Result<QueryPtr> input = readQuery(json.at("source"));
  if (!input)
    return input;
  Scope scope(*this, (*input)->columns);
  Result<std::vector<ExprPtr>> exprs = readExprs(json.at("target"));
  if (!exprs)
    return exprs.takeError();
  return makeProject(*input, exprs.take());
}

Result<QueryPtr> Reader::readJoin(const Json &json) {
  Result<QueryPtr> left = readQuery(json.at("left"));
  if (!left)
    return left;
  Result<QueryPtr> right = readQuery(json.at("right"));
  if (!right)
    return right;
  Result<JoinKind> kind = readJoinKind(json.at("kind"));
  if (!kind)
    return kind.takeError();
  std::vector<Column> row = (*left)->columns;
  row.insert(row.end(), (*right)->columns.begin(), (*right)->columns.end());
  Scope scope(*this, std::move(row));
  Result<ExprPtr> condition = readExpr(json.at("condition"));
  if (!condition)
    return condition.takeError();
  if (!asCondition(*condition))
    return refused("a join on something that is no condition");
  return makeJoin(*kind, *left, *right, *condition);
}

Result<QueryPtr> Reader::readCorrelate(const Json &json) {
  Result<QueryPtr> left = readQuery(json.at("left"));
  if (!left)
    return left;
  Result<JoinKind> kind = readJoinKind(json.at("kind"));
  if (!kind)
    return kind.takeError();
  if (*kind == JoinKind::Right || *kind == JoinKind::Full)
    return refused("a correlated join of kind " + json.at("kind").toText());
  Scope scope(*this, (*left)->columns);
  Result<QueryPtr> right = readQuery(json.at("right"));
  if (!right)
    return right;
  return makeJoin(*kind, *left, *right, makeBool(true), Lateral::Yes);
}

Result<QueryPtr> Reader::readSetOp(SetKind set, const Json &json) {
  std::vector<QueryPtr> inputs;
  for (const Json &item : json.items()) {
    Result<QueryPtr> input = readQuery(item);
    if (!input)
      return input;
    if (!inputs.empty() && inputs[0]->columns.size() != (*input)->columns.size())
      return damaged("a set operation over different numbers of columns");
    inputs.push_back(input.take());
  }
  if (inputs.empty())
    return damaged("a set operation without inputs");
  if (inputs.size() == 1)
    return set == SetKind::Union ? inputs[0] : makeDistinct(inputs[0]);
  std::vector<Type> types;
  for (uint32_t column = 0; column < inputs[0]->columns.size(); ++column) {
    std::vector<ExprPtr> exprs;
    for (const QueryPtr &input : inputs)
      exprs.push_back(makeColumn(*input, column));
    if (!unify(exprs))
      return refused("a set operation over columns of different types");
    types.push_back(exprs[0]->type);
  }
  for (QueryPtr &input : inputs)
    input = castColumns(input, types);
  // The format's union keeps duplicates, its other two remove them.
  if (set == SetKind::Union)
    return makeSetOp(set, Duplicates::Keep, inputs);
  QueryPtr result = inputs[0];
  for (size_t i = 1; i < inputs.size(); ++i)
    result = makeSetOp(set, Duplicates::Remove, {result, inputs[i]});
  return result;
}

Result<QueryPtr> Reader::readSort(const Json &json) {
  Result<QueryPtr> input = readQuery(json.at("source"));
  if (!input)
    return input;
  std::vector<SortKey> order;
  for (const Json &item : json.at("collation").items()) {
    std::vector<Json> parts = item.items();
    int64_t column = parts.size() == 3 ? parts[0].toInt(-1) : -1;
    if (column < 0 || size_t(column) >= (*input)->columns.size())
      return damaged("a sort by a column that its input lacks");
    // The files do not say where NULL goes; it counts as the largest value here.
    bool descending = parts[2].toText() == "DESCENDING";
    order.push_back({makeColumn(**input, uint32_t(column)),
                     descending ? Direction::Descending : Direction::Ascending,
                     descending ? NullOrder::First : NullOrder::Last});
  }
  Scope scope(*this, {});
  ExprPtr counts[2];
  const char *names[2] = {"limit", "offset"};
  for (int i = 0; i < 2; ++i) {
    if (json.at(names[i]).isNull())
      continue;
    Result<ExprPtr> count = readExpr(json.at(names[i]));
    if (!count)
      return count.takeError();
    if ((*count)->type.base != BaseType::Int)
      return refused(std::string("a ") + names[i] + " that is no integer");
    counts[i] = count.take();
  }
  return makeSort(*input, std::move(order), counts[0], counts[1]);
}

} // namespace imbrex::sql::qed
