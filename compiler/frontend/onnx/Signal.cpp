// Fourier transforms as matrix products, and the windows that go with them.
#include "compiler/frontend/onnx/Converters.h"

#include <cmath>
#include <numbers>

namespace imbrex::frontend {
namespace {

/// Larger tables are made when the model runs.
constexpr int64_t kMaxTable = 1 << 24;

/// cos or sin of 2 pi t k / length for row t and column k. Angles are exact: t * k mod length is
/// taken in integers.
Value table(NodeContext &n, const char *f, std::pair<DimExpr, DimExpr> shape, const DimExpr &length,
            DType type) {
  auto rows = shape.first.constant(), columns = shape.second.constant(), size = length.constant();
  if (rows && columns && size && *rows <= kMaxTable && *rows * *columns <= kMaxTable) {
    std::vector<double> values;
    for (int64_t t = 0; t < *rows; ++t)
      for (int64_t k = 0; k < *columns; ++k) {
        const double angle = 2 * std::numbers::pi * double(k * t % *size) / double(*size);
        values.push_back(*f == 'c' ? std::cos(angle) : std::sin(angle));
      }
    return n.cast(n.constant(HostTensor::of<double>(DType::F64, {*rows, *columns}, values)), type);
  }
  Value product = n.apply("mul", {n.unsqueeze(n.places(shape.first), {1}), n.places(shape.second)});
  Value part = n.cast(n.apply("mod", {product, n.size(length)}), DType::F64);
  Value turn = n.apply(
      "div", {n.scalar(2 * std::numbers::pi, DType::F64), n.cast(n.size(length), DType::F64)});
  return n.cast(n.apply(f, {n.apply("mul", {part, turn})}), type);
}

/// How many parts the numbers of x have on its last axis: 1 (real) or 2 (complex); fails for
/// another number. Where only a run decides, x becomes complex.
int64_t twoParts(NodeContext &n, Value &x) {
  auto shape = n.dims(x);
  if (!shape.back().constant()) {
    std::vector<DimExpr> pads(2 * shape.size(), 0);
    pads.back() = max(DimExpr(2) - shape.back(), 0);
    shape.back() = 2;
    x = n.reshapeTo(n.apply("pad", {x, n.sizes(pads)}), shape); // which has no more than 2
  }
  const int64_t parts = n.failed() ? 2 : n.dims(x).back().constant().value_or(0);
  if (parts != 1 && parts != 2)
    n.invalid("an element has " + std::to_string(parts) + " parts");
  return parts;
}

/// A transform along one axis of [.., 1] or [.., 2] (real, imaginary).
class Transform {
public:
  explicit Transform(NodeContext &n) : n(n) {}
  void run(int64_t axis, std::optional<int64_t> wanted);

private:
  void read(int64_t axis, std::optional<int64_t> wanted);
  void whole();
  void halfInverse();
  Value part(int64_t p, const DimExpr &size);
  Value product(Value a, Value b) { return n.apply("matmul", {a, b}); }

