// Elements of a dense tensor by type, and its rows along an axis.
#pragma once

#include "support/tensor/HostTensor.h"

#include <cmath>
#include <cstring>
#include <optional>

namespace imbrex::hostops {

inline Error wrongValue(std::string what, std::string because = {}) {
  return badInput(242, std::move(what), std::move(because));
}

inline int64_t param(const HostTensor &params, int64_t i) { return params.data<int64_t>()[i]; }

/// Parameter i as an axis of `shape`, counted from the front; nothing when it lies outside.
inline std::optional<size_t> axisParam(const HostTensor &params, int64_t i,
                                       const std::vector<int64_t> &shape) {
  const auto rank = static_cast<int64_t>(shape.size());
  const int64_t axis = param(params, i);
  if (axis < -rank || axis >= rank)
    return std::nullopt;
  return static_cast<size_t>(axis < 0 ? axis + rank : axis);
}

/// `outer` x `extent` x `inner` around an axis of a row-major shape.
struct AxisView {
  int64_t outer = 1, extent = 1, inner = 1;
  AxisView(const std::vector<int64_t> &shape, size_t axis) {
    for (size_t i = 0; i < shape.size(); ++i)
      (i < axis ? outer : i == axis ? extent : inner) *= shape[i];
  }
};

/// -1, 0 or 1 for elements i and j; NaN is above everything and equal to itself.
inline int compareElements(const HostTensor &x, int64_t i, int64_t j) {
  if (isFloat(x.type()) || isNarrowFloat(x.type())) {
    const double a = x.toDouble(i), b = x.toDouble(j);
    if (std::isnan(a) || std::isnan(b))
      return int(std::isnan(a)) - int(std::isnan(b));
    return (a > b) - (a < b);
  }
  const int64_t a = x.toInt(i), b = x.toInt(j);
  if (x.type() == DType::U64)
    return (uint64_t(a) > uint64_t(b)) - (uint64_t(a) < uint64_t(b));
  return (a > b) - (a < b);
}

inline void copyElement(HostTensor &to, int64_t at, const HostTensor &from, int64_t place) {
  const int64_t size = byteSize(from.type());
  std::memcpy(to.mutableBytes().data() + at * size, from.bytes().data() + place * size,
              static_cast<size_t>(size));
}

/// `count` elements in a row.
inline void copyElements(HostTensor &to, int64_t at, const HostTensor &from, int64_t place,
                         int64_t count) {
  const int64_t size = byteSize(from.type());
  if (count > 0)
    std::memcpy(to.mutableBytes().data() + at * size, from.bytes().data() + place * size,
                static_cast<size_t>(count * size));
}

} // namespace imbrex::hostops
