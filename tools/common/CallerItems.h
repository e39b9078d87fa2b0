// Strings and sequences of HostTensors (in ItemHeap::process()) as the C interface takes and gives
// them.
#pragma once

#include "runtime/api/imbrex.h"
#include "support/tensor/HostTensor.h"

#include <deque>
#include <vector>

namespace imbrex::tools {

/// Keeps what its pointers point at.
class CallerItems {
public:
  /// The elements of a tensor of type String or Item, as ImbrexString or ImbrexItem.
  const void *of(const HostTensor &tensor);

private:
  std::deque<std::vector<ImbrexString>> strings;
  std::deque<std::vector<ImbrexItem>> items;
  std::deque<HostTensor> tensors;
};

/// The tensor of such elements.
HostTensor fromCaller(DType type, std::vector<int64_t> shape, const void *elements);

} // namespace imbrex::tools
