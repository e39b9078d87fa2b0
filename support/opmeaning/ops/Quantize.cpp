// Between floats and integers of 2 to 16 bits: x / scale rounded half to even, plus the zero point,
// saturated. To narrow floats: x / scale rounded to them, saturated.
#include "support/opmeaning/ops/Common.h"
#include "support/opmeaning/ops/Families.h"
#include "support/opmeaning/ops/Narrow.h"

#include <algorithm>

namespace imbrex::opmeaning {
namespace {

struct Range {
  double low, high;
};

std::optional<Range> rangeOf(Builder &b, DType t) {
  switch (t) {
  case DType::I2:
    return Range{-2, 1};
  case DType::U2:
    return Range{0, 3};
  case DType::I4:
    return Range{-8, 7};
  case DType::U4:
    return Range{0, 15};
  case DType::I8:
    return Range{-128, 127};
  case DType::U8:
    return Range{0, 255};
  case DType::I16:
    return Range{-32768, 32767};
  case DType::U16:
    return Range{0, 65535};
  default:
    b.fail("the quantized type is " + std::string(name(t)) +
           ", not an integer of 2 to 16 bits or a float of 4 or 8");
    return std::nullopt;
  }
}

/// How a scale or zero point is laid over x: one number, one for each place of an axis, or one for
/// each block of an axis.
struct Layout {
  enum class Kind : uint8_t { Scalar, Axis, Blocks } kind = Kind::Scalar;
  size_t axis = 0;
  int64_t block = 1;

