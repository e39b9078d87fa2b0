#include "support/text/Printable.h"

#include <cstdio>

namespace imbrex {

CodePoint firstCodePoint(std::string_view text) {
  auto byte = [&](size_t i) { return static_cast<unsigned char>(text[i]); };
  if (text.empty())
    return {};
  if (byte(0) < 0x80)
    return {byte(0), 1};
  const size_t bytes = byte(0) >= 0xf0 ? 4 : byte(0) >= 0xe0 ? 3 : 2;
  if (byte(0) < 0xc2 || byte(0) > 0xf4 || text.size() < bytes)
    return {};
  uint32_t value = byte(0) & (0xffu >> (bytes + 1));
  for (size_t i = 1; i < bytes; ++i) {
    if ((byte(i) & 0xc0) != 0x80)
      return {};
    value = value << 6 | (byte(i) & 0x3fu);
  }
  constexpr uint32_t least[] = {0, 0, 0x80, 0x800, 0x10000};
  if (value < least[bytes] || value > 0x10ffff || (value >= 0xd800 && value <= 0xdfff))
    return {};
  return {value, bytes};
}

bool isControl(uint32_t c) {
  return c < 0x20 || (c >= 0x7f && c <= 0x9f) ||                         // C0, DEL, C1
         c == 0x061c || c == 0x200e || c == 0x200f ||                    // marks of direction
         (c >= 0x2028 && c <= 0x202e) || (c >= 0x2066 && c <= 0x2069) || // lines, directions
         c == 0xfeff || (c >= 0xfff9 && c <= 0xfffb) || (c >= 0xe0000 && c <= 0xe007f);
}

namespace {

enum class Breaks : uint8_t { Escaped, Kept };

std::string escapeControls(std::string_view text, Breaks breaks) {
  std::string out;
  out.reserve(text.size());
  char escape[16];
  for (size_t at = 0; at < text.size();) {
    const CodePoint c = firstCodePoint(text.substr(at));
    if (c.bytes == 0 || (c.bytes == 1 && isControl(c.value))) {
      const char raw = text[at++];
      if (breaks == Breaks::Kept && (raw == '\n' || raw == '\t')) {
        out += raw;
        continue;
      }
      std::snprintf(escape, sizeof escape, "\\x%02x", static_cast<unsigned char>(raw));
      out += raw == '\n' ? "\\n" : raw == '\t' ? "\\t" : raw == '\r' ? "\\r" : escape;
      continue;
    }
    if (isControl(c.value)) {
      std::snprintf(escape, sizeof escape, "\\u{%x}", c.value);
      out += escape;
    } else {
      out += text.substr(at, c.bytes);
    }
    at += c.bytes;
  }
  return out;
}

} // namespace

std::string printable(std::string_view text) { return escapeControls(text, Breaks::Escaped); }
std::string printableLines(std::string_view text) { return escapeControls(text, Breaks::Kept); }

} // namespace imbrex
