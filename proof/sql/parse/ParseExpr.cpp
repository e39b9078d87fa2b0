// Operators, by how strongly they bind (Precedence in DialectRules.h).
#include "proof/sql/parse/Parser.h"

#include <algorithm>

namespace imbrex::sql {

using namespace ast;

ast::ExprPtr Parser::finish(ast::Expr expr) const {
  unsigned height = expr.query ? expr.query->height : 0;
  for (const ast::ExprPtr &operand : expr.operands)
    height = std::max(height, operand->height);
  expr.height = height + 1;
  if (expr.height > MaxDepth)
    fail(1002, "the SQL nests too deeply",
         "an expression has over " + std::to_string(MaxDepth) + " levels", "splitting it",
         expr.place);
  return std::make_shared<const ast::Expr>(std::move(expr));
}

ast::ExprPtr Parser::call(Op op, std::vector<ast::ExprPtr> operands, Place place) const {
  ast::Expr expr;
  expr.kind = ast::ExprKind::Call;
  expr.place = place;
  expr.op = op;
  bool flattens = op == Op::And || op == Op::Or;
  for (ast::ExprPtr &operand : operands)
    if (flattens && operand->kind == ast::ExprKind::Call && operand->op == op)
      expr.operands.insert(expr.operands.end(), operand->operands.begin(), operand->operands.end());
    else
      expr.operands.push_back(std::move(operand));
  return finish(std::move(expr));
}

ast::ExprPtr Parser::function(const char *name, std::vector<ast::ExprPtr> operands,
                              Place place) const {
  ast::Expr expr;
  expr.kind = ast::ExprKind::Function;
  expr.place = place;
  expr.names = {{name, false, place}};
  expr.operands = std::move(operands);
  return finish(std::move(expr));
}

ast::ExprPtr Parser::parseExpr(int minimum) {
  Nesting nesting(*this);
  ast::ExprPtr left = parsePrefix();
  while (parseInfix(left, minimum)) {
  }
  return left;
}

ast::ExprPtr Parser::parsePrefix() {
  Place place = current().place;
  if (acceptWord("NOT"))
    return call(Op::Not, {parseExpr(30)}, place);
  if (rules.dialect == Dialect::MySql && acceptSymbol("!"))
    return call(Op::Not, {parseExpr(110)}, place);
  if (acceptSymbol("-"))
    return call(Op::Negate, {parseExpr(110)}, place);
  if (acceptSymbol("+"))
    return parseExpr(110);
  return parsePrimary();
}

namespace {
struct Infix {
  std::string_view symbol;
  Op op;
  int power;
};
} // namespace

/// Takes one operator that binds tighter than `minimum` and its right side; false at anything else.
bool Parser::parseInfix(ast::ExprPtr &left, int minimum) {
  Place place = current().place;
  const Precedence &p = rules.precedence;
  bool isXor = rules.dialect == Dialect::MySql && atWord("XOR");
  if (isXor && 15 > minimum) {
    take();
    left = call(Op::NotEqual, {left, parseExpr(15)}, place);
    return true;
  }
  for (auto [word, op, power] : {Infix{"OR", Op::Or, 10}, Infix{"AND", Op::And, 20}}) {
    bool pipes = rules.pipesAreOr && op == Op::Or;
    auto accept = [&, word = word] { return acceptWord(word) || (pipes && acceptSymbol("||")); };
    if (power <= minimum || !accept())
      continue;
    std::vector<ast::ExprPtr> operands = {left};
    do
      operands.push_back(parseExpr(power));
    while (accept());
    left = call(op, std::move(operands), place);
    return true;
  }
  const Infix comparisons[] = {{"=", Op::Equal, p.equality},
                               {"==", Op::Equal, p.equality},
                               {"<>", Op::NotEqual, p.equality},
                               {"!=", Op::NotEqual, p.equality},
                               {"<=>", Op::IsNotDistinct, p.equality},
                               {"<=", Op::LessEqual, p.order},
                               {">=", Op::GreaterEqual, p.order},
                               {"<", Op::Less, p.order},
                               {">", Op::Greater, p.order}};
  for (const Infix &infix : comparisons)
    if (infix.power > minimum && acceptSymbol(infix.symbol)) {
      left = parseComparison(left, infix.op, infix.power);
      return true;
    }
  const Infix arithmetic[] = {{"||", Op::Concat, rules.pipesAreOr ? 0 : p.concat},
                              {"+", Op::Add, 80},
                              {"-", Op::Subtract, 80},
                              {"*", Op::Multiply, 90},
                              {"/", Op::Divide, 90},
                              {"%", Op::Modulo, 90}};
  for (const Infix &infix : arithmetic)
    if (infix.power > minimum && acceptSymbol(infix.symbol)) {
      left = call(infix.op, {left, parseExpr(infix.power)}, place);
      return true;
    }
  if (rules.dialect == Dialect::MySql && 90 > minimum && atAnyWord({"DIV", "MOD"})) {
    std::string name = take().upper;
    left = function(name.c_str(), {left, parseExpr(90)}, place);
    return true;
  }
  if (rules.dialect == Dialect::Postgres && 100 > minimum && acceptSymbol("^")) {
    left = function("POWER", {left, parseExpr(100)}, place);
    return true;
  }
  if (120 > minimum && acceptSymbol("::")) {
    ast::Expr cast;
    cast.kind = ast::ExprKind::Cast;
    cast.place = place;
    cast.operands = {left};
    cast.type = parseType();
    left = finish(std::move(cast));
    return true;
  }
  if (115 > minimum && acceptWord("COLLATE"))
    notSupported("COLLATE", place);
  return parsePredicate(left, minimum);
}

/// x op y, x op ANY (...), x op ALL (...).
ast::ExprPtr Parser::parseComparison(ast::ExprPtr left, Op op, int power) {
  Place place = left->place;
  bool quantified = atAnyWord({"ANY", "SOME", "ALL"}) && isSymbol(peek(1), "(");
  if (!quantified) {
    ast::ExprPtr right = parseExpr(power);
    return call(op, {std::move(left), std::move(right)}, place);
  }
  ast::Expr expr;
  expr.kind = ast::ExprKind::Quantified;
  expr.place = place;
  expr.op = op;
  expr.quantifier = take().upper == "ALL" ? Quantifier::All : Quantifier::Any;
  expr.operands = {std::move(left)};
  if (atQueryInParentheses()) {
    expectSymbol("(");
    expr.query = parseQuery();
    expectSymbol(")");
  } else {
    if (isWord(peek(1), "ARRAY"))
      notSupported("ARRAY", place);
    expectSymbol("(");
    for (ast::ExprPtr &value : parseExprList())
      expr.operands.push_back(std::move(value));
    expectSymbol(")");
  }
  return finish(std::move(expr));
}

/// IS, BETWEEN, IN, LIKE and their negations.
bool Parser::parsePredicate(ast::ExprPtr &left, int minimum) {
  Place place = current().place;
  if (rules.precedence.is > minimum && acceptWord("IS")) {
    left = parseIs(std::move(left));
    return true;
  }
  if (rules.precedence.is > minimum && atAnyWord({"ISNULL", "NOTNULL"}) &&
      rules.dialect != Dialect::Calcite) {
    left = call(take().upper == "ISNULL" ? Op::IsNull : Op::IsNotNull, {left}, place);
    return true;
  }
  if (rules.precedence.range <= minimum)
    return false;
  size_t ahead = atWord("NOT");
  const Token &word = peek(ahead);
  auto is = [&](std::string_view upper) { return isWord(word, upper); };
  if (!is("BETWEEN") && !is("IN") && !is("LIKE") && !is("ILIKE") && !is("GLOB") && !is("REGEXP") &&
      !is("RLIKE") && !is("SIMILAR"))
    return false;
  bool negated = acceptWord("NOT");
  if (acceptWord("BETWEEN"))
    left = parseBetween(std::move(left), negated, place);
  else if (acceptWord("IN"))
    left = parseIn(std::move(left), negated, place);
  else
    left = parseLike(std::move(left), negated, place);
  return true;
}

ast::ExprPtr Parser::parseIs(ast::ExprPtr left) {
  Place place = left->place;
  bool negated = acceptWord("NOT");
  auto test = [&](Op yes, Op no) { return call(negated ? no : yes, {std::move(left)}, place); };
  if (acceptWord("NULL") || acceptWord("UNKNOWN"))
    return test(Op::IsNull, Op::IsNotNull);
  if (acceptWord("TRUE"))
    return test(Op::IsTrue, Op::IsNotTrue);
  if (acceptWord("FALSE"))
    return test(Op::IsFalse, Op::IsNotFalse);
  if (acceptWords({"DISTINCT", "FROM"})) {
    ast::ExprPtr right = parseExpr(rules.precedence.is);
    return call(negated ? Op::IsNotDistinct : Op::IsDistinct, {std::move(left), right}, place);
  }
  if (rules.dialect != Dialect::Sqlite)
    expected("NULL, TRUE, FALSE, UNKNOWN or DISTINCT FROM");
  ast::ExprPtr right = parseExpr(rules.precedence.is);
  return call(negated ? Op::IsDistinct : Op::IsNotDistinct, {std::move(left), right}, place);
}

ast::ExprPtr Parser::parseIn(ast::ExprPtr left, bool negated, Place place) {
  ast::Expr expr;
  expr.place = place;
  expr.negated = negated;
  expr.operands = {std::move(left)};
  if (atQueryInParentheses()) {
    expr.kind = ast::ExprKind::InQuery;
    expectSymbol("(");
    expr.query = parseQuery();
    expectSymbol(")");
    return finish(std::move(expr));
  }
  expr.kind = ast::ExprKind::InList;
  expectSymbol("(");
  if (!atSymbol(")") || rules.dialect != Dialect::Sqlite)
    for (ast::ExprPtr &value : parseExprList())
      expr.operands.push_back(std::move(value));
  expectSymbol(")");
  return finish(std::move(expr));
}

ast::ExprPtr Parser::parseBetween(ast::ExprPtr left, bool negated, Place place) {
  ast::Expr expr;
  expr.kind = ast::ExprKind::Between;
  expr.place = place;
  expr.negated = negated;
  expr.flag = acceptWord("SYMMETRIC");
  if (!expr.flag)
    acceptWord("ASYMMETRIC");
  ast::ExprPtr low = parseExpr(rules.precedence.range);
  expectWord("AND");
  ast::ExprPtr high = parseExpr(rules.precedence.range);
  expr.operands = {std::move(left), std::move(low), std::move(high)};
  return finish(std::move(expr));
}

ast::ExprPtr Parser::parseLike(ast::ExprPtr left, bool negated, Place place) {
  Token word = take();
  if (word.upper == "SIMILAR")
    expectWord("TO");
  ast::ExprPtr pattern = parseExpr(rules.precedence.range);
  if (word.upper != "LIKE") {
    // Unknown functions of both sides.
    ast::ExprPtr test = function(word.upper.c_str(), {std::move(left), std::move(pattern)}, place);
    return negated ? call(Op::Not, {test}, place) : test;
  }
  ast::Expr expr;
  expr.kind = ast::ExprKind::Like;
  expr.place = place;
  expr.negated = negated;
  expr.operands = {std::move(left), std::move(pattern)};
  if (acceptWord("ESCAPE"))
    expr.operands.push_back(parseExpr(rules.precedence.range));
  return finish(std::move(expr));
}

} // namespace imbrex::sql
