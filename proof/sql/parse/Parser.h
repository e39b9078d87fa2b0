// The recursive-descent parser behind Parse.h; its parts stand in Parse*.cpp. An error leaves by
// the exception SyntaxError, which only Parse.cpp catches: no half-built tree is ever looked at.
#pragma once

#include "proof/sql/parse/Ast.h"

#include <initializer_list>

namespace imbrex::sql {

struct SyntaxError {
  Error error;
};

class Parser {
public:
  Parser(std::vector<Token> tokens, std::string file, const DialectRules &rules);

  bool atEnd() const { return current().kind == TokenKind::End; }
  bool acceptSymbol(std::string_view symbol);
  ast::QueryPtr parseQuery();
  ast::Statement parseStatement();

  /// "expected X, found Y".
  [[noreturn]] void expected(const std::string &what) const;

private:
  // Tokens.
  const Token &current() const { return tokens[position]; }
  const Token &peek(size_t ahead) const {
    return tokens[std::min(position + ahead, tokens.size() - 1)];
  }
  Token take();
  static bool isWord(const Token &token, std::string_view upper) {
    return token.kind == TokenKind::Name && token.upper == upper;
  }
  static bool isSymbol(const Token &token, std::string_view symbol) {
    return token.kind == TokenKind::Symbol && token.upper == symbol;
  }
  bool atWord(std::string_view upper) const { return isWord(current(), upper); }
  bool atSymbol(std::string_view symbol) const { return isSymbol(current(), symbol); }
  bool atAnyWord(std::initializer_list<std::string_view> words) const;
  bool acceptWord(std::string_view upper);
  bool acceptWords(std::initializer_list<std::string_view> words); // all of them, in a row
  void expectWord(std::string_view upper);
  void expectSymbol(std::string_view symbol);
  bool atName() const; // a name that is no reserved word
  ast::Name parseName(const std::string &what);
  std::optional<ast::Name> parseAlias();
  std::vector<ast::Name> parseNameList(); // ( a, b )
  int64_t parseInteger(const std::string &what);
  [[noreturn]] void fail(uint16_t code, std::string what, std::string because, std::string remedy,
                         Place place) const;
  [[noreturn]] void notSupported(const std::string &what, Place place) const;

  /// Does the parenthesis at the current token hold a query?
  bool atQueryInParentheses() const;

  // ParseExpr.cpp, ParsePrimary.cpp, ParseFunction.cpp.
  ast::ExprPtr parseExpr(int minimum = 0);
  ast::ExprPtr parsePrefix();
  bool parseInfix(ast::ExprPtr &left, int minimum);
  bool parsePredicate(ast::ExprPtr &left, int minimum);
  ast::ExprPtr parseComparison(ast::ExprPtr left, Op op, int power);
  ast::ExprPtr parseIs(ast::ExprPtr left);
  ast::ExprPtr parseIn(ast::ExprPtr left, bool negated, Place place);
  ast::ExprPtr parseBetween(ast::ExprPtr left, bool negated, Place place);
  ast::ExprPtr parseLike(ast::ExprPtr left, bool negated, Place place);
  ast::ExprPtr parsePrimary();
  ast::ExprPtr parseWord();
  ast::ExprPtr parseParenthesis();
  ast::ExprPtr parseCase();
  ast::ExprPtr parseCast();
  ast::ExprPtr parseInterval();
  ast::ExprPtr parseNameOrCall();
  ast::ExprPtr parseCall(std::vector<ast::Name> names);
  bool parseSpecialArguments(const std::string &name, ast::Expr &call);
  void parseArguments(ast::Expr &call);
  void parseCallTail(ast::Expr &call);
  std::string parseUnit();
  std::vector<ast::ExprPtr> parseExprList();
  ast::ExprPtr finish(ast::Expr expr) const; // checks the height
  ast::ExprPtr call(Op op, std::vector<ast::ExprPtr> operands, Place place) const;
  ast::ExprPtr function(const char *name, std::vector<ast::ExprPtr> operands, Place place) const;
  ast::TypeName parseType();
  bool atType() const;

  // ParseWindow.cpp.
  ast::Window parseWindow();
  ast::Frame parseFrame();
  ast::FrameEnd parseFrameEnd();
  std::vector<ast::OrderItem> parseOrderBy();

  // ParseQuery.cpp.
  ast::QueryPtr parseSetOperation(int minimum);
  ast::QueryPtr parseQueryPrimary();
  bool ordersOperand() const;
  ast::QueryPtr parseOrderedOperand(ast::QueryPtr operand);
  ast::QueryPtr parseValues();
  ast::QueryPtr parseSelect();
  ast::SelectItem parseSelectItem();
  ast::GroupElement parseGroupElement();
  void parseWith(ast::Query &query);
  void parseLimit(ast::Query &query);
  ast::QueryPtr finish(ast::Query query) const;

  // ParseFrom.cpp.
  ast::TableRefPtr parseTableRef();
  ast::TableRefPtr parseTablePrimary();
  bool parseJoinHead(JoinKind &kind, bool &natural, bool &cross);
  void parseTableAlias(ast::TableRef &ref);
  ast::TableRefPtr finish(ast::TableRef ref) const;

  // ParseSchema.cpp.
  ast::Statement parseCreate();
  ast::CreateTable parseCreateTable();
  void parseColumnDefinition(ast::CreateTable &table);
  bool parseTableConstraint(std::vector<ast::KeyDefinition> &keys,
                            std::vector<ast::ForeignKeyDefinition> &foreignKeys,
                            std::vector<ast::ExprPtr> &checks);
  ast::ForeignKeyDefinition parseReferences(std::vector<ast::Name> columns);
  ast::CreateView parseCreateView();
  ast::CreateFunction parseCreateFunction();
  ast::AlterTable parseCreateUniqueIndex();
  ast::AlterTable parseAlterTable();
  ast::Name parseTableName();
  void skipIfNotExists();
  void skipStatement();

  struct Nesting {
    explicit Nesting(Parser &parser);
    ~Nesting() { --parser.depth; }
    Parser &parser;
  };

  std::vector<Token> tokens;
  std::vector<uint32_t> closing; // of each token "(": where its ")" is; else 0
  std::string file;
  const DialectRules &rules;
  size_t position = 0;
  unsigned depth = 0;
};

} // namespace imbrex::sql
