#include "proof/sql/random/RandomQuery.h"

#include "proof/sql/query/Builders.h"
#include "proof/sql/query/Types.h"

#include <algorithm>

namespace imbrex::sql {

namespace {

class Generator {
public:
  Generator(Random &random, const Catalog &catalog, const RandomQueryOptions &options)
      : random(random), catalog(catalog), options(options) {}

  QueryPtr query(unsigned size);

private:
  /// Columns of the rows at hand, innermost last.
  struct Scope {
    Scope(Generator &generator, std::vector<Column> columns) : generator(generator) {
      generator.scopes.push_back(std::move(columns));
    }
    ~Scope() { generator.scopes.pop_back(); }
    Generator &generator;
  };

  template <class T> const T &oneOf(const std::vector<T> &choices) {
    return choices[random.below(uint32_t(choices.size()))];
  }
  Type anyType() {
    static const std::vector<BaseType> bases = {BaseType::Int,  BaseType::Int,  BaseType::Int,
                                                BaseType::Text, BaseType::Bool, BaseType::Number};
    return {oneOf(bases)};
  }

  QueryPtr queryOf(const std::vector<Type> &types, unsigned size);
  QueryPtr values();
  QueryPtr project(unsigned size);
  QueryPtr join(unsigned size);
  QueryPtr setOp(unsigned size);
  QueryPtr group(unsigned size);
  QueryPtr window(unsigned size);
  QueryPtr sort(unsigned size);
  std::vector<SortKey> sortKeys(const Query &input, uint32_t count);
  Aggregate aggregate(unsigned height);

  ExprPtr expr(const Type &type, unsigned height);
  ExprPtr leaf(const Type &type);
  ExprPtr literal(const Type &type);
  ExprPtr condition(unsigned height);
  ExprPtr number(const Type &type, unsigned height);
  ExprPtr text(unsigned height);
  ExprPtr subqueryCondition(unsigned height);

