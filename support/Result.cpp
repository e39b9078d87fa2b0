#include "support/Result.h"

#include "support/text/Printable.h"

#include <cstdio>

namespace imbrex {

/// A file may hold a name of a million bytes: a person reads its beginning.
static std::string shortened(const std::string &text) {
  constexpr size_t most = 4000;
  if (text.size() <= most)
    return text;
  size_t end = most;
  while (end > 0 && (text[end] & 0xc0) == 0x80) // not within a character
    --end;
  return text.substr(0, end) + " … (" + std::to_string(text.size() - end) + " bytes more)";
}

std::string Error::str() const {
  std::string out;
  if (!where.file.empty()) {
    out += where.file;
    if (where.line) {
      out += ":" + std::to_string(where.line);
      if (where.column)
        out += ":" + std::to_string(where.column);
    }
    out += ": ";
  }
  char tag[32];
  std::snprintf(tag, sizeof tag,
                "%s[E%04u]: ", kind == ErrorKind::Internal ? "internal error" : "error", code);
  out += tag + shortened(what);
  if (!because.empty())
    out += "; because " + shortened(because);
  if (!remedy.empty())
    out += "; try " + shortened(remedy);
  if (kind == ErrorKind::Internal)
    out += "; this is a defect of Imbrex: please report it with the input and the output of "
           "`imbrex doctor`";
  return printable(out);
}

} // namespace imbrex
