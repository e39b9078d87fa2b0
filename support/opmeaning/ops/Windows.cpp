#include "support/opmeaning/ops/Windows.h"

namespace imbrex::opmeaning {

std::vector<AttrDecl> windowAttrs() {
  return {
      intsAttr("strides", "the step between windows along each axis; none: 1"),
      intsAttr("dilations", "the step between a window's elements; none: 1"),
      intsAttr("pads", "added before each axis, then after each axis; none: 0"),
      wordAttr("auto_pad", "explicit",
               "explicit: as pads says; valid: none; same_upper, same_lower: ceil(size / stride) "
               "windows, the odd element at the end or at the beginning")};
}

std::optional<std::vector<int64_t>> listOf(Builder &b, const Attrs &a, std::string_view name,
                                           size_t rank, int64_t fallback, int64_t least) {
  std::vector<int64_t> values = a.is(name);
  if (values.empty())
    values.assign(rank, fallback);
  const std::string word(name);
  if (!check(b, values.size() == rank,
             word + " has " + std::to_string(values.size()) + " entries, not " +
                 std::to_string(rank)))
    return std::nullopt;
  for (int64_t v : values)
    if (!check(b, v >= least && v <= INT32_MAX, word + " holds " + std::to_string(v)))
      return std::nullopt;
  return values;
}

Dim WindowAxis::reach() const { return (kernel - 1) * Dim(dilation) + 1; }

Ix WindowAxis::place(const Ix &p, const Ix &r) const {
  const Ix start = stride == 1 ? p : p * Dim(stride);
  const Ix element = dilation == 1 ? r : r * Dim(dilation);
  const Ix sum = kernel.isConstant(1) ? start : start + element;
  return before.isConstant(0) ? sum : sum - before;
}

/// The pads of auto_pad: ceil(size / stride) windows, or none.
static void padAutomatically(const Builder &b, WindowAxis &w, const std::string &mode) {
  if (mode == "valid") {
    w.before = w.after = 0;
    return;
  }
  const Dim stride(w.stride);
  const Dim wanted = (ceilDiv(w.size, stride) - 1) * stride + w.reach() - w.size;
  const Dim total = larger(b, wanted, 0), half = floorDiv(total, Dim(2));
  w.before = mode == "same_upper" ? half : total - half;
  w.after = total - w.before;
}

/// With ceil, one less where the last window would start in the end padding.
static Dim positionsOf(Builder &b, WindowAxis &w, Rounding rounding) {
  const Dim stride(w.stride), room = w.size + w.before + w.after - w.reach();
  const Dim whole = floorDiv(room, stride) + 1;
  if (rounding == Rounding::Floor || w.stride == 1)
    return whole;
  w.endsBeyond = !b.facts().provenEqual(mod(room, stride), Dim(0));
  // The last start, (P - 1) * stride, must lie below size + before.
  return smaller(b, ceilDiv(room, stride) + 1, ceilDiv(w.size + w.before, stride));
}

std::optional<Windows> Windows::of(Builder &b, const Attrs &a, const std::vector<Dim> &sizes,
                                   const std::vector<Dim> &kernel, Rounding rounding) {
  const size_t rank = sizes.size();
  const auto &mode = a.s("auto_pad");
  auto strides = listOf(b, a, "strides", rank, 1, 1);
  auto dilations = listOf(b, a, "dilations", rank, 1, 1);
  auto pads = listOf(b, a, "pads", 2 * rank, 0, 0);
  if (!strides || !dilations || !pads ||
      !check(b, kernel.size() == rank,
             "the kernel has " + std::to_string(kernel.size()) + " axes, the input " +
                 std::to_string(rank)) ||
      !check(b,
             mode == "explicit" || mode == "valid" || mode == "same_upper" || mode == "same_lower",
             "auto_pad is \"" + mode + "\", none of explicit, valid, same_upper and same_lower"))
    return std::nullopt;
  Windows w;
  for (size_t k = 0; k < rank; ++k) {
    WindowAxis axis{.size = sizes[k],
                    .kernel = kernel[k],
                    .before = (*pads)[k],
                    .after = (*pads)[k + rank],
                    .stride = (*strides)[k],
                    .dilation = (*dilations)[k],
                    .positions = 0};
    if (mode != "explicit")
      padAutomatically(b, axis, mode);
    if (!axis.reach().isConstant(1)) // a window of one element fits everywhere, even nowhere
      b.require(le(axis.reach(), axis.size + axis.before + axis.after),
                "the kernel reaches over " + axis.reach().str() +
                    " elements, and the padded input has " +
                    (axis.size + axis.before + axis.after).str() + " along spatial axis " +
                    std::to_string(k));
    axis.positions = positionsOf(b, axis, rounding);
    w.axes.push_back(axis);
  }
  return w;
}

std::vector<Dim> Windows::positions() const {
  std::vector<Dim> dims;
  for (const WindowAxis &w : axes)
    dims.push_back(w.positions);
  return dims;
}

std::vector<Dim> Windows::kernel() const {
  std::vector<Dim> dims;
  for (const WindowAxis &w : axes)
    dims.push_back(w.kernel);
  return dims;
}

bool Windows::padded() const {
  for (const WindowAxis &w : axes)
    if (w.padded())
      return true;
  return false;
}

std::vector<Ix> Windows::place(Axes p, Axes r) const {
  std::vector<Ix> at;
  for (size_t k = 0; k < axes.size(); ++k)
    at.push_back(axes[k].place(p[k], r[k]));
  return at;
}

Pred Windows::inInput(Axes p, Axes r) const {
  std::vector<Pred> guards;
  for (size_t k = 0; k < axes.size(); ++k) {
    const WindowAxis &w = axes[k];
    const Ix place = w.place(p[k], r[k]);
    if (!w.before.isConstant(0))
      guards.push_back(le(0, place));
    if (w.padded())
      guards.push_back(lt(place, w.size));
  }
  return all(std::span<const Pred>(guards));
}

Pred Windows::inPadding(Axes p, Axes r) const {
  std::vector<Pred> guards;
  for (size_t k = 0; k < axes.size(); ++k)
    if (axes[k].endsBeyond)
      guards.push_back(lt(axes[k].place(p[k], r[k]), axes[k].size + axes[k].after));
  return all(std::span<const Pred>(guards));
}

Ix Spread::offset(const Ix &p, const Ix &r) const { return p + before - r * Dim(dilation); }

Pred Spread::hits(const Ix &p, const Ix &r) const {
  const Ix t = offset(p, r);
  const Pred range = all({le(0, t), lt(t, size * Dim(stride))});
  return stride == 1 ? range : all({eq(mod(t, Dim(stride)), 0), range});
}

Ix Spread::source(const Ix &p, const Ix &r) const {
  return stride == 1 ? offset(p, r) : floorDiv(offset(p, r), Dim(stride));
}

} // namespace imbrex::opmeaning
