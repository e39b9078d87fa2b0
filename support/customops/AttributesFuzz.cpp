// Any bytes are attributes or an error; attributes survive being written and read again.
#include "support/customops/CustomOps.h"

#include <cstdlib>

using namespace imbrex::customops;

extern "C" int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  auto given = decode({reinterpret_cast<const char *>(data), size});
  if (!given)
    return 0;
  const std::string text = encode(given->attributes, given->absent);
  auto back = decode(text);
  if (!back || encode(back->attributes, back->absent) != text)
    std::abort();
  return 0;
}
