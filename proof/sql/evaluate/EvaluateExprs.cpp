#include "proof/sql/evaluate/Program.h"

namespace imbrex::sql::evaluate {

namespace {

Cell checked(const std::optional<Cell> &cell, Run &run) {
  if (cell)
    return *cell;
  run.fail(Fault::Overflow, "a number beyond 64 bits");
  return {};
}

/// AND and OR: `absorbing` wins over NULL, which wins over the other. Every operand is evaluated.
Cell connect(const CompiledExpr &expr, bool absorbing, Run &run) {
  bool sawNull = false, sawAbsorbing = false;
  for (const CompiledExpr &operand : expr.operands) {
    Cell cell = evaluate(operand, run);
    if (cell.isNull())
      sawNull = true;
    else if ((cell.number != 0) == absorbing)
      sawAbsorbing = true;
  }
  if (sawAbsorbing)
    return Cell::ofBool(absorbing);
  return sawNull ? Cell{} : Cell::ofBool(!absorbing);
}

Cell arithmetic(const CompiledExpr &expr, const Cell &a, const Cell &b, Run &run) {
  if (a.isNull() || b.isNull())
    return {};
  switch (expr.op) {
  case Op::Add:
    return checked(add(a, b), run);
  case Op::Subtract:
    return checked(subtract(a, b), run);
  case Op::Multiply:
    return checked(multiply(a, b), run);
  default:
    break;
  }
  if (b.number == 0) {
    if (run.semantics.errors == ErrorPolicy::ErrorFree)
      run.fail(Fault::Error, "division by zero");
    return {};
  }
  if (expr.op == Op::Modulo)
    return checked(remainder(a, b), run);
  std::optional<Cell> quotient = divide(a, b);
  return checked(quotient && expr.truncating ? truncate(*quotient) : quotient, run);
}

Cell concatenate(const CompiledExpr &expr, Run &run) {
  std::string text;
  bool sawNull = false;
  for (const CompiledExpr &operand : expr.operands) {
    Cell cell = evaluate(operand, run);
    sawNull |= cell.isNull();
    if (!cell.isNull())
      text += run.pool.text(cell.number);
  }
  return sawNull ? Cell{} : Cell{run.pool.intern(text), 1, CellTag::Text};
}

Cell callFunction(const CompiledExpr &expr, Run &run) {
  if (expr.builtin != Builtin::None) {
    std::vector<Cell> arguments;
    for (const CompiledExpr &operand : expr.operands)
      arguments.push_back(evaluate(operand, run));
    return callBuiltin(expr, arguments, run);
  }
  uint64_t hash = expr.operands.size();
  std::vector<Cell> arguments;
  for (const CompiledExpr &operand : expr.operands) {
    arguments.push_back(evaluate(operand, run));
    hash = mix(hash, hashOf(arguments.back(), run.pool));
  }
  Cell result = run.meaning->value(expr.name, hash, expr.type);
  run.meaning->note(expr.text, expr.type, arguments, result);
  return result;
}

Cell evaluateCase(const CompiledExpr &expr, Run &run) {
  size_t i = 0;
  for (; i + 1 < expr.operands.size(); i += 2)
    if (evaluate(expr.operands[i], run).isTrue())
      return evaluate(expr.operands[i + 1], run);
  return evaluate(expr.operands[i], run);
}

Cell call(const CompiledExpr &expr, Run &run) {
  const std::vector<CompiledExpr> &operands = expr.operands;
  auto operand = [&](size_t i) { return evaluate(operands[i], run); };
  switch (expr.op) {
  case Op::And:
    return connect(expr, false, run);
  case Op::Or:
    return connect(expr, true, run);
  case Op::Not: {
    Cell cell = operand(0);
    return cell.isNull() ? cell : Cell::ofBool(cell.number == 0);
  }
  case Op::Equal:
  case Op::NotEqual:
  case Op::Less:
  case Op::LessEqual:
  case Op::Greater:
  case Op::GreaterEqual: {
    Cell a = operand(0), b = operand(1);
    return compareCells(expr.op, a, b, run.pool);
  }
  case Op::IsNull:
    return Cell::ofBool(operand(0).isNull());
  case Op::IsNotNull:
    return Cell::ofBool(!operand(0).isNull());
  case Op::IsTrue:
    return Cell::ofBool(operand(0).isTrue());
  case Op::IsNotTrue:
    return Cell::ofBool(!operand(0).isTrue());
  case Op::IsFalse:
    return Cell::ofBool(operand(0).isFalse());
  case Op::IsNotFalse:
    return Cell::ofBool(!operand(0).isFalse());
  case Op::IsDistinct:
  case Op::IsNotDistinct: {
    Cell a = operand(0), b = operand(1);
    return Cell::ofBool((a == b) == (expr.op == Op::IsNotDistinct));
  }
  case Op::Add:
  case Op::Subtract:
  case Op::Multiply:
  case Op::Divide:
  case Op::Modulo: {
    Cell a = operand(0), b = operand(1);
    return arithmetic(expr, a, b, run);
  }
  case Op::Negate: {
    Cell cell = operand(0);
    return cell.isNull() ? cell : checked(subtract(Cell::ofInt(0), cell), run);
  }
  case Op::Case:
    return evaluateCase(expr, run);
  case Op::Coalesce: {
    Cell cell;
    for (size_t i = 0; i < operands.size() && cell.isNull(); ++i)
      cell = operand(i);
    return cell;
  }
  case Op::Like: {
    Cell text = operand(0), pattern = operand(1);
    if (text.isNull() || pattern.isNull())
      return {};
    if (run.pool.text(pattern.number).find('\\') != std::string::npos)
      run.fail(Fault::NotDetermined, "a backslash in a pattern of LIKE");
    return Cell::ofBool(matchesLike(run.pool.text(text.number), run.pool.text(pattern.number)));
  }
  case Op::Concat:
    return concatenate(expr, run);
  case Op::Cast:
    return castCell(expr, operand(0), run);
  case Op::Function:
    return callFunction(expr, run);
  }
  return {};
}

/// operand = column AND ... over one row of the subquery.
Cell rowsEqual(const std::vector<Cell> &values, const Cell *row) {
  bool sawNull = false;
  for (size_t i = 0; i < values.size(); ++i) {
    if (values[i].isNull() || row[i].isNull())
      sawNull = true;
    else if (!(values[i] == row[i]))
      return Cell::ofBool(false);
  }
  return sawNull ? Cell{} : Cell::ofBool(true);
}

Cell member(const CompiledExpr &expr, Run &run) {
  std::vector<Cell> values;
  for (const CompiledExpr &operand : expr.operands)
    values.push_back(evaluate(operand, run));
  const Relation &rows = evaluate(*expr.query, run);
  bool all = expr.kind == ExprKind::Quantified && expr.quantifier == Quantifier::All;
  bool sawNull = false;
  for (uint32_t i = 0; i < rows.count; ++i) {
    Cell cell = expr.kind == ExprKind::In
                    ? rowsEqual(values, rows.row(i))
                    : compareCells(expr.op, values[0], rows.row(i)[0], run.pool);
    if (cell.isNull())
      sawNull = true;
    else if ((cell.number != 0) != all)
      return Cell::ofBool(!all);
  }
  return sawNull ? Cell{} : Cell::ofBool(all);
}

Cell scalar(const CompiledExpr &expr, Run &run) {
  const Relation &rows = evaluate(*expr.query, run);
  if (rows.count > 1)
    run.fail(run.semantics.errors == ErrorPolicy::ErrorFree ? Fault::Error : Fault::NotDetermined,
             "a scalar subquery with several rows");
  return rows.count == 0 ? Cell{} : rows.row(0)[0];
}

} // namespace

Cell compareCells(Op op, const Cell &a, const Cell &b, const TextPool &pool) {
  if (op == Op::IsDistinct || op == Op::IsNotDistinct)
    return Cell::ofBool((a == b) == (op == Op::IsNotDistinct));
  if (a.isNull() || b.isNull())
    return {};
  if (op == Op::Equal || op == Op::NotEqual)
    return Cell::ofBool((a == b) == (op == Op::Equal));
  int order = compare(a, b, pool);
  switch (op) {
  case Op::Less:
    return Cell::ofBool(order < 0);
  case Op::LessEqual:
    return Cell::ofBool(order <= 0);
  case Op::Greater:
    return Cell::ofBool(order > 0);
  default:
    return Cell::ofBool(order >= 0);
  }
}

Cell evaluate(const CompiledExpr &expr, Run &run) {
  switch (expr.kind) {
  case ExprKind::Column:
    return run.rows[run.rows.size() - 1 - expr.depth][expr.index];
  case ExprKind::Literal:
    return expr.literal;
  case ExprKind::Parameter:
    return run.meaning->parameter(expr.text, expr.type);
  case ExprKind::Call:
    return call(expr, run);
  case ExprKind::Exists:
    return Cell::ofBool(evaluate(*expr.query, run).count != 0);
  case ExprKind::In:
  case ExprKind::Quantified:
    return member(expr, run);
  case ExprKind::Scalar:
    return scalar(expr, run);
  }
  return {};
}

} // namespace imbrex::sql::evaluate
