// Any bytes are a picture or none, in bounded time and memory.
#include "support/images/Images.h"

#include <cstdlib>

extern "C" int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  const auto picture = imbrex::images::decode({data, size});
  if (picture && picture->rgb.size() != size_t(picture->height * picture->width * 3))
    std::abort();
  return 0;
}
