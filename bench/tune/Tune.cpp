#include "bench/tune/Tune.h"

#include "bench/tune/Log.h"
#include "stats/procedures/timing/CompareTimes.h"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <random>

namespace imbrex::tune {

std::string text(const Configuration &configuration) {
  std::string s;
  for (const auto &[name, value] : configuration)
    s += (s.empty() ? "" : " ") + name + "=" + std::to_string(value);
  return s;
}

namespace {

using Clock = std::chrono::steady_clock;

/// The last axis changes fastest.
std::vector<Configuration> allOf(const std::vector<Axis> &axes) {
  std::vector<Configuration> all{{}};
  for (const Axis &axis : axes) {
    std::vector<Configuration> next;
    for (const Configuration &c : all)
      for (int64_t value : axis.values) {
        next.push_back(c);
        next.back()[axis.name] = value;
      }
    all = std::move(next);
  }
  return all;
}

double now(const Options &options) {
  if (options.clock)
    return options.clock();
  return std::chrono::duration<double>(Clock::now().time_since_epoch()).count();
}

Result<double> secondsOf(const Options &options, const Candidate &c, int64_t runs) {
  const double start = now(options);
  for (int64_t i = 0; i < runs; ++i)
    if (Status s = c.run(); !s)
      return s.takeError();
  return std::max(now(options) - start, 1e-9) / static_cast<double>(runs);
}

struct Entrant {
  Configuration configuration;
  Candidate candidate;
  std::vector<float> output;
  int64_t runs = 1; // of a measurement
};

Result<Entrant> prepare(const Options &options, const Configuration &configuration) {
  auto made = options.make(configuration);
  if (!made)
    return made.takeError();
  Entrant e{configuration, made.take(), {}, 1};
  if (auto warm = secondsOf(options, e.candidate, 1); !warm)
    return warm.takeError();
  auto output = e.candidate.output();
  if (!output)
    return output.takeError();
  e.output = output.take();
  auto once = secondsOf(options, e.candidate, 1);
  if (!once)
    return once.takeError();
  e.runs = static_cast<int64_t>(
      std::clamp(std::ceil(options.leastSeconds / std::max(*once, 1e-9)), 1.0, 1e6));
  return e;
}

bool sameOutput(const std::vector<float> &a, const std::vector<float> &b, double tolerance) {
  if (a.size() != b.size())
    return false;
  for (size_t i = 0; i < a.size(); ++i) {
    const double x = a[i], y = b[i];
    const bool same = x == y || (std::isnan(x) && std::isnan(y)) ||
                      std::abs(x - y) <= tolerance * std::max(1.0, std::abs(y));
    if (!same)
      return false;
  }
  return true;
}

Result<Verdict> compare(const Options &options, const Entrant &leader, const Entrant &challenger) {
  std::vector<double> times[2];
  const Entrant *both[2] = {&challenger, &leader};
  std::mt19937_64 random(leader.candidate.code ^ challenger.candidate.code);
  for (int64_t i = 0; i < options.pairs; ++i)
    for (size_t first = random() % 2, k = 0; k < 2; ++k) {
      const size_t which = (first + k) % 2;
      auto seconds = secondsOf(options, both[which]->candidate, both[which]->runs);
      if (!seconds)
        return seconds.takeError();
      times[which].push_back(*seconds);
    }
  auto found = stats::compareTimes(times[0], times[1], {.alpha = options.alpha});
  if (!found)
    return found.takeError();
  Verdict v{leader.configuration, challenger.configuration};
  v.speed = found->speed;
  v.low = found->interval.low;
  v.high = found->interval.high;
  v.p = found->test.p.undirected ? found->test.p.undirected->value : 1;
  v.faster = found->different && found->speed > 1;
  return v;
}

} // namespace

Result<Tuning> tune(const Options &options) {
  auto all = allOf(options.axes);
  if (options.axes.empty() || all.empty() || !options.make)
    return badInput(850, "nothing can be tuned: there is no axis, or one without values");
  auto log = Log::open(options.log, options.name);
  if (!log)
    return log.takeError();
  Tuning tuning;
  auto leader = prepare(options, all.front());
  if (!leader)
    return leader.takeError();
  for (size_t i = 1; i < all.size(); ++i) {
    auto challenger = prepare(options, all[i]);
    if (!challenger) {
      tuning.remarks.push_back(text(all[i]) + " is out: " + challenger.error().str());
      continue;
    }
    if (!sameOutput(challenger->output, leader->output, options.tolerance)) {
      tuning.remarks.push_back(text(all[i]) + " is out: it computes something else");
      continue;
    }
    const Duel duel{leader->configuration, challenger->configuration, leader->candidate.code,
                    challenger->candidate.code};
    Verdict v;
    if (auto known = log->find(duel)) {
      v = *known;
    } else {
      auto measured = compare(options, *leader, *challenger);
      if (!measured)
        return measured.takeError();
      v = measured.take();
      if (Status s = log->add(duel, v); !s)
        return s.takeError();
    }
    if (v.faster)
      leader = std::move(challenger);
    tuning.verdicts.push_back(std::move(v));
  }
  tuning.best = leader->configuration;
  for (const std::string &remark : log->remarks())
    tuning.remarks.push_back(remark);
  return tuning;
}

} // namespace imbrex::tune
