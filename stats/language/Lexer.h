// Lines and tokens of .tea text. Names need quotes only where they hold a symbol or look like
// syntax.
#pragma once

#include "support/Result.h"

#include <string>
#include <string_view>
#include <vector>

namespace imbrex::stats {

enum class TokenKind : uint8_t { Word, Quoted, Symbol };

struct Token {
  TokenKind kind = TokenKind::Word;
  std::string text; // of Quoted: without quotes and escapes
  uint32_t line = 0, column = 0;

  bool is(std::string_view symbol) const { return kind == TokenKind::Symbol && text == symbol; }
  bool word(std::string_view w) const { return kind == TokenKind::Word && text == w; }
};

/// A statement or an entry of a block. An open bracket continues it on the next line.
struct Line {
  bool indented = false;
  uint32_t number = 0;
  std::vector<Token> tokens; // never empty
};

struct LexedText {
  std::vector<Line> lines;
  std::vector<Error> errors; // E1231: a quote or a bracket that does not end
};

/// Symbols: , : [ ] < > = != == ~ * and + or - before a name. Comments start with # and end with
/// the line. Linear. Texts over 1 MiB are refused (E1239).
LexedText lexTea(std::string_view text, const std::string &file);

/// `name` as it has to be written: itself, or in quotes.
std::string writtenName(std::string_view name);

} // namespace imbrex::stats
