// non_zero and compress: elements that a condition picks.
#include "support/hostops/Access.h"
#include "support/hostops/HostOps.h"

namespace imbrex {

using namespace hostops;

Result<std::vector<HostTensor>> nonZero(HostArgs args) {
  const HostTensor &x = *args[0];
  std::vector<int64_t> found;
  for (int64_t i = 0; i < x.elems(); ++i)
    if (x.toDouble(i) != 0) // NaN is not zero
      found.push_back(i);
  const auto count = static_cast<int64_t>(found.size());
  HostTensor out(DType::I64, {x.rank(), count});
  auto *places = out.mutableData<int64_t>();
  for (int64_t d = x.rank(), inner = 1; d-- > 0; inner *= x.shape()[static_cast<size_t>(d)])
    for (int64_t j = 0; j < count; ++j)
      places[d * count + j] =
          found[static_cast<size_t>(j)] / inner % x.shape()[static_cast<size_t>(d)];
  return std::vector<HostTensor>{std::move(out)};
}

Result<std::vector<HostTensor>> compress(HostArgs args) {
  const HostTensor &x = *args[0], &condition = *args[1], &params = *args[2];
  const bool flatten = param(params, 1) != 0;
  std::vector<int64_t> shape = flatten ? std::vector<int64_t>{x.elems()} : x.shape();
  const auto chosenAxis = flatten ? std::optional<size_t>(0) : axisParam(params, 0, shape);
  if (!chosenAxis)
    return wrongValue("compress has an axis outside of its operand");
  const size_t axis = *chosenAxis;
  const AxisView view(shape, axis);
  std::vector<int64_t> chosen;
  for (int64_t i = 0; i < condition.elems(); ++i)
    if (condition.toInt(i) != 0) {
      if (i >= view.extent)
        return wrongValue("compress chooses place " + std::to_string(i),
                          "the axis has " + std::to_string(view.extent));
      chosen.push_back(i);
    }
  shape[axis] = static_cast<int64_t>(chosen.size());
  HostTensor out(x.type(), shape);
  int64_t to = 0;
  for (int64_t o = 0; o < view.outer; ++o)
    for (int64_t place : chosen) {
      copyElements(out, to, x, (o * view.extent + place) * view.inner, view.inner);
      to += view.inner;
    }
  return std::vector<HostTensor>{std::move(out)};
}

} // namespace imbrex
