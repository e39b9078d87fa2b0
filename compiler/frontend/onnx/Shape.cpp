// Shapes and the same elements under another shape or order.
#include "compiler/frontend/onnx/Converters.h"

#include "compiler/frontend/onnx/SizeTracking.h"

#include <algorithm>

namespace imbrex::frontend {
namespace {

void identity(NodeContext &n) { n.result(n.require(0)); }

/// Shape, all dimensions or start to end. A shape without symbols is a constant.
void shape(NodeContext &n) {
  Value x = n.require(0);
  int64_t rank = n.rank(x);
  auto place = [&](int64_t v) {
    v = std::clamp(v, -rank, rank);
    return v < 0 ? v + rank : v;
  };
  int64_t begin = place(n.i("start", 0)), end = std::max(begin, place(n.i("end", rank)));
  std::vector<int64_t> sizes;
  for (int64_t k = begin; k < end; ++k)
    if (auto d = n.dims(x)[size_t(k)].constant())
      sizes.push_back(*d);
  if (int64_t(sizes.size()) == end - begin)
    return n.result(n.intVector(sizes));
  n.result(n.apply("shape", {x}, attrs({{"start", begin}, {"end", end}})));
}

void size(NodeContext &n) {
  Value x = n.require(0);
  DimExpr product = 1;
  for (const auto &d : n.dims(x))
    product = product * d;
  if (auto c = product.constant())
    return n.result(
        n.constant(HostTensor::of<int64_t>(DType::I64, {}, std::span<const int64_t>(&*c, 1))));
  n.result(n.apply("size", {x}));
}

void reshape(NodeContext &n) {
  Value x = n.require(0), target = n.require(1);
  if (n.failed())
    return;
  int64_t allowZero = n.i("allowzero", 0);
  if (const auto &sizes = n.record().info(target).sizes; sizes && !allowZero)
    if (auto named = reshapeTarget(*sizes, n.dims(x)))
      return n.result(n.reshape(x, *named));
  n.result(n.apply("reshape", {x, target}, attrs({{"allow_zero", allowZero}})));
}

void flatten(NodeContext &n) {
  n.result(n.apply("flatten", {n.require(0)}, attrs({{"axis", n.i("axis", 1)}})));
}

/// The axes that go where none is named: those of size 1. Where a run decides which these are, the
/// rank that the model declares for the result may: none of the open ones, or all of them.
std::optional<std::vector<int64_t>> unnamedAxes(NodeContext &n, Value x) {
  const auto &facts = n.record().dimFacts();
  std::vector<int64_t> ones, all;
  std::string open;
  for (size_t k = 0; k < n.dims(x).size(); ++k) {
    const auto &d = n.dims(x)[k];
    if (facts.provenUnequal(d, 1))
      continue;
    all.push_back(int64_t(k));
    if (facts.provenEqual(d, 1))
      ones.push_back(int64_t(k));
    else
      open = std::to_string(k);
  }
  if (open.empty())
    return ones;
  const int64_t kept = n.declaredRank(0).value_or(-1), rank = n.rank(x);
  if (kept == rank - int64_t(all.size()))
    return all; // each is required to be 1 when it runs
  if (kept == rank - int64_t(ones.size()))
    return ones;
  n.unsupportedUnlessSized(x,
                           "it names no axes, and whether axis " + open + " of " +
                               n.typeOf(x).str() + " has size 1 is known only when it runs",
                           "naming the axes, or fixing the size with --dim or --input-shape");
  return std::nullopt;
}

void squeezeAxes(NodeContext &n, std::vector<int64_t> axes) {
  Value x = n.require(0);
  if (axes.empty() && !n.failed()) {
    auto found = unnamedAxes(n, x);
    if (!found || found->empty())
      return found ? n.result(x) : void();
    axes = *found;
  }
  n.result(n.squeeze(x, std::move(axes)));
}
void squeeze1(NodeContext &n) { squeezeAxes(n, n.is("axes")); }
void squeeze13(NodeContext &n) {
  auto axes = n.intsIn(1, "axes");
  if (axes && axes->empty())
    return n.result(n.require(0)); // no axis named is not the same as none given
  squeezeAxes(n, axes.value_or(std::vector<int64_t>{}));
}
void unsqueeze1(NodeContext &n) { n.result(n.unsqueeze(n.require(0), n.is("axes"))); }
void unsqueeze13(NodeContext &n) {
  auto axes = n.ints(n.require(1), "axes");
  if (axes)
    n.result(n.unsqueeze(n.require(0), *axes));
}

void transpose(NodeContext &n) {
  n.require(0);
  n.result(n.transpose(n.in(0), n.is("perm")));
}

/// Sizes that are x's own become 1, which keeps them and their names; the others have to be numbers
/// for that.
std::optional<std::vector<int64_t>> expandTarget(const std::vector<DimExpr> &wanted,
                                                 const std::vector<DimExpr> &own) {
  std::vector<int64_t> target;
  for (size_t k = 0; k < wanted.size(); ++k) {
    size_t fromEnd = wanted.size() - k;
    auto c = wanted[k].constant();
    if (c)
      target.push_back(*c);
    else if (fromEnd <= own.size() && own[own.size() - fromEnd] == wanted[k])
      target.push_back(1);
    else
      return std::nullopt;
  }
  return target;
}

void expand(NodeContext &n) {
  Value x = n.require(0), shape = n.require(1);
  if (n.failed())
    return;
  if (const auto &sizes = n.record().info(shape).sizes)
    if (auto target = expandTarget(*sizes, n.dims(x)))
      return n.result(n.apply("expand", {x, n.intVector(*target)}));
  n.result(n.apply("expand", {x, shape}));
}
void tile(NodeContext &n) { n.result(n.apply("tile", n.all())); }

void depthToSpace(NodeContext &n) {
  std::string mode = n.s("mode", "DCR") == "CRD" ? "crd" : "dcr";
  n.result(n.apply("depth_to_space", {n.require(0)},
                   attrs({{"block_size", n.i("blocksize", 0)}, {"mode", mode}})));
}
void spaceToDepth(NodeContext &n) {
  n.result(n.apply("space_to_depth", {n.require(0)}, attrs({{"block_size", n.i("blocksize", 0)}})));
}

constexpr ConverterRow kRows[] = {
    {"DepthToSpace", 1, depthToSpace},
    {"Expand", 8, expand},
    {"Flatten", 1, flatten},
    {"Identity", 1, identity},
    {"Reshape", 5, reshape},
    {"Shape", 1, shape},
    {"Size", 1, size},
    {"SpaceToDepth", 1, spaceToDepth},
    {"Squeeze", 1, squeeze1},
    {"Squeeze", 13, squeeze13},
    {"Tile", 6, tile},
    {"Transpose", 1, transpose},
    {"Unsqueeze", 1, unsqueeze1},
    {"Unsqueeze", 13, unsqueeze13},
};

} // namespace

ConverterRows shapeRows() { return kRows; }

} // namespace imbrex::frontend
