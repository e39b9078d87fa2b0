// Names and calls: COUNT(DISTINCT x) FILTER (WHERE ...) OVER (...), EXTRACT(... FROM ...).
#include "proof/sql/parse/Parser.h"

namespace imbrex::sql {

using namespace ast;

ast::ExprPtr Parser::parseNameOrCall() {
  std::vector<ast::Name> names;
  // These words are functions, too: LEFT(x, 3).
  bool reservedCall = (atWord("LEFT") || atWord("RIGHT") || atWord("ANY") || atWord("SOME")) &&
                      isSymbol(peek(1), "(");
  if (reservedCall) {
    Token token = take();
    names.push_back({token.text, false, token.place});
    return parseCall(std::move(names));
  }
  if (!atName())
    expected("an expression");
  ast::Expr expr;
  expr.place = current().place;
  do {
    if (!names.empty() && acceptSymbol("*")) {
      expr.kind = ast::ExprKind::Star;
      expr.names = std::move(names);
      return finish(std::move(expr));
    }
    // After a dot any word is a name.
    bool afterDot = !names.empty() && current().kind == TokenKind::Name;
    if (afterDot) {
      Token token = take();
      names.push_back({token.text, false, token.place});
    } else {
      names.push_back(parseName("a name"));
    }
  } while (acceptSymbol("."));
  if (atSymbol("("))
    return parseCall(std::move(names));
  expr.kind = ast::ExprKind::Name;
  expr.names = std::move(names);
  return finish(std::move(expr));
}

ast::ExprPtr Parser::parseCall(std::vector<ast::Name> names) {
  ast::Expr call;
  call.kind = ast::ExprKind::Function;
  call.place = names[0].place;
  call.names = std::move(names);
  expectSymbol("(");
  std::string name = upperCase(call.names.back().text);
  if (!parseSpecialArguments(name, call))
    parseArguments(call);
  expectSymbol(")");
  parseCallTail(call);
  return finish(std::move(call));
}

/// Arguments with words between them. False: ordinary arguments follow.
bool Parser::parseSpecialArguments(const std::string &name, ast::Expr &call) {
  auto text = [&](std::string content, Place place) {
    ast::Expr literal;
    literal.kind = ast::ExprKind::Text;
    literal.place = place;
    literal.text = std::move(content);
    return finish(std::move(literal));
  };
  Place place = current().place;
  if (name == "EXTRACT") {
    call.operands.push_back(
        text(current().kind == TokenKind::Text ? take().text : parseUnit(), place));
    expectWord("FROM");
    call.operands.push_back(parseExpr());
    return true;
  }
  if (name == "POSITION") {
    call.operands.push_back(parseExpr(rules.precedence.range));
    if (acceptWord("IN"))
      call.operands.push_back(parseExpr());
    return true;
  }
  if (name == "TRIM") {
    std::string side = "BOTH";
    if (atAnyWord({"BOTH", "LEADING", "TRAILING"}))
      side = take().upper;
    if (!atWord("FROM"))
      call.operands.push_back(parseExpr());
    if (acceptWord("FROM")) {
      call.operands.insert(call.operands.begin(), parseExpr());
    } else if (acceptSymbol(",")) {
      call.operands.push_back(parseExpr());
    }
    call.operands.push_back(text(side, place));
    return true;
  }
  if (name == "SUBSTRING" || name == "OVERLAY" || name == "FLOOR" || name == "CEIL" ||
      name == "CEILING") {
    call.operands.push_back(parseExpr());
    while (acceptSymbol(",") || acceptWord("PLACING") || acceptWord("FROM") || acceptWord("FOR"))
      call.operands.push_back(parseExpr());
    place = current().place;
    if (acceptWord("TO"))
      call.operands.push_back(text(parseUnit(), place));
    return true;
  }
  if ((name == "TIMESTAMPADD" || name == "TIMESTAMPDIFF") && current().kind == TokenKind::Name) {
    call.operands.push_back(text(parseUnit(), place));
    while (acceptSymbol(","))
      call.operands.push_back(parseExpr());
    return true;
  }
  return false;
}

void Parser::parseArguments(ast::Expr &call) {
  if (atSymbol(")"))
    return;
  if (atSymbol("*") && isSymbol(peek(1), ")")) {
    take();
    call.call.star = true;
    return;
  }
  call.call.distinct = acceptWord("DISTINCT");
  if (!call.call.distinct)
    acceptWord("ALL");
  call.operands = parseExprList();
  if (acceptWords({"ORDER", "BY"}))
    call.call.order = parseOrderBy();
  if (acceptWord("SEPARATOR"))
    call.operands.push_back(parsePrimary());
}

void Parser::parseCallTail(ast::Expr &call) {
  if (acceptWords({"WITHIN", "GROUP"})) {
    expectSymbol("(");
    expectWord("ORDER");
    expectWord("BY");
    call.call.order = parseOrderBy();
    expectSymbol(")");
  }
  if (atWord("FILTER") && isSymbol(peek(1), "(")) {
    take();
    expectSymbol("(");
    expectWord("WHERE");
    call.call.filter = parseExpr();
    expectSymbol(")");
  }
  if (atAnyWord({"IGNORE", "RESPECT"}) && isWord(peek(1), "NULLS")) {
    bool ignore = take().upper == "IGNORE";
    take();
    if (ignore)
      notSupported("IGNORE NULLS", call.place);
  }
  if (!atWord("OVER") || !(isSymbol(peek(1), "(") || peek(1).kind == TokenKind::Name ||
                           peek(1).kind == TokenKind::QuotedName))
    return;
  take();
  ast::Window window;
  window.place = current().place;
  if (atSymbol("("))
    window = parseWindow();
  else
    window.base = parseName("the name of a window");
  call.call.over = std::make_shared<ast::Window>(std::move(window));
}

} // namespace imbrex::sql
