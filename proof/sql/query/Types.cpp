#include "proof/sql/query/Types.h"

#include <algorithm>

namespace imbrex::sql {

bool sameBase(const Type &a, const Type &b) {
  return a.base == b.base && (a.base != BaseType::Other || a.name == b.name);
}

bool agree(const Type &a, const Type &b) {
  return sameBase(a, b) || a.base == BaseType::Unknown || b.base == BaseType::Unknown;
}

bool isNumeric(const Type &type) {
  return type.base == BaseType::Int || type.base == BaseType::Number ||
         type.base == BaseType::Unknown;
}

bool isComparison(Op op) {
  return (op >= Op::Equal && op <= Op::GreaterEqual) || op == Op::IsDistinct ||
         op == Op::IsNotDistinct;
}

std::string typeName(const Type &type) {
  switch (type.base) {
  case BaseType::Bool:
    return "BOOLEAN";
  case BaseType::Int:
    return "INTEGER";
  case BaseType::Number:
    return "DECIMAL";
  case BaseType::Text:
    return "VARCHAR";
  case BaseType::Date:
    return "DATE";
  case BaseType::Time:
    return "TIME";
  case BaseType::Timestamp:
    return "TIMESTAMP";
  case BaseType::Interval:
    return "INTERVAL";
  case BaseType::Unknown:
    return "UNKNOWN";
  case BaseType::Other:
    return type.name.empty() ? "OTHER" : type.name;
  }
  return "";
}

const char *opName(Op op) {
  static const char *const names[] = {"AND",
                                      "OR",
                                      "NOT",
                                      "=",
                                      "<>",
                                      "<",
                                      "<=",
                                      ">",
                                      ">=",
                                      "IS NULL",
                                      "IS NOT NULL",
                                      "IS TRUE",
                                      "IS NOT TRUE",
                                      "IS FALSE",
                                      "IS NOT FALSE",
                                      "IS DISTINCT FROM",
                                      "IS NOT DISTINCT FROM",
                                      "+",
                                      "-",
                                      "*",
                                      "/",
                                      "%",
                                      "-",
                                      "CASE",
                                      "COALESCE",
                                      "LIKE",
                                      "||",
                                      "CAST",
                                      "FUNCTION"};
  return names[size_t(op)];
}

static Error rule(std::string text) { return internalError(1090, std::move(text)); }

static bool anyNullable(const std::vector<ExprPtr> &operands) {
  return std::any_of(operands.begin(), operands.end(),
                     [](const ExprPtr &e) { return e->type.nullable; });
}

static Result<Type> common(Op op, const std::vector<const Expr *> &exprs) {
  Type result;
  for (const Expr *expr : exprs) {
    if (!agree(result, expr->type))
      return rule(std::string(opName(op)) + " mixes " + typeName(result) + " and " +
                  typeName(expr->type));
    if (result.base == BaseType::Unknown)
      result = expr->type;
  }
  return result;
}

static Result<Type> caseType(const std::vector<ExprPtr> &operands) {
  if (operands.size() < 3 || operands.size() % 2 == 0)
    return rule("CASE needs conditions, values and an else");
  std::vector<const Expr *> values;
  bool nullable = false;
  for (size_t i = 0; i < operands.size(); ++i) {
    bool isCondition = i % 2 == 0 && i + 1 < operands.size();
    if (isCondition && !agree(operands[i]->type, {BaseType::Bool}))
      return rule("a CASE condition is no BOOLEAN");
    if (isCondition)
      continue;
    values.push_back(operands[i].get());
    nullable |= operands[i]->type.nullable;
  }
  Result<Type> type = common(Op::Case, values);
  if (type)
    type->nullable = nullable;
  return type;
}

static Result<Type> allOf(Op op, const std::vector<ExprPtr> &operands, BaseType base,
                          size_t atLeast, size_t atMost) {
  if (operands.size() < atLeast || operands.size() > atMost)
    return rule(std::string(opName(op)) + " with " + std::to_string(operands.size()) + " operands");
  for (const ExprPtr &operand : operands)
    if (!agree(operand->type, {base}))
      return rule(std::string(opName(op)) + " over " + typeName(operand->type));
  return Type{base, {}, anyNullable(operands)};
}

static Result<Type> binary(Op op, const std::vector<ExprPtr> &operands) {
  if (operands.size() != 2)
    return rule(std::string(opName(op)) + " needs two operands");
  return common(op, {operands[0].get(), operands[1].get()});
}

Result<Type> callType(Op op, const std::vector<ExprPtr> &operands) {
  constexpr size_t Many = ~size_t(0);
  if (isComparison(op)) {
    Result<Type> type = binary(op, operands);
    if (!type)
      return type;
    bool nullSafe = op == Op::IsDistinct || op == Op::IsNotDistinct;
    return Type{BaseType::Bool, {}, !nullSafe && anyNullable(operands)};
  }
  switch (op) {
  case Op::And:
  case Op::Or:
    return allOf(op, operands, BaseType::Bool, 1, Many);
  case Op::Not:
    return allOf(op, operands, BaseType::Bool, 1, 1);
  case Op::IsNull:
  case Op::IsNotNull:
    if (operands.size() != 1)
      return rule(std::string(opName(op)) + " needs one operand");
    return Type{BaseType::Bool, {}, false};
  case Op::IsTrue:
  case Op::IsNotTrue:
  case Op::IsFalse:
  case Op::IsNotFalse: {
    Result<Type> type = allOf(op, operands, BaseType::Bool, 1, 1);
    if (type)
      type->nullable = false;
    return type;
  }
  case Op::Add:
  case Op::Subtract:
  case Op::Multiply:
  case Op::Divide:
  case Op::Modulo: {
    Result<Type> type = binary(op, operands);
    if (type && !isNumeric(*type))
      return rule(std::string(opName(op)) + " over " + typeName(*type));
    if (type)
      type->nullable = anyNullable(operands);
    return type;
  }
  case Op::Negate:
    if (operands.size() != 1 || !isNumeric(operands[0]->type))
      return rule("unary minus needs one number");
    return operands[0]->type;
  case Op::Case:
    return caseType(operands);
  case Op::Coalesce: {
    std::vector<const Expr *> values;
    bool nullable = true;
    for (const ExprPtr &operand : operands) {
      values.push_back(operand.get());
      nullable &= operand->type.nullable;
    }
    if (values.empty())
      return rule("COALESCE without operands");
    Result<Type> type = common(op, values);
    if (type)
      type->nullable = nullable;
    return type;
  }
  case Op::Like: {
    Result<Type> type = allOf(op, operands, BaseType::Text, 2, 2);
    return type ? Type{BaseType::Bool, {}, type->nullable} : type;
  }
  case Op::Concat:
    return allOf(op, operands, BaseType::Text, 2, Many);
  default:
    return rule(std::string(opName(op)) + " has the type it declares");
  }
}

bool membershipNullable(const std::vector<ExprPtr> &operands, const Query &query) {
  return anyNullable(operands) || std::any_of(query.columns.begin(), query.columns.end(),
                                              [](const Column &c) { return c.type.nullable; });
}

bool hasExactlyOneRow(const Query &query) {
  switch (query.kind) {
  case QueryKind::Values:
    return query.rows.size() == 1;
  case QueryKind::Group:
    return query.groupingSets.size() == 1 && query.groupingSets[0].empty() && query.exprs.empty();
  case QueryKind::Project:
  case QueryKind::Distinct:
  case QueryKind::Window:
    return hasExactlyOneRow(*query.inputs[0]);
  case QueryKind::Sort:
    return !query.limit && !query.offset && hasExactlyOneRow(*query.inputs[0]);
  case QueryKind::Join:
    return query.join == JoinKind::Left && query.condition->kind == ExprKind::Literal &&
           hasExactlyOneRow(*query.inputs[0]) && hasExactlyOneRow(*query.inputs[1]);
  default:
    return false;
  }
}

} // namespace imbrex::sql
