// Tables, subqueries and joins of FROM.
#include "proof/sql/parse/Parser.h"

#include <algorithm>

namespace imbrex::sql {

ast::TableRefPtr Parser::finish(ast::TableRef ref) const {
  unsigned height = ref.query ? ref.query->height : 0;
  for (const auto &side : {ref.left, ref.right})
    if (side)
      height = std::max(height, side->height);
  if (ref.on)
    height = std::max(height, ref.on->height);
  ref.height = height + 1;
  if (ref.height > ast::MaxDepth)
    fail(1002, "the SQL nests too deeply",
         "joins have over " + std::to_string(ast::MaxDepth) + " levels", "splitting the query",
         ref.place);
  return std::make_shared<const ast::TableRef>(std::move(ref));
}

namespace {
struct JoinWords {
  std::initializer_list<std::string_view> words;
  JoinKind kind;
};
} // namespace

/// Takes the words before the right table; false when no join follows.
bool Parser::parseJoinHead(JoinKind &kind, bool &natural, bool &cross) {
  natural = atWord("NATURAL");
  size_t start = position;
  acceptWord("NATURAL");
  cross = acceptWords({"CROSS", "JOIN"});
  if (cross) {
    kind = JoinKind::Inner;
    return true;
  }
  static const JoinWords forms[] = {
      {{"JOIN"}, JoinKind::Inner},
      {{"INNER", "JOIN"}, JoinKind::Inner},
      {{"LEFT", "SEMI", "JOIN"}, JoinKind::Semi},
      {{"LEFT", "ANTI", "JOIN"}, JoinKind::Anti},
      {{"LEFT", "JOIN"}, JoinKind::Left},
      {{"LEFT", "OUTER", "JOIN"}, JoinKind::Left},
      {{"RIGHT", "JOIN"}, JoinKind::Right},
      {{"RIGHT", "OUTER", "JOIN"}, JoinKind::Right},
      {{"FULL", "JOIN"}, JoinKind::Full},
      {{"FULL", "OUTER", "JOIN"}, JoinKind::Full},
  };
  for (const JoinWords &form : forms)
    if (acceptWords(form.words)) {
      kind = form.kind;
      return true;
    }
  position = start;
  return false;
}

ast::TableRefPtr Parser::parseTableRef() {
  Nesting nesting(*this);
  ast::TableRefPtr left = parseTablePrimary();
  for (;;) {
    ast::TableRef ref;
    ref.kind = ast::TableKind::Join;
    ref.place = current().place;
    bool cross = false;
    bool apply = atAnyWord({"CROSS", "OUTER"}) && isWord(peek(1), "APPLY");
    if (apply) {
      ref.join = take().upper == "OUTER" ? JoinKind::Left : JoinKind::Inner;
      take();
    } else if (!parseJoinHead(ref.join, ref.natural, cross)) {
      return left;
    }
    ref.left = left;
    ref.right = parseTablePrimary();
    if (apply && ref.right->kind == ast::TableKind::Derived) {
      ast::TableRef lateral = *ref.right;
      lateral.lateral = true;
      ref.right = finish(std::move(lateral));
    }
    bool needsCondition = !cross && !apply && !ref.natural;
    if (needsCondition && !atAnyWord({"ON", "USING"}) && ref.join != JoinKind::Inner)
      expected("ON or USING");
    if (needsCondition && acceptWord("ON"))
      ref.on = parseExpr();
    else if (needsCondition && acceptWord("USING"))
      ref.usingColumns = parseNameList();
    left = finish(std::move(ref));
  }
}

void Parser::parseTableAlias(ast::TableRef &ref) {
  ref.alias = parseAlias();
  if (ref.alias && atSymbol("("))
    ref.columnAliases = parseNameList();
  if (atWord("TABLESAMPLE"))
    notSupported("TABLESAMPLE", current().place);
}

ast::TableRefPtr Parser::parseTablePrimary() {
  Nesting nesting(*this);
  ast::TableRef ref;
  ref.place = current().place;
  ref.lateral = acceptWord("LATERAL");
  if (atQueryInParentheses()) {
    ref.kind = ast::TableKind::Derived;
    expectSymbol("(");
    ref.query = parseQuery();
    expectSymbol(")");
    parseTableAlias(ref);
    if (!ref.alias && !rules.subqueryWithoutAlias)
      expected("a name for the subquery");
    return finish(std::move(ref));
  }
  if (rules.emptyValues && atWord("VALUES")) {
    ref.kind = ast::TableKind::Derived;
    ref.query = parseValues();
    parseTableAlias(ref);
    return finish(std::move(ref));
  }
  if (acceptSymbol("(")) {
    ast::TableRefPtr inner = parseTableRef();
    expectSymbol(")");
    if (atWord("AS") || atName())
      notSupported("a name for a join in parentheses", current().place);
    return inner;
  }
  acceptWord("ONLY");
  if (ref.lateral || (atAnyWord({"UNNEST", "TABLE"}) && isSymbol(peek(1), "(")))
    notSupported("a table function", ref.place);
  ref.names.push_back(parseName("a table or a subquery"));
  while (acceptSymbol("."))
    ref.names.push_back(parseName("a table"));
  if (atSymbol("("))
    notSupported("a table function", ref.place);
  parseTableAlias(ref);
  return finish(std::move(ref));
}

} // namespace imbrex::sql
