// SQL text to tokens. Comments are skipped; keywords are names whose `upper` the parser looks at.
// Linear in the text; texts over MaxTextBytes or MaxTokens are refused (E1001).
#pragma once

#include "proof/sql/parse/DialectRules.h"
#include "support/Result.h"

#include <string>
#include <string_view>
#include <vector>

namespace imbrex::sql {

constexpr size_t MaxTextBytes = size_t(1) << 20;
/// A syntax tree takes some hundred bytes for each.
constexpr size_t MaxTokens = 300'000;

struct Place {
  uint32_t line = 0, column = 0;
};

enum class TokenKind : uint8_t { Name, QuotedName, Number, Text, Parameter, Symbol, End };

struct Token {
  TokenKind kind = TokenKind::End;
  std::string text;  // of names and strings: without quotes; of parameters: without : or $
  std::string upper; // of Name: in capitals; of Symbol: the symbol
  Place place;
  size_t begin = 0, end = 0; // in the text
};

/// The last token is End.
Result<std::vector<Token>> lex(std::string_view text, const std::string &file,
                               const DialectRules &rules);

std::string upperCase(std::string text);
/// For messages: names and texts may be as long as the file.
std::string abridged(std::string text);

} // namespace imbrex::sql
