#include "proof/sql/parse/Lexer.h"

#include <array>
#include <cctype>
#include <optional>

namespace imbrex::sql {

std::string upperCase(std::string text) {
  for (char &c : text)
    c = char(std::toupper(static_cast<unsigned char>(c)));
  return text;
}

std::string abridged(std::string text) {
  constexpr size_t Most = 200;
  if (text.size() > Most)
    text = text.substr(0, Most) + "...";
  return text;
}

namespace {

bool isNameStart(char c) {
  return std::isalpha(static_cast<unsigned char>(c)) || c == '_' || (c & 0x80);
}
bool isDigit(char c) { return c >= '0' && c <= '9'; }
bool isNamePart(char c) { return isNameStart(c) || isDigit(c) || c == '$' || c == '#'; }

class Lexer {
public:
  Lexer(std::string_view text, const std::string &file, const DialectRules &rules)
      : text(text), file(file), rules(rules) {}

  Result<std::vector<Token>> run() {
    if (text.size() > MaxTextBytes)
      return badInput(1001, "the SQL text is too large",
                      "it has " + std::to_string(text.size()) + " bytes, over " +
                          std::to_string(MaxTextBytes),
                      "splitting it", {file});
    while (!failure) {
      skipBlanks();
      if (failure)
        break;
      begin = at;
      place = here();
      if (at == text.size()) {
        tokens.push_back({TokenKind::End, {}, {}, place, begin, at});
        return std::move(tokens);
      }
      next();
    }
    return std::move(*failure);
  }

private:
  char peek(size_t ahead = 0) const { return at + ahead < text.size() ? text[at + ahead] : '\0'; }
  bool starts(std::string_view with) const { return text.substr(at).starts_with(with); }
  Place here() const { return {line, uint32_t(at - lineStart + 1)}; }

  void advance(size_t count = 1) {
    for (; count && at < text.size(); --count)
      if (text[at++] == '\n') {
        ++line;
        lineStart = at;
      }
  }

  void fail(std::string what, std::string remedy) {
    failure =
        badInput(1003, std::move(what), "", std::move(remedy), {file, place.line, place.column});
  }

  void add(TokenKind kind, std::string content) {
    std::string upper = kind == TokenKind::Name     ? upperCase(content)
                        : kind == TokenKind::Symbol ? content
                                                    : std::string();
    if (tokens.size() == MaxTokens)
      failure = badInput(1001, "the SQL text is too large",
                         "it has over " + std::to_string(MaxTokens) + " words and symbols",
                         "splitting it", {file, place.line, place.column});
    else
      tokens.push_back({kind, std::move(content), std::move(upper), place, begin, at});
  }

  void skipBlanks() {
    while (at < text.size()) {
      if (std::isspace(static_cast<unsigned char>(peek()))) {
        advance();
      } else if (starts("--")) {
        while (at < text.size() && peek() != '\n')
          advance();
      } else if (starts("/*")) {
        blockComment();
      } else {
        return;
      }
      if (failure)
        return;
    }
  }

  void blockComment() {
    place = here();
    unsigned depth = 0;
    do {
      if (at >= text.size())
        return fail("a comment without end", "closing it with */");
      if (starts("/*"))
        ++depth, advance(2);
      else if (starts("*/"))
        --depth, advance(2);
      else
        advance();
    } while (depth);
  }

  void next() {
    char c = peek();
    if (c == '\'')
      return quoted('\'', TokenKind::Text);
    if (c == '"')
      return quoted('"', rules.doubleQuotedText ? TokenKind::Text : TokenKind::QuotedName);
    if (c == '`' && rules.backtickNames)
      return quoted('`', TokenKind::QuotedName);
    if (c == '[' && rules.bracketNames)
      return quoted(']', TokenKind::QuotedName);
    if ((c == 'N' || c == 'n' || c == 'E' || c == 'e') && peek(1) == '\'')
      return prefixedText();
    if (isDigit(c) || (c == '.' && isDigit(peek(1))))
      return number();
    if (isNameStart(c) || (c == '$' && rules.dollarNames && isNamePart(peek(1))))
      return name();
    if (c == '?')
      return questionMark();
    if ((c == ':' || c == '@') && isNameStart(peek(1)))
      return parameter();
    if (c == '$' && isDigit(peek(1)))
      return parameter();
    symbol();
  }

