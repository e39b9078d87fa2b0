// Text of strangers (names in models, data, paths) made safe to show on a terminal.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace imbrex {

/// One line: control characters (line breaks and tabs included), characters that turn the direction
/// of writing, and bytes that are no UTF-8 become visible escapes such as `\x1b` and `\u{202e}`.
/// Everything else stays. Linear.
std::string printable(std::string_view text);

/// The same for text of several lines: line breaks and tabs stay.
std::string printableLines(std::string_view text);

/// Does a terminal, or whoever reads the text, take this code point for an order and not a sign?
bool isControl(uint32_t codePoint);

/// The code point at the start of `text` and its length in bytes; length 0 where no UTF-8 begins.
struct CodePoint {
  uint32_t value = 0;
  size_t bytes = 0;
};
CodePoint firstCodePoint(std::string_view text);

} // namespace imbrex
