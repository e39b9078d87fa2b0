// Literals, names, CASE, CAST, subqueries and types.
#include "proof/sql/parse/Parser.h"

namespace imbrex::sql {

using namespace ast;

std::vector<ast::ExprPtr> Parser::parseExprList() {
  std::vector<ast::ExprPtr> list;
  do
    list.push_back(parseExpr());
  while (acceptSymbol(","));
  return list;
}

ast::ExprPtr Parser::parsePrimary() {
  ast::Expr expr;
  expr.place = current().place;
  switch (current().kind) {
  case TokenKind::Number:
    expr.kind = ast::ExprKind::Number;
    expr.text = take().text;
    return finish(std::move(expr));
  case TokenKind::Text:
    expr.kind = ast::ExprKind::Text;
    // Texts with nothing but blanks between them are one.
    while (current().kind == TokenKind::Text)
      expr.text += take().text;
    return finish(std::move(expr));
  case TokenKind::Parameter:
    expr.kind = ast::ExprKind::Parameter;
    expr.text = take().text;
    return finish(std::move(expr));
  case TokenKind::QuotedName:
    return parseNameOrCall();
  case TokenKind::Name:
    return parseWord();
  case TokenKind::Symbol:
    if (atSymbol("("))
      return parseParenthesis();
    if (atSymbol("*") && (take(), true)) {
      expr.kind = ast::ExprKind::Star;
      return finish(std::move(expr));
    }
    [[fallthrough]];
  case TokenKind::End:
    expected("an expression");
  }
  expected("an expression");
}

ast::ExprPtr Parser::parseParenthesis() {
  ast::Expr expr;
  expr.place = current().place;
  if (atQueryInParentheses()) {
    expectSymbol("(");
    expr.kind = ast::ExprKind::Scalar;
    expr.query = parseQuery();
    expectSymbol(")");
    return finish(std::move(expr));
  }
  expectSymbol("(");
  std::vector<ast::ExprPtr> list = parseExprList();
  expectSymbol(")");
  if (list.size() == 1)
    return list[0];
  expr.kind = ast::ExprKind::Row;
  expr.operands = std::move(list);
  return finish(std::move(expr));
}

ast::ExprPtr Parser::parseWord() {
  ast::Expr expr;
  expr.place = current().place;
  const std::string upper = current().upper;
  if (upper == "NULL") {
    take();
    return finish(std::move(expr));
  }
  if (upper == "TRUE" || upper == "FALSE") {
    take();
    expr.kind = ast::ExprKind::Bool;
    expr.flag = upper == "TRUE";
    return finish(std::move(expr));
  }
  if (upper == "CASE")
    return parseCase();
  bool isCall = isSymbol(peek(1), "(");
  if ((upper == "CAST" || upper == "TRY_CAST" || upper == "SAFE_CAST") && isCall)
    return parseCast();
  if (upper == "EXISTS" && isCall) {
    take();
    if (!atQueryInParentheses())
      expected("a query in parentheses");
    expectSymbol("(");
    expr.kind = ast::ExprKind::Exists;
    expr.query = parseQuery();
    expectSymbol(")");
    return finish(std::move(expr));
  }
  if (upper == "INTERVAL" && !isCall && !isSymbol(peek(1), ",") && !isSymbol(peek(1), ")"))
    return parseInterval();
  if (upper == "ROW" && isCall) {
    take();
    expectSymbol("(");
    expr.kind = ast::ExprKind::Row;
    expr.operands = parseExprList();
    expectSymbol(")");
    return finish(std::move(expr));
  }
  if (atType()) {
    expr.kind = ast::ExprKind::Typed;
    expr.type = parseType();
    expr.text = take().text;
    return finish(std::move(expr));
  }
  if ((upper == "ARRAY" || upper == "MULTISET" || upper == "MAP") &&
      (isCall || isSymbol(peek(1), "[") || peek(1).kind == TokenKind::QuotedName))
    notSupported(upper, expr.place);
  return parseNameOrCall();
}

/// At DATE 'x' and its like?
bool Parser::atType() const {
  if (!atAnyWord({"DATE", "TIME", "TIMESTAMP", "DATETIME"}))
    return false;
  size_t ahead = 1;
  if (isSymbol(peek(ahead), "("))
    ahead += 3;
  if (isWord(peek(ahead), "WITH") || isWord(peek(ahead), "WITHOUT"))
    ahead += isWord(peek(ahead + 1), "LOCAL") ? 4 : 3;
  return peek(ahead).kind == TokenKind::Text;
}

ast::ExprPtr Parser::parseCase() {
  ast::Expr expr;
  expr.kind = ast::ExprKind::Case;
  expr.place = take().place;
  expr.flag = !atWord("WHEN");
  if (expr.flag)
    expr.operands.push_back(parseExpr());
  if (!atWord("WHEN"))
    expected("WHEN");
  while (acceptWord("WHEN")) {
    expr.operands.push_back(parseExpr());
    expectWord("THEN");
    expr.operands.push_back(parseExpr());
  }
  ast::Expr none;
  none.place = current().place;
  expr.operands.push_back(acceptWord("ELSE") ? parseExpr() : finish(std::move(none)));
  expectWord("END");
  return finish(std::move(expr));
}

ast::ExprPtr Parser::parseCast() {
  ast::Expr expr;
  expr.kind = ast::ExprKind::Cast;
  Token word = take();
  expr.place = word.place;
  if (word.upper != "CAST")
    notSupported(word.upper, expr.place);
  expectSymbol("(");
  expr.operands = {parseExpr()};
  expectWord("AS");
  expr.type = parseType();
  expectSymbol(")");
  return finish(std::move(expr));
}

std::string Parser::parseUnit() {
  if (current().kind != TokenKind::Name)
    expected("a unit of time");
  std::string unit = take().upper;
  if (acceptSymbol("("))
    while (!atEnd() && !acceptSymbol(")"))
      take();
  if (acceptWord("TO"))
    unit += " TO " + parseUnit();
  return unit;
}

/// INTERVAL '1' DAY, INTERVAL '1 day', INTERVAL 1 DAY.
ast::ExprPtr Parser::parseInterval() {
  ast::Expr expr;
  expr.kind = ast::ExprKind::Interval;
  expr.place = take().place;
  std::string sign = acceptSymbol("-") ? "-" : "";
  if (current().kind != TokenKind::Text && current().kind != TokenKind::Number)
    notSupported("INTERVAL of an expression", expr.place);
  expr.text = sign + take().text;
  static constexpr std::initializer_list<std::string_view> units = {
      "YEAR", "YEARS", "QUARTER", "QUARTERS", "MONTH",  "MONTHS",  "WEEK",   "WEEKS",
      "DAY",  "DAYS",  "HOUR",    "HOURS",    "MINUTE", "MINUTES", "SECOND", "SECONDS"};
  if (atAnyWord(units))
    expr.text += " " + parseUnit();
  return finish(std::move(expr));
}

TypeName Parser::parseType() {
  TypeName type;
  type.place = current().place;
  if (current().kind != TokenKind::Name && current().kind != TokenKind::QuotedName)
    expected("a type");
  type.name = upperCase(take().text);
  auto append = [&](std::initializer_list<std::string_view> words) {
    if (!acceptWords(words))
      return false;
    for (std::string_view word : words)
      type.name += " " + std::string(word);
    return true;
  };
  if (type.name == "DOUBLE")
    append({"PRECISION"});
  if (type.name == "CHARACTER" || type.name == "CHAR" || type.name == "NATIONAL")
    append({"CHARACTER"}), append({"VARYING"}), append({"LARGE", "OBJECT"});
  if (type.name == "BIT")
    append({"VARYING"});
  if (acceptSymbol("(")) {
    do
      type.parameters.push_back(parseInteger("a number of digits or characters"));
    while (acceptSymbol(","));
    expectSymbol(")");
  }
  if (type.name == "TIME" || type.name == "TIMESTAMP")
    append({"WITH", "TIME", "ZONE"}) || append({"WITH", "LOCAL", "TIME", "ZONE"}) ||
        acceptWords({"WITHOUT", "TIME", "ZONE"});
  if (type.name == "INTERVAL" && current().kind == TokenKind::Name &&
      atAnyWord({"YEAR", "MONTH", "DAY", "HOUR", "MINUTE", "SECOND"}))
    type.name += " " + parseUnit();
  while (acceptWord("UNSIGNED") || acceptWord("SIGNED"))
    type.name = type.name;
  if (acceptWords({"CHARACTER", "SET"}))
    take();
  if (atSymbol("[") || atAnyWord({"ARRAY", "MULTISET"}))
    notSupported("a type of collections", type.place);
  return type;
}

} // namespace imbrex::sql
