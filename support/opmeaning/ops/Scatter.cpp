// "Writes" as reads: y[j] is x[j] combined with the updates u whose target at(u) is j.
#include "support/opmeaning/ops/Common.h"
#include "support/opmeaning/ops/Families.h"

namespace imbrex::opmeaning {
namespace {

enum class Combine : uint8_t { None, Add, Mul, Max, Min };

std::optional<Combine> combineOf(Builder &b, const std::string &word) {
  if (word == "none")
    return Combine::None;
  if (word == "add")
    return Combine::Add;
  if (word == "mul")
    return Combine::Mul;
  if (word == "max")
    return Combine::Max;
  if (word == "min")
    return Combine::Min;
  b.fail("reduction is \"" + word + "\", none of none, add, mul, max and min");
  return std::nullopt;
}

constexpr Red redOf(Combine c) {
  return c == Combine::Add   ? Red::Sum
         : c == Combine::Mul ? Red::Prod
         : c == Combine::Max ? Red::Max
                             : Red::Min;
}
constexpr FnId fnOf(Combine c) {
  return c == Combine::Add   ? FnId::Add
         : c == Combine::Mul ? FnId::Mul
         : c == Combine::Max ? FnId::Max
                             : FnId::Min;
}

/// A scatter: update u (an index over `extents`) goes to the element whose index equals target(u)
/// in the coordinates `hit` compares; value(u, j) reads it.
struct Scatter {
  Builder &b;
  Tensor x;
  Combine combine;
  std::vector<Dim> hitDims; // x's leading dimensions that decide which update goes where
  std::vector<Dim> extents;
  std::function<Pred(Axes u, Axes j)> hit;
  std::function<Val(Axes u, Axes j)> value;

