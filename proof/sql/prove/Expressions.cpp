// Expressions as cells.
#include "proof/sql/prove/Translate.h"

#include "proof/sql/query/Types.h"

namespace imbrex::sql {

using algebra::Sort;

Sort Translator::sortOf(const Type &type) {
  switch (type.base) {
  case BaseType::Bool:
    return algebra::boolSort;
  case BaseType::Int:
    return algebra::intSort;
  case BaseType::Number:
    return algebra::realSort;
  case BaseType::Other:
    return pool.opaqueSort("type " + type.name);
  default:
    return pool.opaqueSort("base " + std::to_string(int(type.base)));
  }
}

/// What stands where a NULL has no value.
Id Translator::fallback(Sort sort) {
  if (sort == algebra::boolSort)
    return pool.boolean(false);
  return algebra::isNumeric(sort) ? pool.zero(sort) : pool.opaque("", sort);
}

SymbolicCell Translator::nullCell(const Type &type) {
  return {yes(), fallback(sortOf(type)), true};
}

Id Translator::normalValue(const SymbolicCell &cell) {
  if (cell.normal)
    return cell.value;
  return pool.choose(cell.null, fallback(pool[cell.value].sort), cell.value);
}

/// A NULL fits every sort; integers are numbers.
SymbolicCell Translator::convert(const SymbolicCell &cell, Sort sort) {
  Sort own = pool[cell.value].sort;
  if (own == sort || (algebra::isNumeric(own) && algebra::isNumeric(sort)))
    return cell;
  if (pool.isTrue(cell.null))
    return {yes(), fallback(sort), true};
  throw NotCovered{"values of the types " + pool.sortName(own) + " and " + pool.sortName(sort) +
                   " meet"};
}

Id Translator::same(const SymbolicCell &a, const SymbolicCell &b) {
  if (pool.isTrue(a.null) && !pool.isTrue(b.null))
    return same(b, a);
  SymbolicCell c = convert(b, pool[a.value].sort);
  return both(pool.equal(a.null, c.null), pool.equal(normalValue(a), normalValue(c)));
}

SymbolicCell Translator::literal(const Value &value, const Type &type) {
  Sort sort = sortOf(type);
  if (isNull(value))
    return nullCell(type);
  if (const bool *truth = std::get_if<bool>(&value))
    return {no(), pool.boolean(*truth), true};
  if (const int64_t *number = std::get_if<int64_t>(&value))
    return {no(), pool.number({*number, 1}, sort == algebra::realSort ? sort : algebra::intSort),
            true};
  if (const Rational *number = std::get_if<Rational>(&value))
    return {no(), pool.number({number->numerator, number->denominator}, algebra::realSort), true};
  // MySQL's texts may be equal although they differ in case or accents.
  const std::string *text = std::get_if<std::string>(&value);
  if (text && semantics.dialect == Dialect::MySql)
    return {no(), pool.apply(pool.symbol("literal '" + *text), {}, sort), true};
  if (text)
    return {no(), pool.opaque("'" + *text, sort), true};
  // Dates and the like may have several spellings: only equal texts are known to be equal.
  const Opaque &opaque = std::get<Opaque>(value);
  return {no(), pool.apply(pool.symbol("literal:" + opaque.text), {}, sort), true};
}

SymbolicCell Translator::ofTruth(const Truth &truth) {
  return {both(invert(truth.yes), invert(truth.no)), truth.yes, true};
}

Truth Translator::truthOf(const SymbolicCell &cell) {
  if (pool.isTrue(cell.null))
    return {no(), no()};
  if (pool[cell.value].sort != algebra::boolSort)
    throw NotCovered{"a condition that is not Boolean"};
  return {both(invert(cell.null), cell.value), both(invert(cell.null), invert(cell.value))};
}

SymbolicCell Translator::cell(const Expr &expr, const Rows &rows) {
  switch (expr.kind) {
  case ExprKind::Column:
    return (*rows[rows.size() - 1 - expr.depth])[expr.index];
  case ExprKind::Literal:
    return literal(expr.value, expr.type);
  case ExprKind::Parameter:
    return function("parameter " + expr.name, expr.type, {});
  case ExprKind::Call:
    return call(expr, rows);
  case ExprKind::Scalar:
    return scalar(expr, rows);
  default:
    return ofTruth(truth(expr, rows));
  }
}

SymbolicCell Translator::cellOfType(const Expr &expr, const Type &type, const Rows &rows) {
  SymbolicCell result = cell(expr, rows);
  return type.base == BaseType::Unknown ? result : convert(result, sortOf(type));
}

namespace {

/// Functions that may give another result at each call.
bool isVolatile(std::string name) {
  for (char &c : name)
    c = c >= 'a' && c <= 'z' ? char(c - 32) : c;
  for (const char *part : {"RANDOM", "UUID", "NEXTVAL", "CLOCK_TIMESTAMP"})
    if (name.find(part) != std::string::npos)
      return true;
  return name == "RAND" || name == "RAND_INTEGER";
}

} // namespace

SymbolicCell Translator::call(const Expr &expr, const Rows &rows) {
  switch (expr.op) {
  case Op::Add:
  case Op::Subtract:
  case Op::Multiply:
  case Op::Divide:
  case Op::Modulo:
  case Op::Negate:
    return arithmetic(expr, rows);
  case Op::Case:
    return caseOf(expr, rows);
  case Op::Coalesce: {
    SymbolicCell result = cellOfType(*expr.operands.back(), expr.type, rows);
    for (size_t i = expr.operands.size() - 1; i-- > 0;) {
      SymbolicCell first = cellOfType(*expr.operands[i], expr.type, rows);
      result = {both(first.null, result.null), pool.choose(first.null, result.value, first.value)};
    }
    return result;
  }
  case Op::Cast:
    return cast(expr, rows);
  case Op::Equal: // x = TRUE is x
    for (size_t i : {0, 1}) {
      const Expr &literal = *expr.operands[i];
      const bool *value = std::get_if<bool>(&literal.value);
      if (literal.kind == ExprKind::Literal && value && *value)
        return cellOfType(*expr.operands[1 - i], expr.type, rows);
    }
    return ofTruth(truth(expr, rows));
  case Op::Concat:
  case Op::Function: {
    SymbolicRow arguments;
    for (const ExprPtr &operand : expr.operands)
      arguments.push_back(cell(*operand, rows));
    if (expr.op == Op::Function && isVolatile(expr.name))
      throw NotCovered{"the function " + expr.name + ", which is not determined"};
    if (expr.op == Op::Function)
      return function("function " + expr.name, expr.type, arguments);
    // NULL when an operand is.
    SymbolicCell result{no(), 0};
    std::vector<Id> parts;
    for (const SymbolicCell &argument : arguments) {
      result.null = either(result.null, argument.null);
      parts.push_back(argument.value);
    }
    result.value = pool.apply(pool.symbol("concat"), parts, sortOf(expr.type));
    return result;
  }
  default:
    return ofTruth(truth(expr, rows));
  }
}

SymbolicCell Translator::arithmetic(const Expr &expr, const Rows &rows) {
  SymbolicCell a = cell(*expr.operands[0], rows);
  if (expr.type.base != BaseType::Int && expr.type.base != BaseType::Number) {
    // Dates and intervals: some function, NULL when an operand is.
    SymbolicRow arguments{a};
    for (size_t i = 1; i < expr.operands.size(); ++i)
      arguments.push_back(cell(*expr.operands[i], rows));
    SymbolicCell result{no(), 0};
    std::vector<Id> parts;
    for (const SymbolicCell &argument : arguments) {
      result.null = either(result.null, argument.null);
      parts.push_back(argument.value);
    }
    result.value =
        pool.apply(pool.symbol("op " + std::to_string(int(expr.op))), parts, sortOf(expr.type));
    return result;
  }
  a = convert(a, sortOf(expr.type));
  if (expr.op == Op::Negate)
    return {a.null, pool.scale({-1, 1}, a.value)};
  SymbolicCell result = a;
  for (size_t i = 1; i < expr.operands.size(); ++i) {
    SymbolicCell b = cellOfType(*expr.operands[i], expr.type, rows);
    Id null = either(result.null, b.null);
    if (expr.op == Op::Add)
      result = {null, pool.sum({result.value, b.value})};
    else if (expr.op == Op::Subtract)
      result = {null, pool.subtract(result.value, b.value)};
    else if (expr.op == Op::Multiply)
      result = {null, pool.product({result.value, b.value})};
    else
      result = divide(expr, result, b);
  }
  return result;
}

/// Division and remainder, as functions unless the divisor is a constant of exact division. SQL
/// truncates (-7/2 is -3), which is not the division of SMT-LIB.
SymbolicCell Translator::divide(const Expr &expr, const SymbolicCell &a, const SymbolicCell &b) {
  bool whole = expr.type.base == BaseType::Int;
  SymbolicCell result{either(a.null, b.null), 0};
  if (semantics.errors == ErrorPolicy::AsNull)
    result.null = either(result.null, pool.zeroTest(b.value));
  if (expr.op == Op::Divide && !whole && pool.isConstant(b.value) &&
      !pool[b.value].value.isZero()) {
    result.value = pool.scale(algebra::reciprocal(pool[b.value].value), a.value);
    return result;
  }
  if (!whole) {
    const char *name = expr.op == Op::Modulo ? "modulo" : "quotient";
    result.value = pool.apply(pool.symbol(name), {a.value, b.value}, sortOf(expr.type));
    return result;
  }
  result.value = truncated(a.value, b.value);
  if (expr.op == Op::Modulo) // has the sign of the dividend, as division truncates
    result.value = pool.subtract(a.value, pool.product({b.value, result.value}));
  return result;
}

/// Division of integers: a function, but of constants, and where a constant divides all of a sum.
Id Translator::truncated(Id dividend, Id divisor) {
  Id function = pool.apply(pool.symbol("divide"), {dividend, divisor}, algebra::intSort);
  if (!pool.isConstant(divisor) || pool[divisor].value.isZero())
    return function;
  Id quotient = pool.scale(algebra::reciprocal(pool[divisor].value), dividend);
  if (pool.isConstant(quotient))
    return pool.number({algebra::truncated(pool[quotient].value), 1}, algebra::intSort);
  Pool::Parts parts = pool.parts(quotient);
  bool divides = parts.constant.isInteger();
  for (const auto &[coefficient, term] : parts.parts)
    divides = divides && coefficient.isInteger();
  return divides ? quotient : function;
}

SymbolicCell Translator::caseOf(const Expr &expr, const Rows &rows) {
  SymbolicCell result = cellOfType(*expr.operands.back(), expr.type, rows);
  for (size_t i = expr.operands.size() - 1; i >= 2; i -= 2) {
    Id condition = truth(*expr.operands[i - 2], rows).yes;
    SymbolicCell value = cellOfType(*expr.operands[i - 1], expr.type, rows);
    result = {pool.choose(condition, value.null, result.null),
              pool.choose(condition, value.value, result.value), value.normal && result.normal};
  }
  return result;
}

SymbolicCell Translator::cast(const Expr &expr, const Rows &rows) {
  const Type &from = expr.operands[0]->type;
  SymbolicCell operand = cell(*expr.operands[0], rows);
  bool widens = from.base == BaseType::Int && expr.type.base == BaseType::Number;
  if (sameBase(from, expr.type) || widens)
    return operand;
  if (pool.isTrue(operand.null))
    return nullCell(expr.type);
  Sort sort = sortOf(expr.type);
  // So is a linear form of integers.
  if (from.base == BaseType::Number && expr.type.base == BaseType::Int) {
    Pool::Parts parts = pool.parts(operand.value);
    bool whole = parts.constant.isInteger();
    for (const auto &[coefficient, term] : parts.parts)
      whole = whole && coefficient.isInteger() && pool[term].sort == algebra::intSort;
    if (whole)
      return {operand.null, pool.assemble(parts, algebra::intSort), operand.normal};
  }
  // Whether engines round or cut off, 1.1 gives 1.
  if (from.base == BaseType::Number && expr.type.base == BaseType::Int &&
      pool.isConstant(operand.value)) {
    algebra::Number n = pool[operand.value].value;
    algebra::Integer cut = algebra::truncated(n);
    algebra::Integer rest = n.numerator - cut * n.denominator;
    if (rest * 2 < n.denominator && -rest * 2 < n.denominator)
      return {operand.null, pool.number({cut, 1}, algebra::intSort), operand.normal};
  }
  return {operand.null,
          pool.apply(pool.symbol("cast " + std::to_string(sort)), {operand.value}, sort)};
}

/// A deterministic function that may treat NULL as it likes.
SymbolicCell Translator::function(const std::string &name, const Type &type,
                                  const SymbolicRow &arguments) {
  std::vector<Id> parts;
  for (const SymbolicCell &argument : arguments) {
    parts.push_back(argument.null);
    parts.push_back(normalValue(argument));
  }
  SymbolicCell result;
  result.null =
      type.nullable ? pool.apply(pool.symbol("null of " + name), parts, algebra::boolSort) : no();
  Sort sort = sortOf(type);
  result.value = pool.apply(pool.symbol(name + " : " + std::to_string(sort)), parts, sort);
  return result;
}

SymbolicCell Translator::scalar(const Expr &expr, const Rows &rows) {
  ++correlated;
  SymbolicBag bag = query(*expr.query, rows);
  --correlated;
  if (bag.empty())
    return nullCell(expr.type);
  if (bag.size() == 1 && bag[0].variables.empty() && bag[0].factor == pool.integer(1)) {
    const SymbolicCell &only = bag[0].row[0];
    return {either(invert(bag[0].guard), only.null), only.value};
  }
  if (semantics.errors != ErrorPolicy::ErrorFree)
    throw NotCovered{"a scalar subquery that may have several rows"};
  // At most one row counts, so the set of its values has at most one.
  std::vector<Member> members;
  std::vector<SymbolicRow> arguments;
  for (const BagTerm &term : bag) {
    members.push_back({term.variables, occurs(term, yes()), pool.integer(1), &term.row});
    members.back().guard = term.guard;
    members.back().factor = term.factor;
    arguments.push_back({convert(term.row[0], sortOf(expr.type))});
  }
  Aggregate single;
  single.type = expr.type;
  return ofCollection("single", single, members, arguments);
}

} // namespace imbrex::sql
