#include "runtime/host_ops/NonZero.h"

#include <cstring>

namespace imbrex::runtime {
namespace {

/// An element is zero when its bits are, but for the sign bit of floats.
bool isZero(const std::byte *element, DType type) {
  uint64_t bits = 0;
  auto size = static_cast<size_t>(byteSize(type));
  std::memcpy(&bits, element, size);
  if (isFloat(type))
    bits &= ~(uint64_t{1} << (size * 8 - 1));
  return bits == 0;
}

} // namespace

Status nonZero(HostCall &call) {
  if (call.operands().size() != 1 || call.resultCount() != 1)
    return internalError(242, "non_zero takes one operand and gives one result");
  const Tensor &x = *call.operands()[0];
  auto size = static_cast<uint64_t>(byteSize(x.dtype()));
  uint64_t elems = x.byteCount / size;
  std::vector<uint64_t> places;
  for (uint64_t i = 0; i < elems; ++i)
    if (!isZero(x.bytes() + i * size, x.dtype()))
      places.push_back(i);
  int64_t shape[] = {x.view.rank, static_cast<int64_t>(places.size())};
  Tensor *out = call.makeResult(0, DType::I64, shape);
  if (!out)
    return badInput(250, "no memory for the result of non_zero");
  auto *to = reinterpret_cast<int64_t *>(out->bytes());
  for (size_t n = 0; n < places.size(); ++n) {
    uint64_t rest = places[n];
    for (size_t axis = x.shape().size(); axis-- > 0;) {
      auto extent = static_cast<uint64_t>(x.shape()[axis]);
      to[axis * places.size() + n] = static_cast<int64_t>(rest % extent);
      rest /= extent;
    }
  }
  return {};
}

} // namespace imbrex::runtime