  void prefixedText() {
    bool escapes = std::toupper(peek()) == 'E';
    advance();
    quoted('\'', TokenKind::Text, escapes);
  }

  void quoted(char close, TokenKind kind, bool escapes = false) {
    escapes |= rules.backslashEscapes && kind == TokenKind::Text;
    std::string content;
    advance();
    for (;; advance()) {
      if (at >= text.size())
        return fail("a text or name in quotes without end", "closing it");
      char c = peek();
      if (escapes && c == '\\' && at + 1 < text.size()) {
        advance();
        content += peek() == 'n' ? '\n' : peek() == 't' ? '\t' : peek();
        continue;
      }
      if (c != close) {
        content += c;
        continue;
      }
      if (peek(1) != close)
        break;
      content += close;
      advance();
    }
    advance();
    if (kind == TokenKind::QuotedName && content.empty())
      return fail("a name without letters", "a name");
    add(kind, std::move(content));
  }

  void number() {
    while (isDigit(peek()))
      advance();
    if (peek() == '.')
      for (advance(); isDigit(peek());)
        advance();
    size_t sign = peek(1) == '+' || peek(1) == '-' ? 2 : 1;
    if ((peek() == 'e' || peek() == 'E') && isDigit(peek(sign)))
      for (advance(sign); isDigit(peek());)
        advance();
    if (isNameStart(peek()))
      return fail("a number that runs into a name", "a blank between them");
    add(TokenKind::Number, std::string(text.substr(begin, at - begin)));
  }

  void name() {
    while (isNamePart(peek()))
      advance();
    add(TokenKind::Name, std::string(text.substr(begin, at - begin)));
  }

  /// Numbered in the order of the text.
  void questionMark() {
    advance();
    add(TokenKind::Parameter, std::to_string(++questionMarks));
  }

  void parameter() {
    advance();
    while (isNamePart(peek()))
      advance();
    add(TokenKind::Parameter, std::string(text.substr(begin + 1, at - begin - 1)));
  }

  void symbol() {
    static constexpr std::array<std::string_view, 11> Long = {"<=>", "<>", "!=", "<=", ">=", "||",
                                                              "::",  "==", "=>", "->", "<<"};
    for (std::string_view symbol : Long)
      if (starts(symbol)) {
        advance(symbol.size());
        return add(TokenKind::Symbol, std::string(symbol));
      }
    static constexpr std::string_view Short = "()[]{},.;+-*/%=<>^&|~!:";
    if (Short.find(peek()) == std::string_view::npos)
      return fail("a character that SQL does not use: " + described(peek()), "removing it");
    std::string content(1, peek());
    advance();
    add(TokenKind::Symbol, std::move(content));
  }

  static std::string described(char c) {
    if (std::isprint(static_cast<unsigned char>(c)))
      return std::string("'") + c + "'";
    static constexpr char Digits[] = "0123456789abcdef";
    return std::string("byte 0x") + Digits[(c >> 4) & 15] + Digits[c & 15];
  }

  std::string_view text;
  const std::string &file;
  const DialectRules &rules;
  std::vector<Token> tokens;
  std::optional<Error> failure;
  size_t at = 0, begin = 0, lineStart = 0;
  uint32_t line = 1, questionMarks = 0;
  Place place;
};

} // namespace

Result<std::vector<Token>> lex(std::string_view text, const std::string &file,
                               const DialectRules &rules) {
  return Lexer(text, file, rules).run();
}

} // namespace imbrex::sql
