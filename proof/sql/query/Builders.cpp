#include "proof/sql/query/Builders.h"

#include "proof/sql/query/Types.h"

#include <cassert>

namespace imbrex::sql {

static ExprPtr share(Expr expr) { return std::make_shared<const Expr>(std::move(expr)); }

ExprPtr makeLiteral(Value value, Type type) {
  type.nullable = isNull(value);
  Expr expr;
  expr.kind = ExprKind::Literal;
  expr.type = std::move(type);
  expr.value = std::move(value);
  return share(std::move(expr));
}

ExprPtr makeBool(bool value) { return makeLiteral(value, {BaseType::Bool}); }
ExprPtr makeInt(int64_t value) { return makeLiteral(value, {BaseType::Int}); }
ExprPtr makeText(std::string value) { return makeLiteral(std::move(value), {BaseType::Text}); }
ExprPtr makeNull(Type type) { return makeLiteral(std::monostate(), std::move(type)); }

ExprPtr makeColumn(uint32_t depth, uint32_t index, Type type) {
  Expr expr;
  expr.kind = ExprKind::Column;
  expr.type = std::move(type);
  expr.depth = depth;
  expr.index = index;
  return share(std::move(expr));
}

ExprPtr makeColumn(const Query &input, uint32_t index) {
  assert(index < input.columns.size());
  return makeColumn(0, index, input.columns[index].type);
}

ExprPtr makeParameter(std::string name, Type type) {
  Expr expr;
  expr.kind = ExprKind::Parameter;
  expr.type = std::move(type);
  expr.name = std::move(name);
  return share(std::move(expr));
}

ExprPtr makeCall(Op op, std::vector<ExprPtr> operands) {
  Result<Type> type = callType(op, operands);
  assert(type.ok() && "operands do not fit");
  Expr expr;
  expr.kind = ExprKind::Call;
  expr.op = op;
  expr.type = type ? *type : Type{};
  expr.operands = std::move(operands);
  return share(std::move(expr));
}

ExprPtr makeCast(ExprPtr operand, Type type) {
  type.nullable = operand->type.nullable;
  Expr expr;
  expr.kind = ExprKind::Call;
  expr.op = Op::Cast;
  expr.type = std::move(type);
  expr.operands = {std::move(operand)};
  return share(std::move(expr));
}

ExprPtr makeTrim(std::string_view side, ExprPtr text, ExprPtr characters, Type type) {
  std::vector<ExprPtr> operands{std::move(text)};
  bool blanks = !characters || (characters->kind == ExprKind::Literal &&
                                characters->value == Value(std::string(" ")));
  if (!blanks)
    operands.push_back(std::move(characters));
  const char *name = side == "LEADING" ? "LTRIM" : side == "TRAILING" ? "RTRIM" : "TRIM";
  return makeFunction(name, std::move(operands), std::move(type));
}

ExprPtr makeFunction(std::string name, std::vector<ExprPtr> operands, Type type) {
  Expr expr;
  expr.kind = ExprKind::Call;
  expr.op = Op::Function;
  expr.type = std::move(type);
  expr.name = std::move(name);
  expr.operands = std::move(operands);
  return share(std::move(expr));
}

ExprPtr makeExists(QueryPtr query) {
  Expr expr;
  expr.kind = ExprKind::Exists;
  expr.type = {BaseType::Bool, {}, false};
  expr.query = std::move(query);
  return share(std::move(expr));
}

ExprPtr makeIn(std::vector<ExprPtr> operands, QueryPtr query) {
  Expr expr;
  expr.kind = ExprKind::In;
  expr.type = {BaseType::Bool, {}, membershipNullable(operands, *query)};
  expr.operands = std::move(operands);
  expr.query = std::move(query);
  return share(std::move(expr));
}

ExprPtr makeQuantified(ExprPtr operand, Op op, Quantifier quantifier, QueryPtr query) {
  Expr expr;
  expr.kind = ExprKind::Quantified;
  expr.op = op;
  expr.quantifier = quantifier;
  expr.operands = {std::move(operand)};
  expr.type = {BaseType::Bool, {}, membershipNullable(expr.operands, *query)};
  expr.query = std::move(query);
  return share(std::move(expr));
}

ExprPtr makeScalar(QueryPtr query) {
  assert(query->columns.size() == 1);
  Expr expr;
  expr.kind = ExprKind::Scalar;
  expr.type = query->columns[0].type;
  expr.type.nullable |= !hasExactlyOneRow(*query);
  expr.query = std::move(query);
  return share(std::move(expr));
}

ExprPtr makeAnd(std::vector<ExprPtr> operands) {
  std::vector<ExprPtr> flat;
  for (ExprPtr &operand : operands)
    if (operand->kind == ExprKind::Call && operand->op == Op::And)
      flat.insert(flat.end(), operand->operands.begin(), operand->operands.end());
    else
      flat.push_back(std::move(operand));
  if (flat.empty())
    return makeBool(true);
  return flat.size() == 1 ? flat[0] : makeCall(Op::And, std::move(flat));
}

} // namespace imbrex::sql