  NodeContext &n;
  Value x;
  int64_t last = 0, parts = 0; // x's last axis and its size
  DType type = DType::F32;
  bool inverse = false, onesided = false;
  std::vector<int64_t> swap; // brings the axis to the end of one part, and back
  DimExpr length = 0;        // of the signal
};

void Transform::read(int64_t axis, std::optional<int64_t> wanted) {
  x = n.require(0);
  last = n.rank(x) - 1;
  if (n.failed() || last < 1)
    return n.invalid("its operand has no axis for real and imaginary parts");
  axis = n.axis(axis, last + 1);
  if (axis == last)
    return n.invalid("its axis is that of real and imaginary parts", "axis");
  if (wanted && *wanted < 1)
    return n.invalid("its length is " + std::to_string(*wanted));
  parts = twoParts(n, x);
  inverse = n.i("inverse", 0) != 0, onesided = n.i("onesided", 0) != 0;
  const DimExpr size = n.dims(x)[size_t(axis)];
  length = wanted ? DimExpr(*wanted) : inverse && onesided ? (size - 1) * 2 : size;
  if (length.isConstant(0))
    return n.invalid("it transforms nothing");
  type = n.dtype(x);
  for (int64_t k = 0; k < last; ++k)
    swap.push_back(k);
  std::swap(swap[size_t(axis)], swap.back());
}

/// Real or imaginary parts, cut or padded with zeros to `size` along their last axis.
Value Transform::part(int64_t p, const DimExpr &size) {
  Value v = n.transpose(n.squeeze(n.slice(x, last, p, p + 1), {last}), swap);
  if (n.failed() || size == n.dims(v).back())
    return v;
  std::vector<DimExpr> pads(size_t(2 * n.rank(v)), 0);
  pads.back() = size - n.dims(v).back();
  return n.apply("pad", {v, n.sizes(pads)});
}

/// (a + bi)(cos - i sin), or with + for the inverse.
void Transform::whole() {
  const DimExpr frequencies = onesided ? floorDiv(length, 2) + 1 : length;
  Value cosines = table(n, "cos", {length, frequencies}, length, type);
  Value sines = table(n, "sin", {length, frequencies}, length, type);
  Value a = part(0, length), real = product(a, cosines), imaginary = product(a, sines);
  if (!inverse)
    imaginary = n.apply("neg", {imaginary});
  if (parts == 2) {
    Value b = part(1, length);
    real = n.apply(inverse ? "sub" : "add", {real, product(b, sines)});
    imaginary = n.apply("add", {imaginary, product(b, cosines)});
  }
  auto back = [&](Value v) {
    if (inverse)
      v = n.apply("div", {v, n.cast(n.size(length), type)});
    return n.unsqueeze(n.transpose(v, swap), {last});
  };
  n.result(n.concat({back(real), back(imaginary)}, last));
}

/// The real signal of which x is the first half of the spectrum; the other half is its mirror
/// image, so that all but the first frequency, and the last of an even length, count twice.
void Transform::halfInverse() {
  if (parts != 2)
    return n.invalid("the spectrum has no imaginary parts");
  const DimExpr frequencies = floorDiv(length, 2) + 1;
  auto num = [&](double v) { return n.scalar(v, DType::I64); };
  Value k = n.places(frequencies), size = n.size(length);
  Value single = n.apply(
      "or", {n.apply("equal", {k, num(0)}), n.apply("equal", {n.apply("add", {k, k}), size})});
  Value times = n.cast(n.apply("where", {single, num(1), num(2)}), type);
  auto weighted = [&](int64_t p) { return n.apply("mul", {part(p, frequencies), times}); };
  Value real = product(weighted(0), table(n, "cos", {frequencies, length}, length, type));
  Value imaginary = product(weighted(1), table(n, "sin", {frequencies, length}, length, type));
  Value y = n.apply("div", {n.apply("sub", {real, imaginary}), n.cast(size, type)});
  n.result(n.unsqueeze(n.transpose(y, swap), {last}));
}

void Transform::run(int64_t axis, std::optional<int64_t> wanted) {
  read(axis, wanted);
  if (!n.failed())
    inverse &&onesided ? halfInverse() : whole();
}

std::optional<int64_t> lengthIn(NodeContext &n, size_t i) {
  auto given = n.intsIn(i, "transform length");
  return given && !given->empty() ? std::optional((*given)[0]) : std::nullopt;
}

void dft17(NodeContext &n) {
  auto length = lengthIn(n, 1);
  if (!n.failed())
    Transform(n).run(n.i("axis", 1), length);
}
void dft20(NodeContext &n) {
  auto length = lengthIn(n, 1);
  auto axis = n.intsIn(2, "axis");
  if (!n.failed())
    Transform(n).run(axis && !axis->empty() ? (*axis)[0] : -2, length);
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

/// Transforms of frames of a signal [batch, length, 1 or 2], one each step, times a window.
/// The length of a frame: given, the window's, or the signal's; nothing (and fails) for none.
std::optional<DimExpr> frameLength(NodeContext &n, const DimExpr &signal) {
  auto given = n.intsIn(3, "frame length");
  if (n.failed())
    return std::nullopt;
  if (n.has(2) && n.rank(n.in(2)) != 1)
    return n.invalid("its window is not a vector"), std::nullopt;
  const DimExpr length = given && !given->empty() ? DimExpr((*given)[0])
                         : n.has(2)               ? n.dims(n.in(2))[0]
                                                  : signal;
  const auto known = length.constant(), size = signal.constant();
  if (known && (*known < 1 || *known > 4096 || (size && *known > *size)))
    return n.unsupported("frames of length " + std::to_string(*known) + " are not supported"),
           std::nullopt;
  return length;
}

void stft(NodeContext &n) {
  Value x = n.require(0);
  auto step = n.ints(n.require(1), "frame step");
  if (n.failed())
    return;
  if (n.rank(x) != 3 || step->size() != 1 || (*step)[0] < 1)
    return n.invalid("its signal is not of rank 3, or its step not one positive number");
  const int64_t parts = twoParts(n, x);
  const auto length = frameLength(n, n.dims(x)[1]);
  if (!length || n.failed())
    return;
  const bool onesided = n.i("onesided", 1) != 0;
  const DimExpr frames = floorDiv(n.dims(x)[1] - *length, (*step)[0]) + 1;
  const DimExpr frequencies = onesided ? floorDiv(*length, 2) + 1 : *length;
  const DType type = n.dtype(x);
  Value begins = n.apply("mul", {n.places(frames), n.scalar(double((*step)[0]), DType::I64)});
  Value at = n.apply("add", {n.unsqueeze(begins, {1}), n.places(*length)});
  Value cosines = table(n, "cos", {*length, frequencies}, *length, type);
  Value sines = table(n, "sin", {*length, frequencies}, *length, type);
  auto part = [&](int64_t p) { // [batch, frames, length]
    Value v = n.squeeze(n.slice(x, 2, p, p + 1), {2});
    v = n.apply("gather", {v, at}, attrs({{"axis", int64_t(1)}}));
    return n.has(2) ? n.apply("mul", {v, n.in(2)}) : v;
  };
  auto product = [&](Value a, Value b) { return n.apply("matmul", {a, b}); };
  Value a = part(0), real = product(a, cosines), imaginary = n.apply("neg", {product(a, sines)});
  if (parts == 2) {
    Value b = part(1);
    real = n.apply("add", {real, product(b, sines)});
    imaginary = n.apply("add", {imaginary, product(b, cosines)});
  }
  n.result(n.concat({n.unsqueeze(real, {3}), n.unsqueeze(imaginary, {3})}, 3));
}

/// Triangles on the mel scale, as columns over the bins of a spectrum.
void melWeightMatrix(NodeContext &n) {
  for (size_t i = 0; i < 5; ++i) {
    n.require(i);
    n.needConstant(i, "parameters");
  }
  if (n.failed())
    return;
  auto number = [&](size_t i) { return n.constantOf(n.in(i))->toDouble(0); };
  const double columns = number(0), size = number(1), rate = number(2);
  if (!(columns >= 1 && columns <= 1 << 16) || !(size >= 1 && size <= 1 << 24) || !(rate > 0))
    return n.invalid("its sizes are not positive, or too large");
  const auto count = int64_t(columns), rows = int64_t(size) / 2 + 1;
  if (count * rows > 1 << 24)
    return n.unsupported("a matrix so large is not supported");
  auto mel = [](double hertz) { return 2595 * std::log10(1 + hertz / 700); };
  const double low = mel(number(3)), step = (mel(number(4)) - low) / double(count + 2);
  std::vector<int64_t> bins;
  for (int64_t k = 0; k < count + 2; ++k) {
    const double hertz = 700 * (std::pow(10, (low + double(k) * step) / 2595) - 1);
    bins.push_back(int64_t(std::floor((size + 1) * hertz / rate)));
    if (bins.back() < 0 || bins.back() >= rows)
      return n.invalid("its edges lie outside of the spectrum");
  }
  std::vector<double> values(size_t(rows * count));
  auto set = [&](int64_t row, int64_t column, double v) {
    values[size_t(row * count + column)] = v;
  };
  for (int64_t c = 0; c < count; ++c) {
    const int64_t left = bins[size_t(c)], center = bins[size_t(c) + 1], right = bins[size_t(c) + 2];
    if (center == left)
      set(center, c, 1);
    for (int64_t r = left; center > left && r <= center; ++r)
      set(r, c, double(r - left) / double(center - left));
    for (int64_t r = center; r < right; ++r)
      set(r, c, double(right - r) / double(right - center));
  }
  n.result(n.cast(n.constant(HostTensor::of<double>(DType::F64, {rows, count}, values)),
                  n.type("output_datatype", DType::F32)));
}

constexpr ConverterRow kRows[] = {
    {"BlackmanWindow", 17, [](NodeContext &n) { window(n, 0.42, 0.5, 0.08); }},
    {"DFT", 17, dft17},
    {"DFT", 20, dft20},
    {"HammingWindow", 17, [](NodeContext &n) { window(n, 25.0 / 46, 21.0 / 46, 0); }},
    {"HannWindow", 17, [](NodeContext &n) { window(n, 0.5, 0.5, 0); }},
    {"MelWeightMatrix", 17, melWeightMatrix},
    {"STFT", 17, stft},
};

} // namespace

ConverterRows signalRows() { return kRows; }

} // namespace imbrex::frontend
