#include "stats/procedures/counting/Arrangements.h"

#include <algorithm>
#include <numeric>
#include <unordered_map>

namespace imbrex::stats {
namespace {

double sumOf(std::span<const double> values) {
  return std::accumulate(values.begin(), values.end(), 0.0);
}

using Layer = std::unordered_map<uint64_t, ScoreDistribution>;

/// Adds `from`, shifted by `gain` and scaled by `ways`, to `to`.
void accumulate(ScoreDistribution &to, const ScoreDistribution &from, int64_t gain, double ways) {
  int64_t least = from.least + gain;
  int64_t end = least + static_cast<int64_t>(from.weight.size());
  if (to.weight.empty())
    to.least = least;
  if (least < to.least) {
    to.weight.insert(to.weight.begin(), static_cast<size_t>(to.least - least), 0.0);
    to.least = least;
  }
  if (end > to.least + static_cast<int64_t>(to.weight.size()))
    to.weight.resize(static_cast<size_t>(end - to.least), 0.0);
  double *out = to.weight.data() + (least - to.least);
  for (size_t i = 0; i < from.weight.size(); ++i)
    out[i] += ways * from.weight[i];
}

class Counter {
public:
  Counter(const ArrangementProblem &problem, double workLimit)
      : problem(problem), limit(workLimit), kinds(problem.values.size()), used(kinds), gains(kinds),
        place(kinds) {}

  std::optional<ScoreDistribution> run() {
    if (!numberStates())
      return std::nullopt;
    Layer layer;
    layer[0] = {0, {1.0}};
    for (size_t group = 0; group < problem.groups.size(); ++group) {
      Layer next;
      for (auto &[state, scores] : layer) {
        decode(state);
        for (size_t kind = 0; kind < kinds; ++kind)
          gains[kind] = problem.gain(group, kind, used);
        from = &scores;
        to = &next;
        deal(0, problem.groups[group], state, 0, 1.0);
        if (work > limit)
          return std::nullopt;
        scores.weight = {}; // this state is done: its memory serves the next layer
      }
      layer = std::move(next);
    }
    return std::move(layer.begin()->second);
  }

private:
  /// Mixed-radix place values, one digit a kind.
  bool numberStates() {
    uint64_t states = 1;
    for (size_t kind = 0; kind < kinds; ++kind) {
      place[kind] = states;
      auto radix = static_cast<uint64_t>(problem.values[kind]) + 1;
      if (states > UINT64_MAX / radix)
        return false;
      states *= radix;
    }
    return true;
  }

  void decode(uint64_t state) {
    for (size_t kind = kinds; kind-- > 0;) {
      used[kind] = static_cast<int32_t>(state / place[kind]);
      state %= place[kind];
    }
  }

  /// Deals `left` more values to the current group, of kinds from `kind` on.
  void deal(size_t kind, int32_t left, uint64_t state, int64_t gain, double ways) {
    if (work > limit)
      return;
    if (left == 0) {
      accumulate((*to)[state], *from, gain, ways);
      work += 20 + static_cast<double>(from->weight.size());
      return;
    }
    if (kind == kinds)
      return;
    work += 1;
    int32_t available = problem.values[kind] - used[kind];
    for (int32_t count = 0; count <= std::min(left, available); ++count) {
      deal(kind + 1, left - count, state, gain, ways);
      state += place[kind];
      gain += gains[kind];
      ways *= static_cast<double>(available - count) / (count + 1);
    }
  }

  const ArrangementProblem &problem;
  double limit, work = 0;
  size_t kinds;
  std::vector<int32_t> used;
  std::vector<int64_t> gains;
  std::vector<uint64_t> place;
  const ScoreDistribution *from = nullptr;
  Layer *to = nullptr;
};

} // namespace

double ScoreDistribution::total() const { return sumOf(weight); }

double ScoreDistribution::atMost(int64_t score) const {
  if (score < least)
    return 0;
  size_t count = std::min(weight.size(), static_cast<size_t>(score - least) + 1);
  return std::min(1.0, sumOf(std::span(weight).first(count)) / total());
}

double ScoreDistribution::atLeast(int64_t score) const {
  if (score <= least)
    return 1;
  size_t skipped = static_cast<size_t>(score - least);
  if (skipped >= weight.size())
    return 0;
  return std::min(1.0, sumOf(std::span(weight).subspan(skipped)) / total());
}

double ScoreDistribution::asFar(int64_t twiceCentre, int64_t twiceDistance) const {
  double sum = 0;
  for (size_t i = 0; i < weight.size(); ++i) {
    int64_t twiceScore = 2 * (least + static_cast<int64_t>(i));
    if (std::abs(twiceScore - twiceCentre) >= twiceDistance)
      sum += weight[i];
  }
  return std::min(1.0, sum / total());
}

std::optional<ScoreDistribution> countArrangements(const ArrangementProblem &problem,
                                                   double workLimit) {
  return Counter(problem, workLimit).run();
}

} // namespace imbrex::stats
