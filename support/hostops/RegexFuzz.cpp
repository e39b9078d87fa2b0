// Any bytes are a pattern or an error, and a pattern matches any text or not, in bounded time.
#include "support/hostops/Regex.h"

#include <algorithm>
#include <cstdlib>

extern "C" int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  const std::string_view all(reinterpret_cast<const char *>(data), std::min<size_t>(size, 4096));
  const size_t end = std::min(all.find('\n'), all.size());
  auto regex = imbrex::Regex::parse(all.substr(0, end));
  if (!regex && regex.error().str().empty())
    std::abort();
  if (regex)
    (void)regex->matchesWhole(all.substr(end).substr(0, 64));
  return 0;
}
