#include "proof/sql/random/Mutate.h"

#include "proof/sql/query/Builders.h"
#include "proof/sql/query/Types.h"

#include <algorithm>
#include <map>

namespace imbrex::sql {

namespace {

constexpr size_t NoSite = ~size_t(0);

const std::map<Op, Op> OtherOps = {
    {Op::And, Op::Or},
    {Op::Or, Op::And},
    {Op::Equal, Op::LessEqual},
    {Op::NotEqual, Op::Less},
    {Op::Less, Op::LessEqual},
    {Op::LessEqual, Op::Less},
    {Op::Greater, Op::GreaterEqual},
    {Op::GreaterEqual, Op::Greater},
    {Op::IsNull, Op::IsNotNull},
    {Op::IsNotNull, Op::IsNull},
    {Op::IsTrue, Op::IsNotFalse},
    {Op::IsNotTrue, Op::IsFalse},
    {Op::IsFalse, Op::IsNotTrue},
    {Op::IsNotFalse, Op::IsTrue},
    {Op::IsDistinct, Op::NotEqual},
    {Op::IsNotDistinct, Op::Equal},
    {Op::Add, Op::Subtract},
    {Op::Subtract, Op::Add},
    {Op::Multiply, Op::Add},
};

const std::map<JoinKind, JoinKind> OtherJoins = {
    {JoinKind::Inner, JoinKind::Left}, {JoinKind::Left, JoinKind::Inner},
    {JoinKind::Right, JoinKind::Full}, {JoinKind::Full, JoinKind::Left},
    {JoinKind::Semi, JoinKind::Anti},  {JoinKind::Anti, JoinKind::Semi}};

const std::map<AggregateKind, AggregateKind> OtherAggregates = {
    {AggregateKind::Sum, AggregateKind::Max},
    {AggregateKind::Min, AggregateKind::Max},
    {AggregateKind::Max, AggregateKind::Min},
    {AggregateKind::Avg, AggregateKind::Sum},
    {AggregateKind::BoolAnd, AggregateKind::BoolOr},
    {AggregateKind::BoolOr, AggregateKind::BoolAnd}};

/// Builds a query anew, bottom up, with a change at one site.
class Rebuilder {
public:
  Rebuilder(const Catalog &catalog, size_t target) : catalog(catalog), target(target) {}

  QueryPtr query(const QueryPtr &source);
  size_t sites = 0;
  std::string what;
  bool fits = true;

private:
  /// Is this the site of the change?
  bool here(const std::string &change) {
    if (sites++ != target)
      return false;
    what = change;
    return true;
  }

  std::vector<ExprPtr> exprs(const std::vector<ExprPtr> &sources);
  ExprPtr expr(const ExprPtr &source);
  ExprPtr exprOver(const ExprPtr &source, std::vector<Column> row);
  ExprPtr call(const Expr &source);
  ExprPtr literal(const Expr &source);
  ExprPtr column(const Expr &source) const;
  Aggregate aggregate(const Aggregate &source);
  QueryPtr join(const Query &source);
  QueryPtr setOp(const Query &source);
  QueryPtr group(const Query &source);
  QueryPtr window(const Query &source);
  QueryPtr sort(const Query &source);
  std::vector<SortKey> keys(const std::vector<SortKey> &sources);
  std::vector<std::string> names(const Query &source) const;

