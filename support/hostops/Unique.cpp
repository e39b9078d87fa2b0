#include "support/hostops/Access.h"
#include "support/hostops/HostOps.h"

#include <algorithm>
#include <numeric>

namespace imbrex {

using namespace hostops;

namespace {

/// Compares slices of x along an axis, element by element in row-major order.
struct Slices {
  const HostTensor &x;
  AxisView view;
  const ItemHeap &heap;

  int compareAt(int64_t i, int64_t j) const {
    return x.type() == DType::String ? textAt(heap, x, i).compare(textAt(heap, x, j))
                                     : compareElements(x, i, j);
  }

  int compare(int64_t a, int64_t b) const {
    for (int64_t o = 0; o < view.outer; ++o)
      for (int64_t i = 0; i < view.inner; ++i)
        if (int c = compareAt((o * view.extent + a) * view.inner + i,
                              (o * view.extent + b) * view.inner + i))
          return c;
    return 0;
  }
};

HostTensor vectorOf(const std::vector<int64_t> &v) {
  return HostTensor::of<int64_t>(DType::I64, {static_cast<int64_t>(v.size())}, v);
}

} // namespace

Result<std::vector<HostTensor>> unique(HostArgs args, ItemHeap &heap) {
  const HostTensor &x = *args[0], &params = *args[1];
  const bool flatten = param(params, 1) != 0, sorted = param(params, 2) != 0;
  std::vector<int64_t> shape = flatten ? std::vector<int64_t>{x.elems()} : x.shape();
  const auto chosenAxis = flatten ? std::optional<size_t>(0) : axisParam(params, 0, shape);
  if (!chosenAxis)
    return wrongValue("unique has an axis outside of its operand");
  const size_t axis = *chosenAxis;
  const Slices slices{x, AxisView(shape, axis), heap};
  const AxisView &view = slices.view;
  std::vector<int64_t> order(static_cast<size_t>(view.extent));
  std::iota(order.begin(), order.end(), 0);
  std::stable_sort(order.begin(), order.end(),
                   [&](int64_t a, int64_t b) { return slices.compare(a, b) < 0; });
  // Groups of equal slices in sorted order; the first of each is its first occurrence.
  std::vector<int64_t> first, group(order.size());
  for (size_t i = 0; i < order.size(); ++i) {
    if (i == 0 || slices.compare(order[i - 1], order[i]) != 0)
      first.push_back(order[i]);
    group[static_cast<size_t>(order[i])] = static_cast<int64_t>(first.size()) - 1;
  }
  std::vector<int64_t> rank(first.size());
  std::iota(rank.begin(), rank.end(), 0);
  if (!sorted)
    std::sort(rank.begin(), rank.end(), [&](int64_t a, int64_t b) {
      return first[static_cast<size_t>(a)] < first[static_cast<size_t>(b)];
    });
  std::vector<int64_t> indices, renamed(first.size()), inverse, counts(first.size());
  for (size_t i = 0; i < rank.size(); ++i) {
    indices.push_back(first[static_cast<size_t>(rank[i])]);
    renamed[static_cast<size_t>(rank[i])] = static_cast<int64_t>(i);
  }
  for (int64_t g : group) {
    inverse.push_back(renamed[static_cast<size_t>(g)]);
    ++counts[static_cast<size_t>(inverse.back())];
  }
  shape[axis] = static_cast<int64_t>(first.size());
  HostTensor y(x.type(), shape);
  int64_t to = 0;
  for (int64_t o = 0; o < view.outer; ++o)
    for (int64_t place : indices) {
      copyElements(y, to, x, (o * view.extent + place) * view.inner, view.inner);
      to += view.inner;
    }
  return std::vector<HostTensor>{std::move(y), vectorOf(indices), vectorOf(inverse),
                                 vectorOf(counts)};
}

} // namespace imbrex
