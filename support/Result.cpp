#include "support/Result.h"

#include "support/text/Printable.h"

#include <cstdio>

namespace imbrex {

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
  out += tag + what;
  if (!because.empty())
    out += "; because " + because;
  if (!remedy.empty())
    out += "; try " + remedy;
  if (kind == ErrorKind::Internal)
    out += "; this is a defect of Imbrex: please report it with the input and the output of "
           "`imbrex doctor`";
  return printable(out);
}

} // namespace imbrex
