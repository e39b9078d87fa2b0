// Tensors for people and for --json: type, shape, range and the first elements.
#pragma once

#include "support/json/Json.h"
#include "support/tensor/HostTensor.h"

namespace imbrex::tools {

/// One line: "y  f32[1,10]  min -1 max 2.5 mean 0.3  [0.1, 2.5, …]". Linear in the elements.
std::string describe(const std::string &name, const HostTensor &tensor);
/// {"name", "dtype", "shape", "min", "max", "mean", "nan", "values"}: the first 16 values; min, max
/// and mean leave NaN out and are null when nothing is left.
Json toJson(const std::string &name, const HostTensor &tensor);

/// "f32[1,10]"; unknown sizes (-1) as their name, or "?".
std::string typeText(DType type, const std::vector<int64_t> &shape,
                     const std::vector<std::string> &dimNames = {});
/// "512 B", "1.5 KiB", "20.0 MiB".
std::string byteText(uint64_t bytes);

} // namespace imbrex::tools
