#include "proof/sql/parse/Parse.h"

#include "proof/sql/parse/Parser.h"

#include <algorithm>
#include <unordered_set>

namespace imbrex::sql {

Parser::Parser(std::vector<Token> given, std::string file, const DialectRules &rules)
    : tokens(std::move(given)), closing(tokens.size()), file(std::move(file)), rules(rules) {
  std::vector<uint32_t> open;
  for (uint32_t i = 0; i < tokens.size(); ++i) {
    if (isSymbol(tokens[i], "("))
      open.push_back(i);
    if (isSymbol(tokens[i], ")") && !open.empty()) {
      closing[open.back()] = i;
      open.pop_back();
    }
  }
}

Parser::Nesting::Nesting(Parser &parser) : parser(parser) {
  if (++parser.depth > ast::MaxDepth)
    parser.fail(1002, "the SQL nests too deeply",
                "it has over " + std::to_string(ast::MaxDepth) + " levels",
                "splitting it with views", parser.current().place);
}

Token Parser::take() {
  Token token = current();
  if (!atEnd())
    ++position;
  return token;
}

bool Parser::atAnyWord(std::initializer_list<std::string_view> words) const {
  return std::any_of(words.begin(), words.end(), [&](auto word) { return atWord(word); });
}

bool Parser::acceptWord(std::string_view upper) {
  bool here = atWord(upper);
  position += here;
  return here;
}

bool Parser::acceptWords(std::initializer_list<std::string_view> words) {
  size_t ahead = 0;
  for (std::string_view word : words)
    if (!isWord(peek(ahead++), word))
      return false;
  position += ahead;
  return true;
}

bool Parser::acceptSymbol(std::string_view symbol) {
  bool here = atSymbol(symbol);
  position += here;
  return here;
}

void Parser::expectWord(std::string_view upper) {
  if (!acceptWord(upper))
    expected(std::string(upper));
}

void Parser::expectSymbol(std::string_view symbol) {
  if (!acceptSymbol(symbol))
    expected("'" + std::string(symbol) + "'");
}

void Parser::fail(uint16_t code, std::string what, std::string because, std::string remedy,
                  Place place) const {
  throw SyntaxError{badInput(code, abridged(std::move(what)), std::move(because), std::move(remedy),
                             {file, place.line, place.column})};
}

void Parser::notSupported(const std::string &what, Place place) const {
  throw SyntaxError{unsupported(1050, what + " is not supported", "", "another way to write it",
                                {file, place.line, place.column})};
}

void Parser::expected(const std::string &what) const {
  std::string found = atEnd() ? "the end of the text" : "'" + current().text + "'";
  fail(1004, "expected " + what + ", found " + found,
       std::string("that is no SQL of the ") + dialectName(rules.dialect) + " dialect",
       "another --dialect if it is valid elsewhere", current().place);
}

/// Words that end what stands before them, so they are no names unless quoted.
static bool isReserved(const std::string &upper) {
  static const std::unordered_set<std::string> words = {
      "ALL",    "AND",    "ANY",    "AS",        "ASC",     "BETWEEN",    "BY",    "CASE",
      "CAST",   "CHECK",  "CREATE", "CROSS",     "DESC",    "DISTINCT",   "ELSE",  "END",
      "EXCEPT", "EXISTS", "FETCH",  "FOR",       "FOREIGN", "FROM",       "FULL",  "GROUP",
      "HAVING", "IN",     "INNER",  "INTERSECT", "INTO",    "IS",         "JOIN",  "LATERAL",
      "LEFT",   "LIKE",   "LIMIT",  "MINUS",     "NATURAL", "NOT",        "NULL",  "OFFSET",
      "ON",     "OR",     "ORDER",  "OUTER",     "PRIMARY", "REFERENCES", "RIGHT", "SELECT",
      "SOME",   "TABLE",  "THEN",   "TO",        "UNION",   "UNIQUE",     "USING", "WHEN",
      "WHERE",  "WINDOW", "WITH",   "TRUE",      "FALSE",   "ILIKE"};
  return words.contains(upper);
}

bool Parser::atName() const {
  if (current().kind == TokenKind::QuotedName)
    return true;
  if (current().kind != TokenKind::Name)
    return false;
  return !isReserved(current().upper) && !(rules.qualify && current().upper == "QUALIFY");
}

ast::Name Parser::parseName(const std::string &what) {
  if (!atName())
    expected(what);
  Token token = take();
  return {token.text, token.kind == TokenKind::QuotedName, token.place};
}

std::optional<ast::Name> Parser::parseAlias() {
  if (acceptWord("AS")) {
    // After AS even a reserved word is clear, and so is a text (SQLite, MySQL).
    if (current().kind != TokenKind::Name && current().kind != TokenKind::QuotedName &&
        current().kind != TokenKind::Text)
      expected("a name");
    Token token = take();
    return ast::Name{token.text, token.kind != TokenKind::Name, token.place};
  }
  if (atName())
    return parseName("a name");
  return std::nullopt;
}

std::vector<ast::Name> Parser::parseNameList() {
  std::vector<ast::Name> names;
  expectSymbol("(");
  do
    names.push_back(parseName("a name"));
  while (acceptSymbol(","));
  expectSymbol(")");
  return names;
}

int64_t Parser::parseInteger(const std::string &what) {
  const std::string &text = current().text;
  if (current().kind != TokenKind::Number || text.size() > 9 ||
      text.find_first_not_of("0123456789") != std::string::npos)
    expected(what);
  return std::stoll(take().text);
}

bool Parser::atQueryInParentheses() const {
  if (!atSymbol("(") || !closing[position])
    return false;
  size_t inner = position + 1;
  for (; isSymbol(tokens[inner], "("); ++inner) {
    if (inner - position > ast::MaxDepth)
      return false; // too deep in any case
    size_t close = closing[inner];
    if (!close)
      return false;
    const Token &next = tokens[close + 1];
    for (std::string_view word :
         {"UNION", "INTERSECT", "EXCEPT", "MINUS", "ORDER", "LIMIT", "OFFSET", "FETCH"})
      if (isWord(next, word))
        return true;
    if (!isSymbol(next, ")"))
      return false;
  }
  return isWord(tokens[inner], "SELECT") || isWord(tokens[inner], "WITH") ||
         (isWord(tokens[inner], "VALUES"));
}

template <class T, class Parse>
static Result<T> parse(std::string_view text, const std::string &file, const DialectRules &rules,
                       const Parse &how) {
  Result<std::vector<Token>> tokens = lex(text, file, rules);
  if (!tokens)
    return tokens.takeError();
  try {
    Parser parser(tokens.take(), file, rules);
    return how(parser);
  } catch (SyntaxError &error) {
    return std::move(error.error);
  }
}

Result<std::vector<ast::Statement>> parseStatements(std::string_view text, const std::string &file,
                                                    const DialectRules &rules) {
  return parse<std::vector<ast::Statement>>(text, file, rules, [](Parser &parser) {
    std::vector<ast::Statement> statements;
    while (!parser.atEnd()) {
      if (parser.acceptSymbol(";"))
        continue;
      statements.push_back(parser.parseStatement());
      if (!parser.atEnd() && !parser.acceptSymbol(";"))
        parser.expected("';' after a statement");
    }
    return statements;
  });
}

Result<ast::QueryPtr> parseQuery(std::string_view text, const std::string &file,
                                 const DialectRules &rules) {
  return parse<ast::QueryPtr>(text, file, rules, [](Parser &parser) {
    ast::QueryPtr query = parser.parseQuery();
    bool ended = false;
    while (parser.acceptSymbol(";"))
      ended = true;
    if (!parser.atEnd())
      parser.expected(ended ? "no second query in the file" : "the end of the query");
    return query;
  });
}

} // namespace imbrex::sql
