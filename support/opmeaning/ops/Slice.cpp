// Parts of tensors, and tensors made of parts: slice, split, concat, pad.
#include "support/opmeaning/ops/Common.h"
#include "support/opmeaning/ops/Families.h"

#include <algorithm>

namespace imbrex::opmeaning {
namespace {

/// Larger than any dimension; numbers from users are clamped to it before arithmetic.
constexpr int64_t huge = int64_t{1} << 56;

/// `v` counted from the end where negative, clamped to [low, high].
Dim clampedPlace(const Builder &b, int64_t v, const Dim &d, const Dim &low, const Dim &high) {
  if (v >= huge)
    return high;
  if (v <= -huge)
    return smaller(b, low, high);
  return smaller(b, larger(b, v < 0 ? Dim(v) + d : Dim(v), low), high);
}

/// One axis of a slice: x[start + i * step] for i < extent.
struct Cut {
  Ix start = 0;
  Dim step = 1, extent = 0;
};

/// A start or an end that is a number or a size; nothing when its sign is not known.
std::optional<Dim> namedPlace(const Builder &b, const Dim &v, const Dim &d, const Dim &low,
                              const Dim &high) {
  if (auto c = v.constant())
    return clampedPlace(b, *c, d, low, high);
  const bool natural = b.facts().provenAtLeast(v, 0);
  if (!natural && !b.facts().provenAtLeast(Dim(-1) - v, 0))
    return std::nullopt;
  return smaller(b, larger(b, natural ? v : v + d, low), high);
}

std::optional<Cut> namedCut(const Builder &b, const Dim &start, const Dim &end, int64_t step,
                            const Dim &d) {
  const Dim last = d - 1;
  auto from = step > 0 ? namedPlace(b, start, d, 0, d) : namedPlace(b, start, d, 0, last);
  auto to = step > 0 ? namedPlace(b, end, d, 0, d) : namedPlace(b, end, d, -1, last);
  if (!from || !to)
    return std::nullopt;
  const Dim distance = step > 0 ? *to - *from : *from - *to;
  return Cut{Ix(*from), Dim(step), larger(b, 0, ceilDiv(distance, Dim(std::abs(step))))};
}

/// Of all axes, or of none.
std::optional<std::vector<Cut>> namedCuts(const Builder &b, const std::vector<int64_t> &steps,
                                          const std::vector<Dim> &sizes) {
  auto from = knownInts(b, 1), to = knownInts(b, 2);
  std::vector<Cut> cuts;
  for (size_t k = 0; from && to && k < sizes.size(); ++k) {
    auto cut = namedCut(b, (*from)[k], (*to)[k], steps[k], sizes[k]);
    if (!cut)
      return std::nullopt;
    cuts.push_back(*cut);
  }
  return from && to ? std::optional(cuts) : std::nullopt;
}

/// The same for a start and an end known at run time only. They are clamped on the host, as
/// scalars.
struct OpenCuts {
  Builder &b;
  const Tensor &starts, &ends;
  const std::vector<Dim> &sizes; // of the sliced axes, in the operands' order
  const std::vector<int64_t> &steps;

