// couple_pairs: from the probability of the first of each two classes, those of all classes, by the
// second method of Wu, Lin and Weng, "Probability estimates for multi-class classification by
// pairwise coupling", JMLR 5 (2004), section 4.2 and algorithm 2.
#include "support/hostops/Access.h"
#include "support/hostops/HostOps.h"

#include <algorithm>

namespace imbrex {

using namespace hostops;

namespace {

/// Minimizes p' Q p over probabilities p, one class after the other.
class Coupling {
public:
  explicit Coupling(int64_t classes) : k(static_cast<size_t>(classes)), q(k * k), p(k), qp(k) {}

  /// `first(i, j)`, i < j: the probability of i among i and j.
  template <class First> const std::vector<double> &of(First first) {
    std::ranges::fill(q, 0);
    for (size_t i = 0; i < k; ++i)
      for (size_t j = i + 1; j < k; ++j) {
        const double r = first(i, j), s = 1 - r;
        q[i * k + i] += s * s, q[j * k + j] += r * r;
        q[i * k + j] = q[j * k + i] = -r * s;
      }
    std::ranges::fill(p, 1 / static_cast<double>(k));
    const double enough = 0.005 / static_cast<double>(k);
    for (size_t run = 0; run < std::max<size_t>(100, k); ++run)
      if (!sweep(enough))
        break;
    return p;
  }

private:
  /// False once p is good enough.
  bool sweep(double enough) {
    double pqp = 0, error = 0;
    for (size_t i = 0; i < k; ++i) {
      qp[i] = 0;
      for (size_t j = 0; j < k; ++j)
        qp[i] += q[i * k + j] * p[j];
      pqp += p[i] * qp[i];
    }
    for (double value : qp)
      error = std::max(error, std::abs(value - pqp));
    if (!(error >= enough)) // NaN ends it, too
      return false;
    for (size_t i = 0; i < k; ++i) {
      const double step = (pqp - qp[i]) / q[i * k + i], whole = 1 + step;
      pqp = (pqp + step * (step * q[i * k + i] + 2 * qp[i])) / (whole * whole);
      p[i] += step;
      for (size_t j = 0; j < k; ++j) {
        qp[j] = (qp[j] + step * q[i * k + j]) / whole;
        p[j] /= whole;
      }
    }
    return true;
  }

  size_t k;
  std::vector<double> q, p, qp;
};

} // namespace

Result<std::vector<HostTensor>> couplePairs(HostArgs args) {
  const HostTensor &x = *args[0];
  const int64_t classes = param(*args[1], 0), rows = x.shape()[0], pairs = x.shape()[1];
  if ((x.type() != DType::F32 && x.type() != DType::F64) || classes < 2 || classes > 4096 ||
      pairs != classes * (classes - 1) / 2)
    return wrongValue("these are not the probabilities of pairs of classes");
  HostTensor out(x.type(), {rows, classes});
  Coupling coupling(classes);
  for (int64_t row = 0; row < rows; ++row) {
    int64_t pair = row * pairs; // they are asked for in order
    const auto &p = coupling.of([&](size_t, size_t) { return x.toDouble(pair++); });
    for (int64_t c = 0; c < classes; ++c)
      if (x.type() == DType::F64)
        out.mutableData<double>()[row * classes + c] = p[static_cast<size_t>(c)];
      else
        out.mutableData<float>()[row * classes + c] = static_cast<float>(p[static_cast<size_t>(c)]);
  }
  return std::vector{std::move(out)};
}

} // namespace imbrex
