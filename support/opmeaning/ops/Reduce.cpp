// Reductions over axes, places of extremes, and scans.
#include "support/opmeaning/ops/Common.h"
#include "support/opmeaning/ops/Families.h"
#include "support/opmeaning/ops/ReducedAxes.h"

#include <cmath>

namespace imbrex::opmeaning {
namespace {

/// A reduction of one operand in type `acc`, and what it makes of the result.
struct Reduction {
  Builder &b;
  Tensor x;
  ReducedAxes axes;
  DType acc;
  Axes i; // the result's index

  using Of = std::function<Val(const Val &)>;
  Val over(Red red, const Of &term) const {
    return b.reduce(red, acc, axes.extents(x), {},
                    [&](Axes k) { return term(b.cast(x(axes.merge(i, k)), acc)); });
  }
  Val count() const { return b.cast(Ix(axes.count(x)), acc); }
};

using Body = Val (*)(const Reduction &);
/// Own: accumulatorFor(type), integers stay integers. Real: computeType(type).
enum class Accumulate : uint8_t { Own, Real };

template <Body body, Accumulate accumulate> Result<Program> reduction(Builder &b, const Attrs &a) {
  auto x = *b.in(0);
  auto axes = ReducedAxes::of(b, x, a);
  if (!axes || !checkNumeric(b, x))
    return b.finish({});
  const DType acc = accumulate == Accumulate::Own ? accumulatorFor(x.type) : computeType(x.type);
  auto y = defComputed(b, "y", x.type, axes->resultDims(x),
                       [&](Axes i) { return body(Reduction{b, x, *axes, acc, i}); });
  return b.finish({y});
}

Val plain(const Val &v) { return v; }
Val square(const Val &v) { return v * v; }
Val absolute(const Val &v) { return v.b->f(FnId::Abs, {v}); }

template <Red red> Val fold(const Reduction &r) { return r.over(red, plain); }
Val l1(const Reduction &r) { return r.over(Red::Sum, absolute); }
Val l2(const Reduction &r) { return r.b.f(FnId::Sqrt, {r.over(Red::Sum, square)}); }
Val sumSquare(const Reduction &r) { return r.over(Red::Sum, square); }
Val logSum(const Reduction &r) { return r.b.f(FnId::Log, {r.over(Red::Sum, plain)}); }
Val mean(const Reduction &r) { return r.over(Red::Sum, plain) / r.count(); }

/// The extreme values of bools are and, or.
template <Red red> Result<Program> extreme(Builder &b, const Attrs &a) {
  auto x = *b.in(0);
  if (x.type != DType::Bool)
    return reduction<fold<red>, Accumulate::Own>(b, a);
  auto axes = ReducedAxes::of(b, x, a);
  if (!axes)
    return b.finish({});
  auto y = b.def("y", x.type, axes->resultDims(x), [&](Axes i) {
    return b.reduce(red == Red::Max ? Red::Or : Red::And, DType::Bool, axes->extents(x), {},
                    [&](Axes k) { return x(axes->merge(i, k)); });
  });
  return b.finish({y});
}

Result<Program> reduceMean(Builder &b, const Attrs &a) {
  auto x = *b.in(0);
  auto axes = ReducedAxes::of(b, x, a);
  if (axes && isInteger(x.type))
    b.require(lt(Ix(0), Ix(axes->count(x))), "an integer mean of no elements has no value");
  return reduction<mean, Accumulate::Own>(b, a);
}

/// log(sum exp x) = m + log(sum exp(x - m)), with m the maximum where that is finite, else 0.
Result<Program> logSumExp(Builder &b, const Attrs &a) {
  auto x = *b.in(0);
  auto axes = ReducedAxes::of(b, x, a);
  if (!axes || !checkNumeric(b, x))
    return b.finish({});
  const DType t = computeType(x.type);
  auto m = b.def("m", t, axes->resultDims(x),
                 [&](Axes i) { return Reduction{b, x, *axes, t, i}.over(Red::Max, plain); });
  auto shift = b.def("shift", t, m.dims, [&](Axes i) {
    const Val v = m(list(i));
    const Val finite = b.f(FnId::Lt, {absolute(v), b.real(INFINITY, t)});
    return b.detach(b.select(b.holds(finite), [&] { return v; }, [&] { return b.real(0, t); }));
  });
  auto y = defComputed(b, "y", x.type, m.dims, [&](Axes i) {
    const Val s = shift(list(i));
    const Val sum = Reduction{b, x, *axes, t, i}.over(
        Red::Sum, [&](const Val &v) { return b.f(FnId::Exp, {v - s}); });
    return s + b.f(FnId::Log, {sum});
  });
  return b.finish({y});
}

template <Best which> Result<Program> place(Builder &b, const Attrs &a) {
  auto x = *b.in(0);
  auto axis = axisOf(b, a.i("axis"), x.rank());
  if (!axis || !checkNumeric(b, x))
    return b.finish({});
  const auto axes = ReducedAxes::make({*axis}, x.rank(), ReducedAxes::keepDims(a));
  b.require(lt(Ix(0), Ix(x.dims[*axis])), "an empty axis has no largest or smallest element");
  const Tie tie = a.i("select_last_index") != 0 ? Tie::Last : Tie::First;
  auto y = b.def("y", DType::I64, axes.resultDims(x), [&](Axes i) {
    auto best =
        b.best(which, tie, axes.extents(x), {}, [&](Axes k) { return x(axes.merge(i, k)); });
    return b.cast(best.place, DType::I64);
  });
  return b.finish({y});
}

/// y[i] = the sum or product of x[k] for k <= i (k >= i in reverse; k = i excluded by `exclusive`).
template <Red red> Result<Program> scan(Builder &b, const Attrs &a) {
  auto x = *b.in(0);
  auto axis = axisOf(b, a.i("axis"), x.rank());
  if (!axis || !checkNumeric(b, x))
    return b.finish({});
  const bool exclusive = a.i("exclusive") != 0, reverse = a.i("reverse") != 0;
  const DType acc = accumulatorFor(x.type);
  auto y = defComputed(b, "y", x.type, x.dims, [&](Axes i) {
    auto taken = [&](Axes k) {
      const Ix &low = reverse ? i[*axis] : k[0], &high = reverse ? k[0] : i[*axis];
      return exclusive ? lt(low, high) : le(low, high);
    };
    return b.reduce(red, acc, {x.dims[*axis]}, taken, [&](Axes k) {
      auto at = list(i);
      at[*axis] = k[0];
      return b.cast(x(at), acc);
    });
  });
  return b.finish({y});
}

struct Row {
  std::string_view name, doc;
  Meaning meaning;
};
constexpr Row reductions[] = {
    {"reduce_sum", "The sum.", reduction<fold<Red::Sum>, Accumulate::Own>},
    {"reduce_prod", "The product.", reduction<fold<Red::Prod>, Accumulate::Own>},
    {"reduce_max", "The largest element; NaN wins.", extreme<Red::Max>},
    {"reduce_min", "The smallest element; NaN wins.", extreme<Red::Min>},
    {"reduce_mean", "The mean; an integer one truncates.", reduceMean},
    {"reduce_l1", "The sum of magnitudes.", reduction<l1, Accumulate::Own>},
    {"reduce_l2", "The root of the sum of squares.", reduction<l2, Accumulate::Real>},
    {"reduce_sum_square", "The sum of squares.", reduction<sumSquare, Accumulate::Own>},
    {"reduce_log_sum", "The logarithm of the sum.", reduction<logSum, Accumulate::Real>},
    {"reduce_log_sum_exp", "log(sum(exp(x))) without overflow.", logSumExp},
};

} // namespace

void registerReduce(std::vector<Operator> &ops) {
  auto add = [&](const Row &row, std::vector<AttrDecl> attrs, FloatContract contract) {
    ops.push_back({.name = row.name,
                   .doc = row.doc,
                   .attrs = std::move(attrs),
                   .meaning = row.meaning,
                   .contract = contract});
  };
  const auto keepdims = intAttr("keepdims", 1, "1: reduced axes stay, with size 1");
  for (const Row &row : reductions)
    add(row, {intsAttr("axes", "the reduced axes; none: all"), keepdims},
        FloatContract::Reassociate);
  const std::vector<AttrDecl> placed = {
      intAttr("axis", 0, "the searched axis"), keepdims,
      intAttr("select_last_index", 0, "1: the last of equal elements instead of the first")};
  add({"argmax", "The place of the largest element along an axis.", place<Best::Max>}, placed,
      FloatContract::Exact);
  add({"argmin", "The place of the smallest element along an axis.", place<Best::Min>}, placed,
      FloatContract::Exact);
  const std::vector<AttrDecl> scanned = {
      requiredAttr("axis", AttrKind::Int, "the axis along which it accumulates"),
      intAttr("exclusive", 0, "1: without the element itself"),
      intAttr("reverse", 0, "1: from the end")};
  add({"cumsum", "The running sum along an axis.", scan<Red::Sum>}, scanned,
      FloatContract::Reassociate);
  add({"cumprod", "The running product along an axis.", scan<Red::Prod>}, scanned,
      FloatContract::Reassociate);
}

} // namespace imbrex::opmeaning
