#include "tools/common/ModelOptions.h"

#include <algorithm>
#include <charconv>

namespace imbrex::tools {

std::optional<int64_t> parseSize(const std::string &text) {
  int64_t value = 0;
  auto [end, failure] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (failure != std::errc() || end != text.data() + text.size() || value < 0)
    return std::nullopt;
  return value;
}

Result<DimOption> parseDimOption(const std::string &text) {
  Error error = badInput(721, "'" + text + "' does not give a dimension its size", "",
                         "--dim NAME=SIZE or --dim NAME=LOW..HIGH");
  size_t equals = text.find('=');
  if (equals == std::string::npos || equals == 0)
    return error;
  std::string size = text.substr(equals + 1);
  size_t dots = size.find("..");
  std::optional<int64_t> low = parseSize(size.substr(0, dots));
  std::optional<int64_t> high = dots == std::string::npos ? low : parseSize(size.substr(dots + 2));
  if (!low || !high || *low > *high)
    return error;
  return DimOption{text.substr(0, equals), *low, *high};
}

Result<ShapeOption> parseShapeOption(const std::string &text) {
  Error error = badInput(727, "'" + text + "' does not give an input its shape", "",
                         "--input-shape NAME=1x3x224, or NAME= for a scalar");
  size_t equals = text.find('=');
  if (equals == std::string::npos || equals == 0)
    return error;
  ShapeOption option{text.substr(0, equals), {}};
  for (size_t at = equals + 1; at < text.size();) {
    size_t end = std::min(text.find('x', at), text.size());
    std::optional<int64_t> size = parseSize(text.substr(at, end - at));
    if (!size || end + 1 == text.size())
      return error;
    option.shape.push_back(*size);
    at = end + 1;
  }
  return option;
}

} // namespace imbrex::tools
