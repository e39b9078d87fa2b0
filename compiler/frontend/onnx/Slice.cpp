// Parts of tensors, and tensors made of parts.
#include "compiler/frontend/onnx/Converters.h"
#include "compiler/frontend/onnx/SizeTracking.h"

#include <algorithm>

namespace imbrex::frontend {
namespace {

void slice1(NodeContext &n) {
  Value x = n.require(0);
  auto starts = n.is("starts"), ends = n.is("ends"), axes = n.is("axes");
  n.result(n.apply("slice", {x, n.intVector(starts), n.intVector(ends),
                             axes.empty() ? Value{} : n.intVector(axes)}));
}

/// One axis from `start` to `end` by steps that only a run knows, each a scalar: its elements'
/// places.
///
///   count = max(0, (end - start + step - sign(step)) / step)        place = start + i * step
Value placesBySteps(NodeContext &n, const DimExpr &extent, Value start, Value end, Value step) {
  auto num = [&](int64_t v) { return n.scalar(double(v), DType::I64); };
  auto op = [&](const char *name, Value a, Value b) { return n.apply(name, {a, b}); };
  Value size = n.size(extent), last = n.size(extent - 1);
  Value forward = op("less", num(0), step), none = op("equal", step, num(0));
  Value zero = n.apply("refuse", {none},
                       attrs({{"when", int64_t(1)},
                              {"why", std::string("a step of Slice is 0")},
                              {"type", DType::I64}}));
  Value most = op("max", size, num(1)); // a longer step takes one element, too
  step = op("add", n.apply("clip", {step, n.apply("neg", {most}), most}), zero);
  auto inside = [&](Value v, Value low) {
    v = n.apply("where", {op("less", v, num(0)), op("add", v, size), v});
    Value up = n.apply("clip", {v, num(0), size});
    Value down = n.apply("max", {n.apply("min", {v, last}), low});
    return n.apply("where", {forward, up, down});
  };
  start = inside(start, num(0)), end = inside(end, num(-1));
  Value whole = op("sub", op("add", op("sub", end, start), step), n.apply("sign", {step}));
  Value divisor = n.apply("where", {none, num(1), step});
  Value count = op("max", op("div", whole, divisor), num(0));
  count = op("min", count, size); // of an empty axis nothing
  Value turns = n.apply("range", {num(0), count, num(1)});
  return op("add", start, op("mul", turns, step));
}

void sliceBySteps(NodeContext &n) {
  Value x = n.require(0), steps = n.require(4);
  auto count = n.failed() || n.rank(steps) != 1 ? std::nullopt : n.dims(steps)[0].constant();
  if (n.failed() || !count)
    return n.needLength(steps);
  auto axes = n.intsIn(3, "axes");
  if (!axes) {
    axes.emplace();
    for (int64_t k = 0; k < *count; ++k)
      axes->push_back(k);
  }
  if (n.failed() || static_cast<int64_t>(axes->size()) != *count)
    return n.invalid("its axes and steps differ in number");
  auto at = [&](size_t operand, int64_t k) {
    Value row = n.slice(n.cast(n.require(operand), DType::I64), 0, k, k + 1);
    return n.squeeze(row, {0});
  };
  for (int64_t k = 0; k < *count && !n.failed(); ++k) {
    const int64_t axis = n.axis((*axes)[size_t(k)], n.rank(x));
    if (n.failed())
      return;
    Value places = placesBySteps(n, n.dims(x)[size_t(axis)], at(1, k), at(2, k), at(4, k));
    x = n.apply("gather", {x, places}, attrs({{"axis", axis}}));
  }
  n.result(x);
}

void slice10(NodeContext &n) {
  n.needConstant(3, "axes");
  if (!n.failed() && n.has(4) && !n.constantOf(n.in(4)))
    return sliceBySteps(n);
  n.result(n.apply("slice", n.all()));
}

void concat(NodeContext &n) {
  n.require(0);
  if (!n.failed() && n.inputCount() == 1) {
    n.axis(n.i("axis", 1), n.rank(n.in(0)));
    return n.result(n.in(0));
  }
  n.result(n.concat(n.all(), n.i("axis", 1)));
}

void splitInto(NodeContext &n, std::vector<int64_t> sizes, int64_t parts) {
  auto a = attrs({{"axis", n.i("axis", 0)}});
  if (sizes.empty())
    a.values["parts"] = parts;
  else
    a.values["sizes"] = std::move(sizes);
  n.results(n.applyMany("split", {n.require(0)}, std::move(a), n.outputCount()));
}
void split2(NodeContext &n) { splitInto(n, n.is("split"), int64_t(n.outputCount())); }
void split13(NodeContext &n) {
  if (n.has(1) && !n.constantOf(n.in(1)))
    return n.results(n.applyMany(
        "split", {n.require(0), n.in(1)},
        attrs({{"axis", n.i("axis", 0)}, {"parts", int64_t(n.outputCount())}}), n.outputCount()));
  auto sizes = n.intsIn(1, "sizes");
  splitInto(n, sizes.value_or(std::vector<int64_t>{}),
            n.i("num_outputs", int64_t(n.outputCount())));
}

/// Padding mirrors what there is once: it is at most one less than the axis is long.
void checkReflection(NodeContext &n, const std::vector<int64_t> &pads,
                     const std::vector<int64_t> &axes) {
  if (n.s("mode", "constant") != "reflect" || pads.size() != 2 * axes.size())
    return; // else the operator says what is wrong
  for (size_t k = 0; k < axes.size(); ++k) {
    int64_t axis = n.axis(axes[k], n.rank(n.in(0)));
    auto size = n.failed() ? std::nullopt : n.dims(n.in(0))[size_t(axis)].constant();
    int64_t most = std::max(pads[k], pads[k + axes.size()]);
    if (size && most > 0 && most >= *size)
      return n.invalid("it reflects " + std::to_string(most) + " elements of axis " +
                           std::to_string(axis) + ", which has " + std::to_string(*size),
                       "mode");
  }
}

std::vector<int64_t> allAxes(NodeContext &n) {
  std::vector<int64_t> axes;
  for (int64_t k = 0; !n.failed() && k < n.rank(n.in(0)); ++k)
    axes.push_back(k);
  return axes;
}

void pad2(NodeContext &n) {
  Value x = n.require(0);
  Value value = n.scalar(n.f("value", 0), n.dtype(x));
  checkReflection(n, n.is("pads"), allAxes(n));
  n.result(n.apply("pad", {x, n.intVector(n.is("pads")), value},
                   attrs({{"mode", n.s("mode", "constant")}})));
}
void pad11(NodeContext &n) {
  n.require(0), n.require(1);
  auto axes = n.intsIn(3, "axes");
  if (const auto *pads = n.failed() ? nullptr : n.constantOf(n.in(1)))
    checkReflection(n, pads->toInts(), axes ? *axes : allAxes(n));
  n.result(n.apply("pad", n.all(), attrs({{"mode", n.s("mode", "constant")}})));
}

/// Cut to the middle where it is larger, padded around where it is smaller.
void centerCropPad(NodeContext &n) {
  Value x = n.require(0);
  Value wanted = n.require(1);
  auto target = n.failed() ? std::nullopt : knownSizes(n.record().info(wanted));
  if (!target) { // which fails, and says what would help
    n.needConstant(1, "target sizes");
    return;
  }
  auto axes = n.is("axes");
  if (axes.empty())
    for (int64_t k = 0; k < n.rank(x); ++k)
      axes.push_back(k);
  if (axes.size() != target->size())
    return n.invalid("it names " + std::to_string(axes.size()) + " axes and " +
                     std::to_string(target->size()) + " sizes");
  const auto rank = static_cast<size_t>(n.rank(x));
  std::vector<DimExpr> pads(2 * rank, 0);
  for (size_t k = 0; k < axes.size(); ++k) {
    const auto a = static_cast<size_t>(n.axis(axes[k], n.rank(x)));
    if (n.failed() || (*target)[k].constant().value_or(0) < 0)
      return n.invalid("a target size is negative");
    const DimExpr more = (*target)[k] - n.dims(x)[a];
    pads[a] = floorDiv(max(more, 0), 2) - floorDiv(max(DimExpr(0) - more, 0), 2);
    pads[rank + a] = more - pads[a];
  }
  n.result(n.apply("pad", {x, n.sizes(pads)}));
}

constexpr ConverterRow kRows[] = {
    {"CenterCropPad", 18, centerCropPad},
    {"Concat", 4, concat},
    {"Pad", 2, pad2},
    {"Pad", 11, pad11},
    {"Slice", 1, slice1},
    {"Slice", 10, slice10},
    {"Split", 2, split2},
    {"Split", 13, split13},
};

} // namespace

ConverterRows sliceRows() { return kRows; }

} // namespace imbrex::frontend
