#include "proof/sql/engine/Printer.h"
#include "proof/sql/query/Types.h"

namespace imbrex::sql::print {

Texts Printer::exprs(const std::vector<ExprPtr> &list) {
  Texts result;
  for (const ExprPtr &e : list)
    result.push_back(expr(*e));
  return result;
}

std::string Printer::exprOver(const Expr &e, const Texts &row) {
  scopes.push_back(row);
  std::string text = expr(e);
  scopes.pop_back();
  return text;
}

Texts Printer::exprsOver(const std::vector<ExprPtr> &list, const Texts &row) {
  scopes.push_back(row);
  Texts result = exprs(list);
  scopes.pop_back();
  return result;
}

std::string Printer::column(const Expr &e) { return scopes[scopes.size() - 1 - e.depth][e.index]; }

std::string Printer::expr(const Expr &e) {
  switch (e.kind) {
  case ExprKind::Column:
    return column(e);
  case ExprKind::Literal:
    return printValue(e.value, e.type, engine);
  case ExprKind::Parameter: {
    auto found = meaning.parameters.find(e.name);
    return found == meaning.parameters.end() ? refuse("the parameter " + e.name)
                                             : printValue(found->second, e.type, engine);
  }
  case ExprKind::Call:
    return call(e);
  case ExprKind::Exists:
    return "EXISTS (" + select(*e.query) + ")";
  case ExprKind::In: {
    std::string row = join(exprs(e.operands), ", ");
    return "(" + (e.operands.size() == 1 ? row : "(" + row + ")") + " IN (" + select(*e.query) +
           "))";
  }
  case ExprKind::Quantified:
    return quantified(e);
  case ExprKind::Scalar:
    return "(" + select(*e.query) + ")";
  }
  return {};
}

/// SQLite has no ANY and ALL: a decisive row decides, else an unknown one, else none.
std::string Printer::quantified(const Expr &e) {
  std::string left = expr(*e.operands[0]);
  bool any = e.quantifier == Quantifier::Any;
  if (!sqlite())
    return "(" + left + " " + opName(e.op) + (any ? " ANY (" : " ALL (") + select(*e.query) + "))";
  Source rows = wrapped(select(*e.query), 1);
  std::string comparison = left + " " + opName(e.op) + " " + rows.columns[0];
  std::string from = "EXISTS (SELECT 1 FROM " + rows.from + " WHERE ";
  return "(CASE WHEN " + from + (any ? comparison : "NOT (" + comparison + ")") + ") THEN " +
         (any ? "TRUE" : "FALSE") + " WHEN " + from + "(" + comparison + ") IS NULL) THEN NULL " +
         "ELSE " + (any ? "FALSE" : "TRUE") + " END)";
}

std::string Printer::division(const Expr &e) {
  Texts operands = exprs(e.operands);
  std::string divisor = operands[1];
  if (semantics.errors == ErrorPolicy::AsNull && !sqlite())
    divisor = "NULLIF(" + divisor + ", 0)";
  bool integers = e.operands[0]->type.base == BaseType::Int;
  if (e.op == Op::Modulo) {
    if (sqlite() && !integers)
      return refuse("a remainder of numbers that are no integers");
    return "(" + operands[0] + " % " + divisor + ")";
  }
  return "(" + operands[0] + " / " + divisor + ")";
}

std::string Printer::cast(const Expr &e) {
  std::string operand = expr(*e.operands[0]);
  BaseType from = e.operands[0]->type.base, to = e.type.base;
  if (from == to || to == BaseType::Unknown)
    return operand;
  if (to == BaseType::Bool && (from == BaseType::Int || from == BaseType::Number))
    return "(" + operand + " <> 0)";
  if (from == BaseType::Bool && to == BaseType::Int)
    return "(CASE WHEN " + operand + " THEN 1 WHEN NOT " + operand + " THEN 0 END)";
  bool numbers = (from == BaseType::Int || from == BaseType::Number) &&
                 (to == BaseType::Int || to == BaseType::Number);
  bool texts = (from == BaseType::Int && to == BaseType::Text) ||
               (from == BaseType::Text && (to == BaseType::Int || to == BaseType::Number));
  if (!numbers && !texts && from != BaseType::Unknown)
    return refuse("a cast from " + typeName(e.operands[0]->type) + " to " + typeName(e.type));
  if (numbers && to == BaseType::Int && !sqlite() && semantics.dialect != Dialect::Postgres &&
      semantics.dialect != Dialect::MySql)
    operand = "TRUNC(" + operand + ")";
  return "CAST(" + operand + " AS " + typeText(e.type, engine) + ")";
}

std::string Printer::call(const Expr &e) {
  auto operand = [&](size_t i) { return expr(*e.operands[i]); };
  auto postfix = [&](const char *text) { return "(" + operand(0) + text + ")"; };
  switch (e.op) {
  case Op::And:
    return "(" + join(exprs(e.operands), " AND ") + ")";
  case Op::Or:
    return "(" + join(exprs(e.operands), " OR ") + ")";
  case Op::Concat:
    return "(" + join(exprs(e.operands), " || ") + ")";
  case Op::Not:
    return "(NOT " + operand(0) + ")";
  case Op::IsNull:
    return postfix(" IS NULL");
  case Op::IsNotNull:
    return postfix(" IS NOT NULL");
  case Op::IsTrue:
    return postfix(" IS TRUE");
  case Op::IsNotTrue:
    return postfix(" IS NOT TRUE");
  case Op::IsFalse:
    return postfix(" IS FALSE");
  case Op::IsNotFalse:
    return postfix(" IS NOT FALSE");
  case Op::Negate:
    return "(- " + operand(0) + ")";
  case Op::Divide:
  case Op::Modulo:
    return division(e);
  case Op::Case: {
    std::string text = "(CASE";
    size_t i = 0;
    for (; i + 1 < e.operands.size(); i += 2)
      text += " WHEN " + operand(i) + " THEN " + operand(i + 1);
    return text + " ELSE " + operand(i) + " END)";
  }
  case Op::Coalesce:
    return e.operands.size() == 1 ? operand(0) : "COALESCE(" + join(exprs(e.operands), ", ") + ")";
  case Op::Cast:
    return cast(e);
  case Op::Function:
    return function(e);
  default:
    return "(" + operand(0) + " " + opName(e.op) + " " + operand(1) + ")";
  }
}

} // namespace imbrex::sql::print
