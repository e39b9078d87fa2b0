// ORDER BY, windows and their frames.
#include "proof/sql/parse/Parser.h"

namespace imbrex::sql {

std::vector<ast::OrderItem> Parser::parseOrderBy() {
  std::vector<ast::OrderItem> items;
  do {
    ast::OrderItem item;
    item.expr = parseExpr();
    if (acceptWord("DESC"))
      item.direction = Direction::Descending;
    else
      acceptWord("ASC");
    if (acceptWords({"NULLS", "FIRST"}))
      item.nulls = NullOrder::First;
    else if (acceptWords({"NULLS", "LAST"}))
      item.nulls = NullOrder::Last;
    items.push_back(std::move(item));
  } while (acceptSymbol(","));
  return items;
}

/// ( [name] [PARTITION BY ...] [ORDER BY ...] [frame] )
ast::Window Parser::parseWindow() {
  ast::Window window;
  window.place = current().place;
  expectSymbol("(");
  bool isName = atName() && !atAnyWord({"PARTITION", "ROWS", "RANGE", "GROUPS"});
  if (isName)
    window.base = parseName("the name of a window");
  if (acceptWords({"PARTITION", "BY"}))
    window.partition = parseExprList();
  if (acceptWords({"ORDER", "BY"}))
    window.order = parseOrderBy();
  if (atAnyWord({"ROWS", "RANGE", "GROUPS"}))
    window.frame = parseFrame();
  expectSymbol(")");
  return window;
}

ast::Frame Parser::parseFrame() {
  ast::Frame frame;
  Token unit = take();
  if (unit.upper == "GROUPS")
    notSupported("a frame of GROUPS", unit.place);
  frame.unit = unit.upper == "ROWS" ? FrameUnit::Rows : FrameUnit::Range;
  if (acceptWord("BETWEEN")) {
    frame.from = parseFrameEnd();
    expectWord("AND");
    frame.to = parseFrameEnd();
  } else {
    frame.from = parseFrameEnd();
  }
  if (atWord("EXCLUDE") && !acceptWords({"EXCLUDE", "NO", "OTHERS"}))
    notSupported("EXCLUDE in a frame", current().place);
  return frame;
}

ast::FrameEnd Parser::parseFrameEnd() {
  if (acceptWords({"UNBOUNDED", "PRECEDING"}))
    return {BoundKind::UnboundedPreceding, nullptr};
  if (acceptWords({"UNBOUNDED", "FOLLOWING"}))
    return {BoundKind::UnboundedFollowing, nullptr};
  if (acceptWords({"CURRENT", "ROW"}))
    return {BoundKind::CurrentRow, nullptr};
  ast::ExprPtr offset = parseExpr(rules.precedence.range);
  if (acceptWord("PRECEDING"))
    return {BoundKind::Preceding, std::move(offset)};
  expectWord("FOLLOWING");
  return {BoundKind::Following, std::move(offset)};
}

} // namespace imbrex::sql
