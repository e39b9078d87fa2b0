#include "tools/imbrex-bench/Measure.h"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <random>

namespace imbrex::bench {

using Clock = std::chrono::steady_clock;

namespace {

/// A model with a context.
struct Ready {
  const Subject &subject;
  tools::Context context;

  /// Seconds a run of `runs` in a row.
  Result<double> time(int64_t runs) {
    const auto start = Clock::now();
    for (int64_t i = 0; i < runs; ++i)
      if (auto outputs = context.run(subject.inputs); !outputs)
        return outputs.takeError();
    return std::chrono::duration<double>(Clock::now() - start).count() / static_cast<double>(runs);
  }
};

Result<Ready> makeReady(const Subject &subject) {
  auto context = tools::Context::create(subject.module, subject.threads);
  if (!context)
    return context.takeError();
  Ready ready{subject, context.take()};
  if (auto warm = ready.time(2); !warm)
    return warm.takeError();
  return ready;
}

/// How often a measurement runs the model.
Result<int64_t> calibrate(const Subject &subject, const Plan &plan) {
  auto ready = makeReady(subject);
  if (!ready)
    return ready.takeError();
  auto seconds = ready->time(1);
  if (!seconds)
    return seconds.takeError();
  const double runs = std::ceil(plan.leastSeconds / std::max(*seconds, 1e-9));
  return static_cast<int64_t>(std::clamp(runs, 1.0, 1e6));
}

Status measureInto(Series &series, Ready &ready) {
  auto seconds = ready.time(series.runsEach);
  if (!seconds)
    return seconds.takeError();
  series.seconds.push_back(*seconds);
  return {};
}

/// One pair: what leads is made ready first and measured first.
Status measurePair(const Subject &leading, Series &leadingSeries, const Subject &other,
                   Series &otherSeries) {
  auto first = makeReady(leading);
  if (!first)
    return first.takeError();
  auto second = makeReady(other);
  if (!second)
    return second.takeError();
  if (Status s = measureInto(leadingSeries, *first); !s)
    return s;
  return measureInto(otherSeries, *second);
}

} // namespace

Result<std::vector<HostTensor>> runOnce(const Subject &subject) {
  auto context = tools::Context::create(subject.module, subject.threads);
  if (!context)
    return context.takeError();
  return context->run(subject.inputs);
}

Result<Series> measure(const Subject &subject, const Plan &plan) {
  auto runs = calibrate(subject, plan);
  if (!runs)
    return runs.takeError();
  Series out{{}, *runs};
  for (int64_t i = 0; i < plan.pairs; ++i) {
    auto ready = makeReady(subject);
    if (!ready)
      return ready.takeError();
    if (Status s = measureInto(out, *ready); !s)
      return s.takeError();
  }
  return out;
}

Result<std::pair<Series, Series>> measurePairs(const Subject &first, const Subject &second,
                                               const Plan &plan) {
  auto firstRuns = calibrate(first, plan), secondRuns = calibrate(second, plan);
  if (!firstRuns)
    return firstRuns.takeError();
  if (!secondRuns)
    return secondRuns.takeError();
  Series a{{}, *firstRuns}, b{{}, *secondRuns};
  std::mt19937_64 random(plan.seed);
  for (int64_t i = 0; i < plan.pairs; ++i) {
    Status s =
        random() % 2 == 0 ? measurePair(first, a, second, b) : measurePair(second, b, first, a);
    if (!s)
      return s.takeError();
  }
  return std::pair(std::move(a), std::move(b));
}

static double relativeDifference(double a, double b) {
  if (std::isnan(a) || std::isnan(b))
    return std::isnan(a) && std::isnan(b) ? 0 : INFINITY;
  return a == b ? 0 : std::abs(a - b) / std::max(1.0, std::abs(b));
}

Result<double> outputDifference(const std::vector<HostTensor> &a,
                                const std::vector<HostTensor> &b) {
  if (a.size() != b.size())
    return badInput(745, "the models have " + std::to_string(a.size()) + " and " +
                             std::to_string(b.size()) + " outputs");
  double most = 0;
  for (size_t i = 0; i < a.size(); ++i) {
    if (a[i].type() != b[i].type() || a[i].shape() != b[i].shape())
      return badInput(745, "output " + std::to_string(i) + " of the models has different types",
                      "only models that compute the same are compared");
    for (int64_t j = 0; j < a[i].elems(); ++j)
      most = std::max(most, relativeDifference(a[i].toDouble(j), b[i].toDouble(j)));
  }
  return most;
}

} // namespace imbrex::bench
