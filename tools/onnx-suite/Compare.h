// Whether an output is the expected one, as ONNX's own runner decides it.
#pragma once

#include "support/tensor/HostTensor.h"

#include <optional>
#include <string>

namespace imbrex::suite {

struct Tolerance {
  double relative = 1e-3;
  double absolute = 1e-7;
};

/// Nothing when `actual` is `expected`: same type and shape, integers and bools equal, floats
/// within absolute + relative * |expected|, NaN where NaN is expected. Otherwise the first
/// difference, in words.
std::optional<std::string> difference(const HostTensor &actual, const HostTensor &expected,
                                      Tolerance tolerance = {});

/// Nothing when the two may be draws of one distribution, in which some elements become 0: same
/// type and shape, equal as above where both are not 0, and shares of zeros within five standard
/// deviations. Otherwise why not.
std::optional<std::string> unlikeDraw(const HostTensor &actual, const HostTensor &expected,
                                      Tolerance tolerance = {});

} // namespace imbrex::suite
