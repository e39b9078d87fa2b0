// Convolution and its transpose, for any number of spatial axes, with groups.
#include "support/opmeaning/ops/Families.h"
#include "support/opmeaning/ops/Windows.h"

namespace imbrex::opmeaning {
namespace {

std::vector<Dim> spatial(const Tensor &t) { return {t.dims.begin() + 2, t.dims.end()}; }

/// x [n, c, …], w with as many axes, bias a vector of `outputs`.
bool checkOperands(Builder &b, const Tensor &x, const Tensor &w, const Attrs &a) {
  return check(b, isFloat(x.type) || isInteger(x.type), describe(x) + " are no numbers") &&
         check(b, x.rank() >= 2 && w.rank() == x.rank(),
               "a kernel " + describe(w) + " does not fit " + describe(x)) &&
         check(b, a.i("group") > 0, "the number of groups is not positive");
}

bool checkBias(Builder &b, const Tensor &x, const std::optional<Tensor> &bias, const Dim &outputs) {
  if (!bias)
    return true;
  const std::string why =
      "the bias " + describe(*bias) + " is not one number a channel of " + outputs.str();
  if (!checkSameType(b, x, *bias) || !check(b, bias->rank() == 1, why))
    return false;
  b.require(eq(bias->dims[0], outputs), why);
  return true;
}

/// y = sum + bias, in the operands' type.
Tensor withBias(Builder &b, const Tensor &x, const std::optional<Tensor> &bias,
                const std::vector<Dim> &dims, const Fn<Val> &sum) {
  const DType acc = accumulatorFor(x.type);
  return defComputed(b, "y", x.type, dims, [&](Axes i) {
    const Val v = sum(i);
    return bias ? v + b.cast((*bias)({i[1]}), acc) : v;
  });
}

/// Channel c of the group that output channel o belongs to.
Ix groupChannel(Builder &b, const Ix &o, const Ix &c, int64_t groups, const Dim &outputsPerGroup,
                const Dim &inputsPerGroup) {
  if (groups == 1)
    return c;
  const Ix group = floorDiv(o, divisor(b, outputsPerGroup));
  return inputsPerGroup.isConstant(1) ? group : group * inputsPerGroup + c;
}

/// A convolution before its terms are read: the result's dimensions and the sum.
struct Convolution {
  Builder &b;
  Tensor x, w;
  int64_t groups;
  Windows windows;
  std::vector<Dim> dims;

