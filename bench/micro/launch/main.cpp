// bench-launch: what a launch costs beside the work of its kernel. A chain of small kernels that
// each read what the one before wrote, launched in three ways; microseconds a kernel.
#include "runtime/launch/Launch.h"

#include <algorithm>
#include <chrono>
#include <cstdio>

using namespace imbrex;
using namespace imbrex::launch;

namespace {

constexpr int kKernels = 100, kRounds = 200;
constexpr int64_t kSize = 256;

int32_t stepCode(const ImxEnv *, const ImxView *v, const int64_t *d, int64_t, int64_t) {
  auto *x = static_cast<const float *>(v[0].data);
  auto *y = static_cast<float *>(v[1].data);
  for (int64_t i = 0; i < d[0]; ++i)
    y[i] = x[i] * 0.5f + 1;
  return 0;
}

Kernel step() {
  LoadedKernel k;
  const DimExpr n = DimExpr::symbol("n");
  k.contract = {"step",
                {{"n"}},
                {{"x", DType::F32, {n}, {1}, ViewAccess::Read},
                 {"y", DType::F32, {n}, {1}, ViewAccess::Write}},
                {},
                {1}};
  k.target = "cpu";
  k.code = reinterpret_cast<const void *>(stepCode);
  return Kernel(std::move(k));
}

/// The median microseconds a kernel of running `chain`.
template <class F> double microseconds(F chain) {
  std::vector<double> times;
  for (int round = 0; round < kRounds; ++round) {
    const auto start = std::chrono::steady_clock::now();
    chain();
    times.push_back(
        std::chrono::duration<double, std::micro>(std::chrono::steady_clock::now() - start)
            .count());
  }
  std::sort(times.begin(), times.end());
  return times[times.size() / 2] / kKernels;
}

} // namespace

int main() {
  Device cpu = Device::cpu(1);
  Kernel k = step();
  auto a = cpu.filled<float>({kSize}, 1).take(), b = cpu.filled<float>({kSize}, 1).take();
  Tensor<float> *t[2] = {&a, &b};
  bool good = true;

  std::vector<float> x(kSize, 1), y(kSize, 1);
  const int64_t n = kSize, one = 1;
  ImxView views[2] = {{x.data(), &n, &one, 1, IMX_F32}, {y.data(), &n, &one, 1, IMX_F32}};
  const double call = microseconds([&] {
    for (int i = 0; i < kKernels; ++i) {
      std::swap(views[0], views[1]);
      good &= stepCode(nullptr, views, &n, 0, 1) == 0;
    }
  });
  const double sync = microseconds([&] {
    for (int i = 0; i < kKernels; ++i)
      good &= k(t[i % 2]->read(), t[(i + 1) % 2]->write()).sync().ok();
  });
  Stream stream = cpu.stream();
  const double started = microseconds([&] {
    for (int i = 0; i < kKernels; ++i)
      good &= k(t[i % 2]->read(), t[(i + 1) % 2]->write()).start(stream).ok();
    good &= stream.sync().ok();
  });
  auto chain = k(a.read(), b.write());
  for (int i = 1; i < kKernels; ++i)
    chain = chain.then([&, i](Done) { return k(t[i % 2]->read(), t[(i + 1) % 2]->write()); });
  auto graph = chain.graph();
  good &= graph.ok() && graph->kernels() == kKernels;
  const double replayed = graph ? microseconds([&] { good &= graph->replay().sync().ok(); }) : 0;
  if (!good) {
    std::printf("bench-launch: a launch failed\n");
    return 1;
  }
  std::printf(
      "launch: us a kernel of %lld elements: call %.2f, sync %.2f, start %.2f, graph %.2f\n",
      static_cast<long long>(kSize), call, sync, started, replayed);
  return 0;
}