  const Catalog &catalog;
  size_t target;
  std::vector<std::vector<Column>> scopes;
};

std::vector<ExprPtr> Rebuilder::exprs(const std::vector<ExprPtr> &sources) {
  std::vector<ExprPtr> result;
  for (const ExprPtr &source : sources)
    result.push_back(expr(source));
  return result;
}

ExprPtr Rebuilder::exprOver(const ExprPtr &source, std::vector<Column> row) {
  if (!source)
    return source;
  scopes.push_back(std::move(row));
  ExprPtr result = expr(source);
  scopes.pop_back();
  return result;
}

ExprPtr Rebuilder::column(const Expr &source) const {
  const std::vector<Column> &row = scopes[scopes.size() - 1 - source.depth];
  return makeColumn(source.depth, source.index, row[source.index].type);
}

ExprPtr Rebuilder::literal(const Expr &source) {
  if (const int64_t *number = std::get_if<int64_t>(&source.value))
    if (here("the constant " + std::to_string(*number) + " plus one") && *number < INT64_MAX)
      return makeLiteral(*number + 1, source.type);
  if (const std::string *text = std::get_if<std::string>(&source.value))
    if (here("the text '" + *text + "' longer"))
      return makeLiteral(*text + "z", source.type);
  return makeLiteral(source.value, source.type);
}

ExprPtr Rebuilder::call(const Expr &source) {
  std::vector<ExprPtr> operands = exprs(source.operands);
  if (source.op == Op::Cast)
    return makeCast(operands[0], source.type);
  if (source.op == Op::Function)
    return makeFunction(source.name, operands, source.type);
  Op op = source.op;
  auto other = OtherOps.find(op);
  if (other != OtherOps.end() && here(std::string(opName(op)) + " to " + opName(other->second)))
    op = other->second;
  if (op == Op::Not && here("NOT dropped"))
    return operands[0];
  if (!callType(op, operands).ok()) {
    fits = false;
    op = source.op;
  }
  return makeCall(op, operands);
}

ExprPtr Rebuilder::expr(const ExprPtr &source) {
  switch (source->kind) {
  case ExprKind::Column:
    return column(*source);
  case ExprKind::Literal:
    return literal(*source);
  case ExprKind::Parameter:
    return source;
  case ExprKind::Call:
    return call(*source);
  case ExprKind::Exists: {
    ExprPtr exists = makeExists(query(source->query));
    return here("EXISTS to NOT EXISTS") ? makeCall(Op::Not, {exists}) : exists;
  }
  case ExprKind::In: {
    std::vector<ExprPtr> operands = exprs(source->operands);
    return makeIn(operands, query(source->query));
  }
  case ExprKind::Quantified: {
    ExprPtr operand = expr(source->operands[0]);
    Quantifier quantifier = source->quantifier;
    if (here("ANY and ALL"))
      quantifier = quantifier == Quantifier::Any ? Quantifier::All : Quantifier::Any;
    return makeQuantified(operand, source->op, quantifier, query(source->query));
  }
  case ExprKind::Scalar:
    return makeScalar(query(source->query));
  }
  return source;
}

Aggregate Rebuilder::aggregate(const Aggregate &source) {
  Aggregate result = source;
  result.arguments = exprs(source.arguments);
  if (source.filter)
    result.filter = expr(source.filter);
  auto other = OtherAggregates.find(source.kind);
  if (other != OtherAggregates.end() && here("another aggregate"))
    result.kind = other->second;
  if (source.kind == AggregateKind::Count && source.arguments.size() == 1 && !source.distinct &&
      here("COUNT of values to COUNT of rows")) {
    result.kind = AggregateKind::CountRows;
    result.arguments.clear();
  }
  bool countsDuplicates = source.kind == AggregateKind::Sum || source.kind == AggregateKind::Count;
  if (countsDuplicates && result.kind == source.kind && here("DISTINCT of an aggregate"))
    result.distinct = !result.distinct;
  if (!aggregateType(result, Groups::MayBeEmpty).ok())
    fits = false;
  return result;
}

std::vector<std::string> Rebuilder::names(const Query &source) const {
  std::vector<std::string> result;
  for (const Column &column : source.columns)
    result.push_back(column.name);
  return result;
}

QueryPtr Rebuilder::join(const Query &source) {
  QueryPtr left = query(source.inputs[0]);
  if (source.lateral)
    scopes.push_back(left->columns);
  QueryPtr right = query(source.inputs[1]);
  if (source.lateral)
    scopes.pop_back();
  std::vector<Column> row = left->columns;
  row.insert(row.end(), right->columns.begin(), right->columns.end());
  ExprPtr condition = exprOver(source.condition, row);
  JoinKind kind = source.join;
  if (here("another kind of join"))
    kind = OtherJoins.at(kind);
  return makeJoin(kind, left, right, condition, source.lateral ? Lateral::Yes : Lateral::No);
}

QueryPtr Rebuilder::setOp(const Query &source) {
  std::vector<QueryPtr> inputs;
  for (const QueryPtr &input : source.inputs)
    inputs.push_back(query(input));
  bool keep = source.all;
  if (here("ALL of a set operation"))
    keep = !keep;
  return makeSetOp(source.set, keep ? Duplicates::Keep : Duplicates::Remove, inputs);
}

QueryPtr Rebuilder::group(const Query &source) {
  QueryPtr input = query(source.inputs[0]);
  scopes.push_back(input->columns);
  std::vector<ExprPtr> groupKeys = exprs(source.exprs);
  std::vector<Aggregate> aggregates;
  for (const Aggregate &item : source.aggregates)
    aggregates.push_back(aggregate(item));
  scopes.pop_back();
  return makeGroup(input, groupKeys, source.groupingSets, aggregates, source.groupingCalls);
}

std::vector<SortKey> Rebuilder::keys(const std::vector<SortKey> &sources) {
  std::vector<SortKey> result;
  for (const SortKey &source : sources)
    result.push_back({expr(source.expr), source.direction, source.nulls});
  return result;
}

QueryPtr Rebuilder::window(const Query &source) {
  QueryPtr input = query(source.inputs[0]);
  scopes.push_back(input->columns);
  std::vector<WindowFunction> windows = source.windows;
  for (WindowFunction &function : windows) {
    function.aggregate = aggregate(function.aggregate);
    function.partition = exprs(function.partition);
    function.order = keys(function.order);
  }
  scopes.pop_back();
  return makeWindow(input, windows);
}

QueryPtr Rebuilder::sort(const Query &source) {
  QueryPtr input = query(source.inputs[0]);
  scopes.push_back(input->columns);
  std::vector<SortKey> order = keys(source.order);
  scopes.pop_back();
  for (SortKey &key : order)
    if (here("the direction of sorting"))
      key.direction =
          key.direction == Direction::Ascending ? Direction::Descending : Direction::Ascending;
  ExprPtr limit = exprOver(source.limit, {}), offset = exprOver(source.offset, {});
  return makeSort(input, order, limit, offset);
}

QueryPtr Rebuilder::query(const QueryPtr &source) {
  switch (source->kind) {
  case QueryKind::Scan:
    return makeScan(catalog, source->table);
  case QueryKind::Values: {
    std::vector<std::vector<ExprPtr>> rows;
    scopes.emplace_back();
    for (const auto &row : source->rows)
      rows.push_back(exprs(row));
    scopes.pop_back();
    return makeValues(source->columns, rows);
  }
  case QueryKind::Filter: {
    QueryPtr input = query(source->inputs[0]);
    ExprPtr condition = exprOver(source->condition, input->columns);
    return here("a filter dropped") ? input : makeFilter(input, condition);
  }
  case QueryKind::Project: {
    QueryPtr input = query(source->inputs[0]);
    scopes.push_back(input->columns);
    std::vector<ExprPtr> result = exprs(source->exprs);
    scopes.pop_back();
    return makeProject(input, result, names(*source));
  }
  case QueryKind::Join:
    return join(*source);
  case QueryKind::SetOp:
    return setOp(*source);
  case QueryKind::Distinct: {
    QueryPtr input = query(source->inputs[0]);
    return here("DISTINCT dropped") ? input : makeDistinct(input);
  }
  case QueryKind::Group:
    return group(*source);
  case QueryKind::Window:
    return window(*source);
  case QueryKind::Sort:
    return sort(*source);
  }
  return source;
}

} // namespace

size_t countSites(const QueryPtr &query, const Catalog &catalog) {
  Rebuilder rebuilder(catalog, NoSite);
  rebuilder.query(query);
  return rebuilder.sites;
}

std::optional<Mutant> mutate(const QueryPtr &query, const Catalog &catalog, size_t site) {
  Rebuilder rebuilder(catalog, site);
  QueryPtr result = rebuilder.query(query);
  if (!rebuilder.fits || rebuilder.what.empty() || !verify(*result, catalog).ok())
    return std::nullopt;
  return Mutant{result, rebuilder.what};
}

QueryPtr rebuilt(const QueryPtr &query, const Catalog &catalog) {
  return Rebuilder(catalog, NoSite).query(query);
}

size_t countSchemaSites(const Catalog &catalog) {
  size_t sites = 0;
  for (const Table &table : catalog.tables) {
    sites += table.keys.size();
    for (const Column &column : table.columns)
      sites += !column.type.nullable;
  }
  return sites;
}

std::optional<SchemaMutant> mutateSchema(const Catalog &catalog, size_t site) {
  SchemaMutant mutant{catalog, {}};
  size_t next = 0;
  for (Table &table : mutant.catalog.tables) {
    for (size_t k = 0; k < table.keys.size(); ++k)
      if (next++ == site) {
        table.keys.erase(table.keys.begin() + long(k));
        mutant.what = "a key of " + table.name + " dropped";
        return mutant;
      }
    for (uint32_t c = 0; c < table.columns.size(); ++c) {
      if (table.columns[c].type.nullable || next++ != site)
        continue;
      table.columns[c].type.nullable = true;
      for (Key &key : table.keys) // a primary key would not let NULL in
        if (std::count(key.columns.begin(), key.columns.end(), c))
          key.primary = false;
      mutant.what = "NOT NULL of " + table.name + "." + table.columns[c].name + " dropped";
      return mutant;
    }
  }
  return std::nullopt;
}

} // namespace imbrex::sql
