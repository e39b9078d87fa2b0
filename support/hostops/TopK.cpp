#include "support/hostops/Access.h"
#include "support/hostops/HostOps.h"

#include <algorithm>
#include <numeric>

namespace imbrex {

using namespace hostops;

Result<std::vector<HostTensor>> topK(HostArgs args) {
  const HostTensor &x = *args[0], &params = *args[2];
  const auto axis = axisParam(params, 0, x.shape());
  if (!axis)
    return wrongValue("top_k has an axis outside of its operand");
  const bool largest = param(params, 1) != 0;
  const AxisView view(x.shape(), *axis);
  const int64_t k = args[1]->elems() == 1 ? args[1]->toInt(0) : -1;
  if (k < 0 || k > view.extent)
    return wrongValue("top_k asks for " + std::to_string(k) + " elements",
                      "the axis has " + std::to_string(view.extent));
  auto shape = x.shape();
  shape[*axis] = k;
  HostTensor values(x.type(), shape), places(DType::I64, shape);
  auto *place = places.mutableData<int64_t>();
  std::vector<int64_t> order(static_cast<size_t>(view.extent));
  for (int64_t o = 0; o < view.outer; ++o)
    for (int64_t i = 0; i < view.inner; ++i) {
      auto at = [&](int64_t j) { return (o * view.extent + j) * view.inner + i; };
      std::iota(order.begin(), order.end(), 0);
      std::partial_sort(order.begin(), order.begin() + k, order.end(), [&](int64_t a, int64_t b) {
        const int c = compareElements(x, at(a), at(b));
        return c == 0 ? a < b : largest ? c > 0 : c < 0;
      });
      for (int64_t j = 0; j < k; ++j) {
        const int64_t to = (o * k + j) * view.inner + i;
        copyElement(values, to, x, at(order[static_cast<size_t>(j)]));
        place[to] = order[static_cast<size_t>(j)];
      }
    }
  return std::vector<HostTensor>{std::move(values), std::move(places)};
}

} // namespace imbrex
