#include "support/hostops/Access.h"
#include "support/hostops/HostOps.h"

#include <utility>

namespace imbrex {

using namespace hostops;

static double eliminate(std::vector<double> &a, int64_t n) {
  double det = 1;
  auto at = [&](int64_t r, int64_t c) -> double & { return a[static_cast<size_t>(r * n + c)]; };
  for (int64_t k = 0; k < n; ++k) {
    int64_t pivot = k;
    for (int64_t r = k + 1; r < n; ++r)
      if (std::abs(at(r, k)) > std::abs(at(pivot, k)))
        pivot = r;
    if (at(pivot, k) == 0)
      return 0;
    if (pivot != k) {
      det = -det;
      for (int64_t c = k; c < n; ++c)
        std::swap(at(k, c), at(pivot, c));
    }
    det *= at(k, k);
    for (int64_t r = k + 1; r < n; ++r) {
      const double factor = at(r, k) / at(k, k);
      for (int64_t c = k + 1; c < n; ++c)
        at(r, c) -= factor * at(k, c);
    }
  }
  return det;
}

Result<std::vector<HostTensor>> determinant(HostArgs args) {
  const HostTensor &x = *args[0];
  const size_t rank = x.shape().size();
  const int64_t n = x.shape()[rank - 1];
  if (x.shape()[rank - 2] != n)
    return wrongValue("the determinant of a matrix that is not square");
  HostTensor y(x.type(), {x.shape().begin(), x.shape().end() - 2});
  std::vector<double> a(static_cast<size_t>(n * n));
  for (int64_t m = 0; m < y.elems(); ++m) {
    for (int64_t i = 0; i < n * n; ++i)
      a[static_cast<size_t>(i)] = x.toDouble(m * n * n + i);
    const double det = eliminate(a, n);
    if (x.type() == DType::F64)
      y.mutableData<double>()[m] = det;
    else if (x.type() == DType::F32)
      y.mutableData<float>()[m] = static_cast<float>(det);
    else
      y.mutableData<uint16_t>()[m] = x.type() == DType::F16
                                         ? floatToHalf(static_cast<float>(det))
                                         : floatToBfloat16(static_cast<float>(det));
  }
  return std::vector<HostTensor>{std::move(y)};
}

} // namespace imbrex
