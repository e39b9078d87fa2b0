// Pools over windows and over whole channels.
#include "compiler/frontend/onnx/Converters.h"
#include "compiler/frontend/onnx/Windows.h"

namespace imbrex::frontend {
namespace {

/// A window that lies wholly in the padding has no element to pool.
void checkPads(NodeContext &n) {
  auto kernel = n.is("kernel_shape"), pads = n.is("pads"), dilations = n.is("dilations");
  dilations.resize(kernel.size(), 1);
  if (pads.size() != 2 * kernel.size())
    return; // else the operator says what is wrong
  for (size_t k = 0; k < pads.size(); ++k) {
    int64_t size = kernel[k % kernel.size()], span = 0;
    if (!__builtin_mul_overflow(size, dilations[k % kernel.size()], &span) && pads[k] >= span)
      return n.invalid("it pads by " + std::to_string(pads[k]) + " where its window has size " +
                           std::to_string(size),
                       "pads");
  }
}

opmeaning::Attrs poolAttributes(NodeContext &n) {
  auto a = windowAttributes(n);
  a.values["kernel"] = n.is("kernel_shape");
  checkPads(n);
  a.values["ceil_mode"] = n.i("ceil_mode", 0);
  return a;
}

void maxPool(NodeContext &n) {
  auto a = poolAttributes(n);
  a.values["storage_order"] = n.i("storage_order", 0);
  n.results(n.applyMany("max_pool", {n.require(0)}, std::move(a), 2));
}

void averagePool(NodeContext &n) {
  auto a = poolAttributes(n);
  a.values["count_include_pad"] = n.i("count_include_pad", 0);
  n.result(n.apply("average_pool", {n.require(0)}, std::move(a)));
}

void lpPool(NodeContext &n) {
  auto a = poolAttributes(n);
  a.values["p"] = n.i("p", 2);
  n.result(n.apply("lp_pool", {n.require(0)}, std::move(a)));
}

void global(NodeContext &n, const char *op) { n.result(n.apply(op, {n.require(0)})); }

void globalLp(NodeContext &n) {
  n.result(n.apply("global_lp_pool", {n.require(0)}, attrs({{"p", n.i("p", 2)}})));
}

/// Sizes of what a pool of these windows was made from; empty, and it fails, for others.
std::vector<DimExpr> unpooledSizes(NodeContext &n, const std::vector<DimExpr> &shape) {
  auto kernel = n.is("kernel_shape"), strides = n.is("strides"), pads = n.is("pads");
  if (shape.size() < 2 || kernel.size() != shape.size() - 2)
    return n.invalid("its window does not have the rank of its input"), shape;
  strides.resize(kernel.size(), 1);
  pads.resize(2 * kernel.size(), 0);
  constexpr int64_t kMost = 1 << 30; // so that the sums fit
  auto target = shape;
  for (size_t k = 0; k < kernel.size(); ++k) {
    for (int64_t v : {strides[k], kernel[k], pads[k], pads[k + kernel.size()]})
      if (v < 0 || v > kMost)
        return n.invalid("a size, stride or pad is negative or too large"), shape;
    target[k + 2] = (shape[k + 2] - 1) * strides[k] + kernel[k] - pads[k] - pads[k + kernel.size()];
  }
  return target;
}

/// Values put back where a pool took them from; zeros elsewhere.
void maxUnpool(NodeContext &n) {
  Value x = n.require(0), places = n.require(1);
  if (n.failed())
    return;
  const auto target = unpooledSizes(n, n.dims(x));
  DimExpr count = 1;
  for (const DimExpr &d : target)
    count = count * d;
  Value zeros = n.filled(0, n.dtype(x), {count});
  Value y = n.apply("scatter_elements", {zeros, n.reshape(places, {-1}), n.reshape(x, {-1})},
                    attrs({{"axis", int64_t(0)}}));
  y = n.reshapeTo(y, target);
  if (n.has(2) && !n.failed()) { // a larger result has zeros at its ends
    Value none = n.intVector(std::vector<int64_t>(target.size(), 0));
    Value more = n.apply("sub", {n.cast(n.in(2), DType::I64), n.sizes(target)});
    y = n.apply("pad", {y, n.concat({none, more}, 0)});
  }
  n.result(y);
}

constexpr ConverterRow kRows[] = {
    {"AveragePool", 1, averagePool},
    {"GlobalAveragePool", 1, [](NodeContext &n) { global(n, "global_average_pool"); }},
    {"GlobalLpPool", 2, globalLp},
    {"GlobalMaxPool", 1, [](NodeContext &n) { global(n, "global_max_pool"); }},
    {"LpPool", 2, lpPool},
    {"MaxPool", 1, maxPool},
    {"MaxUnpool", 9, maxUnpool},
};

} // namespace

ConverterRows poolRows() { return kRows; }

} // namespace imbrex::frontend
