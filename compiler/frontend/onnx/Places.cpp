// Operators that put elements at computed places: affine grids, column images, caches, features.
#include "compiler/frontend/onnx/Converters.h"

namespace imbrex::frontend {
namespace {

/// The coordinate in [-1, 1] of each place of an axis of `size` places, which is a scalar.
Value coordinates(NodeContext &n, Value size, bool corners) {
  const DType real = DType::F64;
  auto num = [&](double v) { return n.scalar(v, real); };
  auto apply = [&](const char *op, Value a, Value b) { return n.apply(op, {a, b}); };
  Value length = n.cast(size, real), one = n.scalar(1, DType::I64);
  Value twice =
      apply("mul", n.cast(n.apply("range", {n.scalar(0, DType::I64), size, one}), real), num(2));
  if (!corners)
    return apply("sub", apply("div", apply("add", twice, num(1)), length), num(1));
  Value range = apply("max", apply("sub", length, num(1)), num(1));
  Value spread = apply("sub", apply("div", twice, range), num(1));
  return n.apply("where", {apply("greater", length, num(1)), spread, num(0)});
}

/// Each place of a picture in [-1, 1] coordinates, moved by a matrix: last axis first, as
/// GridSample takes them.
void affineGrid(NodeContext &n) {
  Value theta = n.require(0), size = n.require(1);
  auto entries = n.failed() || n.rank(size) != 1 ? std::nullopt : n.dims(size)[0].constant();
  const bool open = !n.failed() && n.rank(size) == 1 && !entries;
  if (n.failed() || open || !entries || *entries < 4 || *entries > 5 || n.rank(theta) != 3)
    return open ? n.needLength(size) : n.invalid("its sizes are not those of 4 or 5 dimensions");
  const bool corners = n.i("align_corners", 0) != 0;
  const int64_t axes = *entries - 2;
  auto column = [&](int64_t j) { // of every matrix, to stand against [batch, places…, axes]
    std::vector<int64_t> shape(size_t(axes) + 2, 1);
    shape.front() = 0, shape.back() = axes;
    return n.reshape(n.slice(theta, 2, j, j + 1), shape);
  };
  Value grid = column(axes);
  for (int64_t a = 0; a < axes; ++a) {
    Value length =
        n.cast(n.apply("gather", {size, n.scalar(double(a + 2), DType::I64)}), DType::I64);
    std::vector<int64_t> shape(size_t(axes) + 2, 1);
    shape[size_t(a) + 1] = -1;
    Value along = n.reshape(n.cast(coordinates(n, length, corners), n.dtype(theta)), shape);
    grid = n.apply("add", {grid, n.apply("mul", {along, column(axes - 1 - a)})});
  }
  n.result(grid);
}

/// A cache with new entries written from a place on that differs for each sequence.
void tensorScatter(NodeContext &n) {
  Value cache = n.require(0), update = n.require(1);
  int64_t axis = n.axis(n.i("axis", -2), n.rank(cache));
  if (n.failed() || axis == 0 || n.rank(update) != n.rank(cache))
    return n.invalid("its operands do not have one rank, or its axis is the first");
  std::vector<int64_t> along(size_t(n.rank(cache)), 1), rows = along;
  along[size_t(axis)] = -1, rows[0] = -1;
  Value at = n.reshape(n.places(n.dims(update)[size_t(axis)]), along);
  if (n.has(2))
    at = n.apply("add", {at, n.reshape(n.cast(n.in(2), DType::I64), rows)});
  if (n.s("mode", "linear") == "circular")
    at = n.apply("mod", {at, n.size(n.dims(cache)[size_t(axis)])});
  Value places = n.failed() ? Value{} : n.apply("expand", {at, n.sizes(n.dims(update))});
  n.result(n.apply("scatter_elements", {cache, places, update}, attrs({{"axis", axis}})));
}

void col2im(NodeContext &n) {
  n.result(n.apply("columns_to_image", {n.require(0), n.require(1), n.require(2)},
                   attrs({{"dilations", n.is("dilations")},
                          {"pads", n.is("pads")},
                          {"strides", n.is("strides")}})));
}

void arrayFeatureExtractor(NodeContext &n) {
  Value x = n.require(0), at = n.reshape(n.require(1), {-1});
  if (n.rank(x) == 1)
    x = n.unsqueeze(x, {0});
  n.result(n.apply("gather", {x, at}, attrs({{"axis", int64_t(-1)}})));
}

void binarizer(NodeContext &n) {
  Value x = n.require(0);
  DType t = n.dtype(x);
  n.result(n.cast(n.apply("greater", {x, n.scalar(n.f("threshold", 0), t)}), t));
}

constexpr ConverterRow kRows[] = {
    {"AffineGrid", 20, affineGrid},
    {"Col2Im", 18, col2im},
    {"TensorScatter", 24, tensorScatter},
    {"ai.onnx.ml.ArrayFeatureExtractor", 1, arrayFeatureExtractor},
    {"ai.onnx.ml.Binarizer", 1, binarizer},
};

} // namespace

ConverterRows placeRows() { return kRows; }

} // namespace imbrex::frontend
