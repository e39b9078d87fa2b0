// GridSample: a picture read at places that a grid of coordinates names, interpolated from the
// elements around.
#include "compiler/frontend/onnx/Converters.h"

namespace imbrex::frontend {
namespace {

/// Elements that take part along one axis: places [batch, points] and their weights.
struct Tap {
  Value place, weight;
};

class GridSampler {
public:
  explicit GridSampler(NodeContext &n) : n(n) {}
  void run();

private:
  Value num(double v) { return n.scalar(v, type); }
  Value add(Value a, Value b) { return n.apply("add", {a, b}); }
  Value sub(Value a, Value b) { return n.apply("sub", {a, b}); }
  Value mul(Value a, Value b) { return n.apply("mul", {a, b}); }
  Value clip(Value v, double lo, double hi) { return n.apply("clip", {v, num(lo), num(hi)}); }

  Value coordinate(size_t axis);
  Value reflected(Value x, int64_t size);
  Tap tap(Value place, Value weight, int64_t size);
  std::vector<Tap> taps(Value x, int64_t size);
  Value cubic(Value distance);
  void combine(const std::vector<std::vector<Tap>> &axes, size_t axis, Value place, Value weight,
               Value &sum);

  NodeContext &n;
  DType type = DType::F32;
  std::string mode, padding;
  bool corners = false;
  std::vector<int64_t> sizes; // of x's spatial axes
  Value flat, grid;           // x as [batch, channels, elements]
  int64_t channels = 0;
};

/// Mirrored at the borders until it lies between them.
Value GridSampler::reflected(Value x, int64_t size) {
  double lo = corners ? 0 : -0.5, range = corners ? double(size - 1) : double(size);
  if (range == 0)
    return clip(x, 0, 0);
  Value t = n.apply("mod", {n.apply("abs", {sub(x, num(lo))}), num(2 * range)},
                    attrs({{"fmod", int64_t(1)}}));
  Value mirrored = n.apply("min", {t, sub(num(2 * range), t)});
  return clip(add(mirrored, num(lo)), 0, double(size - 1));
}

/// From [-1, 1] to the elements of an axis; the grid names the last axis first.
Value GridSampler::coordinate(size_t axis) {
  auto last = n.rank(grid) - 1;
  auto at = int64_t(sizes.size() - 1 - axis);
  Value g = n.reshape(n.squeeze(n.slice(grid, last, at, at + 1), {last}), {0, -1});
  auto size = double(sizes[axis]);
  Value x = corners ? mul(add(g, num(1)), num((size - 1) / 2))
                    : mul(sub(mul(add(g, num(1)), num(size)), num(1)), num(0.5));
  if (mode == "cubic" || padding == "zeros")
    return x;
  return padding == "border" ? clip(x, 0, size - 1) : reflected(x, sizes[axis]);
}

/// A place outside counts as zero, or is moved inside.
Tap GridSampler::tap(Value place, Value weight, int64_t size) {
  if (padding == "zeros") {
    Value inside = n.apply("equal", {place, clip(place, 0, double(size - 1))});
    Value kept = n.cast(inside, type);
    weight = weight.valid() ? mul(weight, kept) : kept;
  }
  place = padding == "reflection" ? reflected(place, size) : clip(place, 0, double(size - 1));
  return {n.cast(place, DType::I64), weight};
}

/// The cubic convolution kernel (Keys 1981), a = -0.75, at distances in [0, 2].
Value GridSampler::cubic(Value d) {
  double a = -0.75;
  Value near = add(mul(mul(sub(mul(num(a + 2), d), num(a + 3)), d), d), num(1));
  Value far = mul(add(mul(sub(d, num(5)), d), num(8)), d);
  far = mul(sub(far, num(4)), num(a));
  return n.apply("where", {n.apply("less_equal", {d, num(1)}), near, far});
}

std::vector<Tap> GridSampler::taps(Value x, int64_t size) {
  if (mode == "nearest")
    return {tap(n.apply("round", {x}), {}, size)};
  Value base = n.apply("floor", {x}), part = sub(x, base);
  int64_t reach = mode == "cubic" ? 2 : 1;
  std::vector<Tap> result;
  for (int64_t k = 1 - reach; k <= reach; ++k) {
    Value distance = n.apply("abs", {sub(part, num(double(k)))});
    Value weight = mode == "cubic" ? cubic(distance) : sub(num(1), distance);
    result.push_back(tap(add(base, num(double(k))), weight, size));
  }
  return result;
}

/// Adds every product of one tap an axis to `sum`.
void GridSampler::combine(const std::vector<std::vector<Tap>> &axes, size_t axis, Value place,
                          Value weight, Value &sum) {
  if (axis == axes.size()) {
    Value at = n.apply("expand", {n.unsqueeze(place, {1}), n.intVector({1, channels, 1})});
    Value v = n.apply("gather_elements", {flat, at}, attrs({{"axis", int64_t(2)}}));
    if (weight.valid())
      v = mul(v, n.unsqueeze(weight, {1}));
    sum = sum.valid() ? add(sum, v) : v;
    return;
  }
  for (const Tap &t : axes[axis]) {
    Value next = t.place;
    if (place.valid())
      next = add(mul(place, n.scalar(double(sizes[axis]), DType::I64)), next);
    Value w = !weight.valid() ? t.weight : !t.weight.valid() ? weight : mul(weight, t.weight);
    combine(axes, axis + 1, next, w, sum);
  }
}

void GridSampler::run() {
  Value x = n.require(0);
  grid = n.require(1);
  type = n.dtype(x);
  mode = n.s("mode", "linear"), padding = n.s("padding_mode", "zeros");
  mode = mode == "bilinear" ? "linear" : mode == "bicubic" ? "cubic" : mode;
  corners = n.i("align_corners", 0) != 0;
  if (n.failed() || n.rank(x) < 3 || n.rank(grid) != n.rank(x))
    return n.invalid("its operands do not have one rank of at least 3");
  for (size_t k = 1; k < n.dims(x).size(); ++k) {
    auto d = n.dims(x)[k].constant();
    if (!d || *d == 0)
      return n.unsupported("the sizes of its picture are not fixed",
                           "fixing them with --dim or --input-shape");
    k == 1 ? void(channels = *d) : sizes.push_back(*d);
  }
  grid = n.cast(grid, type);
  flat = n.reshape(x, {0, channels, -1});
  std::vector<std::vector<Tap>> axes;
  for (size_t a = 0; a < sizes.size(); ++a)
    axes.push_back(taps(coordinate(a), sizes[a]));
  Value sum;
  combine(axes, 0, {}, {}, sum);
  auto shape = n.dims(grid);
  shape.pop_back();
  shape.insert(shape.begin() + 1, DimExpr(channels));
  n.result(n.reshapeTo(sum, shape));
}

void gridSample(NodeContext &n) { GridSampler(n).run(); }

constexpr ConverterRow kRows[] = {{"GridSample", 16, gridSample}};

} // namespace

ConverterRows gridSampleRows() { return kRows; }

} // namespace imbrex::frontend