  Result<Program> finish() const { return b.finish({combine == Combine::None ? last() : all()}); }

private:
  /// The last update of an element wins.
  Tensor last() const {
    auto winner = b.def("winner", DType::I64, hitDims, [&](Axes j) {
      auto best = b.best(
          Best::Max, Tie::Last, extents, [&](Axes u) { return hit(u, j); },
          [&](Axes) { return b.integer(0, DType::I32); });
      return b.cast(best.place, DType::I64);
    });
    return b.def("y", x.type, x.dims, [&](Axes j) {
      const Ix place = winner.index(list(j.first(hitDims.size())));
      return b.select(
          le(0, place), [&] { return value(unflatten(b, place, extents), j); },
          [&] { return x(list(j)); });
    });
  }
  Tensor all() const {
    const DType acc = accumulatorFor(x.type);
    return defComputed(b, "y", x.type, x.dims, [&](Axes j) {
      const Val updates = b.reduce(
          redOf(combine), acc, extents, [&](Axes u) { return hit(u, j); },
          [&](Axes u) { return b.cast(value(u, j), acc); });
      return b.f(fnOf(combine), {b.cast(x(list(j)), acc), updates});
    });
  }
};

bool checkOperands(Builder &b, const Tensor &x, const Tensor &indices, const Tensor &updates) {
  return check(b, isInteger(indices.type),
               "the indices are " + describe(indices) + ", not integers") &&
         checkSameType(b, x, updates);
}

Result<Program> scatterElements(Builder &b, const Attrs &a) {
  auto x = *b.in(0), indices = *b.in(1), updates = *b.in(2);
  auto axis = axisOf(b, a.i("axis"), x.rank());
  auto combine = combineOf(b, a.s("reduction"));
  const std::string why = "the indices " + describe(indices) + " do not fit " + describe(x) +
                          " and " + describe(updates);
  if (!axis || !combine || !checkOperands(b, x, indices, updates) ||
      !check(b, indices.rank() == x.rank() && updates.rank() == x.rank(), why))
    return b.finish({});
  for (size_t k = 0; k < x.rank(); ++k) {
    b.require(eq(indices.dims[k], updates.dims[k]), why);
    if (k != *axis)
      b.require(le(indices.dims[k], x.dims[k]), why);
  }
  const Dim d = x.dims[*axis];
  auto target = b.def("target", DType::I64, indices.dims, [&](Axes u) {
    const Ix place = wrapNegative(b, indices.index(list(u)), d);
    b.require(inside(place, d), "an index is outside its axis");
    return b.cast(place, DType::I64);
  });
  auto hit = [&](Axes u, Axes j) {
    std::vector<Pred> same;
    for (size_t k = 0; k < x.rank(); ++k)
      same.push_back(eq(k == *axis ? target.index(list(u)) : u[k], j[k]));
    return all(std::span<const Pred>(same));
  };
  return Scatter{
      b, x, *combine, x.dims, updates.dims, hit, [&](Axes u, Axes) { return updates(list(u)); }}
      .finish();
}

Result<Program> scatterNd(Builder &b, const Attrs &a) {
  auto x = *b.in(0), indices = *b.in(1), updates = *b.in(2);
  auto combine = combineOf(b, a.s("reduction"));
  if (!combine || !checkOperands(b, x, indices, updates) ||
      !check(b, indices.rank() > 0, "the indices are a scalar"))
    return b.finish({});
  const size_t lead = indices.rank() - 1;
  const std::string why = "the updates " + describe(updates) + " do not fit " + describe(x) +
                          " and " + describe(indices);
  // An index names as many axes as the updates lack.
  if (!check(b, lead <= updates.rank() && updates.rank() <= lead + x.rank(), why))
    return b.finish({});
  const size_t named = lead + x.rank() - updates.rank();
  b.require(eq(indices.dims.back(), Dim(static_cast<int64_t>(named))), why);
  for (size_t k = 0; k < updates.rank(); ++k)
    b.require(eq(updates.dims[k], k < lead ? indices.dims[k] : x.dims[k - lead + named]), why);
  std::vector<Dim> extents(indices.dims.begin(), indices.dims.end() - 1);
  auto places = extents;
  places.emplace_back(static_cast<int64_t>(named));
  auto target = b.def("target", DType::I64, places, [&](Axes u) {
    // Which axis this component indexes depends on u's last index: a chain.
    const Ix v = indices.index(list(u));
    Ix place = v;
    for (size_t n = named; n-- > 0;) {
      const Dim d = x.dims[n];
      const Ix legal = wrapNegative(b, v, d);
      place = n + 1 == named ? legal
                             : b.select(
                                   eq(u[lead], Ix(static_cast<int64_t>(n))), [&] { return legal; },
                                   [&] { return place; });
      b.require(any({ne(u[lead], Ix(static_cast<int64_t>(n))), inside(legal, d)}),
                "an index is outside its axis");
    }
    return b.cast(place, DType::I64);
  });
  auto hit = [&](Axes u, Axes j) {
    std::vector<Pred> same;
    for (size_t n = 0; n < named; ++n) {
      auto at = list(u);
      at.push_back(static_cast<int64_t>(n));
      same.push_back(eq(target.index(at), j[n]));
    }
    return all(std::span<const Pred>(same));
  };
  auto value = [&](Axes u, Axes j) {
    auto at = list(u);
    at.insert(at.end(), j.begin() + static_cast<ptrdiff_t>(named), j.end());
    return updates(at);
  };
  const std::vector<Dim> indexed(x.dims.begin(), x.dims.begin() + static_cast<ptrdiff_t>(named));
  return Scatter{b, x, *combine, indexed, extents, hit, value}.finish();
}

} // namespace

void registerScatter(std::vector<Operator> &ops) {
  auto add = [&](std::string_view name, std::string_view doc, Meaning meaning,
                 std::vector<AttrDecl> attrs) {
    attrs.push_back(wordAttr("reduction", "none", "none: the last wins; add, mul, max or min"));
    ops.push_back({.name = name,
                   .doc = doc,
                   .minOperands = 3,
                   .maxOperands = 3,
                   .attrs = std::move(attrs),
                   .meaning = meaning,
                   .contract = FloatContract::Reassociate});
  };
  add("scatter_elements",
      "x with one element replaced for each index; operands x, indices, updates.", scatterElements,
      {intAttr("axis", 0, "the axis that the indices index")});
  add("scatter_nd", "x with slices replaced at index tuples; operands x, indices, updates.",
      scatterNd, {});
}

} // namespace imbrex::opmeaning
