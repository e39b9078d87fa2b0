// Which axes of a tensor a reduction runs over, and how the result's index and the reduction's make
// one.
#pragma once

#include "support/opmeaning/ops/Common.h"

namespace imbrex::opmeaning {

/// Whether reduced axes stay in the result, with size 1.
enum class KeepDims : uint8_t { No, Yes };

class ReducedAxes {
public:
  /// `axes` sorted.
  static ReducedAxes make(const std::vector<size_t> &axes, size_t rank, KeepDims keep) {
    ReducedAxes r;
    r.reduced.assign(rank, false);
    r.keep = keep == KeepDims::Yes;
    for (size_t a : axes)
      r.reduced[a] = true;
    return r;
  }
  static KeepDims keepDims(const Attrs &a) {
    return a.i("keepdims") != 0 ? KeepDims::Yes : KeepDims::No;
  }
  /// From the attributes axes (none: all) and keepdims; nothing, and b fails, for an illegal axis.
  static std::optional<ReducedAxes> of(Builder &b, const Tensor &x, const Attrs &a) {
    auto axes = axesOf(b, a.is("axes"), x.rank());
    if (!axes)
      return std::nullopt;
    if (axes->empty())
      for (size_t k = 0; k < x.rank(); ++k)
        axes->push_back(k);
    return make(*axes, x.rank(), keepDims(a));
  }

  std::vector<Dim> resultDims(const Tensor &x) const {
    std::vector<Dim> dims;
    for (size_t k = 0; k < reduced.size(); ++k)
      if (!reduced[k])
        dims.push_back(x.dims[k]);
      else if (keep)
        dims.push_back(1);
    return dims;
  }
  std::vector<Dim> extents(const Tensor &x) const {
    std::vector<Dim> dims;
    for (size_t k = 0; k < reduced.size(); ++k)
      if (reduced[k])
        dims.push_back(x.dims[k]);
    return dims;
  }
  Dim count(const Tensor &x) const {
    const auto dims = extents(x);
    return product(dims, 0, dims.size());
  }
  /// The operand's index for the result's index i and the reduction's k.
  std::vector<Ix> merge(Axes i, Axes k) const {
    std::vector<Ix> at;
    for (size_t axis = 0, ni = 0, nk = 0; axis < reduced.size(); ++axis) {
      at.push_back(reduced[axis] ? k[nk] : i[ni]);
      nk += reduced[axis] ? 1 : 0;
      ni += keep || !reduced[axis] ? 1 : 0;
    }
    return at;
  }
  /// The result's index for an index of the operand.
  std::vector<Ix> project(Axes i) const {
    std::vector<Ix> at;
    for (size_t axis = 0; axis < reduced.size(); ++axis)
      if (!reduced[axis])
        at.push_back(i[axis]);
      else if (keep)
        at.push_back(0);
    return at;
  }

private:
  std::vector<bool> reduced;
  bool keep = true;
};

} // namespace imbrex::opmeaning