  /// The sum at the result's index i; the operands' elements are read as `of` says, in type acc.
  using Read = std::function<Val(const std::vector<Ix> &at)>;
  Val sum(DType acc, Axes i, const Read &ofX, const Read &ofW) const {
    const Dim perGroup = floorDiv(w.dims[0], Dim(groups));
    return sumWith(acc, i, ofX, ofW, [&](const Ix &c) {
      return groupChannel(b, i[1], c, groups, perGroup, w.dims[1]);
    });
  }
  /// The same where the group of output channel i[1] is at hand.
  Val sumOfGroup(DType acc, Axes i, const Ix &group) const {
    return sumWith(
        acc, i, [&](const std::vector<Ix> &at) { return b.cast(x(at), acc); },
        [&](const std::vector<Ix> &at) { return b.cast(w(at), acc); },
        [&](const Ix &c) { return group * w.dims[1] + c; });
  }

private:
  Val sumWith(DType acc, Axes i, const Read &ofX, const Read &ofW,
              const std::function<Ix(const Ix &)> &channel) const {
    const std::vector<Dim> extents(w.dims.begin() + 1, w.dims.end());
    auto inInput = [&](Axes k) { return windows.inInput(i.subspan(2), k.subspan(1)); };
    return b.reduce(Red::Sum, acc, extents, windows.padded() ? Fn<Pred>(inInput) : Fn<Pred>(),
                    [&](Axes k) {
                      std::vector<Ix> at = {i[0], channel(k[0])};
                      for (const Ix &p : windows.place(i.subspan(2), k.subspan(1)))
                        at.push_back(p);
                      std::vector<Ix> tap = {i[1]};
                      tap.insert(tap.end(), k.begin(), k.end());
                      return ofX(at) * ofW(tap);
                    });
  }
};

std::optional<Convolution> convolutionOf(Builder &b, const Attrs &a, const Tensor &x,
                                         const Tensor &w) {
  const int64_t groups = a.i("group");
  const std::string inGroups = " in " + std::to_string(groups) + " groups";
  b.require(eq(x.dims[1], w.dims[1] * Dim(groups)),
            "the kernel " + describe(w) + inGroups + " does not fit " + describe(x));
  b.require(eq(mod(w.dims[0], Dim(groups)), Dim(0)),
            "the outputs of " + describe(w) + " do not divide" + inGroups);
  auto windows = Windows::of(b, a, spatial(x), spatial(w), Rounding::Floor);
  if (!windows)
    return std::nullopt;
  Convolution c{b, x, w, groups, *windows, {x.dims[0], w.dims[0]}};
  for (const Dim &d : windows->positions())
    c.dims.push_back(d);
  return c;
}

/// Several groups of several channels: the group has an axis of its own, in which the sums are
/// matrix products as those of one group are. Its two axes are then one again.
Tensor groupedConv(Builder &b, const Convolution &c, const std::optional<Tensor> &bias) {
  const DType acc = accumulatorFor(c.x.type);
  const Dim perGroup = floorDiv(c.w.dims[0], Dim(c.groups));
  std::vector<Dim> dims = {c.dims[0], Dim(c.groups), perGroup};
  dims.insert(dims.end(), c.dims.begin() + 2, c.dims.end());
  auto groups = defComputed(b, "groups", c.x.type, dims, [&](Axes i) {
    const Ix output = i[1] * perGroup + i[2];
    std::vector<Ix> at = {i[0], output};
    at.insert(at.end(), i.begin() + 3, i.end());
    const Val v = c.sumOfGroup(acc, at, i[1]);
    return bias ? v + b.cast((*bias)({output}), acc) : v;
  });
  return b.def("y", c.x.type, c.dims, [&](Axes i) {
    std::vector<Ix> at = {i[0], floorDiv(i[1], perGroup), mod(i[1], perGroup)};
    at.insert(at.end(), i.begin() + 2, i.end());
    return groups(at);
  });
}

Result<Program> conv(Builder &b, const Attrs &a) {
  auto x = *b.in(0), w = *b.in(1);
  auto bias = b.in(2);
  if (!checkOperands(b, x, w, a) || !checkSameType(b, x, w) || !checkBias(b, x, bias, w.dims[0]))
    return b.finish({});
  auto c = convolutionOf(b, a, x, w);
  if (!c)
    return b.finish({});
  const auto outputs = w.dims[0].constant();
  const bool depthwise = w.dims[1].isConstant(1) && outputs && *outputs == c->groups;
  if (c->groups > 1 && outputs && *outputs > 0 && *outputs % c->groups == 0 && !depthwise)
    return b.finish({groupedConv(b, *c, bias)});
  const DType acc = accumulatorFor(x.type);
  auto y = withBias(b, x, bias, c->dims, [&](Axes i) {
    return c->sum(
        acc, i, [&](const std::vector<Ix> &at) { return b.cast(x(at), acc); },
        [&](const std::vector<Ix> &at) { return b.cast(w(at), acc); });
  });
  return b.finish({y});
}

/// Operands x, kernels, x's zero point (one number), the kernels' (one number, or one an output
/// channel).
Result<Program> convInteger(Builder &b, const Attrs &a) {
  auto x = *b.in(0), w = *b.in(1);
  auto zeroX = b.in(2), zeroW = b.in(3);
  auto small = [](const Tensor &t) { return t.type == DType::I8 || t.type == DType::U8; };
  if (!check(b, small(x) && small(w), describe(x) + " and " + describe(w) + " are not i8 or u8") ||
      !checkOperands(b, x, w, a) ||
      (zeroX && (!checkSameType(b, x, *zeroX) || !checkScalar(b, *zeroX, "zero point"))) ||
      (zeroW && (!checkSameType(b, w, *zeroW) ||
                 !check(b, zeroW->rank() <= 1, "the zero point is " + describe(*zeroW)))))
    return b.finish({});
  const bool each = zeroW && zeroW->rank() == 1 && !zeroW->dims[0].isConstant(1);
  if (each)
    b.require(eq(zeroW->dims[0], w.dims[0]), "there is not one zero point an output channel");
  auto c = convolutionOf(b, a, x, w);
  if (!c)
    return b.finish({});
  const DType acc = DType::I32;
  auto y = b.def("y", acc, c->dims, [&](Axes i) {
    return c->sum(
        acc, i,
        [&](const std::vector<Ix> &at) {
          const Val v = b.cast(x(at), acc);
          return zeroX ? v - b.cast(scalarOf(*zeroX), acc) : v;
        },
        [&](const std::vector<Ix> &at) {
          const Val v = b.cast(w(at), acc);
          return zeroW ? v - b.cast(each ? (*zeroW)({at[0]}) : scalarOf(*zeroW), acc) : v;
        });
  });
  return b.finish({y});
}

/// The pads of auto_pad and output_shape: their total makes the result as large as wanted.
void padForResult(Spread &s, const Dim &full, const Dim &wanted, bool upper) {
  const Dim total = full - wanted, half = floorDiv(total, Dim(2));
  s.before = upper ? half : total - half;
  s.result = wanted;
}

std::optional<std::vector<Spread>> spreadsOf(Builder &b, const Attrs &a, const Tensor &x,
                                             const Tensor &w) {
  const size_t rank = x.rank() - 2;
  auto strides = listOf(b, a, "strides", rank, 1, 1);
  auto dilations = listOf(b, a, "dilations", rank, 1, 1);
  auto pads = listOf(b, a, "pads", 2 * rank, 0, 0);
  auto extra = listOf(b, a, "output_padding", rank, 0, 0);
  auto wanted = listOf(b, a, "output_shape", rank, -1, -1);
  if (!strides || !dilations || !pads || !extra || !wanted)
    return std::nullopt;
  const auto &mode = a.s("auto_pad");
  const bool same = mode == "same_upper" || mode == "same_lower";
  if (!check(b, same || mode == "explicit" || mode == "valid",
             "auto_pad is \"" + mode + "\", none of explicit, valid, same_upper and same_lower"))
    return std::nullopt;
  std::vector<Spread> spreads;
  for (size_t k = 0; k < rank; ++k) {
    const Dim stride((*strides)[k]), size = x.dims[k + 2];
    const Dim full =
        stride * (size - 1) + (*extra)[k] + (w.dims[k + 2] - 1) * Dim((*dilations)[k]) + 1;
    Spread s{size, (*pads)[k], full - (*pads)[k] - (*pads)[k + rank], (*strides)[k],
             (*dilations)[k]};
    if (mode == "valid")
      s.before = 0, s.result = full;
    if ((*wanted)[k] >= 0)
      padForResult(s, full, (*wanted)[k], mode == "same_upper");
    else if (same)
      padForResult(s, full, size * stride, mode == "same_upper");
    b.require(le(0, s.result), "the pads remove more than there is");
    spreads.push_back(s);
  }
  return spreads;
}

Result<Program> convTranspose(Builder &b, const Attrs &a) {
  auto x = *b.in(0), w = *b.in(1);
  auto bias = b.in(2);
  if (!checkOperands(b, x, w, a) || !checkSameType(b, x, w))
    return b.finish({});
  const int64_t groups = a.i("group");
  const Dim perGroup = w.dims[1], outputs = perGroup * Dim(groups);
  if (!checkBias(b, x, bias, outputs))
    return b.finish({});
  b.require(eq(x.dims[1], w.dims[0]), "the kernel " + describe(w) + " does not fit " + describe(x));
  b.require(eq(mod(x.dims[1], Dim(groups)), Dim(0)), "the channels of " + describe(x) +
                                                         " do not divide into " +
                                                         std::to_string(groups) + " groups");
  auto spreads = spreadsOf(b, a, x, w);
  if (!spreads)
    return b.finish({});
  const Dim channels = floorDiv(x.dims[1], Dim(groups));
  std::vector<Dim> dims = {x.dims[0], outputs}, extents = {channels};
  for (size_t k = 0; k < spreads->size(); ++k) {
    dims.push_back((*spreads)[k].result);
    extents.push_back(w.dims[k + 2]);
  }
  const DType acc = accumulatorFor(x.type);
  auto y = withBias(b, x, bias, dims, [&](Axes i) {
    auto hits = [&](Axes k) {
      std::vector<Pred> guards;
      for (size_t n = 0; n < spreads->size(); ++n)
        guards.push_back((*spreads)[n].hits(i[n + 2], k[n + 1]));
      return all(std::span<const Pred>(guards));
    };
    return b.reduce(Red::Sum, acc, extents, hits, [&](Axes k) {
      const Ix channel = groupChannel(b, i[1], k[0], groups, perGroup, channels);
      std::vector<Ix> at = {i[0], channel};
      std::vector<Ix> tap = {channel, groups == 1 ? i[1] : mod(i[1], divisor(b, perGroup))};
      for (size_t n = 0; n < spreads->size(); ++n) {
        at.push_back((*spreads)[n].source(i[n + 2], k[n + 1]));
        tap.push_back(k[n + 1]);
      }
      return b.cast(x(at), acc) * b.cast(w(tap), acc);
    });
  });
  return b.finish({y});
}

} // namespace

void registerConv(std::vector<Operator> &ops) {
  auto attrs = windowAttrs();
  attrs.push_back(intAttr("group", 1, "the number of groups of channels"));
  ops.push_back({.name = "conv",
                 .doc =
                     "Convolution (no flip) of [n, c, …] with kernels [o, c / group, …]; operands "
                     "x, kernels, bias.",
                 .minOperands = 2,
                 .maxOperands = 3,
                 .attrs = attrs,
                 .meaning = conv,
                 .contract = FloatContract::Convolve});
  ops.push_back(
      {.name = "conv_integer",
       .doc = "The i32 convolution of quantized operands; x, kernels and their zero points.",
       .minOperands = 2,
       .maxOperands = 4,
       .attrs = attrs,
       .meaning = convInteger,
       .contract = FloatContract::Exact});
  attrs.push_back(intsAttr("output_padding", "added to the result's size at the end; none: 0"));
  attrs.push_back(intsAttr("output_shape", "the result's spatial sizes; none: from the pads"));
  ops.push_back({.name = "conv_transpose",
                 .doc = "The transpose of a convolution, kernels [c, o / group, …]; operands x, "
                        "kernels, bias.",
                 .minOperands = 2,
                 .maxOperands = 3,
                 .attrs = attrs,
                 .meaning = convTranspose,
                 .contract = FloatContract::Reassociate});
}

} // namespace imbrex::opmeaning
