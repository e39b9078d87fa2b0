// Pictures out of the columns of their sliding blocks: the transpose of cutting a picture into
// blocks.
#include "support/opmeaning/ops/Families.h"
#include "support/opmeaning/ops/Windows.h"

namespace imbrex::opmeaning {
namespace {

/// The entries of a vector of sizes, as many as `rank` says; nothing, and b fails, for another.
std::optional<std::vector<Dim>> sizesIn(Builder &b, const Tensor &t, std::string_view what) {
  auto length = vectorLength(b, t, what);
  if (!length)
    return std::nullopt;
  std::vector<Dim> sizes;
  for (size_t k = 0; k < *length; ++k)
    sizes.push_back(t.value({static_cast<int64_t>(k)}));
  return sizes;
}

/// How the blocks lie along each axis of the picture.
std::optional<std::vector<Spread>> blockAxes(Builder &b, const Attrs &a,
                                             const std::vector<Dim> &image,
                                             const std::vector<Dim> &block) {
  const size_t rank = image.size();
  auto strides = listOf(b, a, "strides", rank, 1, 1);
  auto dilations = listOf(b, a, "dilations", rank, 1, 1);
  auto pads = listOf(b, a, "pads", 2 * rank, 0, 0);
  if (!strides || !dilations || !pads)
    return std::nullopt;
  std::vector<Spread> axes;
  for (size_t k = 0; k < rank; ++k) {
    const Dim stride((*strides)[k]), dilation((*dilations)[k]);
    const Dim room = image[k] + (*pads)[k] + (*pads)[k + rank] - dilation * (block[k] - 1) - Dim(1);
    b.require(all({lt(0, block[k]), le(0, room)}), "the blocks do not fit the picture");
    axes.push_back(
        {floorDiv(room, stride) + 1, (*pads)[k], image[k], (*strides)[k], (*dilations)[k]});
  }
  return axes;
}

Result<Program> columnsToImage(Builder &b, const Attrs &a) {
  auto x = *b.in(0);
  auto image = sizesIn(b, *b.in(1), "picture sizes"), block = sizesIn(b, *b.in(2), "block sizes");
  if (!image || !block || !checkNumeric(b, x) ||
      !check(b, x.rank() == 3, describe(x) + " is not a batch of columns") ||
      !check(b, !image->empty() && image->size() == block->size(),
             "the picture and its blocks differ in rank"))
    return b.finish({});
  auto axes = blockAxes(b, a, *image, *block);
  if (!axes)
    return b.finish({});
  const Dim area = product(*block, 0, block->size());
  std::vector<Dim> dims = {x.dims[0], floorDiv(x.dims[1], divisor(b, area))}, counts;
  for (const Spread &s : *axes) {
    dims.push_back(s.result);
    counts.push_back(s.size);
  }
  b.require(eq(dims[1] * area, x.dims[1]),
            "the columns of " + describe(x) + " are no whole blocks");
  b.require(eq(product(counts, 0, counts.size()), x.dims[2]),
            describe(x) + " has not as many blocks as fit the picture");
  const DType acc = accumulatorFor(x.type);
  auto y = defComputed(b, "y", x.type, dims, [&](Axes i) {
    auto hits = [&](Axes k) {
      std::vector<Pred> guards;
      for (size_t n = 0; n < axes->size(); ++n)
        guards.push_back((*axes)[n].hits(i[n + 2], k[n]));
      return all(std::span<const Pred>(guards));
    };
    return b.reduce(Red::Sum, acc, *block, hits, [&](Axes k) {
      std::vector<Ix> windows;
      for (size_t n = 0; n < axes->size(); ++n)
        windows.push_back((*axes)[n].source(i[n + 2], k[n]));
      const Ix column = i[1] * area + flatten(list(k), *block);
      return b.cast(x({i[0], column, flatten(windows, counts)}), acc);
    });
  });
  return b.finish({y});
}

} // namespace

void registerColumns(std::vector<Operator> &ops) {
  ops.push_back({.name = "columns_to_image",
                 .doc = "The sum of overlapping blocks, given as columns [n, c * block, blocks]; "
                        "operands x, the picture's sizes, a block's sizes.",
                 .minOperands = 3,
                 .maxOperands = 3,
                 .attrs = {intsAttr("strides", "the step between blocks along each axis; none: 1"),
                           intsAttr("dilations", "the step between a block's elements; none: 1"),
                           intsAttr("pads", "around the picture: before each axis, then after "
                                            "each; none: 0")},
                 .meaning = columnsToImage,
                 .contract = FloatContract::Reassociate});
}

} // namespace imbrex::opmeaning
