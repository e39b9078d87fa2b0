#include "tools/onnx-suite/Compare.h"

#include "support/tensor/ItemHeap.h"

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

/// Texts, or whole tensors, of the process's heap.
static std::optional<std::string> differentItem(const HostTensor &actual,
                                                const HostTensor &expected, int64_t i,
                                                Tolerance tolerance) {
  const ItemHeap &heap = ItemHeap::process();
  const std::string element = "element " + std::to_string(i) + ": ";
  if (expected.type() == DType::String) {
    const std::string_view a = textAt(heap, actual, i), e = textAt(heap, expected, i);
    return a == e ? std::nullopt
                  : std::optional(element + "got '" + std::string(a) + "', expected '" +
                                  std::string(e) + "'");
  }
  auto a = heap.tensorAt(static_cast<uint64_t>(actual.toInt(i)));
  auto e = heap.tensorAt(static_cast<uint64_t>(expected.toInt(i)));
  if (!a || !e)
    return element + "there is none";
  auto d = difference(*a, *e, tolerance);
  return d ? std::optional(element + *d) : std::nullopt;
}

std::optional<std::string> difference(const HostTensor &actual, const HostTensor &expected,
                                      Tolerance tolerance) {
  if (actual.type() != expected.type() || actual.shape() != expected.shape())
    return "got " + typeText(actual) + ", expected " + typeText(expected);
  for (int64_t i = 0; isReference(expected.type()) && i < expected.elems(); ++i)
    if (auto d = differentItem(actual, expected, i, tolerance))
      return d;
  if (isReference(expected.type()))
    return std::nullopt;
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

std::optional<std::string> unlikeDraw(const HostTensor &actual, const HostTensor &expected,
                                      Tolerance tolerance) {
  if (actual.type() != expected.type() || actual.shape() != expected.shape() ||
      isReference(actual.type()))
    return "got " + typeText(actual) + ", expected " + typeText(expected);
  int64_t zeros = 0, expectedZeros = 0;
  const int64_t n = expected.elems();
  for (int64_t i = 0; i < n; ++i) {
    const bool zero = actual.toDouble(i) == 0, expectedZero = expected.toDouble(i) == 0;
    zeros += zero, expectedZeros += expectedZero;
    if (!zero && !expectedZero && !same(actual, expected, i, tolerance))
      return "element " + std::to_string(i) + " is neither 0 nor the expected value";
  }
  const double share = double(zeros + expectedZeros) / double(2 * std::max<int64_t>(n, 1));
  const double deviation = std::sqrt(2 * double(n) * share * (1 - share));
  if (std::abs(double(zeros - expectedZeros)) > 5 * deviation)
    return std::to_string(zeros) + " of " + std::to_string(n) + " elements are 0, not about " +
           std::to_string(expectedZeros);
  return std::nullopt;
}

} // namespace imbrex::suite
