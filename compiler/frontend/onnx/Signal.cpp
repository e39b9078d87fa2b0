// Fourier transforms as matrix products, and the windows that go with them.
#include "compiler/frontend/onnx/Converters.h"

#include <cmath>
#include <numbers>

namespace imbrex::frontend {
namespace {

/// cos or sin of the transform's angles, [length, frequencies].
Value table(NodeContext &n, int64_t length, int64_t frequencies, double (*f)(double), DType type) {
  std::vector<double> values;
  for (int64_t t = 0; t < length; ++t)
    for (int64_t k = 0; k < frequencies; ++k) // k * t mod length in integers: exact angles
      values.push_back(f(2 * std::numbers::pi * double(k * t % length) / double(length)));
  return n.cast(n.constant(HostTensor::of<double>(DType::F64, {length, frequencies}, values)),
                type);
}

/// x cut or padded with zeros to `length` along the last axis.
Value fitted(NodeContext &n, Value x, int64_t length) {
  auto have = n.dims(x).back().constant();
  if (!have)
    return n.unsupported("the size it transforms is not fixed"), Value{};
  std::vector<int64_t> pads(size_t(2 * n.rank(x)), 0);
  pads.back() = length - *have;
  return length == *have ? x : n.apply("pad", {x, n.intVector(pads)});
}

void halfInverse(NodeContext &n, int64_t axis, std::optional<int64_t> wanted);

/// The transform along `axis` of [.., 1] or [.., 2] (real, imaginary): [.., 2].
void transform(NodeContext &n, int64_t axis, std::optional<int64_t> wanted) {
  Value x = n.require(0);
  int64_t rank = n.rank(x);
  if (rank < 2)
    return n.invalid("its operand has no axis for real and imaginary parts");
  axis = n.axis(axis, rank);
  auto parts = n.dims(x).back().constant();
  auto size = n.failed() ? std::nullopt : n.dims(x)[size_t(axis)].constant();
  if (axis == rank - 1 || !parts || !size || (*parts != 1 && *parts != 2))
    return n.unsupported("the sizes it transforms are not fixed");
  int64_t length = wanted.value_or(*size);
  bool inverse = n.i("inverse", 0) != 0, onesided = n.i("onesided", 0) != 0;
  if (inverse && onesided)
    return halfInverse(n, axis, wanted);
  if (length <= 0 || length > 4096)
    return n.unsupported("a transform of length " + std::to_string(length) +
                         " in this form is "
                         "not supported");
  DType type = n.dtype(x);
  int64_t frequencies = onesided ? length / 2 + 1 : length;
  Value cosines = table(n, length, frequencies, std::cos, type);
  Value sines = table(n, length, frequencies, std::sin, type);
  std::vector<int64_t> swap;
  for (int64_t k = 0; k < rank - 1; ++k)
    swap.push_back(k);
  std::swap(swap[size_t(axis)], swap.back());
  auto part = [&](int64_t p) {
    Value v = n.squeeze(n.slice(x, rank - 1, p, p + 1), {rank - 1});
    return fitted(n, n.transpose(v, swap), length);
  };
  auto product = [&](Value a, Value b) { return n.apply("matmul", {a, b}); };
  // (a + bi)(cos - i sin), or with + for the inverse.
  Value a = part(0), real = product(a, cosines), imaginary = product(a, sines);
  if (!inverse)
    imaginary = n.apply("neg", {imaginary});
  if (*parts == 2) {
    Value b = part(1);
    real = n.apply(inverse ? "sub" : "add", {real, product(b, sines)});
    imaginary = n.apply("add", {imaginary, product(b, cosines)});
  }
  auto back = [&](Value v) {
    if (inverse)
      v = n.apply("div", {v, n.scalar(double(length), type)});
    return n.unsqueeze(n.transpose(v, swap), {rank - 1});
  };
  n.result(n.concat({back(real), back(imaginary)}, rank - 1));
}

/// The real signal of which `x` is the first half of the spectrum; the other half is its mirror
/// image.
void halfInverse(NodeContext &n, int64_t axis, std::optional<int64_t> wanted) {
  Value x = n.require(0);
  int64_t rank = n.rank(x);
  axis = n.axis(axis, rank);
  auto parts = n.failed() ? std::nullopt : n.dims(x).back().constant();
  auto size = n.failed() ? std::nullopt : n.dims(x)[size_t(axis)].constant();
  if (!parts || !size || *parts != 2 || axis == rank - 1)
    return n.unsupported("the sizes it transforms are not fixed");
  int64_t length = wanted.value_or(2 * (*size - 1)), frequencies = length / 2 + 1;
  if (length < 1 || length > 4096)
    return n.unsupported("a transform of length " + std::to_string(length) + " is not supported");
  std::vector<double> real, imaginary;
  for (int64_t k = 0; k < frequencies; ++k)
    for (int64_t t = 0; t < length; ++t) {
      double weight = (k == 0 || 2 * k == length ? 1.0 : 2.0) / double(length);
      double angle = 2 * std::numbers::pi * double(k * t % length) / double(length);
      real.push_back(weight * std::cos(angle));
      imaginary.push_back(-weight * std::sin(angle));
    }
  std::vector<int64_t> swap;
  for (int64_t k = 0; k < rank - 1; ++k)
    swap.push_back(k);
  std::swap(swap[size_t(axis)], swap.back());
  auto product = [&](int64_t p, const std::vector<double> &t) {
    Value v = n.squeeze(n.slice(x, rank - 1, p, p + 1), {rank - 1});
    Value m = n.constant(HostTensor::of<double>(DType::F64, {frequencies, length}, t));
    return n.apply("matmul", {fitted(n, n.transpose(v, swap), frequencies), n.cast(m, n.dtype(x))});
  };
  Value y = n.apply("add", {product(0, real), product(1, imaginary)});
  n.result(n.unsqueeze(n.transpose(y, swap), {rank - 1}));
}

std::optional<int64_t> lengthIn(NodeContext &n, size_t i) {
  auto given = n.intsIn(i, "transform length");
  return given && !given->empty() ? std::optional((*given)[0]) : std::nullopt;
}

void dft17(NodeContext &n) { transform(n, n.i("axis", 1), lengthIn(n, 1)); }
void dft20(NodeContext &n) {
  auto length = lengthIn(n, 1);
  auto axis = n.intsIn(2, "axis");
  if (!n.failed())
    transform(n, axis && !axis->empty() ? (*axis)[0] : -2, length);
}

/// a - b cos(angle) + c cos(2 angle) at `size` places of a period.
void window(NodeContext &n, double a, double b, double c) {
  auto size = n.ints(n.require(0), "size");
  if (!size)
    return;
  int64_t count = (*size)[0];
  if (count < 0 || count > 1 << 24)
    return n.invalid("its size is " + std::to_string(count));
  double period = double(count) - (n.i("periodic", 1) != 0 ? 0 : 1);
  std::vector<double> values;
  for (int64_t k = 0; k < count; ++k) {
    double angle = 2 * std::numbers::pi * double(k) / period;
    values.push_back(a - b * std::cos(angle) + c * std::cos(2 * angle));
  }
  n.result(n.cast(n.constant(HostTensor::of<double>(DType::F64, {count}, values)),
                  n.type("output_datatype", DType::F32)));
}

constexpr ConverterRow kRows[] = {
    {"BlackmanWindow", 17, [](NodeContext &n) { window(n, 0.42, 0.5, 0.08); }},
    {"DFT", 17, dft17},
    {"DFT", 20, dft20},
    {"HammingWindow", 17, [](NodeContext &n) { window(n, 25.0 / 46, 21.0 / 46, 0); }},
    {"HannWindow", 17, [](NodeContext &n) { window(n, 0.5, 0.5, 0); }},
};

} // namespace

ConverterRows signalRows() { return kRows; }

} // namespace imbrex::frontend
