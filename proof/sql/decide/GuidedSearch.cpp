#include "proof/sql/decide/GuidedSearch.h"

#include "proof/sql/decide/ModelSearch.h"

#include <algorithm>

namespace imbrex::sql {

namespace {

/// Before the solver is asked.
constexpr uint64_t RandomInstances = 3000;
constexpr double MostProposalSeconds = 1;

bool isOpen(const Refutation &refutation) {
  return refutation.verdict.answer == Answer::Unknown && !refutation.defect &&
         !refutation.verdict.counterexample;
}

} // namespace

Refutation refuteGuided(const Query &first, const Query &second, const Catalog &catalog,
                        const Semantics &semantics, const RefuteLimits &limits, Engines &engines,
                        const OriginalTexts &originals) {
  RefuteLimits part = limits;
  part.instances = std::min(limits.instances, RandomInstances);
  part.time = limits.time / 4;
  Refutation result = refute(first, second, catalog, semantics, part, engines, originals);
  double left = double(limits.time.count()) / 1000 - result.verdict.seconds;
  if (!isOpen(result) || left <= 0 || result.instances >= limits.instances)
    return result;
  uint64_t before = result.instances, faultsBefore = result.faults;
  double secondsBefore = result.verdict.seconds;
  std::string firstReason = result.verdict.reason;
  auto start = std::chrono::steady_clock::now();
  part.start =
      proposeDatabases(first, second, catalog, semantics, std::min(MostProposalSeconds, left / 3));
  double proposing =
      std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  part.time = std::chrono::milliseconds(int64_t(std::max(0.0, left - proposing) * 1000));
  part.instances = limits.instances - before;
  part.seed = limits.seed + 1000;
  result = refute(first, second, catalog, semantics, part, engines, originals);
  bool open = result.verdict.answer == Answer::Unknown && !result.verdict.counterexample;
  if (open && result.instances == 0) // no time was left
    result.verdict.reason = firstReason;
  result.instances += before;
  result.faults += faultsBefore;
  result.verdict.seconds += secondsBefore + proposing;
  return result;
}

} // namespace imbrex::sql
