// Softmax and its relatives, and normalization by means and variances. 16-bit floats are computed
// in f32 and rounded once.
#include "support/opmeaning/ops/Families.h"
#include "support/opmeaning/ops/ReducedAxes.h"

namespace imbrex::opmeaning {
namespace {

// --- along one axis -----------------------------------------------------------------------------

/// x[i] with k in place of the reduced axes of `axes`, in type t.
Val along(Builder &b, const Tensor &x, const ReducedAxes &axes, Axes i, Axes k, DType t) {
  return b.cast(x(axes.merge(i, k)), t);
}

/// x - max along the axis: its exponentials cannot overflow.
struct Shifted {
  Tensor m;
  ReducedAxes axes;
  DType t;

  Val minusMax(Builder &b, const Tensor &x, Axes i) const {
    return b.cast(x(list(i)), t) - m(axes.project(i));
  }
};

std::optional<Shifted> shiftedOf(Builder &b, const Tensor &x, const Attrs &a) {
  auto axis = axisOf(b, a.i("axis"), x.rank());
  if (!axis || !checkFloat(b, x))
    return std::nullopt;
  const DType t = computeType(x.type);
  const auto axes = ReducedAxes::make({*axis}, x.rank(), KeepDims::No);
  auto m = b.def("m", t, axes.resultDims(x), [&](Axes i) {
    return b.detach(b.reduce(Red::Max, t, axes.extents(x), {},
                             [&](Axes k) { return along(b, x, axes, i, k, t); }));
  });
  return Shifted{m, axes, t};
}

Result<Program> softmax(Builder &b, const Attrs &a) {
  auto x = *b.in(0);
  auto p = shiftedOf(b, x, a);
  if (!p)
    return b.finish({});
  auto e = b.def("e", p->t, x.dims, [&](Axes i) { return b.f(FnId::Exp, {p->minusMax(b, x, i)}); });
  auto s = b.def("s", p->t, p->m.dims, [&](Axes i) {
    return b.reduce(Red::Sum, p->t, p->axes.extents(x), {},
                    [&](Axes k) { return e(p->axes.merge(i, k)); });
  });
  auto y = defComputed(b, "y", x.type, x.dims,
                       [&](Axes i) { return e(list(i)) / s(p->axes.project(i)); });
  return b.finish({y});
}

Result<Program> logSoftmax(Builder &b, const Attrs &a) {
  auto x = *b.in(0);
  auto p = shiftedOf(b, x, a);
  if (!p)
    return b.finish({});
  auto d = b.def("d", p->t, x.dims, [&](Axes i) { return p->minusMax(b, x, i); });
  auto s = b.def("s", p->t, p->m.dims, [&](Axes i) {
    return b.reduce(Red::Sum, p->t, p->axes.extents(x), {},
                    [&](Axes k) { return b.f(FnId::Exp, {d(p->axes.merge(i, k))}); });
  });
  auto y = defComputed(b, "y", x.type, x.dims, [&](Axes i) {
    return d(list(i)) - b.f(FnId::Log, {s(p->axes.project(i))});
  });
  return b.finish({y});
}

/// 1 at the first largest element along the axis, 0 elsewhere.
Result<Program> hardmax(Builder &b, const Attrs &a) {
  auto x = *b.in(0);
  auto axis = axisOf(b, a.i("axis"), x.rank());
  if (!axis || !checkFloat(b, x))
    return b.finish({});
  const auto axes = ReducedAxes::make({*axis}, x.rank(), KeepDims::No);
  auto place = b.def("place", DType::I64, axes.resultDims(x), [&](Axes i) {
    return b.cast(b.best(Best::Max, Tie::First, axes.extents(x), {},
                         [&](Axes k) { return x(axes.merge(i, k)); })
                      .place,
                  DType::I64);
  });
  auto y = b.def("y", x.type, x.dims, [&](Axes i) {
    return b.select(
        eq(place.index(axes.project(i)), i[*axis]), [&] { return b.constant(1, x.type); },
        [&] { return b.constant(0, x.type); });
  });
  return b.finish({y});
}

Result<Program> lpNormalization(Builder &b, const Attrs &a) {
  auto x = *b.in(0);
  auto axis = axisOf(b, a.i("axis"), x.rank());
  const int64_t p = a.i("p");
  if (!axis || !checkFloat(b, x) || !check(b, p == 1 || p == 2, "p is neither 1 nor 2"))
    return b.finish({});
  const DType t = computeType(x.type);
  const auto axes = ReducedAxes::make({*axis}, x.rank(), KeepDims::No);
  auto norm = b.def("norm", t, axes.resultDims(x), [&](Axes i) {
    const Val sum = b.reduce(Red::Sum, t, axes.extents(x), {}, [&](Axes k) {
      const Val v = along(b, x, axes, i, k, t);
      return p == 1 ? b.f(FnId::Abs, {v}) : v * v;
    });
    return p == 1 ? sum : b.f(FnId::Sqrt, {sum});
  });
  auto y = defComputed(b, "y", x.type, x.dims, [&](Axes i) { // an all-zero vector stays zero
    const Val n = norm(axes.project(i)), zero = b.constant(0, t);
    return b.select(
        b.holds(b.f(FnId::Eq, {n, zero})), [&] { return zero; },
        [&] { return b.cast(x(list(i)), t) / n; });
  });
  return b.finish({y});
}

// --- by mean and variance -----------------------------------------------------------------------

/// The mean and 1 / sqrt(variance + epsilon) over some axes, which stay with size 1.
struct Moments {
  Tensor mean, scale;
  ReducedAxes axes;
  DType t;

