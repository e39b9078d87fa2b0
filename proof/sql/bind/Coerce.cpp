// Implicit casts made explicit.
#include "proof/sql/bind/Binder.h"
#include "proof/sql/query/Builders.h"
#include "proof/sql/query/Types.h"

namespace imbrex::sql {

static bool isLiteral(const ExprPtr &expr, BaseType base) {
  return expr->kind == ExprKind::Literal && expr->type.base == base;
}

static bool isNumber(const Type &type) {
  return type.base == BaseType::Int || type.base == BaseType::Number;
}

/// 1 for TRUE, 0 for FALSE.
static ExprPtr asInteger(const ExprPtr &condition) {
  ExprPtr otherwise = condition->type.nullable
                          ? makeCall(Op::Case, {makeCall(Op::Not, {condition}), makeInt(0),
                                                makeNull({BaseType::Int})})
                          : makeInt(0);
  return makeCall(Op::Case, {condition, makeInt(1), otherwise});
}

ExprPtr Binder::coerce(ExprPtr expr, const Type &type, Place place, const std::string &what) const {
  if (sameBase(expr->type, type) || type.base == BaseType::Unknown)
    return expr;
  const Type &from = expr->type;
  bool isNullLiteral = expr->kind == ExprKind::Literal && isNull(expr->value);
  if (isNullLiteral && from.base == BaseType::Unknown)
    return makeNull(type);
  if (expr->kind == ExprKind::Parameter && from.base == BaseType::Unknown)
    return makeParameter(expr->name, type);
  if (from.base == BaseType::Unknown)
    return makeCast(std::move(expr), type);
  if (isLiteral(expr, BaseType::Int) && type.base == BaseType::Number)
    return makeLiteral(Rational{std::get<int64_t>(expr->value), 1}, type);
  if (from.base == BaseType::Int && type.base == BaseType::Number)
    return makeCast(std::move(expr), type);
  if (isLiteral(expr, BaseType::Text))
    return typedLiteral(std::get<std::string>(expr->value), type, place);
  if (from.base == BaseType::Date && type.base == BaseType::Timestamp)
    return makeCast(std::move(expr), type);
  if (rules.numbersAreConditions && from.base == BaseType::Bool && isNumber(type))
    return coerce(asInteger(expr), type, place, what);
  bool textToNumber = from.base == BaseType::Text && isNumber(type);
  bool numberToText = isNumber(from) && type.base == BaseType::Text;
  if (rules.castsTextImplicitly && (textToNumber || numberToText))
    return makeCast(std::move(expr), type);
  fail(1030, what + " needs " + typeName(type) + ", not " + typeName(from),
       std::string("the ") + dialectName(rules.dialect) + " dialect does not convert between them",
       "CAST", place);
}

/// The type that all are converted to: the first that is known, widened.
Type Binder::commonType(const std::vector<ExprPtr> &exprs, Place place,
                        const std::string &what) const {
  Type result;
  bool isText = false; // `result` is that of text literals only
  for (const ExprPtr &expr : exprs) {
    const Type &type = expr->type;
    bool literalText = isLiteral(expr, BaseType::Text);
    if (type.base == BaseType::Unknown || sameBase(type, result)) {
      isText = isText && (type.base == BaseType::Unknown || literalText);
      continue;
    }
    bool wider = (result.base == BaseType::Int && type.base == BaseType::Number) ||
                 (result.base == BaseType::Date && type.base == BaseType::Timestamp) ||
                 (result.base == BaseType::Text && rules.castsTextImplicitly && isNumber(type)) ||
                 (result.base == BaseType::Bool && rules.numbersAreConditions && isNumber(type));
    if (result.base == BaseType::Unknown || isText || wider) {
      result = type;
      isText = literalText;
    }
  }
  return result;
}

void Binder::unify(std::vector<ExprPtr> &exprs, Place place, const std::string &what) const {
  Type type = commonType(exprs, place, what);
  for (ExprPtr &expr : exprs)
    expr = coerce(std::move(expr), type, place, what);
}

ExprPtr Binder::toCondition(ExprPtr expr, Place place) const {
  if (rules.numbersAreConditions && isNumber(expr->type))
    return compare(Op::NotEqual, std::move(expr), makeInt(0), place);
  return coerce(std::move(expr), {BaseType::Bool}, place, "a condition");
}

} // namespace imbrex::sql
