// Aggregates and window functions. They leave the expression as a stand-in (Scope.h).
#include "proof/sql/bind/Binder.h"
#include "proof/sql/query/Builders.h"
#include "proof/sql/query/Rewrite.h"
#include "proof/sql/query/Types.h"

#include <algorithm>
#include <unordered_map>

namespace imbrex::sql {
namespace {

struct Known {
  AggregateKind kind;
  char result = '0'; // of Uninterpreted: N number, T text, 0 as the argument
};

const std::unordered_map<std::string, Known> &aggregates() {
  static const std::unordered_map<std::string, Known> table = {
      {"COUNT", {AggregateKind::Count}},
      {"SUM", {AggregateKind::Sum}},
      {"$SUM0", {AggregateKind::Sum}},
      {"AVG", {AggregateKind::Avg}},
      {"MIN", {AggregateKind::Min}},
      {"MAX", {AggregateKind::Max}},
      {"EVERY", {AggregateKind::BoolAnd}},
      {"BOOL_AND", {AggregateKind::BoolAnd}},
      {"BOOL_OR", {AggregateKind::BoolOr}},
      {"ANY", {AggregateKind::BoolOr}},
      {"SOME", {AggregateKind::BoolOr}},
      {"SINGLE_VALUE", {AggregateKind::SingleValue}},
      {"ANY_VALUE", {AggregateKind::AnyValue}},
      {"STDDEV", {AggregateKind::Uninterpreted, 'N'}},
      {"STDDEV_POP", {AggregateKind::Uninterpreted, 'N'}},
      {"STDDEV_SAMP", {AggregateKind::Uninterpreted, 'N'}},
      {"VARIANCE", {AggregateKind::Uninterpreted, 'N'}},
      {"VAR_POP", {AggregateKind::Uninterpreted, 'N'}},
      {"VAR_SAMP", {AggregateKind::Uninterpreted, 'N'}},
      {"CORR", {AggregateKind::Uninterpreted, 'N'}},
      {"COVAR_POP", {AggregateKind::Uninterpreted, 'N'}},
      {"COVAR_SAMP", {AggregateKind::Uninterpreted, 'N'}},
      {"REGR_COUNT", {AggregateKind::Uninterpreted, 'N'}},
      {"MEDIAN", {AggregateKind::Uninterpreted, '0'}},
      {"MODE", {AggregateKind::Uninterpreted, '0'}},
      {"BIT_AND", {AggregateKind::Uninterpreted, '0'}},
      {"BIT_OR", {AggregateKind::Uninterpreted, '0'}},
      {"BIT_XOR", {AggregateKind::Uninterpreted, '0'}},
      {"STRING_AGG", {AggregateKind::Uninterpreted, 'T'}},
      {"LISTAGG", {AggregateKind::Uninterpreted, 'T'}},
      {"GROUP_CONCAT", {AggregateKind::Uninterpreted, 'T'}},
      {"PERCENTILE_CONT", {AggregateKind::Uninterpreted, '0'}},
      {"PERCENTILE_DISC", {AggregateKind::Uninterpreted, '0'}},
      {"COLLECT", {AggregateKind::Uninterpreted, 'O'}},
      {"ARRAY_AGG", {AggregateKind::Uninterpreted, 'O'}},
      {"JSON_AGG", {AggregateKind::Uninterpreted, 'O'}},
      {"JSON_ARRAYAGG", {AggregateKind::Uninterpreted, 'O'}},
      {"JSON_OBJECTAGG", {AggregateKind::Uninterpreted, 'O'}},
      {"FUSION", {AggregateKind::Uninterpreted, 'O'}},
      {"INTERSECTION", {AggregateKind::Uninterpreted, 'O'}},
      {"APPROX_COUNT_DISTINCT", {AggregateKind::Uninterpreted, 'N'}},
  };
  return table;
}

const std::unordered_map<std::string, WindowKind> &windowKinds() {
  static const std::unordered_map<std::string, WindowKind> table = {
      {"ROW_NUMBER", WindowKind::RowNumber},
      {"RANK", WindowKind::Rank},
      {"DENSE_RANK", WindowKind::DenseRank},
      {"LAG", WindowKind::Lag},
      {"LEAD", WindowKind::Lead},
      {"FIRST_VALUE", WindowKind::FirstValue},
      {"LAST_VALUE", WindowKind::LastValue},
      {"NTILE", WindowKind::Ntile},
      {"PERCENT_RANK", WindowKind::PercentRank},
      {"CUME_DIST", WindowKind::CumeDist},
      {"NTH_VALUE", WindowKind::NthValue}};
  return table;
}

/// Position of an equal part, or where it was added.
template <class T, class Equal>
uint32_t indexOf(std::vector<T> &parts, T part, const Equal &equal) {
  for (uint32_t i = 0; i < parts.size(); ++i)
    if (equal(parts[i], part))
      return i;
  parts.push_back(std::move(part));
  return uint32_t(parts.size() - 1);
}

bool equalAggregates(const Aggregate &a, const Aggregate &b) {
  auto equal = [](const ExprPtr &x, const ExprPtr &y) { return x && y ? same(*x, *y) : !x && !y; };
  return a.kind == b.kind && a.name == b.name && a.distinct == b.distinct &&
         equal(a.filter, b.filter) && a.arguments.size() == b.arguments.size() &&
         std::equal(a.arguments.begin(), a.arguments.end(), b.arguments.begin(), equal);
}

} // namespace

bool isAggregate(const std::string &name) { return aggregates().contains(name); }

Aggregate Binder::makeAggregate(const std::string &name, const ast::Expr &expr, const Scope &scope,
                                const CommonScope *common) {
  const Known &known = aggregates().at(name);
  Aggregate aggregate{known.kind};
  aggregate.distinct = expr.call.distinct;
  // COUNT(a, b) counts rows where none is NULL, and so does COUNT((a, b)) of Calcite.
  for (const ast::ExprPtr &operand : expr.operands)
    if (operand->kind == ast::ExprKind::Row && rules.dialect != Dialect::Calcite)
      notSupported(name + " of a row, which some take for no NULL,", operand->place);
  for (const ast::ExprPtr &operand : expr.operands)
    for (ExprPtr &part : known.kind == AggregateKind::Count
                             ? bindRow(operand, scope, common)
                             : std::vector{bindExpr(operand, scope, common)})
      aggregate.arguments.push_back(std::move(part));
  if (expr.call.filter)
    aggregate.filter = bindCondition(expr.call.filter, scope, common);
  if (expr.call.star && known.kind != AggregateKind::Count)
    fail(1041, name + "(*)", "only COUNT takes *", "an argument", expr.place);
  if (expr.call.star)
    aggregate.kind = AggregateKind::CountRows;
  else if (aggregate.arguments.empty() ||
           (known.kind != AggregateKind::Uninterpreted && known.kind != AggregateKind::Count &&
            aggregate.arguments.size() != 1))
    fail(1031, name + " with " + std::to_string(aggregate.arguments.size()) + " arguments", "",
         "one argument", expr.place);
  bool ordered = !expr.call.order.empty();
  if (ordered && known.kind != AggregateKind::Uninterpreted)
    ordered = false; // the order of rows does not matter to the others
  if (known.kind == AggregateKind::Sum || known.kind == AggregateKind::Avg) {
    ExprPtr &argument = aggregate.arguments[0];
    bool interval = known.kind == AggregateKind::Sum && argument->type.base == BaseType::Interval;
    bool isNumber = isNumeric(argument->type) && argument->type.base != BaseType::Unknown;
    if (!interval && !isNumber)
      argument = coerce(argument,
                        {argument->type.base == BaseType::Text ? BaseType::Number : BaseType::Int},
                        expr.place, name);
    aggregate.type = argument->type;
    bool exact = known.kind == AggregateKind::Avg && !rules.averageOfIntegersIsInteger;
    if (exact)
      aggregate.type.base = BaseType::Number;
  }
  if (known.kind == AggregateKind::BoolAnd || known.kind == AggregateKind::BoolOr)
    aggregate.arguments[0] = toCondition(aggregate.arguments[0], expr.place);
  if (known.kind == AggregateKind::Uninterpreted) {
    aggregate.name = name;
    aggregate.type = aggregate.arguments[0]->type;
    if (known.result == 'N' || known.result == 'T')
      aggregate.type = {known.result == 'N' ? BaseType::Number : BaseType::Text};
    if (known.result == 'O')
      aggregate.type = {BaseType::Other, name};
    aggregate.type.nullable = true;
  }
  if (ordered) {
    aggregate.name += " ORDER BY";
    for (const ast::OrderItem &item : expr.call.order) {
      SortKey key = sortKey(item, bindExpr(item.expr, scope, common));
      aggregate.name += key.direction == Direction::Descending ? " DESC" : " ASC";
      aggregate.name += key.nulls == NullOrder::First ? " NULLS FIRST" : " NULLS LAST";
      aggregate.arguments.push_back(key.expr);
    }
  }
  return aggregate;
}

ExprPtr Binder::bindAggregate(const std::string &name, const ast::Expr &expr, const Scope &scope,
                              const CommonScope *common) {
  if (!scope.calls)
    fail(1041, name + " cannot be called in " + (scope.clause[0] ? scope.clause : "this place"),
         "it is an aggregate over groups", "a subquery or HAVING", expr.place);
  Scope inner = scope;
  inner.calls = nullptr;
  inner.windowsAllowed = false;
  inner.clause = "the argument of an aggregate";
  Aggregate aggregate = makeAggregate(name, expr, inner, common);
  refuseOuterAggregate(aggregate, expr.place);
  Result<Type> type =
      aggregateType(aggregate, scope.calls->emptyGroups ? Groups::MayBeEmpty : Groups::NeverEmpty);
  if (!type)
    fail(1030, type.error().what, "", "CAST", expr.place);
  aggregate.type = *type;
  uint32_t index = indexOf(scope.calls->aggregates, std::move(aggregate), equalAggregates);
  limitColumns(scope.calls->aggregates.size(), "SELECT", expr.place);
  ExprPtr result = makeColumn(0, AggregateBase + index, *type);
  if (name != "$SUM0")
    return result;
  return makeCall(Op::Coalesce, {result, coerce(makeInt(0), *type, expr.place, name)});
}

/// An aggregate of outer columns only belongs to the outer query, which is not supported.
void Binder::refuseOuterAggregate(const Aggregate &aggregate, Place place) const {
  bool ownColumn = aggregate.arguments.empty(), anyColumn = false;
  for (const ExprPtr &argument : aggregate.arguments)
    rewrite(argument, [&](const ExprPtr &e, uint32_t level) -> ExprPtr {
      anyColumn |= e->kind == ExprKind::Column;
      ownColumn |= e->kind == ExprKind::Column && e->depth <= level;
      return nullptr;
    });
  if (anyColumn && !ownColumn)
    notSupported("an aggregate over columns of an outer query", place);
}

ExprPtr Binder::bindGroupingCall(const ast::Expr &expr, const Scope &scope,
                                 const CommonScope *common) {
  if (!scope.calls)
    fail(1041, std::string("GROUPING cannot be called in ") + scope.clause, "", "SELECT or HAVING",
         expr.place);
  Scope inner = scope;
  inner.calls = nullptr;
  GroupingCall call{bindAll(expr.operands, inner, common), expr.place};
  if (call.keys.empty())
    fail(1031, "GROUPING without arguments", "", "an expression of GROUP BY", expr.place);
  uint32_t index = uint32_t(scope.calls->groupings.size());
  scope.calls->groupings.push_back(std::move(call));
  return makeColumn(0, GroupingBase + index, {BaseType::Int, {}, false});
}

ast::Window Binder::resolvedWindow(const ast::Window &window, const Calls &calls,
                                   unsigned depth) const {
  if (!window.base)
    return window;
  std::string name = folded(*window.base);
  for (const ast::NamedWindow &named : *calls.namedWindows) {
    if (folded(named.name) != name || depth > calls.namedWindows->size())
      continue;
    ast::Window base = resolvedWindow(named.window, calls, depth + 1);
    if (base.partition.empty())
      base.partition = window.partition;
    if (base.order.empty())
      base.order = window.order;
    if (!base.frame)
      base.frame = window.frame;
    return base;
  }
  fail(1042, "there is no window " + window.base->text, "", "WINDOW " + window.base->text + " AS",
       window.base->place);
}

ExprPtr Binder::bindWindow(const std::string &name, const ast::Expr &expr, const Scope &scope,
                           const CommonScope *common) {
  if (!scope.calls || !scope.windowsAllowed)
    fail(1042,
         std::string("a window function cannot be called in ") +
             (scope.clause[0] ? scope.clause : "this place"),
         "windows are formed from the result of the clauses before SELECT", "a subquery",
         expr.place);
  ast::Window window = resolvedWindow(*expr.call.over, *scope.calls, 0);
  Scope inner = scope;
  inner.windowsAllowed = false;
  inner.clause = "a window";
  WindowFunction function;
  auto kind = windowKinds().find(name);
  if (kind != windowKinds().end()) {
    function.kind = kind->second;
    function.aggregate.arguments = bindAll(expr.operands, inner, common);
  } else if (isAggregate(name)) {
    // Aggregates may be arguments of window functions: both kinds of stand-ins are known by then.
    function.aggregate = makeAggregate(name, expr, inner, common);
  } else {
    fail(1024, "the window function " + name + " is not known", "", "another one", expr.place);
  }
  function.partition = bindAll(window.partition, inner, common);
  for (const ast::OrderItem &item : window.order)
    function.order.push_back(sortKey(item, bindExpr(item.expr, inner, common)));
  if (window.frame) {
    function.unit = window.frame->unit;
    auto bound = [&](const ast::FrameEnd &end) {
      return FrameBound{end.kind, end.offset ? bindExpr(end.offset, inner, common) : nullptr};
    };
    function.from = bound(window.frame->from);
    function.to = bound(window.frame->to);
  }
  Result<Type> type = windowType(function);
  if (!type)
    fail(1030, type.error().what, "", "other arguments", expr.place);
  function.aggregate.type = *type;
  uint32_t index = uint32_t(scope.calls->windows.size());
  scope.calls->windows.push_back(std::move(function));
  limitColumns(scope.calls->windows.size(), "SELECT", expr.place);
  ExprPtr result = makeColumn(0, WindowBase + index, *type);
  return name == "$SUM0"
             ? makeCall(Op::Coalesce, {result, coerce(makeInt(0), *type, expr.place, name)})
             : result;
}

} // namespace imbrex::sql
