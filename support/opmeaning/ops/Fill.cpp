// Tensors from sizes and numbers: shape, size, constant_of_shape, range, eye_like, one_hot, trilu,
// cast.
#include "support/opmeaning/ops/Common.h"
#include "support/opmeaning/ops/Families.h"
#include "support/opmeaning/ops/Narrow.h"

#include <algorithm>
#include <cmath>

namespace imbrex::opmeaning {
namespace {

Result<Program> shapeOf(Builder &b, const Attrs &a) {
  auto x = *b.in(0);
  const auto rank = static_cast<int64_t>(x.rank());
  auto place = [&](int64_t v) {
    const int64_t legal = std::clamp(v, -rank, rank);
    return legal < 0 ? legal + rank : legal;
  };
  const int64_t from = place(a.i("start")), to = std::max(place(a.i("end")), from);
  const std::vector<Dim> dims(x.dims.begin() + from, x.dims.begin() + to);
  auto y = b.shapeDef("y", DType::I64, {to - from}, [&](Axes i) {
    return dims.empty() ? b.integer(0, DType::I64) : sizeAt(b, dims, i[0]);
  });
  return b.finish({y});
}

Result<Program> sizeOf(Builder &b, const Attrs &) {
  auto x = *b.in(0);
  auto y = b.shapeDef("y", DType::I64, {},
                      [&](Axes) { return b.cast(Ix(product(x.dims, 0, x.rank())), DType::I64); });
  return b.finish({y});
}

Result<Program> constantOfShape(Builder &b, const Attrs &a) {
  auto shape = *b.in(0);
  auto length = vectorLength(b, shape, "shape");
  if (!length)
    return b.finish({});
  std::vector<Dim> dims;
  for (size_t k = 0; k < *length; ++k)
    dims.push_back(shape.value({static_cast<int64_t>(k)}));
  const DType t = a.t("type");
  auto y = b.def("y", t, dims, [&](Axes) {
    return isFloat(t) ? b.real(a.r("value"), t) : b.integer(a.i("int_value"), t);
  });
  return b.finish({y});
}

/// How many elements a range of constants has, in the arithmetic of its type.
int64_t rangeLength(const HostTensor &start, const HostTensor &limit, const HostTensor &delta) {
  constexpr double most = 1e15; // beyond any tensor, and exact
  if (isFloat(start.type())) {
    const double s = start.toDouble(0), l = limit.toDouble(0), d = delta.toDouble(0);
    double n = (l - s) / d;
    if (start.type() != DType::F64)
      n = static_cast<float>(static_cast<float>(l - s) / static_cast<float>(d));
    n = std::ceil(n);
    return n > 0 ? static_cast<int64_t>(std::min(n, most)) : 0; // NaN: none
  }
  const auto s = static_cast<__int128>(start.toInt(0)), l = static_cast<__int128>(limit.toInt(0));
  const auto d = static_cast<__int128>(delta.toInt(0));
  const __int128 distance = d > 0 ? l - s : s - l, step = d > 0 ? d : -d;
  const __int128 n = distance <= 0 ? 0 : (distance + step - 1) / step;
  return static_cast<int64_t>(std::min<__int128>(n, static_cast<__int128>(most)));
}

/// The number of elements where the operands are known at run time only. The distance of two
/// integers need not fit in int64, but as a difference modulo 2^64 it is exact where it counts; a
/// number of elements that does not fit comes out negative, and is refused as a size.
Dim openRangeLength(Builder &b, const Tensor &start, const Tensor &limit, const Tensor &delta) {
  const DType t = start.type;
  auto sign = b.shapeDef("sign", DType::I64, {}, [&](Axes) {
    return b.cast(b.f(FnId::Sign, {scalarOf(delta)}), DType::I64);
  });
  b.require(ne(sign.index({}), 0), "the step is 0");
  auto count = b.shapeDef("count", DType::I64, {}, [&](Axes) {
    if (isFloat(t)) {
      const Val n = (scalarOf(limit) - scalarOf(start)) / scalarOf(delta);
      const Val whole = b.f(FnId::Ceil, {b.f(FnId::Max, {n, b.real(0, t)})});
      return b.cast(whole, DType::I64);
    }
    const Val from = b.cast(scalarOf(start), DType::I64), to = b.cast(scalarOf(limit), DType::I64);
    auto distance = [&](const Val &low, const Val &high) {
      return b.cast(b.f(FnId::Max, {low, high}), DType::U64) - b.cast(low, DType::U64);
    };
    const Val way = b.select(
        lt(0, sign.index({})), [&] { return distance(from, to); },
        [&] { return distance(to, from); });
    const Val one = b.integer(1, DType::U64);
    const Val size = b.f(FnId::Abs, {b.cast(scalarOf(delta), DType::I64)});
    const Val step = b.f(FnId::Max, {b.cast(size, DType::U64), one}); // 0 is refused
    const Val whole = way / step, rest = way - whole * step;
    return b.cast(whole + b.f(FnId::Min, {rest, one}), DType::I64);
  });
  return count.value();
}

/// The same by name, for a step that is a number.
std::optional<Dim> namedRangeLength(Builder &b) {
  auto start = knownInts(b, 0), limit = knownInts(b, 1), delta = knownInts(b, 2);
  auto step = delta ? delta->front().constant() : std::nullopt;
  if (!start || !limit || !step || *step == 0 || *step == INT64_MIN)
    return std::nullopt;
  const Dim distance =
      *step > 0 ? limit->front() - start->front() : start->front() - limit->front();
  return larger(b, 0, ceilDiv(distance, Dim(std::abs(*step))));
}

Result<Program> range(Builder &b, const Attrs &) {
  auto start = *b.in(0), limit = *b.in(1), delta = *b.in(2);
  if (!checkNumeric(b, start) || !checkSameType(b, start, limit) || !checkSameType(b, start, delta))
    return b.finish({});
  if (!checkScalar(b, start, "start") || !checkScalar(b, limit, "limit") ||
      !checkScalar(b, delta, "step"))
    return b.finish({});
  const HostTensor *s = b.constant(0), *l = b.constant(1), *d = b.constant(2);
  if (d && !check(b, d->toDouble(0) != 0, "the step is 0"))
    return b.finish({});
  auto named = s && l && d ? Dim(rangeLength(*s, *l, *d)) : namedRangeLength(b);
  const Dim n = named ? *named : openRangeLength(b, start, limit, delta);
  auto y = b.def("y", start.type, {n}, [&](Axes i) {
    return scalarOf(start) + b.cast(i[0], start.type) * scalarOf(delta);
  });
  return b.finish({y});
}

Result<Program> eyeLike(Builder &b, const Attrs &a) {
  auto x = *b.in(0);
  if (x.rank() != 2)
    return failed(b, describe(x) + " is not a matrix");
  const DType t = a.t("type") == DType::Invalid ? x.type : a.t("type");
  const int64_t k = std::clamp(a.i("k"), -(int64_t{1} << 56), int64_t{1} << 56);
  auto y = b.def("y", t, x.dims, [&](Axes i) {
    return b.select(
        eq(i[0] + k, i[1]), [&] { return b.constant(1, t); }, [&] { return b.constant(0, t); });
  });
  return b.finish({y});
}

Result<Program> trilu(Builder &b, const Attrs &a) {
  auto x = *b.in(0);
  auto offset = b.in(1);
  if (!check(b, x.rank() >= 2, describe(x) + " is not a matrix") ||
      (offset && (!checkScalar(b, *offset, "diagonal") ||
                  !check(b, isInteger(offset->type), "the diagonal is " + describe(*offset)))))
    return b.finish({});
  const bool upper = a.i("upper") != 0;
  const Dim rows = x.dims[x.rank() - 2], columns = x.dims[x.rank() - 1];
  auto y = b.def("y", x.type, x.dims, [&](Axes i) {
    Ix k = 0;
    if (const HostTensor *c = b.constant(1))
      k = std::clamp(c->toInt(0), -(int64_t{1} << 56), int64_t{1} << 56);
    else if (offset) // clamped before arithmetic
      k = max(min(offset->index(std::vector<Ix>(offset->rank(), Ix(0))), Ix(columns)),
              0 - Ix(rows));
    const Ix diagonal = i[i.size() - 2] + k;
    const Ix &column = i[i.size() - 1];
    return b.select(
        upper ? le(diagonal, column) : le(column, diagonal), [&] { return x(list(i)); },
        [&] { return b.constant(0, x.type); });
  });
  return b.finish({y});
}

Result<Program> oneHot(Builder &b, const Attrs &a) {
  auto indices = *b.in(0), depth = *b.in(1), values = *b.in(2);
  auto axis = axisOf(b, a.i("axis"), indices.rank() + 1);
  if (!axis || !checkNumeric(b, indices) || !checkScalar(b, depth, "depth") ||
      !check(b, isInteger(depth.type), "the depth is " + describe(depth) + ", not an integer") ||
      !check(b, values.rank() == 1, "the values are " + describe(values) + ", not a pair"))
    return b.finish({});
  b.require(eq(values.dims[0], Ix(2)), "the values are " + describe(values) + ", not a pair");
  const Dim d = depth.value(std::vector<int64_t>(depth.rank(), 0));
  auto whole =
      isInteger(indices.type) ? indices : b.def("whole", DType::I64, indices.dims, [&](Axes i) {
        return b.cast(indices(list(i)), DType::I64);
      });
  auto dims = indices.dims;
  dims.insert(dims.begin() + static_cast<ptrdiff_t>(*axis), d);
  auto y = b.def("y", values.type, dims, [&](Axes i) {
    auto at = list(i);
    at.erase(at.begin() + static_cast<ptrdiff_t>(*axis));
    const Ix hot = wrapNegative(b, whole.index(at), d);
    return b.select(
        eq(hot, i[*axis]), [&] { return values({Ix(1)}); }, [&] { return values({Ix(0)}); });
  });
  return b.finish({y});
}

Result<Program> cast(Builder &b, const Attrs &a) {
  auto x = *b.in(0);
  const DType to = a.t("to");
  if (to == DType::Invalid)
    return failed(b, "the target type is invalid");
  const std::string &mode = a.s("round_mode");
  const auto rounding = mode == "down"      ? PowerRounding::Down
                        : mode == "nearest" ? PowerRounding::Nearest
                                            : PowerRounding::Up;
  if (!check(b, mode == "up" || mode == "down" || mode == "nearest",
             "the rounding is '" + mode + "'"))
    return b.finish({});
  const auto overflow = a.i("saturate") != 0 ? Overflow::Saturate : Overflow::Special;
  auto y = b.def("y", to, x.dims,
                 [&](Axes i) { return anyCast(b, x(list(i)), to, overflow, rounding); });
  return b.finish({y});
}

Result<Program> bitcast(Builder &b, const Attrs &a) {
  auto x = *b.in(0);
  const DType to = a.t("to");
  if (!check(b, to != DType::Invalid && packedBits(to) == packedBits(x.type),
             "the elements of " + describe(x) + " are not of the size of " + std::string(name(to))))
    return b.finish({});
  auto y = b.def("y", to, x.dims, [&](Axes i) {
    const Val v = x(list(i)), whole = x.type == DType::Bool ? b.cast(v, DType::U8) : v;
    return to == DType::Bool ? b.cast(b.bits(whole, DType::U8), to) : b.bits(whole, to);
  });
  return b.finish({y});
}

} // namespace

void registerFill(std::vector<Operator> &ops) {
  auto add = [&](std::string_view name, std::string_view doc, uint8_t least, uint8_t most,
                 Meaning meaning, std::vector<AttrDecl> attrs) {
    ops.push_back({.name = name,
                   .doc = doc,
                   .minOperands = least,
                   .maxOperands = most,
                   .attrs = std::move(attrs),
                   .meaning = meaning,
                   .contract = FloatContract::Exact});
  };
  const auto type = typeAttr("type", DType::F32, "the element type");
  add("shape", "x's dimensions start to end, as i64.", 1, 1, shapeOf,
      {intAttr("start", 0, "the first dimension"), intAttr("end", INT64_MAX, "behind the last")});
  add("size", "The number of x's elements.", 1, 1, sizeOf, {});
  add("constant_of_shape", "One value everywhere, in the shape of operand 1.", 1, 1,
      constantOfShape,
      {type, realAttr("value", 0, "the value, for a float type"),
       intAttr("int_value", 0, "the value, for an integer type or bool")});
  add("range", "start, start + delta, … before limit; operands start, limit, delta.", 3, 3, range,
      {});
  add("eye_like", "Ones on a diagonal, in x's shape.", 1, 1, eyeLike,
      {typeAttr("type", DType::Invalid, "the element type; invalid: x's"),
       intAttr("k", 0, "which diagonal; above 0 lies right of the main one")});
  add("trilu", "The upper or lower triangle of matrices, 0 elsewhere; operands x and the diagonal.",
      1, 2, trilu, {intAttr("upper", 1, "0: the lower triangle")});
  add("one_hot", "values[1] where the index is the place along a new axis, else values[0].", 3, 3,
      oneHot, {intAttr("axis", -1, "where the new axis stands")});
  add("cast", "x in another element type.", 1, 1, cast,
      {requiredAttr("to", AttrKind::Type, "the element type"),
       intAttr("saturate", 1, "0: beyond the range of a narrow float is infinity or NaN"),
       wordAttr("round_mode", "up", "of f8e8m0: up, down or nearest")});
  add("bitcast", "The bits of x in another element type of the same size.", 1, 1, bitcast,
      {requiredAttr("to", AttrKind::Type, "the element type")});
}

} // namespace imbrex::opmeaning
