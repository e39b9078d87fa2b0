// Names and the kinds of expressions.
#include "proof/sql/bind/Binder.h"
#include "proof/sql/query/Builders.h"
#include "proof/sql/query/Rewrite.h"
#include "proof/sql/query/Types.h"
#include "support/text/Nearest.h"

#include <algorithm>
#include <set>

namespace imbrex::sql {

static std::string nameText(const std::vector<ast::Name> &names) {
  std::string text;
  for (const ast::Name &name : names)
    text += (text.empty() ? "" : ".") + name.text;
  return text;
}

/// What was probably meant by the name of no column.
static std::string remedyFor(const std::vector<ast::Name> &names, const std::string &table,
                             const Scope &scope) {
  if (names.size() == 1 && names[0].quoted && names[0].text.find('\'') == std::string::npos)
    return "'" + names[0].text + "', in single quotes, if it is a text";
  std::vector<std::string> known;
  for (const Scope *s = &scope; s; s = s->outer)
    for (const ScopeColumn &column : *s->columns)
      if (table.empty() || column.table == table)
        known.push_back(column.written);
  const std::string near = nearestName(names.back().text, known);
  return near.empty() ? "a column of FROM" : near;
}

/// Innermost row first; in a row, a qualified name also finds merged columns.
ExprPtr Binder::resolve(const std::vector<ast::Name> &names, const Scope &scope, Place place) {
  std::string name = folded(names.back());
  std::string table = names.size() > 1 ? folded(names[names.size() - 2]) : "";
  auto matches = [&](const ScopeColumn &c) {
    return (c.name == name || c.name == AnyColumn) &&
           (table.empty() ? !c.merged : c.table == table);
  };
  uint32_t depth = 0;
  for (const Scope *s = &scope; s; s = s->outer, ++depth) {
    const ScopeColumn *found = nullptr;
    for (const ScopeColumn &column : *s->columns) {
      if (!matches(column))
        continue;
      if (found && column.name != AnyColumn && found->name != AnyColumn)
        fail(1022, "the column " + nameText(names) + " is ambiguous",
             "several tables have one of that name", "its table before it", place);
      if (!found || found->name == AnyColumn)
        found = &column;
    }
    const std::vector<ScopeColumn> *aliases = table.empty() && !found ? s->aliases : nullptr;
    for (const ScopeColumn &alias : aliases ? *aliases : std::vector<ScopeColumn>())
      if (alias.name == name)
        return shifted(alias.expr, depth);
    if (!found)
      continue;
    auto column = std::make_shared<const Expr>(*shifted(found->expr, depth));
    places.emplace(column.get(), place);
    placed.push_back(column);
    if (found->length)
      lengths.emplace(column.get(), found->length);
    if (found->length == RealColumn)
      reals.insert(column);
    return column;
  }
  if (ExprPtr column = repaired(names, scope))
    return column;
  // Functions of nothing that need no parentheses.
  static const std::set<std::string> constants = {
      "CURRENT_DATE",   "CURRENT_TIME", "LOCALTIME",    "CURRENT_TIMESTAMP",
      "LOCALTIMESTAMP", "CURRENT_USER", "SESSION_USER", "USER"};
  ast::Expr call;
  call.place = place;
  call.names = names;
  if (names.size() == 1 && !names[0].quoted && constants.contains(upperCase(names[0].text)))
    return bindScalarFunction(upperCase(names[0].text), call, scope, nullptr);
  fail(1021, "there is no column " + nameText(names),
       scope.clause[0] ? std::string("no table around this ") + scope.clause + " has it" : "",
       remedyFor(names, table, scope), place);
}

std::vector<ExprPtr> Binder::bindAll(const std::vector<ast::ExprPtr> &exprs, const Scope &scope,
                                     const CommonScope *common) {
  std::vector<ExprPtr> result;
  for (const ast::ExprPtr &expr : exprs)
    result.push_back(bindExpr(expr, scope, common));
  return result;
}

std::vector<ExprPtr> Binder::bindRow(const ast::ExprPtr &expr, const Scope &scope,
                                     const CommonScope *common) {
  if (expr->kind == ast::ExprKind::Row)
    return bindAll(expr->operands, scope, common);
  return {bindExpr(expr, scope, common)};
}

ExprPtr Binder::bindCondition(const ast::ExprPtr &expr, const Scope &scope,
                              const CommonScope *common) {
  return toCondition(bindExpr(expr, scope, common), expr->place);
}

ExprPtr Binder::bindExpr(const ast::ExprPtr &expr, const Scope &scope, const CommonScope *common) {
  if (!rules.repairsNames || expr->operands.size() + expr->call.star == 0)
    return bindKind(expr, scope, common);
  if (ExprPtr column = repairedForeign(expr, scope))
    return column;
  try {
    return bindKind(expr, scope, common);
  } catch (BindError &error) {
    bool unknownName = error.error.code == 1021 || error.error.code == 1041;
    ExprPtr column = unknownName ? repairedText(*expr, scope) : nullptr;
    if (!column)
      throw;
    return column;
  }
}

ExprPtr Binder::bindKind(const ast::ExprPtr &expr, const Scope &scope, const CommonScope *common) {
  switch (expr->kind) {
  case ast::ExprKind::Name:
    return resolve(expr->names, scope, expr->place);
  case ast::ExprKind::Star:
    fail(1021, "* in a wrong place", "", "a list of columns", expr->place);
  case ast::ExprKind::Number:
    return bindNumber(*expr);
  case ast::ExprKind::Text:
    if (expr->text.empty() && semantics.emptyText == EmptyText::Null)
      return makeNull({BaseType::Text});
    return makeText(expr->text);
  case ast::ExprKind::Typed:
    return typedLiteral(expr->text, declaredType(expr->type), expr->place);
  case ast::ExprKind::Interval:
    return typedLiteral(expr->text, {BaseType::Interval}, expr->place);
  case ast::ExprKind::Null:
    return makeNull();
  case ast::ExprKind::Bool:
    return makeBool(expr->flag);
  case ast::ExprKind::Parameter:
    return makeParameter(expr->text, {});
  case ast::ExprKind::Call:
    return bindOperator(*expr, scope, common);
  case ast::ExprKind::Like: {
    std::vector<ExprPtr> operands = bindAll(expr->operands, scope, common);
    for (ExprPtr &operand : operands)
      operand = coerce(operand, {BaseType::Text}, expr->place, "LIKE");
    bool nullable = std::any_of(operands.begin(), operands.end(),
                                [](const ExprPtr &e) { return e->type.nullable; });
    ExprPtr like = operands.size() == 2 ? makeCall(Op::Like, std::move(operands))
                                        : makeFunction("LIKE ESCAPE", std::move(operands),
                                                       {BaseType::Bool, {}, nullable});
    return expr->negated ? makeCall(Op::Not, {like}) : like;
  }
  case ast::ExprKind::Between:
    return bindBetween(*expr, scope, common);
  case ast::ExprKind::InList:
    return bindInList(*expr, scope, common);
  case ast::ExprKind::InQuery:
    return bindInQuery(*expr, scope, common);
  case ast::ExprKind::Exists:
    return makeExists(bindSubquery(expr->query, scope, common).query);
  case ast::ExprKind::Quantified:
    return bindQuantified(*expr, scope, common);
  case ast::ExprKind::Case:
    return bindCase(*expr, scope, common);
  case ast::ExprKind::Cast:
    return bindCast(*expr, scope, common);
  case ast::ExprKind::Function:
    return bindFunction(*expr, scope, common);
  case ast::ExprKind::Scalar: {
    NamedQuery query = bindSubquery(expr->query, scope, common);
    if (query.query->columns.size() != 1)
      fail(1031,
           "a subquery used as a value has " + std::to_string(query.query->columns.size()) +
               " columns",
           "a value has one", "selecting one column", expr->place);
    return makeScalar(query.query);
  }
  case ast::ExprKind::Row:
    notSupported("a row as a value", expr->place);
  }
  return nullptr;
}

ExprPtr Binder::bindCase(const ast::Expr &expr, const Scope &scope, const CommonScope *common) {
  size_t first = expr.flag, count = expr.operands.size();
  ExprPtr compared = expr.flag ? bindExpr(expr.operands[0], scope, common) : nullptr;
  if (compared)
    chargeCopies(compared, count / 2, expr.place);
  std::vector<ExprPtr> conditions, values;
  for (size_t i = first; i + 1 < count; i += 2) {
    ExprPtr when = bindExpr(expr.operands[i], scope, common);
    conditions.push_back(compared ? compare(Op::Equal, compared, when, expr.place)
                                  : toCondition(when, expr.operands[i]->place));
    values.push_back(bindExpr(expr.operands[i + 1], scope, common));
  }
  values.push_back(bindExpr(expr.operands.back(), scope, common));
  unify(values, expr.place, "CASE");
  std::vector<ExprPtr> operands;
  for (size_t i = 0; i < conditions.size(); ++i) {
    operands.push_back(conditions[i]);
    operands.push_back(values[i]);
  }
  operands.push_back(values.back());
  return makeCall(Op::Case, std::move(operands));
}

ExprPtr Binder::bindCast(const ast::Expr &expr, const Scope &scope, const CommonScope *common) {
  ExprPtr operand = bindExpr(expr.operands[0], scope, common);
  Type type = declaredType(expr.type);
  if (type.base == BaseType::Text)
    refuseDigits(operand, expr.place);
  bool isText = operand->kind == ExprKind::Literal && operand->type.base == BaseType::Text;
  bool fits = isText && type.base == BaseType::Text && !expr.type.parameters.empty() &&
              !expr.type.name.starts_with("CHAR") &&
              int64_t(std::get<std::string>(operand->value).size()) <= expr.type.parameters[0];
  if (fits)
    return operand;
  if (operand->type.base == BaseType::Unknown)
    return coerce(operand, type, expr.place, "CAST");
  auto length = lengths.find(operand.get());
  if (length != lengths.end() && sameBase(operand->type, type) && !expr.type.parameters.empty() &&
      length->second <= expr.type.parameters[0] && type.base == BaseType::Text)
    return operand;
  if (!keepsEveryValue(operand->type, expr.type) ||
      (expr.type.name.starts_with("CHAR") && expr.type.name.find("VARYING") == std::string::npos)) {
    std::string name = "CAST TO " + expr.type.name;
    for (size_t i = 0; i < expr.type.parameters.size(); ++i)
      name += (i ? "," : "(") + std::to_string(expr.type.parameters[i]);
    name += expr.type.parameters.empty() ? "" : ")";
    type.nullable = operand->type.nullable;
    return makeFunction(name, {operand}, type);
  }
  if (sameBase(operand->type, type))
    return operand;
  bool dates = type.base == BaseType::Date || type.base == BaseType::Time ||
               type.base == BaseType::Timestamp || type.base == BaseType::Interval;
  if (isText && dates)
    return typedLiteral(std::get<std::string>(operand->value), type, expr.place);
  if (operand->kind == ExprKind::Literal && operand->type.base == BaseType::Int &&
      type.base == BaseType::Number)
    return coerce(operand, type, expr.place, "CAST");
  return makeCast(operand, type);
}

} // namespace imbrex::sql