  Val num(int64_t v) const { return b.integer(v, DType::I64); }
  Val clamp(const Val &v, const Val &low, const Val &high) const {
    return b.f(FnId::Min, {b.f(FnId::Max, {v, low}), high});
  }
  Val fromEnd(const Val &v, const Val &d) const {
    const Val legal = clamp(v, num(-huge), num(huge));
    return b.select(
        b.holds(b.f(FnId::Lt, {legal, num(0)})), [&] { return legal + d; }, [&] { return legal; });
  }
  /// steps[k] as a term, and whether it is negative: a chain over the literal steps.
  Val stepAt(const Ix &k) const {
    std::vector<Dim> dims(steps.begin(), steps.end());
    return sizeAt(b, dims, k);
  }
  /// Row 0: starts; row 1: ends, clamped.
  Tensor places(const char *name, const Tensor &of, int64_t lowBackwards) const {
    return b.shapeDef(name, DType::I64, {static_cast<int64_t>(sizes.size())}, [&](Axes i) {
      const Val d = sizeAt(b, sizes, i[0]);
      const Val v = fromEnd(b.cast(of({i[0]}), DType::I64), d);
      return b.select(
          b.holds(b.f(FnId::Lt, {num(0), stepAt(i[0])})), [&] { return clamp(v, num(0), d); },
          [&] { return clamp(v, num(lowBackwards), d - num(1)); });
    });
  }
  std::vector<Cut> make() const {
    auto from = places("from", starts, 0), to = places("to", ends, -1);
    auto extent =
        b.shapeDef("extent", DType::I64, {static_cast<int64_t>(sizes.size())}, [&](Axes i) {
          const Val step = stepAt(i[0]), sign = b.f(FnId::Sign, {step});
          const Val distance = b.f(FnId::Max, {(to({i[0]}) - from({i[0]})) * sign, num(0)});
          const Val size = b.f(FnId::Abs, {step});
          return (distance + size - num(1)) / size;
        });
    std::vector<Cut> cuts;
    for (size_t k = 0; k < sizes.size(); ++k) {
      const auto at = static_cast<int64_t>(k);
      cuts.push_back({from.index({at}), Dim(steps[k]), extent.value({at})});
    }
    return cuts;
  }
};

/// The sliced axes, in the operands' order, and their steps.
struct SliceAxes {
  std::vector<size_t> axes;
  std::vector<int64_t> steps;
};

std::optional<SliceAxes> sliceAxes(Builder &b, const Tensor &x, size_t count) {
  SliceAxes s;
  if (!check(b, !b.in(3) || b.constant(3), "the axes are not constant") ||
      !check(b, !b.in(4) || b.constant(4), "the steps are not constant"))
    return std::nullopt;
  auto axes = constantInts(b, 3), steps = constantInts(b, 4);
  s.steps = steps ? *steps : std::vector<int64_t>(count, 1);
  std::vector<int64_t> named;
  for (size_t k = 0; k < count; ++k)
    named.push_back(static_cast<int64_t>(k));
  named = axes ? *axes : named;
  if (!check(b, s.steps.size() == count && named.size() == count,
             "starts, ends, axes and steps differ in length") ||
      !axesOf(b, named, x.rank()))
    return std::nullopt;
  for (size_t k = 0; k < count; ++k) {
    if (!check(b, s.steps[k] != 0, "a step is 0"))
      return std::nullopt;
    s.steps[k] = std::clamp(s.steps[k], -huge, huge);
    s.axes.push_back(*axisOf(b, named[k], x.rank()));
  }
  return s;
}

Result<Program> slice(Builder &b, const Attrs &) {
  auto x = *b.in(0), starts = *b.in(1), ends = *b.in(2);
  auto count = vectorLength(b, starts, "starts"), other = vectorLength(b, ends, "ends");
  if (!count || !other || !check(b, *count == *other, "starts and ends differ in length"))
    return b.finish({});
  auto axes = sliceAxes(b, x, *count);
  if (!axes)
    return b.finish({});
  std::vector<Dim> sizes;
  for (size_t k : axes->axes)
    sizes.push_back(x.dims[k]);
  auto known = namedCuts(b, axes->steps, sizes);
  const auto cuts = known ? *known : OpenCuts{b, starts, ends, sizes, axes->steps}.make();
  auto dims = x.dims;
  for (size_t k = 0; k < *count; ++k)
    dims[axes->axes[k]] = cuts[k].extent;
  auto y = b.def("y", x.type, dims, [&](Axes i) {
    auto at = list(i);
    for (size_t k = 0; k < *count; ++k) {
      Ix &p = at[axes->axes[k]];
      p = cuts[k].start + (cuts[k].step.isConstant(1) ? p : p * cuts[k].step);
    }
    return x(at);
  });
  return b.finish({y});
}

Result<Program> concat(Builder &b, const Attrs &a) {
  auto first = *b.in(0);
  auto axis = axisOf(b, a.i("axis"), first.rank());
  if (!axis)
    return b.finish({});
  std::vector<Tensor> parts;
  auto dims = first.dims;
  dims[*axis] = 0;
  for (size_t n = 0; n < b.operandCount(); ++n) {
    parts.push_back(*b.in(n));
    const Tensor &t = parts.back();
    const std::string why = describe(first) + " and " + describe(t) + " do not fit together";
    if (!checkSameType(b, first, t) || !check(b, t.rank() == first.rank(), why))
      return b.finish({});
    for (size_t k = 0; k < t.rank(); ++k)
      if (k != *axis)
        b.require(eq(t.dims[k], first.dims[k]), why);
    dims[*axis] = dims[*axis] + t.dims[*axis];
  }
  auto y = b.def("y", first.type, dims, [&](Axes i) {
    auto read = [&](const Tensor &t, const Dim &begin) {
      auto at = list(i);
      at[*axis] = begin.isConstant(0) ? i[*axis] : i[*axis] - begin;
      return t(at);
    };
    Dim begin = dims[*axis] - parts.back().dims[*axis];
    Val v = read(parts.back(), begin);
    for (size_t n = parts.size() - 1; n-- > 0;) {
      const Dim end = begin;
      begin = begin - parts[n].dims[*axis];
      v = b.select(lt(i[*axis], end), [&] { return read(parts[n], begin); }, [&] { return v; });
    }
    return v;
  });
  return b.finish({y});
}

constexpr int64_t maxParts = 4096; // each is a result

/// The size of each part of an axis of size d; empty, and b fails, where they are not legal.
std::vector<Dim> partSizes(Builder &b, const Attrs &a, const Dim &d) {
  std::vector<Dim> sizes(a.is("sizes").begin(), a.is("sizes").end());
  const int64_t parts = sizes.empty() ? a.i("parts") : static_cast<int64_t>(sizes.size());
  if (!check(b, parts > 0, "neither sizes nor parts is given") ||
      !check(b, parts <= maxParts,
             "there are " + std::to_string(parts) + " parts, and " + std::to_string(maxParts) +
                 " is the largest number"))
    return {};
  if (!sizes.empty())
    return sizes;
  if (auto given = b.in(1)) {
    const std::string why =
        "the sizes " + describe(*given) + " are not those of " + std::to_string(parts) + " parts";
    if (!check(b, given->rank() == 1 && isInteger(given->type), why))
      return {};
    b.require(eq(given->dims[0], Dim(parts)), why);
    for (int64_t k = 0; k < parts; ++k)
      sizes.push_back(given->value({k}));
    return sizes;
  }
  const Dim chunk = ceilDiv(d, Dim(parts));
  sizes.assign(static_cast<size_t>(parts), chunk);
  sizes.back() = d - chunk * Dim(parts - 1);
  return sizes;
}

Result<Program> split(Builder &b, const Attrs &a) {
  auto x = *b.in(0);
  auto axis = axisOf(b, a.i("axis"), x.rank());
  if (!axis)
    return b.finish({});
  const Dim d = x.dims[*axis];
  const auto sizes = partSizes(b, a, d);
  if (sizes.empty())
    return b.finish({});
  Dim sum = 0;
  for (const Dim &s : sizes)
    sum = sum + s;
  b.require(eq(sum, d),
            "the sizes do not add up to axis " + std::to_string(*axis) + " of " + describe(x));
  std::vector<Tensor> ys;
  Dim begin = 0;
  for (size_t n = 0; n < sizes.size(); ++n) {
    auto dims = x.dims;
    dims[*axis] = sizes[n];
    ys.push_back(b.def("y" + std::to_string(n), x.type, dims, [&](Axes i) {
      auto at = list(i);
      if (!begin.isConstant(0))
        at[*axis] = i[*axis] + begin;
      return x(at);
    }));
    begin = begin + sizes[n];
  }
  return b.finish(ys);
}

/// One padded axis. Negative pads crop: `skip` elements go at the beginning, `left` stay.
struct Padded {
  size_t axis;
  Dim skip, before, left, after;
  bool grows; // some pad is not provably 0
};

enum class Fill : uint8_t { Constant, Reflect, Edge, Wrap };

Ix filled(Builder &b, Fill fill, const Ix &i, const Dim &n) {
  switch (fill) {
  case Fill::Edge:
    return max(min(i, Ix(n - 1)), 0);
  case Fill::Wrap:
    return mod(i, divisor(b, n));
  case Fill::Reflect: {
    const Dim period = Dim(2) * (n - 1);
    const Ix t = mod(i, divisor(b, period));
    return min(t, period - t);
  }
  case Fill::Constant:
    break;
  }
  return i;
}

std::optional<Fill> fillOf(Builder &b, const std::string &mode) {
  if (mode == "constant")
    return Fill::Constant;
  if (mode == "reflect")
    return Fill::Reflect;
  if (mode == "edge")
    return Fill::Edge;
  if (mode == "wrap")
    return Fill::Wrap;
  b.fail("mode is \"" + mode + "\", none of constant, reflect, edge and wrap");
  return std::nullopt;
}

/// What a pad adds, and what a negative one removes.
struct Change {
  Dim grows, shrinks;
};

/// The size of a padded axis. Of sizes known at run time only it is one as well, so that products
/// of sizes do not grow into sums of products.
Dim paddedSize(Builder &b, const Padded &p, size_t k) {
  const Dim size = p.before + p.left + p.after;
  if (b.constant(1) || b.named({Source::Kind::Operand, 1}))
    return size;
  return b
      .shapeDef("size" + std::to_string(k), DType::I64, {},
                [&](Axes) { return b.cast(Ix(size), DType::I64); })
      .value();
}

/// The pads, two an axis: numbers or sizes, or known at run time only. Clamped, so that sums with
/// them fit.
std::optional<std::vector<Change>> padsOf(Builder &b, const Tensor &pads, size_t axes) {
  const auto count = static_cast<int64_t>(2 * axes);
  const std::string why = pads.rank() == 1
                              ? pads.dims[0].str() + " pads for " + std::to_string(axes) + " axes"
                              : "the pads are " + describe(pads) + ", not a vector";
  if (!check(b, pads.rank() == 1 && isInteger(pads.type), why))
    return std::nullopt;
  b.require(eq(pads.dims[0], Dim(count)), why);
  std::vector<Change> changes;
  if (auto known = knownInts(b, 1)) {
    for (const Dim &pad : *known) {
      auto c = pad.constant();
      const Dim legal = c ? Dim(std::clamp(*c, -huge, huge)) : pad;
      changes.push_back({larger(b, legal, 0), larger(b, Dim(0) - legal, 0)});
    }
    return check(b, known->size() == 2 * axes, why) ? std::optional(changes) : std::nullopt;
  }
  auto clamped = [&](const char *name, bool negated) {
    return b.shapeDef(name, DType::I64, {count}, [&](Axes i) {
      const Val v = b.cast(pads({i[0]}), DType::I64), zero = b.integer(0, DType::I64);
      const Val least = b.integer(-huge, DType::I64), most = b.integer(huge, DType::I64);
      const Val legal = b.f(FnId::Min, {b.f(FnId::Max, {v, least}), most});
      return b.f(FnId::Max, {negated ? zero - legal : legal, zero});
    });
  };
  auto grows = clamped("grows", false), shrinks = clamped("shrinks", true);
  for (int64_t k = 0; k < count; ++k)
    changes.push_back({grows.value({k}), shrinks.value({k})});
  return changes;
}

/// The padded axes from the operands pads and axes (numbers); fails b where they are not legal.
std::optional<std::vector<Padded>> paddedAxes(Builder &b, const Tensor &x, Fill fill) {
  if (!check(b, !b.in(3) || b.constant(3), "the axes are not constant"))
    return std::nullopt;
  auto axes = constantInts(b, 3);
  std::vector<int64_t> named;
  for (size_t k = 0; k < x.rank(); ++k)
    named.push_back(static_cast<int64_t>(k));
  named = axes ? *axes : named;
  auto pads = padsOf(b, *b.in(1), named.size());
  if (!pads || !axesOf(b, named, x.rank()))
    return std::nullopt;
  std::vector<Padded> result;
  for (size_t k = 0; k < named.size(); ++k) {
    const Change &before = (*pads)[k], &after = (*pads)[k + named.size()];
    const size_t axis = *axisOf(b, named[k], x.rank());
    const Dim left = x.dims[axis] - before.shrinks - after.shrinks;
    b.require(le(0, left), "a negative pad removes more than there is");
    const bool grows = !before.grows.isConstant(0) || !after.grows.isConstant(0);
    if (grows && fill != Fill::Constant)
      b.require(any({lt(0, left), all({eq(before.grows, Ix(0)), eq(after.grows, Ix(0))})}),
                "nothing is left that the padding could repeat");
    if (grows || !before.shrinks.isConstant(0) || !after.shrinks.isConstant(0))
      result.push_back({axis, before.shrinks, before.grows, left, after.grows, grows});
  }
  return result;
}

Result<Program> pad(Builder &b, const Attrs &a) {
  auto x = *b.in(0);
  auto value = b.in(2);
  auto fill = fillOf(b, a.s("mode"));
  if (!fill || (value && (!checkSameType(b, x, *value) || !checkScalar(b, *value, "value"))))
    return b.finish({});
  auto axes = paddedAxes(b, x, *fill);
  if (!axes)
    return b.finish({});
  auto dims = x.dims;
  for (const Padded &p : *axes)
    dims[p.axis] = paddedSize(b, p, p.axis);
  auto y = b.def("y", x.type, dims, [&](Axes i) {
    auto at = list(i);
    std::vector<Pred> exists;
    for (const Padded &p : *axes) {
      const Ix own = p.before.isConstant(0) ? i[p.axis] : i[p.axis] - p.before;
      if (p.grows && *fill == Fill::Constant)
        exists.push_back(inside(own, p.left));
      const Ix place = p.grows ? filled(b, *fill, own, p.left) : own;
      at[p.axis] = p.skip.isConstant(0) ? place : place + p.skip;
    }
    if (exists.empty())
      return x(at);
    return b.select(
        all(std::span<const Pred>(exists)), [&] { return x(at); },
        [&] { return value ? scalarOf(*value) : b.constant(0, x.type); });
  });
  return b.finish({y});
}

} // namespace

void registerSlice(std::vector<Operator> &ops) {
  auto add = [&](std::string_view name, std::string_view doc, uint8_t least, uint8_t most,
                 Meaning meaning, std::vector<AttrDecl> attrs, uint8_t maxResults = 1) {
    ops.push_back({.name = name,
                   .doc = doc,
                   .minOperands = least,
                   .maxOperands = most,
                   .maxResults = maxResults,
                   .attrs = std::move(attrs),
                   .meaning = meaning,
                   .contract = FloatContract::Exact});
  };
  add("slice", "x[start : end : step] along axes; operands x, starts, ends, axes, steps.", 3, 5,
      slice, {});
  add("concat", "All operands one behind the other along an axis.", 1, 255, concat,
      {requiredAttr("axis", AttrKind::Int, "the axis along which they stand")});
  add("split", "Consecutive parts along an axis, one a result; operands x and the parts' sizes.", 1,
      2, split,
      {intAttr("axis", 0, "the axis that is cut"),
       intsAttr("sizes", "the size of each part; none: operand 2, or `parts` equal ones"),
       intAttr("parts", 0,
               "the number of parts; where no sizes are given the last may be smaller")},
      255);
  add("pad",
      "Elements added around x, or removed where a pad is negative; operands x, pads, value, "
      "axes.",
      2, 4, pad, {wordAttr("mode", "constant", "constant, reflect, edge or wrap")});
}

} // namespace imbrex::opmeaning
