// zip_map: rows of scores as maps. A map is a row of two items, its keys and its values.
#include "support/hostops/Access.h"
#include "support/hostops/Items.h"

namespace imbrex {

using namespace hostops;

static uint64_t copied(ItemHeap &heap, const HostTensor &from, int64_t place, int64_t count) {
  HostTensor t(from.type(), {count});
  copyElements(t, 0, from, place, count);
  return heap.tensor(std::move(t));
}

HostResults zipMap(HostArgs args, ItemHeap &heap) {
  const HostTensor &x = *args[0], &keys = *args[1];
  const int64_t rows = x.shape()[0], columns = x.shape()[1];
  if (columns != keys.elems())
    return wrongValue("a row of " + std::to_string(columns) + " scores becomes no map",
                      "there are " + std::to_string(keys.elems()) + " labels");
  const uint64_t labels = copied(heap, keys, 0, columns); // one item for all of them
  std::vector<uint64_t> maps;
  for (int64_t row = 0; row < rows; ++row) {
    const std::vector<uint64_t> parts = {labels, copied(heap, x, row * columns, columns)};
    maps.push_back(heap.tensor(HostTensor::of<uint64_t>(DType::Item, {1, 2}, parts)));
  }
  return std::vector{HostTensor::of<uint64_t>(DType::Item, {rows}, maps)};
}

} // namespace imbrex
