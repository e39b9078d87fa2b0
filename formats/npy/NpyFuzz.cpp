// Any bytes are an array or an error; an array survives being written and read again.
#include "formats/npy/Npy.h"
#include "support/tensor/ItemHeap.h"

#include <algorithm>
#include <cstdlib>

extern "C" int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  auto t = imbrex::npy::read({reinterpret_cast<const std::byte *>(data), size}, "fuzz");
  if (!t)
    return 0;
  std::string again = imbrex::npy::encode(*t);
  auto back = imbrex::npy::read(std::as_bytes(std::span(again)), "fuzz");
  if (!back || back->shape() != t->shape() || !std::ranges::equal(back->bytes(), t->bytes()))
    std::abort();
  imbrex::ItemHeap::process().clear();
  return 0;
}
