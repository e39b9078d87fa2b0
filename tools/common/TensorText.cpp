#include "tools/common/TensorText.h"

#include "support/tensor/ItemHeap.h"
#include "support/text/Printable.h"

#include <algorithm>
#include <cmath>
#include <cstdio>

namespace imbrex::tools {

namespace {

struct Range {
  double min = INFINITY, max = -INFINITY, sum = 0;
  int64_t nan = 0, counted = 0;
};

Range rangeOf(const HostTensor &tensor) {
  Range range;
  if (isReference(tensor.type()))
    return range;
  for (int64_t i = 0, n = tensor.elems(); i < n; ++i) {
    double value = tensor.toDouble(i);
    if (std::isnan(value)) {
      ++range.nan;
      continue;
    }
    range.min = std::min(range.min, value);
    range.max = std::max(range.max, value);
    range.sum += value;
    ++range.counted;
  }
  return range;
}

std::string numberText(double value) {
  char text[32];
  std::snprintf(text, sizeof text, "%.6g", value);
  return text;
}

/// The tensor that an item refers to, of the process's heap.
HostTensor itemAt(const HostTensor &tensor, int64_t i) {
  auto item = ItemHeap::process().tensorAt(static_cast<uint64_t>(tensor.toInt(i)));
  return item.value_or(HostTensor(DType::F32, {0}));
}

std::string elementsText(const HostTensor &tensor);

std::string elementText(const HostTensor &tensor, int64_t i) {
  if (tensor.type() == DType::String)
    return Json::of(textAt(ItemHeap::process(), tensor, i)).str();
  if (tensor.type() == DType::Item) {
    const HostTensor item = itemAt(tensor, i);
    return typeText(item.type(), item.shape()) + " " + elementsText(item);
  }
  if (tensor.type() == DType::Bool)
    return tensor.toInt(i) ? "true" : "false";
  if (tensor.type() == DType::U64)
    return std::to_string(static_cast<uint64_t>(tensor.toInt(i)));
  return isFloat(tensor.type()) ? numberText(tensor.toDouble(i)) : std::to_string(tensor.toInt(i));
}

std::string elementsText(const HostTensor &tensor) {
  std::string text = "[";
  int64_t shown = tensor.elems() <= 10 ? tensor.elems() : 8;
  for (int64_t i = 0; i < shown; ++i)
    text += (i > 0 ? ", " : "") + elementText(tensor, i);
  return text + (shown < tensor.elems() ? ", …]" : "]");
}

Json elementJson(const HostTensor &tensor, int64_t i) {
  if (tensor.type() == DType::String)
    return Json::of(textAt(ItemHeap::process(), tensor, i));
  if (tensor.type() == DType::Item)
    return toJson("", itemAt(tensor, i));
  if (tensor.type() == DType::Bool)
    return Json::of(tensor.toInt(i) != 0);
  if (tensor.type() == DType::U64)
    return Json::of(static_cast<uint64_t>(tensor.toInt(i)));
  return isFloat(tensor.type()) ? Json::of(tensor.toDouble(i)) : Json::of(tensor.toInt(i));
}

} // namespace

std::string typeText(DType type, const std::vector<int64_t> &shape,
                     const std::vector<std::string> &dimNames) {
  std::string text(name(type));
  text += "[";
  for (size_t i = 0; i < shape.size(); ++i) {
    if (i > 0)
      text += ",";
    if (shape[i] >= 0)
      text += std::to_string(shape[i]);
    else
      text += i < dimNames.size() && !dimNames[i].empty() ? dimNames[i] : "?";
  }
  return text + "]";
}

std::string byteText(uint64_t bytes) {
  const char *units[] = {"B", "KiB", "MiB", "GiB", "TiB"};
  double value = static_cast<double>(bytes);
  int unit = 0;
  for (; value >= 1024 && unit < 4; ++unit)
    value /= 1024;
  char text[32];
  std::snprintf(text, sizeof text, unit == 0 ? "%.0f %s" : "%.1f %s", value, units[unit]);
  return text;
}

std::string describe(const std::string &name, const HostTensor &tensor) {
  std::string text = printable(name) + "  " + typeText(tensor.type(), tensor.shape());
  Range range = rangeOf(tensor);
  if (range.counted > 0)
    text += "  min " + numberText(range.min) + " max " + numberText(range.max) + " mean " +
            numberText(range.sum / static_cast<double>(range.counted));
  if (range.nan > 0)
    text += "  NaN " + std::to_string(range.nan);
  return text + "  " + elementsText(tensor);
}

Json toJson(const std::string &name, const HostTensor &tensor) {
  Range range = rangeOf(tensor);
  bool any = range.counted > 0;
  Json values = Json::array();
  for (int64_t i = 0, n = std::min<int64_t>(tensor.elems(), 16); i < n; ++i)
    values.push(elementJson(tensor, i));
  return Json::object()
      .set("name", name)
      .set("dtype", imbrex::name(tensor.type()))
      .set("shape", tensor.shape())
      .set("min", any ? Json::of(range.min) : Json())
      .set("max", any ? Json::of(range.max) : Json())
      .set("mean", any ? Json::of(range.sum / static_cast<double>(range.counted)) : Json())
      .set("nan", range.nan)
      .set("values", values);
}

} // namespace imbrex::tools