  Val normalized(Builder &b, const Tensor &x, Axes i) const {
    const auto at = axes.project(i);
    return (b.cast(x(list(i)), t) - mean(at)) * scale(at);
  }
};

Moments momentsOf(Builder &b, const Tensor &x, const std::vector<size_t> &over, double epsilon) {
  const DType t = computeType(x.type);
  const auto axes = ReducedAxes::make(over, x.rank(), KeepDims::Yes);
  auto count = [&] { return b.cast(Ix(axes.count(x)), t); };
  auto mean = b.def("mean", t, axes.resultDims(x), [&](Axes i) {
    return b.reduce(Red::Sum, t, axes.extents(x), {}, [&](Axes k) {
      return along(b, x, axes, i, k, t);
    }) / count();
  });
  auto variance = b.def("variance", t, mean.dims, [&](Axes i) {
    return b.reduce(Red::Sum, t, axes.extents(x), {}, [&](Axes k) {
      const Val d = along(b, x, axes, i, k, t) - mean(list(i));
      return d * d;
    }) / count();
  });
  auto scale = b.def("inv_std_dev", t, mean.dims, [&](Axes i) {
    return b.f(FnId::Recip, {b.f(FnId::Sqrt, {variance(list(i)) + b.constant(epsilon, t)})});
  });
  return {mean, scale, axes, t};
}

std::vector<size_t> axesFrom(size_t first, size_t rank) {
  std::vector<size_t> axes;
  for (size_t k = first; k < rank; ++k)
    axes.push_back(k);
  return axes;
}

/// scale and bias of a normalization: numbers that broadcast to x.
bool checkAffine(Builder &b, const Tensor &x, const std::optional<Tensor> &t, const char *what) {
  return !t || (check(b, isFloat(t->type), std::string(what) + " is " + describe(*t)) &&
                checkBroadcastsTo(b, *t, x.dims, what));
}

Result<Program> layerNorm(Builder &b, const Attrs &a) {
  auto x = *b.in(0);
  auto scale = b.in(1), bias = b.in(2);
  auto axis = axisOf(b, a.i("axis"), x.rank());
  if (!axis || !checkFloat(b, x) || !checkAffine(b, x, scale, "the scale") ||
      !checkAffine(b, x, bias, "the bias"))
    return b.finish({});
  const auto m = momentsOf(b, x, axesFrom(*axis, x.rank()), a.r("epsilon"));
  auto y = defComputed(b, "y", x.type, x.dims, [&](Axes i) {
    Val v = m.normalized(b, x, i);
    if (scale)
      v = v * b.cast(readBroadcast(b, *scale, i), m.t);
    return bias ? v + b.cast(readBroadcast(b, *bias, i), m.t) : v;
  });
  return b.finish({y, m.mean, m.scale});
}

Result<Program> rmsNorm(Builder &b, const Attrs &a) {
  auto x = *b.in(0);
  auto scale = b.in(1);
  auto axis = axisOf(b, a.i("axis"), x.rank());
  if (!axis || !checkFloat(b, x) || !checkAffine(b, x, scale, "the scale"))
    return b.finish({});
  const DType t = computeType(x.type);
  const auto axes = ReducedAxes::make(axesFrom(*axis, x.rank()), x.rank(), KeepDims::Yes);
  auto inverse = b.def("inverse", t, axes.resultDims(x), [&](Axes i) {
    const Val sum = b.reduce(Red::Sum, t, axes.extents(x), {}, [&](Axes k) {
      const Val v = along(b, x, axes, i, k, t);
      return v * v;
    });
    const Val mean = sum / b.cast(Ix(axes.count(x)), t);
    return b.f(FnId::Recip, {b.f(FnId::Sqrt, {mean + b.constant(a.r("epsilon"), t)})});
  });
  auto y = defComputed(b, "y", x.type, x.dims, [&](Axes i) {
    const Val v = b.cast(x(list(i)), t) * inverse(axes.project(i));
    return scale ? v * b.cast(readBroadcast(b, *scale, i), t) : v;
  });
  return b.finish({y});
}

/// A vector with one number for each channel of x [n, c, …].
bool checkPerChannel(Builder &b, const Tensor &x, const Tensor &t, const char *what) {
  const std::string why =
      std::string(what) + " " + describe(t) + " is not one number a channel of " + describe(x);
  if (!check(b, x.rank() >= 2, describe(x) + " has no channel axis") ||
      !check(b, t.rank() == 1 && isFloat(t.type), why))
    return false;
  b.require(eq(t.dims[0], x.dims[1]), why);
  return true;
}

Result<Program> batchNorm(Builder &b, const Attrs &a) {
  auto x = *b.in(0), scale = *b.in(1), bias = *b.in(2), mean = *b.in(3), variance = *b.in(4);
  if (!checkFloat(b, x) || !checkPerChannel(b, x, scale, "the scale") ||
      !checkPerChannel(b, x, bias, "the bias") || !checkPerChannel(b, x, mean, "the mean") ||
      !checkPerChannel(b, x, variance, "the variance"))
    return b.finish({});
  const DType t = computeType(x.type);
  auto y = defComputed(b, "y", x.type, x.dims, [&](Axes i) {
    auto channel = [&](const Tensor &v) { return b.cast(v({i[1]}), t); };
    const Val deviation = b.f(FnId::Sqrt, {channel(variance) + b.constant(a.r("epsilon"), t)});
    return (b.cast(x(list(i)), t) - channel(mean)) / deviation * channel(scale) + channel(bias);
  });
  return b.finish({y});
}

Result<Program> instanceNorm(Builder &b, const Attrs &a) {
  auto x = *b.in(0), scale = *b.in(1), bias = *b.in(2);
  if (!checkFloat(b, x) || !checkPerChannel(b, x, scale, "the scale") ||
      !checkPerChannel(b, x, bias, "the bias"))
    return b.finish({});
  const auto m = momentsOf(b, x, axesFrom(2, x.rank()), a.r("epsilon"));
  auto y = defComputed(b, "y", x.type, x.dims, [&](Axes i) {
    return m.normalized(b, x, i) * b.cast(scale({i[1]}), m.t) + b.cast(bias({i[1]}), m.t);
  });
  return b.finish({y});
}

/// Moments over the channels of a group and all spatial axes, through a view [n, group, channel,
/// …].
Result<Program> groupNorm(Builder &b, const Attrs &a) {
  auto x = *b.in(0), scale = *b.in(1), bias = *b.in(2);
  const int64_t groups = a.i("groups");
  if (!checkFloat(b, x) || !check(b, groups > 0, "the number of groups is not positive") ||
      !checkPerChannel(b, x, scale, "the scale") || !checkPerChannel(b, x, bias, "the bias"))
    return b.finish({});
  b.require(eq(mod(x.dims[1], Dim(groups)), Dim(0)), "the channels of " + describe(x) +
                                                         " do not divide into " +
                                                         std::to_string(groups) + " groups");
  const Dim channels = floorDiv(x.dims[1], Dim(groups));
  std::vector<Dim> dims = {x.dims[0], groups, channels};
  dims.insert(dims.end(), x.dims.begin() + 2, x.dims.end());
  auto view = b.def("view", x.type, dims, [&](Axes i) {
    std::vector<Ix> at = {i[0], i[1] * channels + i[2]};
    at.insert(at.end(), i.begin() + 3, i.end());
    return x(at);
  });
  const auto m = momentsOf(b, view, axesFrom(2, dims.size()), a.r("epsilon"));
  auto y = defComputed(b, "y", x.type, x.dims, [&](Axes i) {
    std::vector<Ix> at = {i[0], floorDiv(i[1], divisor(b, channels))};
    at.resize(dims.size(), Ix(0));
    const Val v = (b.cast(x(list(i)), m.t) - m.mean(at)) * m.scale(at);
    return v * b.cast(scale({i[1]}), m.t) + b.cast(bias({i[1]}), m.t);
  });
  return b.finish({y});
}

Result<Program> meanVarianceNormalization(Builder &b, const Attrs &a) {
  auto x = *b.in(0);
  auto axes = axesOf(b, a.is("axes"), x.rank());
  if (!axes || !checkFloat(b, x))
    return b.finish({});
  const auto m = momentsOf(b, x, *axes, a.r("epsilon"));
  auto y = defComputed(b, "y", x.type, x.dims, [&](Axes i) { return m.normalized(b, x, i); });
  return b.finish({y});
}

/// x / (bias + alpha / size * sum of squares over `size` neighbouring channels) ** beta
Result<Program> localResponseNorm(Builder &b, const Attrs &a) {
  auto x = *b.in(0);
  const int64_t size = a.i("size");
  if (!checkFloat(b, x) || !check(b, x.rank() >= 2, describe(x) + " has no channel axis") ||
      !check(b, size > 0 && size <= INT32_MAX, "the size is " + std::to_string(size)))
    return b.finish({});
  const DType t = computeType(x.type);
  const Dim before((size - 1) / 2);
  auto squares = b.def("squares", t, x.dims, [&](Axes i) {
    auto place = [&](Axes k) { return i[1] + k[0] - before; };
    return b.reduce(
        Red::Sum, t, {Dim(size)}, [&](Axes k) { return inside(place(k), x.dims[1]); },
        [&](Axes k) {
          auto at = list(i);
          at[1] = place(k);
          const Val v = b.cast(x(at), t);
          return v * v;
        });
  });
  auto y = defComputed(b, "y", x.type, x.dims, [&](Axes i) {
    const Val share = b.constant(a.r("alpha") / static_cast<double>(size), t);
    const Val base = b.constant(a.r("bias"), t) + share * squares(list(i));
    return b.cast(x(list(i)), t) / b.f(FnId::Pow, {base, b.constant(a.r("beta"), t)});
  });
  return b.finish({y});
}

} // namespace

void registerNormalize(std::vector<Operator> &ops) {
  auto add = [&](std::string_view name, std::string_view doc, uint8_t least, uint8_t most,
                 Meaning meaning, std::vector<AttrDecl> attrs, uint8_t maxResults = 1) {
    ops.push_back({.name = name,
                   .doc = doc,
                   .minOperands = least,
                   .maxOperands = most,
                   .maxResults = maxResults,
                   .attrs = std::move(attrs),
                   .meaning = meaning,
                   .contract = FloatContract::Reassociate});
  };
  const auto axis = intAttr("axis", -1, "the axis along which it normalizes");
  const auto from = intAttr("axis", -1, "the first of the axes over which it normalizes");
  const auto epsilon = realAttr("epsilon", 1e-5f, "added to the variance");
  add("softmax", "exp(x) divided by its sum along an axis.", 1, 1, softmax, {axis});
  add("log_softmax", "The logarithm of softmax.", 1, 1, logSoftmax, {axis});
  add("hardmax", "1 at the first largest element along an axis, else 0.", 1, 1, hardmax, {axis});
  add("lp_normalization", "x divided by its norm along an axis.", 1, 1, lpNormalization,
      {axis, intAttr("p", 2, "1 or 2: the norm")});
  add("layer_norm",
      "Zero mean and unit variance over the last axes, then scale and bias; results "
      "y, the mean, 1 / deviation.",
      1, 3, layerNorm, {from, epsilon}, 3);
  add("rms_norm", "x divided by the root of its mean square over the last axes, then scale.", 1, 2,
      rmsNorm, {from, epsilon});
  add("batch_norm", "Inference; operands x, scale, bias, mean, variance, each one a channel.", 5, 5,
      batchNorm, {epsilon});
  add("instance_norm", "Zero mean and unit variance over each channel; operands x, scale, bias.", 3,
      3, instanceNorm, {epsilon});
  add("group_norm", "The same over groups of channels; operands x, scale, bias.", 3, 3, groupNorm,
      {requiredAttr("groups", AttrKind::Int, "the number of groups"), epsilon});
  add("mean_variance_normalization", "Zero mean and unit variance over axes.", 1, 1,
      meanVarianceNormalization,
      {requiredAttr("axes", AttrKind::Ints, "the axes over which it normalizes"),
       realAttr("epsilon", 0, "added to the variance")});
  add("lrn", "x divided by a power of the squares in neighbouring channels.", 1, 1,
      localResponseNorm,
      {requiredAttr("size", AttrKind::Int, "the number of channels"),
       realAttr("alpha", 1e-4f, "scales the squares"), realAttr("beta", 0.75, "the power"),
       realAttr("bias", 1, "added to the squares")});
}

} // namespace imbrex::opmeaning
