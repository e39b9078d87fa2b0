// Logic, comparisons and arithmetic, rows included.
#include "proof/sql/bind/Binder.h"
#include "proof/sql/query/Builders.h"
#include "proof/sql/query/Rewrite.h"
#include "proof/sql/query/Types.h"

#include <algorithm>

namespace imbrex::sql {

ExprPtr Binder::compare(Op op, ExprPtr left, ExprPtr right, Place place) const {
  std::vector<ExprPtr> sides = {std::move(left), std::move(right)};
  unify(sides, place, "a comparison");
  return makeCall(op, std::move(sides));
}

/// By columns; < and its like from left to right.
ExprPtr Binder::compareRows(Op op, std::vector<ExprPtr> left, std::vector<ExprPtr> right,
                            Place place) const {
  if (left.size() != right.size())
    fail(1031, "rows of different lengths are compared",
         "they have " + std::to_string(left.size()) + " and " + std::to_string(right.size()) +
             " values",
         "equal lengths", place);
  if (left.size() == 1)
    return compare(op, left[0], right[0], place);
  std::vector<ExprPtr> parts;
  if (op == Op::Equal || op == Op::NotEqual || op == Op::IsDistinct || op == Op::IsNotDistinct) {
    for (size_t i = 0; i < left.size(); ++i)
      parts.push_back(compare(op, left[i], right[i], place));
    bool all = op == Op::Equal || op == Op::IsNotDistinct;
    return makeCall(all ? Op::And : Op::Or, std::move(parts));
  }
  Op strict = op == Op::LessEqual ? Op::Less : op == Op::GreaterEqual ? Op::Greater : op;
  for (size_t i = 0; i < left.size(); ++i) {
    std::vector<ExprPtr> all;
    for (size_t k = 0; k < i; ++k)
      all.push_back(compare(Op::Equal, left[k], right[k], place));
    bool last = i + 1 == left.size();
    all.push_back(compare(last ? op : strict, left[i], right[i], place));
    parts.push_back(makeAnd(std::move(all)));
  }
  return makeCall(Op::Or, std::move(parts));
}

static bool isTemporal(const Type &type) {
  return type.base == BaseType::Date || type.base == BaseType::Time ||
         type.base == BaseType::Timestamp || type.base == BaseType::Interval;
}

/// Arithmetic with dates is an unknown function of its operands.
static ExprPtr temporal(Op op, const ExprPtr &left, const ExprPtr &right) {
  const Type &l = left->type, &r = right->type;
  Type type = isTemporal(l) ? l : r;
  bool difference = op == Op::Subtract && isTemporal(l) && l.base == r.base;
  if (difference && l.base == BaseType::Date)
    type = {BaseType::Int};
  else if (difference || (isTemporal(l) && isTemporal(r) && l.base != BaseType::Interval &&
                          r.base != BaseType::Interval))
    type = {BaseType::Interval};
  else if (l.base == BaseType::Interval && isTemporal(r))
    type = r;
  else if (l.base == BaseType::Date && r.base == BaseType::Interval)
    type = {BaseType::Timestamp};
  type.nullable = l.nullable || r.nullable;
  return makeFunction(std::string(opName(op)) + " OF DATES", {left, right}, type);
}

ExprPtr Binder::arithmetic(Op op, ExprPtr left, ExprPtr right, Place place) const {
  if (isTemporal(left->type) || isTemporal(right->type)) {
    // '1 day' beside a date is an interval: not known here, so not converted.
    return temporal(op, left, right);
  }
  if (op == Op::Concat) {
    refuseDigits(left, place);
    refuseDigits(right, place);
    if (semantics.emptyText == EmptyText::Null)
      notSupported("|| where '' is NULL", place);
    std::vector<ExprPtr> sides = {left, right};
    bool isText = false;
    for (ExprPtr &side : sides)
      isText |= side->type.base == BaseType::Text || side->type.base == BaseType::Unknown;
    for (ExprPtr &side : sides)
      side = isText && isNumeric(side->type) && side->type.base != BaseType::Unknown
                 ? makeCast(side, {BaseType::Text})
                 : coerce(side, {BaseType::Text}, place, "||");
    return makeCall(Op::Concat, std::move(sides));
  }
  bool isReal = reals.contains(left) || reals.contains(right);
  std::vector<ExprPtr> sides = {std::move(left), std::move(right)};
  unify(sides, place, opName(op));
  Type type = sides[0]->type;
  bool dividesDecimals =
      type.base == BaseType::Number && ((op == Op::Divide && !isReal) || op == Op::Modulo);
  if (rules.dialect == Dialect::Sqlite && dividesDecimals)
    notSupported(std::string(opName(op)) + " of numbers that SQLite may hold as integers", place);
  if (!isNumeric(type) && rules.numbersAreConditions && type.base == BaseType::Bool)
    type = {BaseType::Int};
  if (type.base == BaseType::Unknown || !isNumeric(type))
    type = {BaseType::Int};
  bool exact = op == Op::Divide && semantics.division == IntegerDivision::Exact;
  if (exact)
    type = {BaseType::Number};
  for (ExprPtr &side : sides)
    side = coerce(side, type, place, opName(op));
  bool divides = op == Op::Divide || op == Op::Modulo;
  bool safe = sides[1]->kind == ExprKind::Literal && !isNull(sides[1]->value) &&
              sides[1]->value != Value(int64_t(0)) && sides[1]->value != Value(Rational{0, 1});
  ExprPtr result = makeCall(op, std::move(sides));
  if (divides && !safe && semantics.errors != ErrorPolicy::ErrorFree) {
    Expr nullable = *result;
    nullable.type.nullable = true; // x/0
    result = std::make_shared<const Expr>(std::move(nullable));
  }
  if (isReal)
    reals.insert(result);
  return result;
}

void Binder::refuseDigits(const ExprPtr &number, Place place) const {
  if (number->type.base == BaseType::Number)
    notSupported("the text of a number that is no integer, whose digits depend on its scale,",
                 place);
}

static ExprPtr negated(const ExprPtr &operand) {
  if (operand->kind == ExprKind::Literal && operand->type.base == BaseType::Int)
    return makeInt(-std::get<int64_t>(operand->value));
  if (operand->kind == ExprKind::Literal && operand->type.base == BaseType::Number) {
    Rational value = std::get<Rational>(operand->value);
    return makeLiteral(Rational{-value.numerator, value.denominator}, operand->type);
  }
  return makeCall(Op::Negate, {operand});
}

ExprPtr Binder::bindComparison(const ast::Expr &expr, const Scope &scope,
                               const CommonScope *common) {
  const ast::ExprPtr &left = expr.operands[0], &right = expr.operands[1];
  bool rows = left->kind == ast::ExprKind::Row || right->kind == ast::ExprKind::Row;
  bool rowQuery =
      rows && (left->kind == ast::ExprKind::Scalar || right->kind == ast::ExprKind::Scalar);
  if (rowQuery)
    notSupported("a comparison of a row with a subquery", expr.place);
  std::vector<ExprPtr> a = bindRow(left, scope, common), b = bindRow(right, scope, common);
  for (size_t i = 0; i < a.size() && a.size() > 2; ++i)
    chargeCopies(a[i], a.size() - i, expr.place);
  for (size_t i = 0; i < b.size() && b.size() > 2; ++i)
    chargeCopies(b[i], b.size() - i, expr.place);
  return compareRows(expr.op, std::move(a), std::move(b), expr.place);
}

ExprPtr Binder::bindOperator(const ast::Expr &expr, const Scope &scope, const CommonScope *common) {
  if (isComparison(expr.op))
    return bindComparison(expr, scope, common);
  switch (expr.op) {
  case Op::IsNull:
  case Op::IsNotNull: {
    std::vector<ExprPtr> parts;
    for (const ExprPtr &operand : bindRow(expr.operands[0], scope, common))
      parts.push_back(makeCall(expr.op, {operand}));
    return makeAnd(std::move(parts));
  }
  case Op::And:
  case Op::Or:
  case Op::Not:
  case Op::IsTrue:
  case Op::IsNotTrue:
  case Op::IsFalse:
  case Op::IsNotFalse: {
    std::vector<ExprPtr> operands;
    for (const ast::ExprPtr &operand : expr.operands) {
      ExprPtr condition = bindCondition(operand, scope, common);
      bool nested = condition->kind == ExprKind::Call && condition->op == expr.op;
      if (nested && (expr.op == Op::And || expr.op == Op::Or))
        operands.insert(operands.end(), condition->operands.begin(), condition->operands.end());
      else
        operands.push_back(std::move(condition));
    }
    return makeCall(expr.op, std::move(operands));
  }
  case Op::Negate: {
    ExprPtr operand = bindExpr(expr.operands[0], scope, common);
    if (operand->type.base == BaseType::Interval)
      return makeFunction("- OF DATES", {operand}, operand->type);
    if (operand->type.base == BaseType::Unknown)
      operand = coerce(operand, {BaseType::Int}, expr.place, "-");
    if (!isNumeric(operand->type))
      operand = coerce(operand, {BaseType::Int}, expr.place, "-");
    return negated(operand);
  }
  default: {
    ExprPtr left = bindExpr(expr.operands[0], scope, common);
    return arithmetic(expr.op, left, bindExpr(expr.operands[1], scope, common), expr.place);
  }
  }
}

ExprPtr Binder::bindBetween(const ast::Expr &expr, const Scope &scope, const CommonScope *common) {
  std::vector<ExprPtr> parts = bindAll(expr.operands, scope, common);
  chargeCopies(parts[0], expr.flag ? 4 : 2, expr.place);
  auto within = [&](const ExprPtr &low, const ExprPtr &high) {
    return makeAnd({compare(Op::GreaterEqual, parts[0], low, expr.place),
                    compare(Op::LessEqual, parts[0], high, expr.place)});
  };
  ExprPtr result = within(parts[1], parts[2]);
  if (expr.flag)
    result = makeCall(Op::Or, {result, within(parts[2], parts[1])});
  return expr.negated ? makeCall(Op::Not, {result}) : result;
}

} // namespace imbrex::sql
