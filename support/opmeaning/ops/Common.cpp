#include "support/opmeaning/ops/Common.h"

#include <algorithm>

namespace imbrex::opmeaning {

AttrDecl intAttr(std::string_view name, int64_t fallback, std::string_view doc) {
  return {name, AttrKind::Int, AttrValue(fallback), doc};
}
AttrDecl realAttr(std::string_view name, double fallback, std::string_view doc) {
  return {name, AttrKind::Real, AttrValue(fallback), doc};
}
AttrDecl wordAttr(std::string_view name, std::string_view fallback, std::string_view doc) {
  return {name, AttrKind::String, AttrValue(std::string(fallback)), doc};
}
AttrDecl intsAttr(std::string_view name, std::string_view doc) {
  return {name, AttrKind::Ints, AttrValue(std::vector<int64_t>{}), doc};
}
AttrDecl typeAttr(std::string_view name, DType fallback, std::string_view doc) {
  return {name, AttrKind::Type, AttrValue(fallback), doc};
}
AttrDecl requiredAttr(std::string_view name, AttrKind kind, std::string_view doc) {
  return {name, kind, std::nullopt, doc};
}

Result<Program> failed(Builder &b, std::string why) {
  b.fail(std::move(why));
  return b.finish({});
}

bool check(Builder &b, bool ok, std::string why) {
  if (!ok)
    b.fail(std::move(why));
  return ok;
}

bool checkFloat(Builder &b, const Tensor &t) {
  return check(b, isFloat(t.type), "the operand is " + describe(t) + ", not a float");
}

bool checkNumeric(Builder &b, const Tensor &t) {
  return check(b, isFloat(t.type) || isInteger(t.type),
               "the operand is " + describe(t) + ", not a number");
}

bool checkSameType(Builder &b, const Tensor &x, const Tensor &y) {
  return check(b, x.type == y.type,
               "the operands are " + describe(x) + " and " + describe(y) +
                   ", of different element types");
}

bool checkScalar(Builder &b, const Tensor &t, std::string_view what) {
  const bool one =
      std::all_of(t.dims.begin(), t.dims.end(), [](const Dim &d) { return d.isConstant(1); });
  return check(b, one, "the " + std::string(what) + " is " + describe(t) + ", not a scalar");
}

Val scalarOf(const Tensor &t) { return t(std::vector<Ix>(t.rank(), Ix(0))); }

std::string describe(const Tensor &t) { return TensorType{t.type, t.dims}.str(); }

DType computeType(DType t) { return isFloat(t) ? accumulatorFor(t) : DType::F64; }

std::vector<Ix> list(Axes i) { return {i.begin(), i.end()}; }

std::optional<size_t> axisOf(Builder &b, int64_t i, size_t rank) {
  const auto r = static_cast<int64_t>(rank);
  if (!check(b, i >= -r && i < r,
             "axis " + std::to_string(i) + " is outside a tensor of rank " + std::to_string(rank)))
    return std::nullopt;
  return static_cast<size_t>(i < 0 ? i + r : i);
}

std::optional<std::vector<size_t>> axesOf(Builder &b, const std::vector<int64_t> &axes,
                                          size_t rank) {
  std::vector<size_t> result;
  for (int64_t a : axes) {
    auto axis = axisOf(b, a, rank);
    if (!axis)
      return std::nullopt;
    result.push_back(*axis);
  }
  std::sort(result.begin(), result.end());
  if (!check(b, std::adjacent_find(result.begin(), result.end()) == result.end(),
             "an axis is named twice"))
    return std::nullopt;
  return result;
}

Dim divisor(const Builder &b, const Dim &d) {
  return b.facts().provenAtLeast(d, 1) ? d : max(d, Dim(1));
}

Dim product(const std::vector<Dim> &dims, size_t begin, size_t end) {
  Dim p = 1;
  for (size_t k = begin; k < end; ++k)
    p = p * dims[k];
  return p;
}

Ix flatten(const std::vector<Ix> &at, const std::vector<Dim> &dims) {
  Ix flat = 0;
  for (size_t k = 0; k < at.size(); ++k)
    flat = k == 0 ? at[0] : flat * dims[k] + at[k];
  return flat;
}

std::vector<Ix> unflatten(const Builder &b, const Ix &flat, const std::vector<Dim> &dims) {
  std::vector<Ix> at(dims.size(), Ix(0));
  std::vector<size_t> real; // a dimension of size 1 has index 0 and no digit
  for (size_t k = 0; k < dims.size(); ++k)
    if (!dims[k].isConstant(1))
      real.push_back(k);
  Dim below = 1;
  for (size_t n = real.size(); n-- > 0;) {
    const Dim &d = dims[real[n]];
    Ix digit = below.isConstant(1) ? flat : floorDiv(flat, divisor(b, below));
    at[real[n]] = n == 0 ? digit : mod(digit, divisor(b, d));
    below = below * d;
  }
  return at;
}

Ix wrapNegative(Builder &b, const Ix &v, const Dim &d) {
  return b.select(lt(v, 0), [&] { return v + d; }, [&] { return v; });
}

Pred inside(const Ix &i, const Dim &d) { return all({le(0, i), lt(i, d)}); }

std::optional<std::vector<int64_t>> constantInts(const Builder &b, size_t i) {
  const HostTensor *t = b.constant(i);
  if (!t || !isInteger(t->type()))
    return std::nullopt;
  return t->toInts();
}

std::optional<std::vector<Dim>> knownInts(const Builder &b, size_t i) {
  if (auto ints = constantInts(b, i))
    return std::vector<Dim>(ints->begin(), ints->end());
  return b.in(i) ? b.named({Source::Kind::Operand, static_cast<uint32_t>(i)}) : std::nullopt;
}

/// No tensor has more axes; a longer vector of sizes comes from a damaged model.
static constexpr int64_t maxRank = 64;

std::optional<size_t> vectorLength(Builder &b, const Tensor &t, std::string_view what) {
  if (!check(b, t.rank() == 1 && isInteger(t.type),
             "the " + std::string(what) + " is " + describe(t) + ", not a vector of integers"))
    return std::nullopt;
  auto length = t.dims[0].constant();
  if (!check(b, length.has_value(),
             "the length of the " + std::string(what) +
                 " is not known, and a rank depends on it") ||
      !check(b, *length <= maxRank,
             "the " + std::string(what) + " has " + std::to_string(*length) + " entries, and " +
                 std::to_string(maxRank) + " is the largest rank"))
    return std::nullopt;
  return static_cast<size_t>(*length);
}

Dim smaller(const Builder &b, const Dim &x, const Dim &y) {
  if (b.facts().provenAtLeast(y - x, 0))
    return x;
  return b.facts().provenAtLeast(x - y, 0) ? y : min(x, y);
}

Dim larger(const Builder &b, const Dim &x, const Dim &y) {
  if (b.facts().provenAtLeast(x - y, 0))
    return x;
  return b.facts().provenAtLeast(y - x, 0) ? y : max(x, y);
}

Val sizeAt(Builder &b, const std::vector<Dim> &dims, const Ix &k) {
  Val v = b.cast(Ix(dims.back()), DType::I64);
  for (size_t n = dims.size() - 1; n-- > 0;)
    v = b.select(
        eq(k, Ix(static_cast<int64_t>(n))), [&] { return b.cast(Ix(dims[n]), DType::I64); },
        [&] { return v; });
  return v;
}

std::vector<Dim> broadcastDims(Builder &b, const std::vector<std::vector<Dim>> &shapes,
                               std::string_view what) {
  size_t rank = 0;
  for (const auto &s : shapes)
    rank = std::max(rank, s.size());
  std::vector<Dim> dims(rank, Dim(1));
  for (const auto &s : shapes)
    for (size_t k = 0; k < s.size(); ++k) {
      Dim &d = dims[rank - s.size() + k];
      d = d.isConstant(1) ? s[k] : b.broadcast(d, s[k], what);
    }
  return dims;
}

bool checkBroadcastsTo(Builder &b, const Tensor &t, const std::vector<Dim> &dims,
                       std::string_view what) {
  const std::string why = std::string(what) + " " + describe(t) + " does not broadcast to " +
                          TensorType{t.type, dims}.str();
  if (!check(b, t.rank() <= dims.size(), why))
    return false;
  for (size_t k = 0; k < t.rank(); ++k)
    b.requireBroadcast(t.dims[k], dims[dims.size() - t.rank() + k], why);
  return true;
}

Val readBroadcast(Builder &b, const Tensor &t, Axes i) {
  std::vector<Ix> at;
  for (size_t k = 0; k < t.rank(); ++k)
    at.push_back(b.broadcastIndex(i[i.size() - t.rank() + k], t.dims[k]));
  return t(std::move(at));
}

Tensor defComputed(Builder &b, std::string name, DType type, std::vector<Dim> dims,
                   const Fn<Val> &body) {
  return b.def(std::move(name), type, std::move(dims),
               [&](Axes i) { return b.cast(body(i), type); });
}

} // namespace imbrex::opmeaning
