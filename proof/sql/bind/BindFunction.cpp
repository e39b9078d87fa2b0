// Functions of values. Those that the algebra knows become its operators; the others stay functions
// that are deterministic and otherwise unknown.
#include "proof/sql/bind/Binder.h"
#include "proof/sql/query/Builders.h"
#include "proof/sql/query/Rewrite.h"
#include "proof/sql/query/Types.h"

#include <algorithm>
#include <unordered_map>

namespace imbrex::sql {
namespace {

/// Arguments: t text, i integer, n number of its own kind, a anything, d date or time; * repeats
/// the last. Result: T I N B D Z (timestamp) M (time), 0 as the first argument, C the common type
/// of all.
struct Signature {
  const char *arguments;
  size_t least;
  char result;
  bool mayBeNull = false; // also where no argument is
};

const std::unordered_map<std::string, Signature> &signatures() {
  static const std::unordered_map<std::string, Signature> table = {
      {"UPPER", {"t", 1, 'T'}},
      {"LOWER", {"t", 1, 'T'}},
      {"UCASE", {"t", 1, 'T'}},
      {"LCASE", {"t", 1, 'T'}},
      {"INITCAP", {"t", 1, 'T'}},
      {"TRIM", {"ttt", 1, 'T'}},
      {"LTRIM", {"tt", 1, 'T'}},
      {"RTRIM", {"tt", 1, 'T'}},
      {"BTRIM", {"tt", 1, 'T'}},
      {"SUBSTRING", {"tai", 2, 'T'}},
      {"SUBSTR", {"tii", 2, 'T'}},
      {"LEFT", {"ti", 2, 'T'}},
      {"RIGHT", {"ti", 2, 'T'}},
      {"LPAD", {"tit", 2, 'T'}},
      {"RPAD", {"tit", 2, 'T'}},
      {"REPLACE", {"ttt", 3, 'T'}},
      {"REVERSE", {"t", 1, 'T'}},
      {"REPEAT", {"ti", 2, 'T'}},
      {"OVERLAY", {"ttii", 3, 'T'}},
      {"TRANSLATE", {"ttt", 3, 'T'}},
      {"LENGTH", {"t", 1, 'I'}},
      {"CHAR_LENGTH", {"t", 1, 'I'}},
      {"CHARACTER_LENGTH", {"t", 1, 'I'}},
      {"OCTET_LENGTH", {"t", 1, 'I'}},
      {"POSITION", {"tt", 2, 'I'}},
      {"STRPOS", {"tt", 2, 'I'}},
      {"INSTR", {"tt", 2, 'I'}},
      {"ASCII", {"t", 1, 'I'}},
      {"CHR", {"i", 1, 'T'}},
      {"TO_CHAR", {"at", 1, 'T'}},
      {"TO_DATE", {"tt", 1, 'D'}},
      {"TO_TIMESTAMP", {"at", 1, 'Z'}},
      {"ILIKE", {"tt", 2, 'B'}},
      {"GLOB", {"tt", 2, 'B'}},
      {"REGEXP", {"tt", 2, 'B'}},
      {"RLIKE", {"tt", 2, 'B'}},
      {"SIMILAR", {"tt", 2, 'B'}},
      {"ABS", {"n", 1, '0'}},
      {"SIGN", {"n", 1, '0'}},
      {"FLOOR", {"at", 1, '0'}},
      {"CEIL", {"at", 1, '0'}},
      {"CEILING", {"at", 1, '0'}},
      {"ROUND", {"ni", 1, '0'}},
      {"TRUNC", {"ni", 1, '0'}},
      {"TRUNCATE", {"ni", 1, '0'}},
      {"POWER", {"nn", 2, 'N', true}},
      {"POW", {"nn", 2, 'N', true}},
      {"SQRT", {"n", 1, 'N', true}},
      {"CBRT", {"n", 1, 'N'}},
      {"EXP", {"n", 1, 'N'}},
      {"LN", {"n", 1, 'N', true}},
      {"LOG", {"nn", 1, 'N', true}},
      {"LOG10", {"n", 1, 'N', true}},
      {"SIN", {"n", 1, 'N'}},
      {"COS", {"n", 1, 'N'}},
      {"TAN", {"n", 1, 'N'}},
      {"ASIN", {"n", 1, 'N', true}},
      {"ACOS", {"n", 1, 'N', true}},
      {"ATAN", {"n", 1, 'N'}},
      {"ATAN2", {"nn", 2, 'N'}},
      {"PI", {"", 0, 'N'}},
      {"EXTRACT", {"ta", 2, 'N'}},
      {"DATE_PART", {"ta", 2, 'N'}},
      {"YEAR", {"d", 1, 'I'}},
      {"QUARTER", {"d", 1, 'I'}},
      {"MONTH", {"d", 1, 'I'}},
      {"WEEK", {"d", 1, 'I'}},
      {"DAY", {"d", 1, 'I'}},
      {"DAYOFMONTH", {"d", 1, 'I'}},
      {"HOUR", {"d", 1, 'I'}},
      {"MINUTE", {"d", 1, 'I'}},
      {"SECOND", {"d", 1, 'I'}},
      {"DATE_TRUNC", {"td", 2, 'Z'}},
      {"TIMESTAMPADD", {"tid", 3, 'Z'}},
      {"TIMESTAMPDIFF", {"tdd", 3, 'I'}},
      {"DATEDIFF", {"dd", 2, 'I'}},
      {"CURRENT_DATE", {"", 0, 'D'}},
      {"CURRENT_TIME", {"i", 0, 'M'}},
      {"CURRENT_TIMESTAMP", {"i", 0, 'Z'}},
      {"LOCALTIME", {"i", 0, 'M'}},
      {"LOCALTIMESTAMP", {"i", 0, 'Z'}},
      {"NOW", {"", 0, 'Z'}},
      {"CURRENT_USER", {"", 0, 'T'}},
      {"SESSION_USER", {"", 0, 'T'}},
      {"USER", {"", 0, 'T'}},
  };
  return table;
}

/// Names that mean the same function.
std::string canonical(const std::string &name) {
  static const std::unordered_map<std::string, std::string> others = {
      {"UCASE", "UPPER"},      {"LCASE", "LOWER"},
      {"SUBSTR", "SUBSTRING"}, {"CEILING", "CEIL"},
      {"POW", "POWER"},        {"CHARACTER_LENGTH", "CHAR_LENGTH"},
      {"TRUNCATE", "TRUNC"},   {"NOW", "CURRENT_TIMESTAMP"}};
  auto found = others.find(name);
  return found == others.end() ? name : found->second;
}

/// TRIM has its side as the last argument.
ExprPtr trimmed(const std::string &name, std::vector<ExprPtr> operands, const Type &type) {
  std::string side = name == "LTRIM" ? "LEADING" : name == "RTRIM" ? "TRAILING" : "BOTH";
  if (name == "TRIM") {
    side = std::get<std::string>(operands.back()->value);
    operands.pop_back();
  }
  return makeTrim(side, operands[0], operands.size() > 1 ? operands[1] : nullptr, type);
}

Type plain(BaseType base) { return {base, {}, false}; }

} // namespace

/// COALESCE and its like, which are operators of the algebra. Null: not one of them.
/// GREATEST and LEAST: PostgreSQL skips NULL, elsewhere one NULL makes NULL.
ExprPtr Binder::bindExtreme(Op wins, std::vector<ExprPtr> operands, Place place) {
  unify(operands, place, wins == Op::GreaterEqual ? "GREATEST" : "LEAST");
  bool skipsNull = rules.dialect == Dialect::Postgres;
  Op loses = wins == Op::GreaterEqual ? Op::Less : Op::Greater;
  ExprPtr best = operands[0];
  for (size_t i = 1; i < operands.size(); ++i) {
    const ExprPtr &next = operands[i];
    chargeCopies(best, 3, place);
    chargeCopies(next, 3, place);
    ExprPtr first = compare(wins, best, next, place);
    best = skipsNull ? makeCall(Op::Case, {makeCall(Op::Or, {first, makeCall(Op::IsNull, {next})}),
                                           best, next})
                     : makeCall(Op::Case, {first, best, compare(loses, best, next, place), next,
                                           makeNull(next->type)});
  }
  return best;
}

ExprPtr Binder::bindConditional(const std::string &name, const ast::Expr &expr,
                                std::vector<ExprPtr> operands) {
  auto needs = [&](size_t count) {
    if (operands.size() != count)
      fail(1031, name + " needs " + std::to_string(count) + " arguments", "", "that many",
           expr.place);
  };
  if (name == "COALESCE" || name == "IFNULL" || name == "NVL") {
    if (name != "COALESCE")
      needs(2);
    if (operands.empty())
      fail(1031, "COALESCE without arguments", "", "two or more", expr.place);
    unify(operands, expr.place, name);
    return makeCall(Op::Coalesce, std::move(operands));
  }
  if (name == "NULLIF") {
    needs(2);
    chargeCopies(operands[0], 2, expr.place);
    ExprPtr equal = compare(Op::Equal, operands[0], operands[1], expr.place);
    return makeCall(Op::Case, {equal, makeNull(operands[0]->type), operands[0]});
  }
  if ((name == "GREATEST" || name == "LEAST") && !operands.empty())
    return bindExtreme(name == "GREATEST" ? Op::GreaterEqual : Op::LessEqual, std::move(operands),
                       expr.place);
  if (name == "IF" || name == "IIF") {
    needs(3);
    std::vector<ExprPtr> values = {operands[1], operands[2]};
    unify(values, expr.place, name);
    return makeCall(Op::Case, {toCondition(operands[0], expr.place), values[0], values[1]});
  }
  if (name == "CONCAT" && operands.size() >= 2) {
    if (semantics.emptyText == EmptyText::Null)
      notSupported("CONCAT where '' is NULL", expr.place);
    bool skipsNull = rules.dialect == Dialect::Postgres || rules.dialect == Dialect::Sqlite;
    for (ExprPtr &operand : operands) {
      refuseDigits(operand, expr.place);
      if (!agree(operand->type, {BaseType::Text}))
        operand = makeCast(operand, {BaseType::Text});
      operand = coerce(operand, {BaseType::Text}, expr.place, name);
      if (skipsNull)
        operand = makeCall(Op::Coalesce, {operand, makeText("")});
    }
    return makeCall(Op::Concat, std::move(operands));
  }
  if (name == "MOD" || name == "DIV") {
    needs(2);
    if (name == "DIV") {
      for (ExprPtr &operand : operands) {
        if (operand->type.base == BaseType::Number)
          notSupported("DIV of numbers that may be no integers", expr.place);
        operand = coerce(operand, {BaseType::Int}, expr.place, name);
      }
      Semantics truncating = semantics;
      truncating.division = IntegerDivision::Truncate;
      return Binder(schema, truncating, file)
          .arithmetic(Op::Divide, operands[0], operands[1], expr.place);
    }
    return arithmetic(Op::Modulo, operands[0], operands[1], expr.place);
  }
  return nullptr;
}

std::vector<ExprPtr> Binder::bindArguments(const std::vector<ast::ExprPtr> &exprs,
                                           const Scope &scope, const CommonScope *common) {
  std::vector<ExprPtr> result;
  for (const ast::ExprPtr &expr : exprs) {
    bool isName = expr->kind == ast::ExprKind::Name && expr->names.size() == 1;
    std::string name = isName ? folded(expr->names[0]) : "";
    std::vector<ExprPtr> row;
    bool isColumn = !isName;
    uint32_t depth = 0;
    for (const Scope *s = &scope; s && !isColumn && row.empty(); s = s->outer, ++depth)
      for (const ScopeColumn &column : *s->columns) {
        isColumn |= column.name == name && !column.merged;
        if (column.table == name)
          row.push_back(shifted(column.expr, depth));
      }
    if (isColumn || row.empty())
      row = {bindExpr(expr, scope, common)};
    result.insert(result.end(), row.begin(), row.end());
  }
  return result;
}

ExprPtr Binder::bindScalarFunction(const std::string &name, const ast::Expr &expr,
                                   const Scope &scope, const CommonScope *common) {
  std::vector<ExprPtr> operands = schema.functions.contains(name)
                                      ? bindArguments(expr.operands, scope, common)
                                      : bindAll(expr.operands, scope, common);
  auto nullable = [&] {
    return std::any_of(operands.begin(), operands.end(),
                       [](const ExprPtr &e) { return e->type.nullable; });
  };
  if (auto user = schema.functions.find(name); user != schema.functions.end()) {
    const UserFunction &function = user->second;
    if (function.parameters.size() != operands.size())
      fail(1031, name + " needs " + std::to_string(function.parameters.size()) + " arguments", "",
           "that many", expr.place);
    for (size_t i = 0; i < operands.size(); ++i)
      operands[i] = coerce(operands[i], function.parameters[i], expr.place, name);
    return makeFunction(function.name, std::move(operands), function.result);
  }
  if (ExprPtr conditional = bindConditional(name, expr, operands))
    return conditional;
  if (name == "RANDOM" || name == "RAND" || name == "UUID" || name == "GEN_RANDOM_UUID")
    throw BindError{unsupported(1051, name + " has another value each time",
                                "equivalence is decided for results that are determined",
                                "a parameter", {file, expr.place.line, expr.place.column})};
  auto known = signatures().find(name);
  if (known == signatures().end())
    fail(1024, "the function " + name + " is not known", "",
         "CREATE FUNCTION " + name + "(...) RETURNS ... in the schema", expr.place);
  const Signature &signature = known->second;
  std::string arguments = signature.arguments;
  bool repeats = !arguments.empty() && arguments.back() == '*';
  if (repeats)
    arguments.pop_back();
  if (operands.size() < signature.least || (!repeats && operands.size() > arguments.size()))
    fail(1031, name + " with " + std::to_string(operands.size()) + " arguments",
         "it takes " + std::to_string(signature.least) +
             (repeats ? " or more" : " to " + std::to_string(arguments.size())),
         "that many", expr.place);
  for (size_t i = 0; i < operands.size(); ++i) {
    char kind = arguments[std::min(i, arguments.size() - 1)];
    bool isNumber = isNumeric(operands[i]->type);
    if (kind == 't')
      operands[i] = coerce(operands[i], {BaseType::Text}, expr.place, name);
    else if (kind == 'i' ||
             (kind == 'n' && (!isNumber || operands[i]->type.base == BaseType::Unknown)))
      operands[i] =
          coerce(operands[i], {kind == 'i' ? BaseType::Int : BaseType::Number}, expr.place, name);
  }
  bool mayBeEmpty = signature.result == 'T' && semantics.emptyText == EmptyText::Null;
  bool null =
      nullable() || mayBeEmpty || (signature.mayBeNull && semantics.errors == ErrorPolicy::AsNull);
  Type type;
  switch (signature.result) {
  case 'T':
    type = plain(BaseType::Text);
    break;
  case 'I':
    type = plain(BaseType::Int);
    break;
  case 'N':
    type = plain(BaseType::Number);
    break;
  case 'B':
    type = plain(BaseType::Bool);
    break;
  case 'D':
    type = plain(BaseType::Date);
    break;
  case 'M':
    type = plain(BaseType::Time);
    break;
  case 'Z':
    type = plain(BaseType::Timestamp);
    break;
  case 'C':
    unify(operands, expr.place, name);
    [[fallthrough]];
  default:
    type = operands[0]->type;
    break;
  }
  type.nullable = null;
  if (name == "TRIM" || name == "LTRIM" || name == "RTRIM" || name == "BTRIM")
    return trimmed(name, std::move(operands), type);
  return makeFunction(canonical(name), std::move(operands), type);
}

ExprPtr Binder::bindFunction(const ast::Expr &expr, const Scope &scope, const CommonScope *common) {
  std::string name = upperCase(expr.names.back().text);
  if (expr.call.over)
    return bindWindow(name, expr, scope, common);
  if (name == "GROUPING" || name == "GROUPING_ID")
    return bindGroupingCall(expr, scope, common);
  bool twoArgumentExtreme = rules.dialect == Dialect::Sqlite && (name == "MIN" || name == "MAX") &&
                            expr.operands.size() > 1;
  if (isAggregate(name) && !twoArgumentExtreme && !schema.functions.contains(name))
    return bindAggregate(name, expr, scope, common);
  if (expr.call.star || expr.call.distinct || expr.call.filter || !expr.call.order.empty())
    fail(1041, name + " is no aggregate", "*, DISTINCT, FILTER and ORDER BY are for aggregates",
         "plain arguments", expr.place);
  if (twoArgumentExtreme) {
    return bindExtreme(name == "MIN" ? Op::LessEqual : Op::GreaterEqual,
                       bindAll(expr.operands, scope, common), expr.place);
  }
  return bindScalarFunction(name, expr, scope, common);
}

} // namespace imbrex::sql
