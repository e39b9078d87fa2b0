// Operators that put elements at computed places: affine grids, column images, caches, features.
#include "compiler/frontend/onnx/Converters.h"

#include <algorithm>
#include <numeric>

namespace imbrex::frontend {
namespace {

/// Each place of a picture in [-1, 1] coordinates, moved by a matrix: last axis first, as
/// GridSample takes them.
void affineGrid(NodeContext &n) {
  Value theta = n.require(0);
  auto size = n.ints(n.require(1), "sizes");
  if (!size)
    return;
  if (size->size() < 4 || size->size() > 5)
    return n.invalid("its sizes are not those of 4 or 5 dimensions");
  bool corners = n.i("align_corners", 0) != 0;
  std::vector<int64_t> space(size->begin() + 2, size->end());
  auto points = elementCount(space);
  if (!points || *points > 1 << 26)
    return n.invalid("its sizes are too large");
  size_t axes = space.size();
  std::vector<double> base;
  for (int64_t p = 0; p < *points; ++p) {
    int64_t rest = p;
    for (size_t a = axes; a-- > 0; rest /= space[a]) {
      double i = double(rest % space[a]), length = double(space[a]);
      base.push_back(!corners ? (2 * i + 1) / length - 1
                              : (length > 1 ? 2 * i / (length - 1) - 1 : 0));
    }
    base.push_back(1);
  }
  auto raw = HostTensor::of<double>(DType::F64, {*points, int64_t(axes) + 1}, base);
  Value grid = n.apply("matmul", {n.cast(n.constant(std::move(raw)), n.dtype(theta)), theta},
                       attrs({{"trans_b", int64_t(1)}}));
  std::vector<int64_t> shape = {0};
  shape.insert(shape.end(), space.begin(), space.end());
  shape.push_back(int64_t(axes));
  n.result(n.reshape(grid, shape));
}

/// A cache with new entries written from a place on that differs for each sequence.
void tensorScatter(NodeContext &n) {
  Value cache = n.require(0), update = n.require(1);
  int64_t axis = n.axis(n.i("axis", -2), n.rank(cache));
  auto shape = n.staticShape(update);
  auto capacity = n.failed() ? std::nullopt : n.dims(cache)[size_t(axis)].constant();
  if (!shape || !capacity || axis == 0)
    return n.unsupported("its sizes are not fixed", "fixing them with --dim or --input-shape");
  std::vector<int64_t> steps(static_cast<size_t>(shape->at(size_t(axis)))), along(shape->size(), 1);
  std::iota(steps.begin(), steps.end(), 0);
  along[size_t(axis)] = -1;
  Value at = n.reshape(n.intVector(steps), along);
  if (n.has(2)) {
    std::vector<int64_t> rows(shape->size(), 1);
    rows[0] = -1;
    at = n.apply("add", {at, n.reshape(n.cast(n.in(2), DType::I64), rows)});
  }
  if (n.s("mode", "linear") == "circular")
    at = n.apply("mod", {at, n.scalar(double(*capacity), DType::I64)});
  n.result(n.apply("scatter_elements",
                   {cache, n.apply("expand", {at, n.intVector(*shape)}), update},
                   attrs({{"axis", axis}})));
}

/// Sliding blocks of one axis: how they lie in the padded picture.
struct BlockAxis {
  int64_t image, block, dilation, before, after, stride;
  int64_t padded() const { return image + before + after; }
  int64_t count() const { return (padded() - dilation * (block - 1) - 1) / stride + 1; }
};

/// For each element of each block, block elements first, its flat place in the padded picture.
std::vector<int64_t> blockPlaces(const std::vector<BlockAxis> &axes) {
  std::vector<int64_t> places = {0};
  auto spread = [&](auto size, auto step) { // every place so far, for each index of an axis
    std::vector<int64_t> next;
    for (int64_t p : places)
      for (int64_t i = 0; i < size; ++i)
        next.push_back(p + i * step);
    places = std::move(next);
  };
  std::vector<int64_t> below(axes.size(), 1);
  for (size_t a = axes.size() - 1; a-- > 0;)
    below[a] = below[a + 1] * axes[a + 1].padded();
  for (size_t a = 0; a < axes.size(); ++a)
    spread(axes[a].block, axes[a].dilation * below[a]);
  for (size_t a = 0; a < axes.size(); ++a)
    spread(axes[a].count(), axes[a].stride * below[a]);
  return places;
}

void col2im(NodeContext &n) {
  Value x = n.require(0);
  auto image = n.ints(n.require(1), "picture sizes"), block = n.ints(n.require(2), "block sizes");
  auto shape = n.staticShape(x);
  if (n.failed())
    return;
  size_t rank = image->size();
  auto dilations = n.is("dilations"), pads = n.is("pads"), strides = n.is("strides");
  dilations.resize(rank, 1), pads.resize(2 * rank, 0), strides.resize(rank, 1);
  if (!shape || shape->size() != 3 || rank == 0 || block->size() != rank)
    return n.unsupported("its sizes are not fixed or not those of blocks");
  std::vector<BlockAxis> axes;
  int64_t blockElems = 1, padded = 1;
  for (size_t a = 0; a < rank; ++a) {
    axes.push_back({(*image)[a], (*block)[a], dilations[a], pads[a], pads[a + rank], strides[a]});
    if (axes[a].stride < 1 || axes[a].block < 1 || axes[a].padded() < 1 ||
        axes[a].padded() > 1 << 20 || axes[a].count() < 1)
      return n.invalid("its blocks do not fit the picture");
    blockElems *= axes[a].block, padded *= axes[a].padded();
  }
  int64_t batch = (*shape)[0], channels = (*shape)[1] / blockElems;
  auto places = blockPlaces(axes);
  if (int64_t(places.size()) != blockElems * (*shape)[2])
    return n.invalid("it has " + std::to_string((*shape)[2]) + " blocks, not as many as fit");
  Value at = n.apply("expand",
                     {n.intVector(places), n.intVector({batch, channels, int64_t(places.size())})});
  Value zeros =
      n.apply("expand", {n.scalar(0, n.dtype(x)), n.intVector({batch, channels, padded})});
  Value y = n.apply("scatter_elements", {zeros, at, n.reshape(x, {batch, channels, -1})},
                    attrs({{"axis", int64_t(2)}, {"reduction", std::string("add")}}));
  std::vector<int64_t> whole = {batch, channels}, crop(2 * (rank + 2), 0);
  for (size_t a = 0; a < rank; ++a) {
    whole.push_back(axes[a].padded());
    crop[a + 2] = -axes[a].before, crop[rank + 2 + a + 2] = -axes[a].after;
  }
  n.result(n.apply("pad", {n.reshape(y, whole), n.intVector(crop)}));
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
