// Elements chosen by their values. The terms define them by counting; lowerings and host code are
// free to sort and to scan.
#include "support/opmeaning/ops/Common.h"
#include "support/opmeaning/ops/Families.h"

namespace imbrex::opmeaning {
namespace {

/// The number of terms for which `where` holds.
Val count(Builder &b, const std::vector<Dim> &extents, const Fn<Pred> &where) {
  return b.reduce(Red::Sum, DType::I64, extents, where,
                  [&](Axes) { return b.integer(1, DType::I64); });
}

/// The first place of `size` for which `where` holds, or -1.
Val firstPlace(Builder &b, const Dim &size, const std::function<Pred(const Ix &)> &where) {
  auto best = b.best(
      Best::Max, Tie::First, {size}, [&](Axes k) { return where(k[0]); },
      [&](Axes) { return b.integer(0, DType::I32); });
  return b.cast(best.place, DType::I64);
}

/// u comes before v: NaN first, then by value, then by place.
Pred before(Builder &b, const Val &u, const Val &v, const Ix &placeU, const Ix &placeV,
            bool largest) {
  auto less = [&](const Val &x, const Val &y) { return b.holds(b.f(FnId::Lt, {x, y})); };
  const Pred ahead = largest ? less(v, u) : less(u, v);
  const Pred tie = all({!less(u, v), !less(v, u), lt(placeU, placeV)});
  if (!isFloat(u.type))
    return any({ahead, tie});
  const Pred nanU = b.holds(b.f(FnId::IsNaN, {u})), nanV = b.holds(b.f(FnId::IsNaN, {v}));
  const Pred alike = any({all({nanU, nanV}), all({!nanU, !nanV})});
  return any({all({nanU, !nanV}), ahead, all({alike, tie})});
}

Result<Program> topK(Builder &b, const Attrs &a) {
  auto x = *b.in(0), k = *b.in(1);
  auto axis = axisOf(b, a.i("axis"), x.rank());
  if (!axis || !checkNumeric(b, x) || !checkScalar(b, k, "number of elements") ||
      !check(b, isInteger(k.type), "the number of elements is " + describe(k)))
    return b.finish({});
  const bool largest = a.i("largest") != 0;
  const Dim d = x.dims[*axis], kept = k.value(std::vector<int64_t>(k.rank(), 0));
  b.require(le(kept, d), "more elements are wanted than axis " + std::to_string(*axis) + " of " +
                             describe(x) + " has");
  auto at = [&](Axes i, const Ix &p) {
    auto place = list(i);
    place[*axis] = p;
    return place;
  };
  auto rank = b.def("rank", DType::I64, x.dims, [&](Axes i) {
    return count(b, {d}, [&](Axes j) {
      return before(b, x(at(i, j[0])), x(list(i)), j[0], i[*axis], largest);
    });
  });
  auto dims = x.dims;
  dims[*axis] = kept;
  auto places = b.def("indices", DType::I64, dims, [&](Axes i) {
    return firstPlace(b, d, [&](const Ix &p) { return eq(rank.index(at(i, p)), i[*axis]); });
  });
  auto values =
      b.def("values", x.type, dims, [&](Axes i) { return x(at(i, places.index(list(i)))); });
  return b.finish({values, places});
}

/// The places below `size` for which `chosen` holds, in order. Their number is known at run time
/// only.
Tensor chosenPlaces(Builder &b, const Dim &size, const std::function<Pred(const Ix &)> &chosen) {
  auto number = b.def("count", DType::I64, {},
                      [&](Axes) { return count(b, {size}, [&](Axes k) { return chosen(k[0]); }); });
  auto earlier = b.def("earlier", DType::I64, {size}, [&](Axes i) {
    return count(b, {size}, [&](Axes k) { return all({lt(k[0], i[0]), chosen(k[0])}); });
  });
  return b.def("place", DType::I64, {number.value()}, [&](Axes i) {
    return firstPlace(b, size,
                      [&](const Ix &p) { return all({chosen(p), eq(earlier.index({p}), i[0])}); });
  });
}

/// y[r, n]: coordinate r of the n-th element that is not zero.
Result<Program> nonZero(Builder &b, const Attrs &) {
  auto x = *b.in(0);
  auto places = chosenPlaces(b, product(x.dims, 0, x.rank()), [&](const Ix &p) {
    const Val v = x(unflatten(b, p, x.dims));
    if (x.type == DType::Bool)
      return b.holds(v);
    return !b.holds(b.f(FnId::Eq, {v, b.constant(0, x.type)}));
  });
  const auto rank = static_cast<int64_t>(x.rank());
  auto y = b.def("y", DType::I64, {rank, places.dims[0]}, [&](Axes i) {
    const auto at = unflatten(b, places.index({i[1]}), x.dims);
    Ix coordinate = at.empty() ? Ix(0) : at.back();
    for (size_t r = at.size(); r-- > 1;)
      coordinate = b.select(
          eq(i[0], Ix(static_cast<int64_t>(r) - 1)), [&] { return at[r - 1]; },
          [&] { return coordinate; });
    return b.cast(coordinate, DType::I64);
  });
  return b.finish({y});
}

/// The slices along an axis for which the condition holds; a shorter condition ends early.
Result<Program> compress(Builder &b, const Attrs &a) {
  auto x = *b.in(0), condition = *b.in(1);
  auto axis = axisOf(b, a.i("axis"), x.rank());
  if (!axis || !check(b, condition.type == DType::Bool && condition.rank() == 1,
                      "the condition is " + describe(condition) + ", not a vector of bools"))
    return b.finish({});
  auto places = chosenPlaces(b, smaller(b, condition.dims[0], x.dims[*axis]),
                             [&](const Ix &p) { return b.holds(condition({p})); });
  auto dims = x.dims;
  dims[*axis] = places.dims[0];
  auto y = b.def("y", x.type, dims, [&](Axes i) {
    auto at = list(i);
    at[*axis] = places.index({i[*axis]});
    return x(at);
  });
  return b.finish({y});
}

} // namespace

void registerSelect(std::vector<Operator> &ops) {
  ops.push_back(
      {.name = "top_k",
       .doc = "The k largest or smallest elements along an axis, in order, and their places.",
       .minOperands = 2,
       .maxOperands = 2,
       .maxResults = 2,
       .attrs = {intAttr("axis", -1, "the axis that is searched"),
                 intAttr("largest", 1, "0: the smallest")},
       .meaning = topK,
       .contract = FloatContract::Exact});
  ops.push_back({.name = "non_zero",
                 .doc = "The coordinates of all elements that are not zero, one column each.",
                 .attrs = {},
                 .meaning = nonZero,
                 .contract = FloatContract::Exact});
  ops.push_back({.name = "compress",
                 .doc = "The slices along an axis for which a condition holds.",
                 .minOperands = 2,
                 .maxOperands = 2,
                 .attrs = {intAttr("axis", 0, "the axis that is cut")},
                 .meaning = compress,
                 .contract = FloatContract::Exact});
}

} // namespace imbrex::opmeaning
