#include "proof/sql/decide/Decide.h"

#include "proof/sql/decide/Faults.h"
#include "proof/sql/decide/GuidedSearch.h"

#include "proof/sql/query/Builders.h"
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

namespace {

/// One pair, its clock, and what may be asked about it.
class Decider {
public:
  Decider(const QueryPair &pair, const Catalog &catalog, const Semantics &semantics,
          const DecideLimits &limits, Engines &engines)
      : first(pair.first), second(pair.second), originals(pair.originals), catalog(catalog),
        semantics(semantics), limits(limits), engines(engines) {}

  Decision run() {
    Decision decision = answer();
    decision.verdict.seconds = elapsed();
    decision.comparison = settled(semantics.comparison, *first, *second);
    return decision;
  }

private:
  double elapsed() const { return secondsSince(start) - (engines.startSeconds() - serversBefore); }
  double left() const { return std::max(0.0, limits.seconds - elapsed()); }

  Decision answer() {
    Decision decision;
    if (std::optional<std::string> misfit = alignColumns(first, second, semantics)) {
      decision.verdict.answer = Answer::NotEquivalent;
      decision.verdict.reason = *misfit;
      return decision;
    }
    Decision quick = search(refute, QuickTime, QuickInstances, limits.seed);
    if (isDecided(quick))
      return quick;
    decision.verdict =
        prove(*first, *second, catalog, semantics, {ProverShare * left(), limits.evidence});
    if (decision.verdict.answer == Answer::Equivalent) {
      refuseOverflow(decision.verdict);
      return decision;
    }
    Decision slow = search(refuteGuided, std::chrono::milliseconds(int64_t(left() * 1000)),
                           RefuteLimits().instances, limits.seed + 1);
    bool isCandidate = slow.verdict.counterexample && !slow.defect;
    if (isDecided(slow) || isCandidate)
      return slow;
    decision.verdict.reason += "; " + slow.verdict.reason;
    return decision;
  }

  template <typename Search>
  Decision search(Search how, std::chrono::milliseconds time, uint64_t instances, uint64_t seed) {
    RefuteLimits refuting;
    refuting.time = std::min(time, std::chrono::milliseconds(int64_t(left() * 1000) + 1));
    refuting.instances = instances;
    refuting.seed = seed;
    Refutation found = how(*first, *second, catalog, semantics, refuting, engines, originals);
    Decision decision;
    decision.verdict = std::move(found.verdict);
    decision.script = std::move(found.script);
    decision.defect = std::move(found.defect);
    return decision;
  }

  bool isDecided(const Decision &decision) const {
    return decision.verdict.answer != Answer::Unknown ||
           (decision.defect && !callsUnknown(*first) && !callsUnknown(*second));
  }

  /// The prover's integers have no width.
  void refuseOverflow(Verdict &verdict) const {
    if (semantics.overflow != Overflow::Counts)
      return;
    for (const QueryPtr &query : {first, second})
      if (std::string op = arithmeticOf(*query); !op.empty()) {
        verdict.answer = Answer::Unknown;
        verdict.certificate.clear();
        verdict.reason = "equal where no integer overflows; not covered: overflow of " + op;
        return;
      }
  }

  QueryPtr first, second;
  const OriginalTexts &originals;
  const Catalog &catalog;
  const Semantics &semantics;
  const DecideLimits &limits;
  Engines &engines;
  Clock::time_point start = Clock::now();
  double serversBefore = engines.startSeconds();
};

} // namespace

Decision decide(const QueryPair &pair, const Catalog &catalog, const Semantics &semantics,
                const DecideLimits &limits, Engines &engines) {
  Clock::time_point start = Clock::now();
  Decision decision;
  std::optional<Error> fault =
      faultOf([&] { decision = Decider(pair, catalog, semantics, limits, engines).run(); });
  if (!fault)
    return decision;
  decision = {};
  if (faultOf([&] { decision.verdict.reason = fault->what; })) {
    fault = outOfMemory();
    decision.verdict.reason = fault->what; // which needs none
  }
  decision.verdict.seconds = secondsSince(start);
  decision.defect = std::move(fault);
  return decision;
}

} // namespace imbrex::sql
