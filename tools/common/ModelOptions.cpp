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

std::string DimOption::sizes() const {
  std::string text = std::to_string(low);
  if (high != low)
    text += ".." + std::to_string(high);
  return divisor == 1 ? text : text + "%" + std::to_string(divisor);
}

static Error badDim(const std::string &text, std::string because) {
  return badInput(721, "'" + text + "' does not give a dimension its size", std::move(because),
                  "--dim NAME=SIZE, --dim NAME=LOW..HIGH or --dim NAME=LOW..HIGH%DIVISOR");
}

static Result<DimOption> parseDim(const std::string &text) {
  const Error noForm = badDim(text, "");
  size_t equals = text.find('=');
  if (equals == std::string::npos || equals == 0)
    return noForm;
  DimOption dim{text.substr(0, equals)};
  std::string size = text.substr(equals + 1);
  if (size_t percent = size.find('%'); percent != std::string::npos) {
    std::optional<int64_t> divisor = parseSize(size.substr(percent + 1));
    if (!divisor || *divisor == 0)
      return badDim(text, "what follows % is no divisor");
    dim.divisor = *divisor;
    size.resize(percent);
  }
  size_t dots = size.find("..");
  std::optional<int64_t> low = parseSize(size.substr(0, dots));
  std::optional<int64_t> high = dots == std::string::npos ? low : parseSize(size.substr(dots + 2));
  if (!low || !high)
    return noForm;
  dim.low = *low, dim.high = *high;
  if (dim.low > dim.high)
    return badDim(text, "its bounds hold no size");
  if (dim.high / dim.divisor * dim.divisor < dim.low)
    return badDim(text, "no multiple of " + std::to_string(dim.divisor) + " lies in its bounds");
  return dim;
}

Result<std::vector<DimOption>> parseDimOption(const std::string &text) {
  std::vector<DimOption> dims;
  for (size_t at = 0; at <= text.size();) {
    size_t end = std::min(text.find(',', at), text.size());
    Result<DimOption> dim = parseDim(text.substr(at, end - at));
    if (!dim)
      return dim.takeError();
    dims.push_back(dim.take());
    at = end + 1;
  }
  return dims;
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