  Val read(const Tensor &t, Axes i) const {
    switch (kind) {
    case Kind::Scalar:
      return scalarOf(t);
    case Kind::Axis:
      return t({i[axis]});
    case Kind::Blocks:
      break;
    }
    auto at = list(i);
    at[axis] = floorDiv(i[axis], Dim(block));
    return t(at);
  }
};

std::optional<Layout> layoutOf(Builder &b, const Tensor &x, const Tensor &scale, const Attrs &a) {
  const int64_t block = a.i("block_size");
  bool one = block == 0 && scale.rank() <= 1;
  for (const Dim &d : scale.dims)
    one = one && d.isConstant(1);
  if (one)
    return Layout{};
  auto axis = axisOf(b, a.i("axis"), x.rank());
  const std::string why = "the scale " + describe(scale) + " does not fit " + describe(x);
  if (!axis || !check(b, block >= 0, "the block size is negative") ||
      !check(b, scale.rank() == (block > 0 ? x.rank() : 1), why))
    return std::nullopt;
  if (block == 0) {
    b.require(eq(scale.dims[0], x.dims[*axis]), why);
    return Layout{Layout::Kind::Axis, *axis, 1};
  }
  for (size_t k = 0; k < x.rank(); ++k)
    b.require(eq(scale.dims[k], k == *axis ? ceilDiv(x.dims[k], Dim(block)) : x.dims[k]), why);
  return Layout{Layout::Kind::Blocks, *axis, block};
}

bool isOneNumber(const Tensor &t) {
  return t.rank() <= 1 && std::ranges::all_of(t.dims, [](const Dim &d) { return d.isConstant(1); });
}

/// A zero point is laid out as the scale is; of one number, a vector of one is as good as a scalar.
bool checkZeroPoint(Builder &b, const Tensor &scale, const std::optional<Tensor> &zero, DType t) {
  if (!zero)
    return true;
  const std::string why = "the zero point " + describe(*zero) + " does not fit the scale " +
                          describe(scale) + " and the type " + std::string(name(t));
  if (isOneNumber(scale) && zero->rank() <= 1) {
    if (zero->rank() == 1)
      b.require(eq(zero->dims[0], Dim(1)), why);
    return check(b, zero->type == t, why);
  }
  if (!check(b, zero->type == t && zero->rank() == scale.rank(), why))
    return false;
  for (size_t k = 0; k < scale.rank(); ++k)
    b.require(eq(zero->dims[k], scale.dims[k]), why);
  return true;
}

/// round(x / scale) in their type; + zero and saturation in f32 or f64, where every range fits.
Val quantized(Builder &b, const Val &x, const Val &scale, const std::optional<Val> &zero,
              Range range, DType to) {
  const Val q = b.cast(b.f(FnId::Round, {x / scale}), accumulatorFor(x.type));
  const Val shifted = zero ? q + anyCast(b, *zero, q.type) : q;
  const Val least = b.f(FnId::Max, {shifted, b.constant(range.low, q.type)});
  return anyCast(b, b.f(FnId::Min, {least, b.constant(range.high, q.type)}), to);
}

/// Narrow floats round by themselves; their zero point is 0 wherever it is given.
Val quantizedFloat(Builder &b, const Val &x, const Val &scale, const std::optional<Val> &zero,
                   DType to) {
  const Val q = x / scale;
  return narrowed(b, zero ? q + anyCast(b, *zero, q.type) : q, to);
}

Result<Program> quantizeLinear(Builder &b, const Attrs &a) {
  auto x = *b.in(0), scale = *b.in(1);
  auto zero = b.in(2);
  const DType to = zero ? zero->type : a.t("to");
  const bool toFloat = isNarrowFloat(to) && to != DType::F8E8M0;
  auto range = toFloat ? Range{} : rangeOf(b, to);
  if (!range || !check(b, isFloat(x.type) || x.type == DType::I32, "x is " + describe(x)) ||
      !checkFloat(b, scale))
    return b.finish({});
  auto layout = layoutOf(b, x, scale, a);
  if (!layout || !checkZeroPoint(b, scale, zero, to))
    return b.finish({});
  const DType t = a.t("precision") == DType::Invalid ? scale.type : a.t("precision");
  if (!check(b, isFloat(t), "the precision is no float type"))
    return b.finish({});
  auto y = b.def("y", to, x.dims, [&](Axes i) {
    std::optional<Val> z;
    if (zero)
      z = layout->read(*zero, i);
    const Val v = b.cast(x(list(i)), t), s = anyCast(b, layout->read(scale, i), t);
    return toFloat ? quantizedFloat(b, v, s, z, to) : quantized(b, v, s, z, *range, to);
  });
  return b.finish({y});
}

Result<Program> dequantizeLinear(Builder &b, const Attrs &a) {
  auto x = *b.in(0), scale = *b.in(1);
  auto zero = b.in(2);
  if (!check(b, isInteger(x.type) || isNarrow(x.type),
             "x is " + describe(x) + ", no quantized type") ||
      !checkFloat(b, scale))
    return b.finish({});
  auto layout = layoutOf(b, x, scale, a);
  if (!layout || !checkZeroPoint(b, scale, zero, x.type))
    return b.finish({});
  const DType t = accumulatorFor(scale.type);
  auto y = defComputed(b, "y", scale.type, x.dims, [&](Axes i) {
    const DType exact = isNarrowFloat(x.type) ? t : DType::I64;
    Val v = anyCast(b, x(list(i)), exact);
    if (zero)
      v = v - anyCast(b, layout->read(*zero, i), exact);
    return b.cast(v, t) * b.cast(layout->read(scale, i), t);
  });
  return b.finish({y});
}

/// Results y: u8, the scale and the zero point, from the range of x extended to 0. An empty or
/// constant zero x has scale 1.
Result<Program> dynamicQuantizeLinear(Builder &b, const Attrs &) {
  auto x = *b.in(0);
  const DType t = DType::F32;
  if (!check(b, x.type == t, "x is " + describe(x) + ", not f32"))
    return b.finish({});
  auto extreme = [&](const char *name, Red red, FnId fn) {
    return b.def(name, t, {}, [&](Axes) {
      const Val v = b.reduce(red, t, x.dims, {}, [&](Axes k) { return x(list(k)); });
      return b.f(fn, {v, b.constant(0, t)});
    });
  };
  auto low = extreme("low", Red::Min, FnId::Min), high = extreme("high", Red::Max, FnId::Max);
  auto scale = b.def("scale", t, {}, [&](Axes) {
    const Val width = high({}) - low({});
    return b.select(
        b.holds(b.f(FnId::Eq, {width, b.constant(0, t)})), [&] { return b.constant(1, t); },
        [&] { return width / b.constant(255, t); });
  });
  auto zero = b.def("zero", DType::U8, {}, [&](Axes) {
    return quantized(b, -low({}), scale({}), std::nullopt, {0, 255}, DType::U8);
  });
  auto y = b.def("y", DType::U8, x.dims, [&](Axes i) {
    return quantized(b, x(list(i)), scale({}), zero({}), {0, 255}, DType::U8);
  });
  return b.finish({y, scale, zero});
}

} // namespace

void registerQuantize(std::vector<Operator> &ops) {
  const std::vector<AttrDecl> layout = {
      intAttr("axis", 1, "the axis along which scales differ, where there are several"),
      intAttr("block_size", 0, "elements of that axis that share a scale; 0: one each")};
  auto quantize = layout;
  quantize.push_back(typeAttr("to", DType::U8, "the quantized type where no zero point is given"));
  quantize.push_back(
      typeAttr("precision", DType::Invalid, "the type of the division; invalid: the scale's"));
  ops.push_back({.name = "quantize_linear",
                 .doc = "round(x / scale) + zero point, saturated; operands x, scale, zero point.",
                 .minOperands = 2,
                 .maxOperands = 3,
                 .attrs = quantize,
                 .meaning = quantizeLinear,
                 .contract = FloatContract::Exact});
  ops.push_back({.name = "dequantize_linear",
                 .doc = "(x - zero point) * scale; operands x, scale, zero point.",
                 .minOperands = 2,
                 .maxOperands = 3,
                 .attrs = layout,
                 .meaning = dequantizeLinear,
                 .contract = FloatContract::Exact});
  ops.push_back({.name = "dynamic_quantize_linear",
                 .doc = "x as u8, with the scale and zero point that fit its range.",
                 .maxResults = 3,
                 .attrs = {},
                 .meaning = dynamicQuantizeLinear,
                 .contract = FloatContract::Exact});
}

} // namespace imbrex::opmeaning
