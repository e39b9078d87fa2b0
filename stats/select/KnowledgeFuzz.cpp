// Any bytes as a file about procedures: read, or refused.
#include "stats/select/Knowledge.h"

#include <cstdlib>

extern "C" int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  imbrex::stats::Knowledge knowledge;
  imbrex::Status read = imbrex::stats::addKnowledge(
      knowledge, std::string_view(reinterpret_cast<const char *>(data), size), "fuzz");
  if (!read && read.error().what.empty())
    std::abort();
  return 0;
}
