// Bytes of a text file to UTF-8: by declaration, by byte order mark, or by looking. What was
// decided is said, never guessed silently.
#pragma once

#include "support/Result.h"

#include <string>
#include <string_view>

namespace imbrex::stats {

struct DecodedText {
  std::string text;     // UTF-8, without a byte order mark
  std::string encoding; // "UTF-8", "UTF-16LE", "Windows-1252", …
  std::string reason;   // how that was decided: "declared", "byte order mark", …
};

/// `declared` is a name such as "utf-8", "latin1", "windows-1252", "utf-16"; empty: detected. Text
/// that is no valid UTF-8 and has no mark is read as Windows-1252, in which each byte is a
/// character. E1202 for a name that is not known, for bytes that contradict the declaration and for
/// NUL bytes. Linear; `bytes` is reused where it is UTF-8.
Result<DecodedText> decodeText(std::string bytes, std::string_view declared);

/// Whether all of `text` is valid UTF-8 (no overlong forms, no surrogates); else the offset of the
/// first bad byte.
bool validUtf8(std::string_view text, size_t *badOffset = nullptr);

} // namespace imbrex::stats
