// non_zero(x) → indices: i64[rank, count], the places of the elements that are not zero, in
// row-major order. NaN is not zero; a scalar has one place with no coordinates (ONNX NonZero).
#pragma once

#include "runtime/host_ops/HostOps.h"

namespace imbrex::runtime {

Status nonZero(HostCall &call);

} // namespace imbrex::runtime
