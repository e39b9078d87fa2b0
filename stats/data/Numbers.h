// Numbers as people write them: decimal points or commas, thousands marks, `.35`, a Unicode minus.
#pragma once

#include <optional>
#include <string_view>

namespace imbrex::stats {

struct NumberFormat {
  char decimal = '.';
  char thousands = 0; // 0: none
};

/// Nothing for text that is no finite number in this format. Blanks around are allowed, no-break
/// ones too. A thousands mark must stand before each group of three digits, or nowhere.
std::optional<double> parseNumber(std::string_view text, NumberFormat format);

/// What one number says about the format of its file.
enum class NumberHint : unsigned char {
  None,           // 12, -3e5
  Dot,            // 1.25: a decimal point
  Comma,          // 1,25: a decimal comma
  EitherComma,    // 1,286: a decimal comma or a thousands mark
  EitherDot,      // 1.286
  CommaThousands, // 1,286.5 or 1,286,000: decimal point
  DotThousands,   // 1.286,5 or 1.286.000: decimal comma
  NoNumber,
};
NumberHint numberHint(std::string_view text);

std::string_view trimmed(std::string_view text);

} // namespace imbrex::stats
