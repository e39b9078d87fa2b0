#include "proof/sql/decide/Decide.h"

#include "proof/sql/decide/GuidedSearch.h"

#include "proof/sql/query/Rewrite.h"
#include "proof/sql/query/Types.h"
#include "proof/sql/refute/Domains.h"

#include <algorithm>
#include <functional>

namespace imbrex::sql {

using Clock = std::chrono::steady_clock;

/// The first search: what differs usually differs on one of the first few hundred databases.
constexpr uint64_t QuickInstances = 2000;
constexpr std::chrono::milliseconds QuickTime(50);

/// Of the time: a proof that takes longer is not found later either, but a database may be.
constexpr double ProverShare = 0.8;

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

/// What in a query may leave the range of an engine's integers; empty: nothing.
static std::string arithmeticOf(const Query &query) {
  std::string found;
  forEachExpr(query, [&](const Expr &expr) {
    bool computes = expr.kind == ExprKind::Call &&
                    (expr.op == Op::Add || expr.op == Op::Subtract || expr.op == Op::Multiply ||
                     expr.op == Op::Negate || expr.op == Op::Cast || expr.op == Op::Divide);
    if (computes && expr.type.base == BaseType::Int)
      found = opName(expr.op);
  });
  std::function<void(const Query &)> sums = [&](const Query &q) {
    for (const Aggregate &aggregate : q.aggregates)
      if (aggregate.kind == AggregateKind::Sum || aggregate.kind == AggregateKind::Avg)
        found = "SUM";
    for (const WindowFunction &window : q.windows)
      if (window.aggregate.kind == AggregateKind::Sum ||
          window.aggregate.kind == AggregateKind::Avg)
        found = "SUM";
    for (const QueryPtr &input : q.inputs)
      sums(*input);
  };
  sums(query);
  forEachExpr(query, [&](const Expr &expr) {
    if (expr.query)
      sums(*expr.query);
  });
  return found;
}

static Decision decisionOf(Refutation refutation) {
  return {std::move(refutation.verdict), std::move(refutation.script),
          std::move(refutation.defect)};
}

Decision decide(const QueryPair &pair, const Catalog &catalog, const Semantics &semantics,
                const DecideLimits &limits, Engines &engines) {
  Clock::time_point start = Clock::now();
  double serversBefore = engines.startSeconds();
  auto elapsed = [&] { return secondsSince(start) - (engines.startSeconds() - serversBefore); };
  Decision decision;
  auto finish = [&](Decision result) {
    result.verdict.seconds = elapsed();
    return result;
  };
  QueryPtr first = pair.first, second = pair.second;
  if (std::optional<std::string> misfit = alignColumns(first, second, semantics)) {
    decision.verdict.answer = Answer::NotEquivalent;
    decision.verdict.reason = *misfit;
    return finish(std::move(decision));
  }
  auto left = [&] { return std::max(0.0, limits.seconds - elapsed()); };
  auto search = [&](auto how, std::chrono::milliseconds time, uint64_t instances, uint64_t seed) {
    RefuteLimits refuting;
    refuting.time = std::min(time, std::chrono::milliseconds(int64_t(left() * 1000) + 1));
    refuting.instances = instances;
    refuting.seed = seed;
    return decisionOf(how(*first, *second, catalog, semantics, refuting, engines, pair.originals));
  };
  bool unknownCalls = callsUnknown(*first) || callsUnknown(*second);
  auto isDecided = [&](const Decision &d) {
    return d.verdict.answer != Answer::Unknown || (d.defect && !unknownCalls);
  };
  Decision quick = search(refute, QuickTime, QuickInstances, limits.seed);
  if (isDecided(quick))
    return finish(std::move(quick));
  decision.verdict =
      prove(*first, *second, catalog, semantics, {ProverShare * left(), limits.evidence});
  if (decision.verdict.answer == Answer::Equivalent && semantics.overflow == Overflow::Counts)
    for (const QueryPtr &query : {first, second})
      if (std::string op = arithmeticOf(*query); !op.empty()) {
        decision.verdict.answer = Answer::Unknown;
        decision.verdict.certificate.clear();
        decision.verdict.reason =
            "equal where no integer overflows; not covered: overflow of " + op;
        return finish(std::move(decision));
      }
  if (decision.verdict.answer == Answer::Equivalent)
    return finish(std::move(decision));
  Decision slow = search(refuteGuided, std::chrono::milliseconds(int64_t(left() * 1000)),
                         RefuteLimits().instances, limits.seed + 1);
  bool candidate = slow.verdict.counterexample && !slow.defect;
  if (isDecided(slow) || candidate)
    return finish(std::move(slow));
  decision.verdict.reason += "; " + slow.verdict.reason;
  return finish(std::move(decision));
}

} // namespace imbrex::sql
