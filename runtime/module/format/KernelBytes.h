// The bytes that one launch of a kernel reads and writes, as its record tells them.
#pragma once

#include "runtime/module/format/ArtifactSpec.h"

#include <algorithm>
#include <optional>

namespace imbrex::artifact {

/// Results, and operands as far as they are read: of one that is gathered, an element for each of
/// the largest other tensor, which is an estimate. `sizeOf` gives a dimension's size where it is
/// known; -1 when one is not.
template <class SizeOf> int64_t bytesOf(const KernelSpec &k, SizeOf sizeOf) {
  auto isGathered = [&](size_t i) { return std::ranges::find(k.gathered, i) != k.gathered.end(); };
  std::vector<int64_t> elems;
  int64_t largest = 0;
  for (const TypeSpec &t : k.args) {
    int64_t count = 1;
    for (const DimSpec &d : t.dims)
      if (const std::optional<int64_t> size = sizeOf(d);
          !size || __builtin_mul_overflow(count, *size, &count))
        return -1;
    if (!isGathered(elems.size()))
      largest = std::max(largest, count);
    elems.push_back(count);
  }
  int64_t total = 0;
  for (size_t i = 0; i < elems.size(); ++i) {
    int64_t bytes = isGathered(i) ? std::min(elems[i], largest) : elems[i];
    if (__builtin_mul_overflow(bytes, int64_t{byteSize(k.args[i].dtype)}, &bytes) ||
        __builtin_add_overflow(total, bytes, &total))
      return -1;
  }
  return k.args.empty() ? -1 : total;
}

} // namespace imbrex::artifact
