#include "stats/language/Lexer.h"

#include <algorithm>
#include <array>

namespace imbrex::stats {
namespace {

constexpr size_t maxBytes = 1 << 20;
constexpr std::array<std::string_view, 8> reserved = {"by",   "given", "within", "in",
                                                      "from", "into",  "others", "order"};

bool isBlank(char c) { return c == ' ' || c == '\t' || c == '\r'; }
bool isDigit(char c) { return c >= '0' && c <= '9'; }
bool isSymbol(char c) { return std::string_view(",:[]<>=!~*").find(c) != std::string_view::npos; }

class Lexer {
public:
  Lexer(std::string_view text, const std::string &file) : text(text), file(file) {}

  LexedText run() {
    while (at < text.size())
      step();
    endLine();
    if (depth)
      result.errors.push_back(
          badInput(1231, "a bracket does not end", "", "']'", {file, openLine, openColumn}));
    return std::move(result);
  }

private:
  char peek(size_t ahead = 0) const { return at + ahead < text.size() ? text[at + ahead] : '\0'; }
  uint32_t column() const { return static_cast<uint32_t>(at - lineStart + 1); }

  void step() {
    char c = text[at];
    if (c == '\n') {
      ++at;
      ++line;
      lineStart = at;
      if (!depth)
        endLine();
    } else if (isBlank(c) || static_cast<unsigned char>(c) < 0x20) {
      ++at;
    } else if (c == '#') {
      while (at < text.size() && text[at] != '\n')
        ++at;
    } else if (c == '"' || c == '\'') {
      quoted(c);
    } else if (isSymbol(c) || c == '+' || (c == '-' && !isDigit(peek(1)) && peek(1) != '.')) {
      symbol(c);
    } else {
      word();
    }
  }

  Token &begin(TokenKind kind) {
    if (current.tokens.empty()) {
      current.number = line;
      current.indented = at > lineStart;
    }
    current.tokens.push_back({kind, "", line, column()});
    return current.tokens.back();
  }

  void symbol(char c) {
    Token &token = begin(TokenKind::Symbol);
    token.text = c;
    ++at;
    if ((c == '!' || c == '=') && peek() == '=') {
      token.text += '=';
      ++at;
    }
    if (c == '[' && depth++ == 0) {
      openLine = line;
      openColumn = token.column;
    }
    if (c == ']' && depth)
      --depth;
  }

  void word() {
    Token &token = begin(TokenKind::Word);
    while (at < text.size() && !isBlank(text[at]) && !isSymbol(text[at]) &&
           static_cast<unsigned char>(text[at]) >= 0x20)
      token.text += text[at++];
  }

  void quoted(char quote) {
    Token &token = begin(TokenKind::Quoted);
    ++at;
    while (at < text.size() && text[at] != quote && text[at] != '\n') {
      if (text[at] == '\\' && at + 1 < text.size() && text[at + 1] != '\n') {
        char c = text[++at];
        token.text += c == 'n' ? '\n' : c == 't' ? '\t' : c;
        ++at;
      } else {
        token.text += text[at++];
      }
    }
    if (peek() == quote && at < text.size())
      ++at;
    else
      result.errors.push_back(badInput(1231, "a quoted name does not end on its line", "",
                                       std::string("a closing ") + quote,
                                       {file, token.line, token.column}));
  }

  void endLine() {
    if (!current.tokens.empty())
      result.lines.push_back(std::move(current));
    current = {};
  }

  std::string_view text;
  const std::string &file;
  LexedText result;
  Line current;
  size_t at = 0, lineStart = 0;
  uint32_t line = 1, depth = 0, openLine = 0, openColumn = 0;
};

} // namespace

LexedText lexTea(std::string_view text, const std::string &file) {
  if (text.size() > maxBytes)
    return {{},
            {badInput(1239, "the study is longer than 1 MiB", "", "a smaller one", {file, 0, 0})}};
  if (text.starts_with("\xef\xbb\xbf"))
    text.remove_prefix(3);
  return Lexer(text, file).run();
}

std::string writtenName(std::string_view name) {
  LexedText lexed = lexTea(name, "");
  bool plain = lexed.errors.empty() && lexed.lines.size() == 1;
  std::string joined;
  if (plain)
    for (const Token &token : lexed.lines[0].tokens) {
      plain &= token.kind == TokenKind::Word &&
               std::find(reserved.begin(), reserved.end(), token.text) == reserved.end();
      joined += (joined.empty() ? "" : " ") + token.text;
    }
  if (plain && joined == name)
    return joined;
  std::string quoted = "\"";
  for (char c : name) {
    if (c == '"' || c == '\\')
      quoted += '\\';
    quoted += c == '\n' ? "\\n" : c == '\t' ? "\\t" : std::string(1, c);
  }
  return quoted + "\"";
}

} // namespace imbrex::stats
