// SELECT, VALUES, set operations, WITH, ORDER BY and the forms of LIMIT.
#include "proof/sql/parse/Parser.h"

#include <algorithm>

namespace imbrex::sql {

ast::QueryPtr Parser::finish(ast::Query query) const {
  unsigned height = 0;
  auto cover = [&](const auto &part) {
    if (part)
      height = std::max(height, part->height);
  };
  for (const auto &common : query.with)
    cover(common.query);
  for (const auto &item : query.select.items)
    cover(item.expr);
  for (const auto &table : query.select.from)
    cover(table);
  for (const auto &part : {query.select.where, query.select.having, query.select.qualify})
    cover(part);
  for (const auto &row : query.rows)
    for (const auto &value : row)
      cover(value);
  for (const auto &input : query.inputs)
    cover(input);
  for (const auto &item : query.order)
    cover(item.expr);
  // A list of tables becomes a chain of joins.
  height += 1 + unsigned(query.select.from.size());
  query.height = height;
  if (height > ast::MaxDepth)
    fail(1002, "the SQL nests too deeply",
         "a query has over " + std::to_string(ast::MaxDepth) + " levels", "splitting it",
         query.place);
  return std::make_shared<const ast::Query>(std::move(query));
}

static bool isBare(const ast::Query &query) {
  return query.with.empty() && query.order.empty() && !query.limit && !query.offset;
}

ast::QueryPtr Parser::parseQuery() {
  Nesting nesting(*this);
  ast::Query outer;
  outer.place = current().place;
  if (acceptWord("WITH"))
    parseWith(outer);
  ast::QueryPtr body = parseSetOperation(0);
  if (acceptWords({"ORDER", "BY"}))
    outer.order = parseOrderBy();
  parseLimit(outer);
  if (isBare(outer))
    return body;
  if (!isBare(*body)) {
    outer.kind = ast::BodyKind::Nested;
    outer.inputs = {body};
    return finish(std::move(outer));
  }
  ast::Query query = *body;
  query.place = outer.place;
  query.recursive = outer.recursive;
  query.with = std::move(outer.with);
  query.order = std::move(outer.order);
  query.limit = std::move(outer.limit);
  query.offset = std::move(outer.offset);
  return finish(std::move(query));
}

void Parser::parseWith(ast::Query &query) {
  query.recursive = acceptWord("RECURSIVE");
  do {
    ast::CommonTable common;
    common.name = parseName("the name of a common table");
    if (atSymbol("("))
      common.columns = parseNameList();
    expectWord("AS");
    if (acceptWord("NOT"))
      expectWord("MATERIALIZED");
    else
      acceptWord("MATERIALIZED");
    expectSymbol("(");
    common.query = parseQuery();
    expectSymbol(")");
    query.with.push_back(std::move(common));
  } while (acceptSymbol(","));
}

void Parser::parseLimit(ast::Query &query) {
  for (;;) {
    Place place = current().place;
    if (!query.limit && acceptWord("LIMIT")) {
      if (acceptWord("ALL"))
        continue;
      query.limit = parseExpr();
      if (rules.limitComma && !query.offset && acceptSymbol(",")) {
        query.offset = std::move(query.limit);
        query.limit = parseExpr();
      }
    } else if (!query.offset && acceptWord("OFFSET")) {
      query.offset = parseExpr();
      if (!acceptWord("ROWS"))
        acceptWord("ROW");
    } else if (!query.limit && acceptWord("FETCH")) {
      if (!acceptWord("FIRST"))
        expectWord("NEXT");
      ast::Expr one;
      one.kind = ast::ExprKind::Number;
      one.place = place;
      one.text = "1";
      query.limit = atAnyWord({"ROW", "ROWS"}) ? finish(std::move(one)) : parseExpr();
      if (!acceptWord("ROWS"))
        expectWord("ROW");
      if (acceptWord("WITH"))
        notSupported("FETCH ... WITH TIES", place);
      expectWord("ONLY");
    } else {
      return;
    }
  }
}

/// Is the ORDER BY or FETCH here that of an operand, since a set operation follows it?
bool Parser::ordersOperand() const {
  if (!rules.ordersOperands || !atAnyWord({"ORDER", "FETCH", "OFFSET", "LIMIT"}))
    return false;
  for (size_t i = position; i < tokens.size(); ++i) {
    if (isSymbol(tokens[i], "(") && closing[i])
      i = closing[i];
    else if (isSymbol(tokens[i], ")") || isSymbol(tokens[i], ";"))
      return false;
    for (std::string_view word : {"UNION", "INTERSECT", "EXCEPT", "MINUS"})
      if (isWord(tokens[i], word))
        return true;
  }
  return false;
}

ast::QueryPtr Parser::parseOrderedOperand(ast::QueryPtr operand) {
  ast::Query query = *operand;
  if (acceptWords({"ORDER", "BY"}))
    query.order = parseOrderBy();
  parseLimit(query);
  return finish(std::move(query));
}

/// UNION and EXCEPT bind at 1, INTERSECT at 2 (SQLite: all alike).
ast::QueryPtr Parser::parseSetOperation(int minimum) {
  ast::QueryPtr left = parseQueryPrimary();
  bool orders = ordersOperand();
  if (orders)
    left = parseOrderedOperand(left);
  for (;;) {
    bool intersect = atWord("INTERSECT");
    if (!intersect && !atAnyWord({"UNION", "EXCEPT", "MINUS"}))
      return left;
    int power = intersect && rules.dialect != Dialect::Sqlite ? 2 : 1;
    if (power <= minimum)
      return left;
    ast::Query query;
    query.place = current().place;
    query.kind = ast::BodyKind::SetOp;
    Token word = take();
    query.set = intersect               ? SetKind::Intersect
                : word.upper == "UNION" ? SetKind::Union
                                        : SetKind::Except;
    query.all = acceptWord("ALL");
    if (!query.all)
      acceptWord("DISTINCT");
    if (atWord("CORRESPONDING"))
      notSupported("CORRESPONDING", query.place);
    query.inputs = {left};
    // A chain of one UNION is one operation; the height would be that of the chain otherwise.
    bool more = false;
    do {
      query.inputs.push_back(parseSetOperation(power));
      if (orders)
        query.inputs.back() = parseOrderedOperand(query.inputs.back());
      bool sameAll = isWord(peek(1), "ALL") == query.all && !isWord(peek(1), "DISTINCT");
      more = query.set == SetKind::Union && atWord("UNION") && sameAll;
      position += more ? 1 + query.all : 0;
    } while (more);
    left = finish(std::move(query));
  }
}

ast::QueryPtr Parser::parseQueryPrimary() {
  if (atWord("SELECT"))
    return parseSelect();
  if (atWord("VALUES"))
    return parseValues();
  if (atWord("TABLE"))
    notSupported("TABLE as a query", current().place);
  if (!atSymbol("("))
    expected("a query");
  expectSymbol("(");
  ast::QueryPtr query = parseQuery();
  expectSymbol(")");
  return query;
}

ast::QueryPtr Parser::parseValues() {
  ast::Query query;
  query.kind = ast::BodyKind::Values;
  query.place = take().place;
  if (rules.emptyValues && (atSymbol(")") || atSymbol(";") || atEnd()))
    return finish(std::move(query));
  do {
    acceptWord("ROW");
    if (!atSymbol("(") || atQueryInParentheses()) {
      query.rows.push_back({parseExpr()});
      continue;
    }
    expectSymbol("(");
    query.rows.push_back(parseExprList());
    expectSymbol(")");
  } while (acceptSymbol(","));
  return finish(std::move(query));
}

ast::SelectItem Parser::parseSelectItem() {
  ast::SelectItem item;
  item.expr = parseExpr();
  if (item.expr->kind != ast::ExprKind::Star)
    item.alias = parseAlias();
  return item;
}

ast::GroupElement Parser::parseGroupElement() {
  Nesting nesting(*this);
  ast::GroupElement element;
  auto elements = [&](ast::GroupKind kind) {
    element.kind = kind;
    expectSymbol("(");
    do
      element.elements.push_back(parseGroupElement());
    while (acceptSymbol(","));
    expectSymbol(")");
    return element;
  };
  if (atWord("ROLLUP") && isSymbol(peek(1), "(")) {
    take();
    return elements(ast::GroupKind::Rollup);
  }
  if (atWord("CUBE") && isSymbol(peek(1), "(")) {
    take();
    return elements(ast::GroupKind::Cube);
  }
  if (acceptWords({"GROUPING", "SETS"}))
    return elements(ast::GroupKind::Sets);
  if (atSymbol("(") && isSymbol(peek(1), ")")) {
    position += 2;
    return element;
  }
  ast::ExprPtr expr = parseExpr();
  element.keys = expr->kind == ast::ExprKind::Row ? expr->operands : std::vector{expr};
  return element;
}

ast::QueryPtr Parser::parseSelect() {
  Nesting nesting(*this);
  ast::Query query;
  query.place = current().place;
  ast::Select &select = query.select;
  expectWord("SELECT");
  select.distinct = acceptWord("DISTINCT");
  if (!select.distinct)
    acceptWord("ALL");
  else if (acceptWord("ON")) {
    expectSymbol("(");
    select.distinctOn = parseExprList();
    expectSymbol(")");
  }
  if (rules.top && atWord("TOP") && (peek(1).kind == TokenKind::Number || isSymbol(peek(1), "("))) {
    take();
    query.limit = parsePrimary();
    if (atWord("PERCENT") || acceptWords({"WITH", "TIES"}))
      notSupported("TOP with PERCENT or TIES", query.place);
  }
  do
    select.items.push_back(parseSelectItem());
  while (acceptSymbol(","));
  if (atWord("INTO"))
    notSupported("SELECT INTO", current().place);
  if (acceptWord("FROM"))
    do
      select.from.push_back(parseTableRef());
    while (acceptSymbol(","));
  if (acceptWord("WHERE"))
    select.where = parseExpr();
  if (acceptWords({"GROUP", "BY"})) {
    select.grouped = true;
    acceptWord("ALL");
    do
      select.groupBy.push_back(parseGroupElement());
    while (acceptSymbol(","));
    if (rules.dialect == Dialect::MySql && acceptWords({"WITH", "ROLLUP"})) {
      ast::GroupElement rollup;
      rollup.kind = ast::GroupKind::Rollup;
      rollup.elements = std::move(select.groupBy);
      select.groupBy = {std::move(rollup)};
    }
  }
  if (acceptWord("HAVING"))
    select.having = parseExpr();
  if (acceptWord("WINDOW"))
    do {
      ast::Name name = parseName("the name of a window");
      expectWord("AS");
      select.windows.push_back({std::move(name), parseWindow()});
    } while (acceptSymbol(","));
  if (rules.qualify && acceptWord("QUALIFY"))
    select.qualify = parseExpr();
  return finish(std::move(query));
}

} // namespace imbrex::sql
