// Expressions: columns, subqueries, and calls by operator name. Calcite and CockroachDB spell the
// same operators differently; one table holds both.
#include "proof/sql/qed/QedReader.h"

#include "proof/sql/query/Types.h"

#include <map>
#include <set>

namespace imbrex::sql::qed {

namespace {

const std::map<std::string, Op> Ops = {
    {"AND", Op::And},
    {"OR", Op::Or},
    {"NOT", Op::Not},
    {"=", Op::Equal},
    {"EQ", Op::Equal},
    {"<>", Op::NotEqual},
    {"NE", Op::NotEqual},
    {"<", Op::Less},
    {"LT", Op::Less},
    {"<=", Op::LessEqual},
    {"LE", Op::LessEqual},
    {">", Op::Greater},
    {"GT", Op::Greater},
    {">=", Op::GreaterEqual},
    {"GE", Op::GreaterEqual},
    {"IS NULL", Op::IsNull},
    {"IS NOT NULL", Op::IsNotNull},
    {"IS TRUE", Op::IsTrue},
    {"IS NOT TRUE", Op::IsNotTrue},
    {"IS FALSE", Op::IsFalse},
    {"IS NOT FALSE", Op::IsNotFalse},
    {"IS DISTINCT FROM", Op::IsDistinct},
    {"IS NOT", Op::IsDistinct},
    {"IS NOT DISTINCT FROM", Op::IsNotDistinct},
    {"IS", Op::IsNotDistinct},
    {"<=>", Op::IsNotDistinct},
    {"+", Op::Add},
    {"PLUS", Op::Add},
    {"-", Op::Subtract},
    {"MINUS", Op::Subtract},
    {"*", Op::Multiply},
    {"MULT", Op::Multiply},
    {"/", Op::Divide},
    {"DIV", Op::Divide},
    {"FLOOR DIV", Op::Divide},
    {"MOD", Op::Modulo},
    {"UNARY MINUS", Op::Negate},
    {"COALESCE", Op::Coalesce},
    {"LIKE", Op::Like},
    {"||", Op::Concat},
    {"CONCAT", Op::Concat},
};

/// Functions of a window whose window the file lost.
const std::set<std::string> WindowOnly = {"RANK", "DENSE_RANK", "ROW_NUMBER", "NTILE",
                                          "LAG",  "LEAD",       "SUM",        "COUNT",
                                          "AVG",  "MIN",        "MAX"};

const std::map<std::string, Op> Quantified = {
    {"= SOME", Op::Equal},      {"<> SOME", Op::NotEqual}, {"< SOME", Op::Less},
    {"<= SOME", Op::LessEqual}, {"> SOME", Op::Greater},   {">= SOME", Op::GreaterEqual}};

/// Flags such as BOTH and YEAR are functions without operands in these files.
std::string flagOf(const ExprPtr &expr) {
  bool isFlag = expr->kind == ExprKind::Call && expr->op == Op::Function && expr->operands.empty();
  return isFlag ? expr->name : "";
}

/// In the form in which SQL texts have it, where that form has a meaning.
ExprPtr readFunction(const std::string &name, std::vector<ExprPtr> operands, const Type &type) {
  std::string flag = operands.empty() ? "" : flagOf(operands[0]);
  if (name == "TRIM" && operands.size() == 3 &&
      (flag == "BOTH" || flag == "LEADING" || flag == "TRAILING"))
    return makeTrim(flag, operands[2], operands[1], type);
  if (name == "EXTRACT" && operands.size() == 2 && !flag.empty())
    operands[0] = makeText(flag);
  return makeFunction(name, std::move(operands), type);
}

bool isArithmetic(Op op) { return op >= Op::Add && op <= Op::Negate; }

/// The operands as `op` wants them, or none when they do not fit: the call is a function then.
std::vector<ExprPtr> fit(Op op, std::vector<ExprPtr> operands, const Type &type) {
  if (op == Op::And || op == Op::Or || op == Op::Not)
    for (ExprPtr &operand : operands)
      operand = castTo(operand, {operand->type.base == BaseType::Unknown ? Type{BaseType::Bool}
                                                                         : operand->type});
  if (isArithmetic(op) && type.base == BaseType::Number)
    for (ExprPtr &operand : operands)
      if (isNumeric(operand->type))
        operand = castTo(operand, type);
  bool mixable = isComparison(op) || isArithmetic(op) || op == Op::Coalesce;
  if (mixable && !unify(operands))
    return {};
  return callType(op, operands).ok() ? operands : std::vector<ExprPtr>{};
}

} // namespace

Result<std::vector<ExprPtr>> Reader::readExprs(const Json &json) {
  std::vector<ExprPtr> exprs;
  for (const Json &item : json.items()) {
    Result<ExprPtr> expr = readExpr(item);
    if (!expr)
      return expr.takeError();
    exprs.push_back(expr.take());
  }
  return exprs;
}

Result<ExprPtr> Reader::readExpr(const Json &json) {
  if (++parts > MostParts)
    return tooLarge("parts", MostParts);
  if (json.has("column"))
    return readColumn(json);
  if (!json.at("operator").isText() || !json.at("operand").isArray())
    return damaged("an expression is expected, with a column or an operator");
  if (json.has("query"))
    return readSubquery(json);
  std::string op = json.at("operator").toText();
  Type type = readType(json.at("type").toText());
  if (json.at("operand").items().empty()) {
    if (op == "AND" || op == "OR")
      return makeBool(op == "AND");
    if (WindowOnly.count(op))
      return refused("the window function " + op, "the file lost its window");
    return readLeaf(op, type);
  }
  return readCall(op, json, type);
}

Result<ExprPtr> Reader::readColumn(const Json &json) {
  int64_t number = json.at("column").toInt(-1);
  if (number < 0)
    return damaged("a column has no number");
  uint64_t rest = uint64_t(number);
  for (size_t i = 0; i < scopes.size(); ++i) {
    if (rest < scopes[i].size())
      return makeColumn(uint32_t(scopes.size() - 1 - i), uint32_t(rest), scopes[i][rest].type);
    rest -= scopes[i].size();
  }
  return damaged("column " + std::to_string(number) + " is none of the rows at hand");
}

Result<ExprPtr> Reader::readSubquery(const Json &json) {
  std::string op = json.at("operator").toText();
  Result<QueryPtr> query = readQuery(json.at("query"));
  if (!query)
    return query.takeError();
  Result<std::vector<ExprPtr>> operands = readExprs(json.at("operand"));
  if (!operands)
    return operands.takeError();
  size_t width = (*query)->columns.size();
  if (op == "EXISTS" && operands->empty())
    return makeExists(*query);
  if (op == "$SCALAR_QUERY" && operands->empty() && width == 1)
    return makeScalar(*query);
  auto quantified = Quantified.find(op);
  if (op != "IN" && quantified == Quantified.end())
    return refused("the subquery operator '" + op + "'");
  if (operands->size() != width || width == 0 || (op != "IN" && width != 1))
    return refused("'" + op + "' over a subquery of " + std::to_string(width) + " columns");
  std::vector<ExprPtr> columns;
  for (uint32_t i = 0; i < width; ++i) {
    std::vector<ExprPtr> sides = {(*operands)[i], makeColumn(**query, i)};
    if (!unify(sides))
      return refused("'" + op + "' over values of different types");
    (*operands)[i] = sides[0];
    columns.push_back(sides[1]);
  }
  QueryPtr input = *query;
  for (const ExprPtr &column : columns)
    if (column->kind != ExprKind::Column) {
      input = makeProject(input, columns);
      break;
    }
  if (op == "IN")
    return makeIn(operands.take(), input);
  return makeQuantified((*operands)[0], quantified->second, Quantifier::Any, input);
}

Result<ExprPtr> Reader::readCase(std::vector<ExprPtr> operands, const Type &type) {
  // CockroachDB puts the value that is compared first, TRUE when there is none.
  if (operands.size() % 2 == 0) {
    ExprPtr subject = operands[0];
    operands.erase(operands.begin());
    bool searched = subject->kind == ExprKind::Literal && subject->value == Value(true);
    for (size_t i = 0; !searched && i + 1 < operands.size(); i += 2) {
      std::vector<ExprPtr> sides = {subject, operands[i]};
      if (!unify(sides))
        return refused("CASE compares values of different types");
      operands[i] = makeCall(Op::Equal, sides);
    }
  }
  std::vector<ExprPtr> values;
  for (size_t i = 1; i < operands.size(); i += 2)
    values.push_back(operands[i]);
  values.push_back(operands.back());
  if (!unify(values))
    return refused("CASE with values of different types");
  for (size_t i = 1, v = 0; i < operands.size(); i += 2)
    operands[i] = values[v++];
  operands.back() = values.back();
  if (!callType(Op::Case, operands).ok())
    return refused("CASE with a condition that is none");
  return castTo(makeCall(Op::Case, operands), type);
}

Result<ExprPtr> Reader::readCall(const std::string &op, const Json &json, const Type &type) {
  Json list = json.at("operand");
  // CockroachDB passes arguments of functions as one list.
  std::vector<Json> items = list.items();
  if (items.size() == 1 && items[0].at("operator").toText() == "SCALAR LIST")
    list = items[0].at("operand");
  if (op == "SEARCH" && items.size() == 2) {
    Result<ExprPtr> operand = readExpr(items[0]);
    return operand ? readSearch(*operand, items[1].at("operator").toText()) : operand;
  }
  Result<std::vector<ExprPtr>> operands = readExprs(list);
  if (!operands)
    return operands.takeError();
  if (WindowOnly.count(op))
    return refused("the window function " + op, "the file lost its window");
  if (op == "CAST" && operands->size() == 1)
    return castTo((*operands)[0], type);
  if (op == "CASE" && operands->size() >= 3)
    return readCase(operands.take(), type);
  if (op == "NOT LIKE") {
    std::vector<ExprPtr> fitting = fit(Op::Like, *operands, type);
    if (!fitting.empty())
      return makeCall(Op::Not, {makeCall(Op::Like, fitting)});
  }
  auto found = Ops.find(op);
  // A floor of decimals is no quotient; of integers it is one that truncates.
  bool floored = op == "FLOOR DIV" && type.base != BaseType::Int;
  if (found != Ops.end() && !floored) {
    if (operands->size() == 1 && (found->second == Op::And || found->second == Op::Or) &&
        (*operands)[0]->type.base == BaseType::Bool)
      return (*operands)[0];
    std::vector<ExprPtr> fitting = fit(found->second, *operands, type);
    if (!fitting.empty())
      return makeCall(found->second, fitting);
  }
  return readFunction(op, operands.take(), type);
}

} // namespace imbrex::sql::qed
