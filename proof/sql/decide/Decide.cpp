#include "proof/sql/decide/Decide.h"

#include "proof/sql/query/Rewrite.h"

#include <algorithm>

namespace imbrex::sql {

using Clock = std::chrono::steady_clock;

/// The first search: what differs usually differs on one of the first few hundred databases.
constexpr uint64_t QuickInstances = 2000;
constexpr std::chrono::milliseconds QuickTime(50);

static double secondsSince(Clock::time_point start) {
  return std::chrono::duration<double>(Clock::now() - start).count();
}

/// Does the query call what the evaluator does not know? It then answers for some meaning of it,
/// and an engine for another, which is no defect.
static bool callsUnknown(const Query &query) {
  bool found = false;
  rewrite(
      std::make_shared<const Query>(query),
      [&](const ExprPtr &expr, uint32_t) -> ExprPtr {
        found |= expr->kind == ExprKind::Call && expr->op == Op::Function;
        return nullptr;
      },
      0);
  return found;
}

static Decision decisionOf(Refutation refutation) {
  return {std::move(refutation.verdict), std::move(refutation.script),
          std::move(refutation.defect)};
}

Decision decide(const QueryPair &pair, const Catalog &catalog, const Semantics &semantics,
                const DecideLimits &limits, Engines &engines) {
  Clock::time_point start = Clock::now();
  Decision decision;
  auto finish = [&](Decision result) {
    result.verdict.seconds = secondsSince(start);
    return result;
  };
  QueryPtr first = pair.first, second = pair.second;
  if (std::optional<std::string> misfit = alignColumns(first, second, semantics)) {
    decision.verdict.answer = Answer::NotEquivalent;
    decision.verdict.reason = *misfit;
    return finish(std::move(decision));
  }
  auto left = [&] { return std::max(0.0, limits.seconds - secondsSince(start)); };
  auto search = [&](std::chrono::milliseconds time, uint64_t instances, uint64_t seed) {
    RefuteLimits refuting;
    refuting.time = std::min(time, std::chrono::milliseconds(int64_t(left() * 1000) + 1));
    refuting.instances = instances;
    refuting.seed = seed;
    return decisionOf(
        refute(*first, *second, catalog, semantics, refuting, engines, pair.originals));
  };
  bool unknownCalls = callsUnknown(*first) || callsUnknown(*second);
  auto isDecided = [&](const Decision &d) {
    return d.verdict.answer != Answer::Unknown || (d.defect && !unknownCalls);
  };
  Decision quick = search(QuickTime, QuickInstances, limits.seed);
  if (isDecided(quick))
    return finish(std::move(quick));
  decision.verdict = prove(*first, *second, catalog, semantics, {left(), limits.evidence});
  if (decision.verdict.answer == Answer::Equivalent)
    return finish(std::move(decision));
  Decision slow = search(std::chrono::milliseconds(int64_t(left() * 1000)),
                         RefuteLimits().instances, limits.seed + 1);
  bool candidate = slow.verdict.counterexample && !slow.defect;
  return finish(isDecided(slow) || candidate ? std::move(slow) : std::move(decision));
}

} // namespace imbrex::sql
