// Sliding windows: the arithmetic of strides, dilations and padding that convolution and pooling
// share.
#pragma once

#include "support/opmeaning/ops/Common.h"

namespace imbrex::opmeaning {

/// One spatial axis: position p * stride - before + r * dilation of an input of size `size`.
struct WindowAxis {
  Dim size, kernel, before, after;
  int64_t stride = 1, dilation = 1;
  Dim positions; // how many windows

  /// (kernel - 1) * dilation + 1
  Dim reach() const;
  /// Where element r of window p lies; outside [0, size) in the padding.
  Ix place(const Ix &p, const Ix &r) const;
  /// Some element of a window may lie outside the input.
  bool padded() const { return !before.isConstant(0) || !after.isConstant(0) || endsBeyond; }
  bool endsBeyond = false; // the last window may reach beyond the end padding (ceil mode)
};

enum class Rounding : uint8_t { Floor, Ceil };

struct Windows {
  std::vector<WindowAxis> axes;

  /// From the attributes strides, dilations, pads and auto_pad, for spatial sizes and kernel sizes.
  /// Fails b, with the reason, for a list of the wrong length, a stride < 1, a negative pad or a
  /// kernel larger than the padded input.
  static std::optional<Windows> of(Builder &b, const Attrs &a, const std::vector<Dim> &sizes,
                                   const std::vector<Dim> &kernel, Rounding rounding);

  std::vector<Dim> positions() const;
  std::vector<Dim> kernel() const;
  bool padded() const;
  /// The input's spatial index for window index p and index r within the window.
  std::vector<Ix> place(Axes p, Axes r) const;
  /// The index lies in the input: a guard for each axis that can leave it.
  Pred inInput(Axes p, Axes r) const;
  /// The index lies in the input or its padding.
  Pred inPadding(Axes p, Axes r) const;
};

/// One axis along which windows are put where a convolution would read them: place p of the result
/// takes element r of window q where q * stride + r * dilation = p + before, solved for q.
struct Spread {
  Dim size, before, result; // windows; padding cut off in front; places of the result
  int64_t stride, dilation;

  /// Some window has its element r at place p.
  Pred hits(const Ix &p, const Ix &r) const;
  /// That window.
  Ix source(const Ix &p, const Ix &r) const;

private:
  Ix offset(const Ix &p, const Ix &r) const;
};

/// strides, dilations, pads, auto_pad.
std::vector<AttrDecl> windowAttrs();
/// A list attribute of `rank` entries, `fallback` where it is empty; nothing, and b fails, for
/// another length or an entry below `least`.
std::optional<std::vector<int64_t>> listOf(Builder &b, const Attrs &a, std::string_view name,
                                           size_t rank, int64_t fallback, int64_t least);

} // namespace imbrex::opmeaning
