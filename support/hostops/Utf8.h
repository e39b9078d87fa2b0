// UTF-8 by code points, and simple case.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace imbrex::hostops {

/// The code point at `at`, which moves behind it. A byte that starts no valid sequence is U+FFFD.
/// Precondition: at < text.size().
uint32_t nextCodePoint(std::string_view text, size_t &at);
void appendCodePoint(std::string &text, uint32_t c);

/// The other case of a letter that has one of its own in the ASCII, Latin, Greek and Cyrillic
/// blocks; else c.
uint32_t lowerCase(uint32_t c);
uint32_t upperCase(uint32_t c);

} // namespace imbrex::hostops