  Random &random;
  const Catalog &catalog;
  const RandomQueryOptions &options;
  std::vector<std::vector<Column>> scopes;
};

ExprPtr Generator::literal(const Type &type) {
  if (random.oneIn(8))
    return makeNull(type);
  switch (type.base) {
  case BaseType::Int:
    return makeInt(int64_t(random.below(5)) - 1);
  case BaseType::Number:
    return makeLiteral(Rational{int64_t(random.below(5)) - 1, 1}, type);
  case BaseType::Text: {
    static const std::vector<std::string> texts = {"", "a", "b", "ab", "A"};
    return makeText(oneOf(texts));
  }
  default:
    return makeBool(random.oneIn(2));
  }
}

ExprPtr Generator::leaf(const Type &type) {
  std::vector<ExprPtr> columns;
  for (uint32_t depth = 0; depth < scopes.size(); ++depth) {
    const auto &row = scopes[scopes.size() - 1 - depth];
    for (uint32_t i = 0; i < row.size(); ++i)
      if (sameBase(row[i].type, type))
        columns.push_back(makeColumn(depth, i, row[i].type));
  }
  return columns.empty() || random.oneIn(4) ? literal(type) : oneOf(columns);
}

ExprPtr Generator::number(const Type &type, unsigned height) {
  switch (random.below(type.base == BaseType::Int ? 10 : 6)) {
  case 0:
    return makeCall(Op::Add, {expr(type, height - 1), expr(type, height - 1)});
  case 1:
    return makeCall(Op::Subtract, {expr(type, height - 1), expr(type, height - 1)});
  case 2:
    return makeCall(Op::Multiply, {expr(type, height - 1), expr(type, height - 1)});
  case 3:
    return makeCall(Op::Negate, {expr(type, height - 1)});
  case 4:
  case 5:
    return type.base == BaseType::Number ? makeCast(expr({BaseType::Int}, height - 1), type)
                                         : makeFunction("ABS", {leaf(type)}, {BaseType::Int});
  case 6:
    return makeCall(Op::Divide, {expr(type, height - 1), expr(type, height - 1)});
  case 7:
    return makeCall(Op::Modulo, {expr(type, height - 1), expr(type, height - 1)});
  case 8:
    return makeFunction("LENGTH", {expr({BaseType::Text}, height - 1)}, {BaseType::Int});
  default:
    return makeScalar(makeGroup(query(height - 1), {}, {{}}, {[] {
                                  Aggregate count;
                                  count.type = {BaseType::Int, {}, false};
                                  return count;
                                }()}));
  }
}

ExprPtr Generator::text(unsigned height) {
  Type type{BaseType::Text};
  switch (random.below(3)) {
  case 0:
    return makeCall(Op::Concat, {expr(type, height - 1), leaf(type)});
  case 1:
    return makeFunction(random.oneIn(2) ? "UPPER" : "LOWER", {expr(type, height - 1)}, type);
  default:
    return makeCast(expr({BaseType::Int}, height - 1), type);
  }
}

ExprPtr Generator::subqueryCondition(unsigned height) {
  static const std::vector<Op> comparisons = {Op::Equal,     Op::NotEqual, Op::Less,
                                              Op::LessEqual, Op::Greater,  Op::GreaterEqual};
  switch (random.below(3)) {
  case 0:
    return makeExists(query(height - 1));
  case 1: {
    std::vector<Type> types = {anyType()};
    if (random.oneIn(3))
      types.push_back(anyType());
    std::vector<ExprPtr> operands;
    for (const Type &type : types)
      operands.push_back(leaf(type));
    return makeIn(operands, queryOf(types, height - 1));
  }
  default: {
    Type type = anyType();
    return makeQuantified(leaf(type), oneOf(comparisons),
                          random.oneIn(2) ? Quantifier::Any : Quantifier::All,
                          queryOf({type}, height - 1));
  }
  }
}

ExprPtr Generator::condition(unsigned height) {
  static const std::vector<Op> comparisons = {Op::Equal,        Op::Equal,      Op::NotEqual,
                                              Op::Less,         Op::LessEqual,  Op::Greater,
                                              Op::GreaterEqual, Op::IsDistinct, Op::IsNotDistinct};
  static const std::vector<Op> tests = {Op::IsTrue, Op::IsNotTrue, Op::IsFalse, Op::IsNotFalse};
  Type boolean{BaseType::Bool};
  switch (random.below(10)) {
  case 0:
    return makeCall(Op::And, {expr(boolean, height - 1), expr(boolean, height - 1)});
  case 1:
    return makeCall(Op::Or, {expr(boolean, height - 1), expr(boolean, height - 1)});
  case 2:
    return makeCall(Op::Not, {expr(boolean, height - 1)});
  case 3:
    return makeCall(random.oneIn(2) ? Op::IsNull : Op::IsNotNull, {expr(anyType(), height - 1)});
  case 4:
    return makeCall(oneOf(tests), {expr(boolean, height - 1)});
  case 5: {
    static const std::vector<std::string> patterns = {"%", "a%", "_", "%b", ""};
    return makeCall(Op::Like, {expr({BaseType::Text}, height - 1), makeText(oneOf(patterns))});
  }
  case 6:
    return height > 1 ? subqueryCondition(height) : leaf(boolean);
  default: {
    Type type = anyType();
    return makeCall(oneOf(comparisons), {expr(type, height - 1), expr(type, height - 1)});
  }
  }
}

ExprPtr Generator::expr(const Type &type, unsigned height) {
  if (height == 0 || random.oneIn(3))
    return leaf(type);
  if (random.oneIn(6))
    return makeCall(Op::Case, {expr({BaseType::Bool}, height - 1), expr(type, height - 1),
                               expr(type, height - 1)});
  if (random.oneIn(8))
    return makeCall(Op::Coalesce, {leaf(type), expr(type, height - 1)});
  switch (type.base) {
  case BaseType::Bool:
    return condition(height);
  case BaseType::Text:
    return text(height);
  default:
    return number(type, height);
  }
}

QueryPtr Generator::queryOf(const std::vector<Type> &types, unsigned size) {
  QueryPtr input = query(size);
  Scope scope(*this, input->columns);
  std::vector<ExprPtr> exprs;
  for (const Type &type : types)
    exprs.push_back(expr(type, 1));
  return makeProject(input, exprs);
}

QueryPtr Generator::values() {
  std::vector<Column> columns;
  for (uint32_t i = 0, count = 1 + random.below(2); i < count; ++i)
    columns.push_back({"", anyType()});
  std::vector<std::vector<ExprPtr>> rows;
  Scope scope(*this, {});
  for (uint32_t i = 0, count = random.below(4); i < count; ++i) {
    rows.emplace_back();
    for (const Column &column : columns)
      rows.back().push_back(leaf(column.type));
  }
  return makeValues(columns, rows);
}

QueryPtr Generator::project(unsigned size) {
  QueryPtr input = query(size - 1);
  Scope scope(*this, input->columns);
  std::vector<ExprPtr> exprs;
  for (uint32_t i = 0, count = 1 + random.below(3); i < count; ++i)
    exprs.push_back(expr(anyType(), 2));
  return makeProject(input, exprs);
}

QueryPtr Generator::join(unsigned size) {
  static const std::vector<JoinKind> kinds = {JoinKind::Inner, JoinKind::Inner, JoinKind::Left,
                                              JoinKind::Right, JoinKind::Full,  JoinKind::Semi,
                                              JoinKind::Anti};
  QueryPtr left = query(size - 1);
  JoinKind kind = oneOf(kinds);
  bool lateral =
      options.lateral && kind != JoinKind::Right && kind != JoinKind::Full && random.oneIn(4);
  QueryPtr right;
  if (lateral) {
    Scope scope(*this, left->columns);
    right = query(size / 2);
  } else {
    right = query(size / 2);
  }
  std::vector<Column> row = left->columns;
  row.insert(row.end(), right->columns.begin(), right->columns.end());
  Scope scope(*this, row);
  ExprPtr on = random.oneIn(5) ? makeBool(true) : expr({BaseType::Bool}, 2);
  return makeJoin(kind, left, right, on, lateral ? Lateral::Yes : Lateral::No);
}

QueryPtr Generator::setOp(unsigned size) {
  static const std::vector<SetKind> kinds = {SetKind::Union, SetKind::Intersect, SetKind::Except};
  std::vector<Type> types = {anyType()};
  if (random.oneIn(2))
    types.push_back(anyType());
  SetKind kind = oneOf(kinds);
  std::vector<QueryPtr> inputs = {queryOf(types, size - 1), queryOf(types, size / 2)};
  if (kind == SetKind::Union && random.oneIn(4))
    inputs.push_back(queryOf(types, 0));
  bool keep = random.oneIn(2) && (kind == SetKind::Union || options.setsWithDuplicates);
  return makeSetOp(kind, keep ? Duplicates::Keep : Duplicates::Remove, inputs);
}

Aggregate Generator::aggregate(unsigned height) {
  static const std::vector<AggregateKind> kinds = {
      AggregateKind::CountRows, AggregateKind::Count,   AggregateKind::Sum,   AggregateKind::Min,
      AggregateKind::Max,       AggregateKind::BoolAnd, AggregateKind::BoolOr};
  Aggregate result;
  result.kind = oneOf(kinds);
  Type type = anyType();
  if (result.kind == AggregateKind::Sum)
    type = {random.oneIn(4) ? BaseType::Number : BaseType::Int};
  if (result.kind == AggregateKind::BoolAnd || result.kind == AggregateKind::BoolOr)
    type = {BaseType::Bool};
  if (result.kind != AggregateKind::CountRows) {
    result.arguments = {expr(type, height)};
    result.distinct = random.oneIn(4);
  }
  if (random.oneIn(5))
    result.filter = expr({BaseType::Bool}, height);
  return result;
}

QueryPtr Generator::group(unsigned size) {
  QueryPtr input = query(size - 1);
  Scope scope(*this, input->columns);
  std::vector<ExprPtr> keys;
  std::vector<uint32_t> all;
  for (uint32_t i = 0, count = random.below(3); i < count; ++i) {
    keys.push_back(random.oneIn(3) ? expr(anyType(), 1) : leaf(anyType()));
    all.push_back(i);
  }
  std::vector<std::vector<uint32_t>> sets = {all}, calls;
  if (!keys.empty() && random.oneIn(4)) {
    sets.push_back(random.oneIn(2) ? std::vector<uint32_t>{} : std::vector<uint32_t>{0});
    calls.push_back(all);
  }
  std::vector<Aggregate> aggregates;
  for (uint32_t i = 0, count = random.below(3); i < count; ++i)
    aggregates.push_back(aggregate(1));
  if (keys.empty() && aggregates.empty())
    aggregates.emplace_back();
  return makeGroup(input, keys, sets, aggregates, calls);
}

std::vector<SortKey> Generator::sortKeys(const Query &input, uint32_t count) {
  std::vector<SortKey> keys;
  for (uint32_t i = 0; i < count; ++i) {
    uint32_t column = random.below(uint32_t(input.columns.size()));
    keys.push_back({makeColumn(input, column),
                    random.oneIn(2) ? Direction::Ascending : Direction::Descending,
                    random.oneIn(2) ? NullOrder::First : NullOrder::Last});
  }
  return keys;
}

QueryPtr Generator::window(unsigned size) {
  static const std::vector<WindowKind> kinds = {
      WindowKind::Aggregate, WindowKind::Aggregate,  WindowKind::RowNumber,
      WindowKind::Rank,      WindowKind::DenseRank,  WindowKind::Lag,
      WindowKind::Lead,      WindowKind::FirstValue, WindowKind::LastValue};
  QueryPtr input = query(size - 1);
  if (input->columns.empty())
    return input;
  Scope scope(*this, input->columns);
  WindowFunction function;
  function.kind = oneOf(kinds);
  if (function.kind == WindowKind::Aggregate) {
    function.aggregate = aggregate(1);
    function.aggregate.distinct = false; // engines have no DISTINCT there
  } else if (function.kind >= WindowKind::Lag) {
    function.aggregate.arguments = {leaf(anyType())};
  }
  if (random.oneIn(2))
    function.partition = {leaf(anyType())};
  function.order = sortKeys(*input, random.below(3));
  if (!function.order.empty() && random.oneIn(3)) {
    function.unit = FrameUnit::Rows;
    function.from = {BoundKind::Preceding, makeInt(1)};
    if (random.oneIn(2))
      function.to = {BoundKind::Following, makeInt(1)};
  }
  return makeWindow(input, {function});
}

QueryPtr Generator::sort(unsigned size) {
  QueryPtr input = query(size - 1);
  if (input->columns.empty())
    return input;
  std::vector<SortKey> keys = sortKeys(*input, 1 + random.below(3));
  ExprPtr limit = random.oneIn(3) ? nullptr : makeInt(random.below(4));
  ExprPtr offset = random.oneIn(3) ? makeInt(random.below(3)) : nullptr;
  return makeSort(input, keys, limit, offset);
}

QueryPtr Generator::query(unsigned size) {
  if (size == 0)
    return random.oneIn(8) ? values()
                           : makeScan(catalog, random.below(uint32_t(catalog.tables.size())));
  switch (random.below(12)) {
  case 0:
  case 1: {
    QueryPtr input = query(size - 1);
    Scope scope(*this, input->columns);
    return makeFilter(input, expr({BaseType::Bool}, 3));
  }
  case 2:
  case 3:
    return project(size);
  case 4:
  case 5:
  case 6:
    return join(size);
  case 7:
    return setOp(size);
  case 8:
    return makeDistinct(query(size - 1));
  case 9:
    return group(size);
  case 10:
    return options.windows ? window(size) : group(size);
  default:
    return options.limits ? sort(size) : project(size);
  }
}

} // namespace

Catalog randomQueryCatalog() {
  Catalog catalog;
  catalog.tables = {
      {"t", {{"a", {BaseType::Int}}, {"b", {BaseType::Int}}, {"s", {BaseType::Text}}}, {}, {}, {}},
      {"u",
       {{"c", {BaseType::Int, {}, false}}, {"d", {BaseType::Int}}, {"p", {BaseType::Bool}}},
       {{{0}, true}},
       {},
       {}},
      {"w", {{"x", {BaseType::Number}}, {"y", {BaseType::Int}}}, {}, {}, {}}};
  return catalog;
}

QueryPtr randomQuery(Random &random, const Catalog &catalog, const RandomQueryOptions &options) {
  return Generator(random, catalog, options).query(1 + random.below(options.size));
}

} // namespace imbrex::sql
