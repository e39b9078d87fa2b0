#include "tools/common/Say.h"

#include "support/text/Printable.h"

#include <cstdarg>
#include <cstdio>

namespace imbrex::tools {

namespace {

void write(std::FILE *file, std::string_view text) {
  const std::string safe = printableLines(text);
  std::fwrite(safe.data(), 1, safe.size(), file);
}

void format(std::FILE *file, const char *format, va_list values) {
  va_list again;
  va_copy(again, values);
  const int size = std::vsnprintf(nullptr, 0, format, again);
  va_end(again);
  std::string text(size > 0 ? static_cast<size_t>(size) : 0, '\0');
  std::vsnprintf(text.data(), text.size() + 1, format, values);
  write(file, text);
}

} // namespace

void say(const char *pattern, ...) {
  va_list values;
  va_start(values, pattern);
  format(stdout, pattern, values);
  va_end(values);
}

void warn(const char *pattern, ...) {
  va_list values;
  va_start(values, pattern);
  format(stderr, pattern, values);
  va_end(values);
}

void sayText(std::string_view text) { write(stdout, text); }

void sayLine(std::string_view text) {
  write(stdout, text);
  std::fputc('\n', stdout);
}

} // namespace imbrex::tools
