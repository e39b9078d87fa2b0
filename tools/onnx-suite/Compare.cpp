#include "tools/onnx-suite/Compare.h"

#include <cmath>
#include <cstdio>

namespace imbrex::suite {

static std::string typeText(const HostTensor &t) {
  std::string out(name(t.type()));
  out += "[";
  for (size_t k = 0; k < t.shape().size(); ++k)
    out += (k ? ", " : "") + std::to_string(t.shape()[k]);
  return out + "]";
}

static bool close(double a, double e, Tolerance t) {
  if (std::isnan(a) || std::isnan(e))
    return std::isnan(a) && std::isnan(e);
  if (std::isinf(a) || std::isinf(e))
    return a == e;
  return std::abs(a - e) <= t.absolute + t.relative * std::abs(e);
}

static bool same(const HostTensor &a, const HostTensor &e, int64_t i, Tolerance t) {
  if (isNarrowFloat(e.type())) // exact, but one NaN is as good as another
    return close(a.toDouble(i), e.toDouble(i), {.relative = 0, .absolute = 0});
  return isFloat(e.type()) ? close(a.toDouble(i), e.toDouble(i), t) : a.toInt(i) == e.toInt(i);
}

std::optional<std::string> difference(const HostTensor &actual, const HostTensor &expected,
                                      Tolerance tolerance) {
  if (actual.type() != expected.type() || actual.shape() != expected.shape())
    return "got " + typeText(actual) + ", expected " + typeText(expected);
  int64_t wrong = 0, first = -1;
  for (int64_t i = 0; i < expected.elems(); ++i)
    if (!same(actual, expected, i, tolerance) && wrong++ == 0)
      first = i;
  if (wrong == 0)
    return std::nullopt;
  char text[160];
  std::snprintf(text, sizeof text, "%lld of %lld elements differ; element %lld is %.9g, not %.9g",
                static_cast<long long>(wrong), static_cast<long long>(expected.elems()),
                static_cast<long long>(first), actual.toDouble(first), expected.toDouble(first));
  return text;
}

} // namespace imbrex::suite
