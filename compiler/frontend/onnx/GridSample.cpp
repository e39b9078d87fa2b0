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
  Value clip(Value v, Value lo, Value hi) { return n.apply("clip", {v, lo, hi}); }

  Value coordinate(size_t axis);
  Value reflected(Value x, size_t axis);
  Value inside(Value place, size_t axis) { return clip(place, num(0), lasts[axis]); }
  Tap tap(Value place, Value weight, size_t axis);
  std::vector<Tap> taps(Value x, size_t axis);
  Value cubic(Value distance);
  void combine(const std::vector<std::vector<Tap>> &axes, size_t axis, Value place, Value weight,
               Value &sum);

  NodeContext &n;
  DType type = DType::F32;
  std::string mode, padding;
  bool corners = false;
  std::vector<DimExpr> shape; // of x
  // Of x's spatial axes: the size, and the last place as a number of the coordinates' type.
  std::vector<Value> sizes, lasts;
  Value flat, grid; // x as [batch, channels, elements]
};

/// Mirrored at the borders until it lies between them.
Value GridSampler::reflected(Value x, size_t axis) {
  Value lo = num(corners ? 0 : -0.5);
  // An axis of one element has no range between its corners; what comes of 1 is clipped to 0.
  Value range = corners ? n.apply("max", {lasts[axis], num(1)}) : n.cast(sizes[axis], type);
  Value period = add(range, range);
  Value t = n.apply("mod", {n.apply("abs", {sub(x, lo)}), period}, attrs({{"fmod", int64_t(1)}}));
  Value mirrored = n.apply("min", {t, sub(period, t)});
  return inside(add(mirrored, lo), axis);
}

/// From [-1, 1] to the elements of an axis; the grid names the last axis first.
Value GridSampler::coordinate(size_t axis) {
  auto last = n.rank(grid) - 1;
  auto at = int64_t(sizes.size() - 1 - axis);
  Value g = n.reshape(n.squeeze(n.slice(grid, last, at, at + 1), {last}), {0, -1});
  Value x = corners ? mul(add(g, num(1)), mul(lasts[axis], num(0.5)))
                    : mul(sub(mul(add(g, num(1)), n.cast(sizes[axis], type)), num(1)), num(0.5));
  if (mode == "cubic" || padding == "zeros")
    return x;
  return padding == "border" ? inside(x, axis) : reflected(x, axis);
}

/// A place outside counts as zero, or is moved inside.
Tap GridSampler::tap(Value place, Value weight, size_t axis) {
  if (padding == "zeros") {
    Value kept = n.cast(n.apply("equal", {place, inside(place, axis)}), type);
    weight = weight.valid() ? mul(weight, kept) : kept;
  }
  place = padding == "reflection" ? reflected(place, axis) : inside(place, axis);
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

std::vector<Tap> GridSampler::taps(Value x, size_t axis) {
  if (mode == "nearest")
    return {tap(n.apply("round", {x}), {}, axis)};
  Value base = n.apply("floor", {x}), part = sub(x, base);
  int64_t reach = mode == "cubic" ? 2 : 1;
  std::vector<Tap> result;
  for (int64_t k = 1 - reach; k <= reach; ++k) {
    Value distance = n.apply("abs", {sub(part, num(double(k)))});
    Value weight = mode == "cubic" ? cubic(distance) : sub(num(1), distance);
    result.push_back(tap(add(base, num(double(k))), weight, axis));
  }
  return result;
}

/// Adds every product of one tap an axis to `sum`.
void GridSampler::combine(const std::vector<std::vector<Tap>> &axes, size_t axis, Value place,
                          Value weight, Value &sum) {
  if (axis == axes.size()) {
    Value at = n.apply("expand", {n.unsqueeze(place, {1}), n.sizes({1, shape[1], 1})});
    Value v = n.apply("gather_elements", {flat, at}, attrs({{"axis", int64_t(2)}}));
    if (weight.valid())
      v = mul(v, n.unsqueeze(weight, {1}));
    sum = sum.valid() ? add(sum, v) : v;
    return;
  }
  for (const Tap &t : axes[axis]) {
    Value next = t.place;
    if (place.valid())
      next = add(mul(place, sizes[axis]), next);
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
  shape = n.dims(x);
  for (size_t k = 2; k < shape.size(); ++k) {
    if (shape[k].isConstant(0))
      return n.invalid("its picture " + n.typeOf(x).str() + " has no elements");
    sizes.push_back(n.size(shape[k]));
    lasts.push_back(n.cast(n.apply("sub", {sizes.back(), n.scalar(1, DType::I64)}), type));
  }
  grid = n.cast(grid, type);
  flat = n.reshape(x, {0, 0, -1});
  std::vector<std::vector<Tap>> axes;
  for (size_t a = 0; a < sizes.size(); ++a)
    axes.push_back(taps(coordinate(a), a));
  Value sum;
  combine(axes, 0, {}, {}, sum);
  if (n.failed())
    return;
  auto result = n.dims(grid);
  result.pop_back();
  result.insert(result.begin() + 1, shape[1]);
  n.result(n.reshapeTo(sum, result));
}

void gridSample(NodeContext &n) { GridSampler(n).run(); }

constexpr ConverterRow kRows[] = {{"GridSample", 16, gridSample}};

} // namespace

ConverterRows gridSampleRows() { return kRows; }

} // namespace imbrex::frontend
