#include "proof/sql/refute/Refute.h"

#include "proof/sql/query/Types.h"
#include "proof/sql/refute/Search.h"

namespace imbrex::sql {

using namespace refuter;

namespace {

using Clock = std::chrono::steady_clock;

/// How many databases are run between two looks at the clock.
constexpr uint64_t Batch = 16;

double secondsSince(Clock::time_point start) {
  return std::chrono::duration<double>(Clock::now() - start).count();
}

/// Why results can never be equal, or empty.
std::string schemasDiffer(const Query &first, const Query &second, const Semantics &semantics) {
  if (first.columns.size() != second.columns.size())
    return "the results have different numbers of columns";
  for (size_t i = 0; i < first.columns.size(); ++i) {
    const Type &a = first.columns[i].type, &b = second.columns[i].type;
    bool numbers = isNumeric(a) && isNumeric(b);
    if (!agree(a, b) && !numbers)
      return "column " + std::to_string(i + 1) + " of the results is " + typeName(a) + " and " +
             typeName(b);
    if (semantics.compareNames && first.columns[i].name != second.columns[i].name)
      return "column " + std::to_string(i + 1) + " of the results has different names";
  }
  return {};
}

std::string nothingFound(const Refutation &refutation, bool sawChoice, const char *fault) {
  uint64_t good = refutation.instances - refutation.faults;
  std::string text = "no difference in " + std::to_string(good) + " databases";
  if (sawChoice)
    text += "; nondeterministic: ORDER BY leaves ties that the queries may break differently";
  else if (good == 0 && refutation.faults > 0)
    text += std::string("; every run ended in: ") + fault;
  return text;
}

} // namespace

namespace refuter {

Result<std::unique_ptr<Pair>> Pair::make(const Query &first, const Query &second,
                                         const Catalog &catalog, const Semantics &semantics,
                                         TextPool &pool) {
  Result<Evaluator> a = Evaluator::compile(first, catalog, semantics, pool);
  if (!a)
    return a.takeError();
  Result<Evaluator> b = Evaluator::compile(second, catalog, semantics, pool);
  if (!b)
    return b.takeError();
  Result<DatabaseGenerator> generator =
      DatabaseGenerator::make(first, second, catalog, semantics, pool);
  if (!generator)
    return generator.takeError();
  return std::unique_ptr<Pair>(new Pair{
      first, second, catalog, semantics, pool, a.take(), b.take(), generator.take(), {}, {}});
}

Pair::Outcome Pair::run(const Instance &instance, const Meaning &meaning) {
  firstResult = firstEvaluator.run(instance, meaning);
  if (firstResult.fault != Fault::None)
    return Outcome::Fault;
  secondResult = secondEvaluator.run(instance, meaning);
  if (secondResult.fault != Fault::None)
    return Outcome::Fault;
  switch (compareResults(firstResult, secondResult, semantics.comparison, pool)) {
  case Difference::None:
    return Outcome::Same;
  case Difference::Choice:
    return Outcome::Choice;
  case Difference::Sure:
    return Outcome::Different;
  }
  return Outcome::Same;
}

} // namespace refuter

PostgresServer *Engines::postgres(std::string &whyNot) {
  if (!server && failure.empty())
    server = PostgresServer::start(failure);
  whyNot = failure;
  return server.get();
}

Refutation refute(const Query &first, const Query &second, const Catalog &catalog,
                  const Semantics &semantics, const RefuteLimits &limits, Engines &engines,
                  const OriginalTexts &originals) {
  Clock::time_point start = Clock::now();
  Refutation refutation;
  refutation.verdict.reason = schemasDiffer(first, second, semantics);
  if (!refutation.verdict.reason.empty()) {
    refutation.verdict.answer = Answer::NotEquivalent;
    return refutation;
  }
  TextPool pool;
  Result<std::unique_ptr<Pair>> pair = Pair::make(first, second, catalog, semantics, pool);
  if (!pair) {
    refutation.verdict.reason = pair.error().what + ": " + pair.error().because;
    return refutation;
  }
  Random random(limits.seed);
  Candidate candidate;
  candidate.meaning = Meaning::plain(pool);
  size_t mark = pool.mark();
  bool found = false, sawChoice = false;
  const char *fault = "";
  while (!found && refutation.instances < limits.instances) {
    if (refutation.instances % Batch == 0 && Clock::now() - start > limits.time)
      break;
    ++refutation.instances;
    pool.release(mark);
    (*pair)->generator.generate(random, candidate.instance, candidate.meaning);
    Pair::Outcome outcome = (*pair)->run(candidate.instance, candidate.meaning);
    found = outcome == Pair::Outcome::Different;
    sawChoice |= outcome == Pair::Outcome::Choice;
    if (outcome == Pair::Outcome::Fault) {
      ++refutation.faults;
      fault = (*pair)->firstResult.fault != Fault::None ? (*pair)->firstResult.why
                                                        : (*pair)->secondResult.why;
    }
  }
  if (found) {
    minimise(**pair, candidate);
    confirm(**pair, candidate, engines, originals, refutation);
  } else {
    refutation.verdict.reason = nothingFound(refutation, sawChoice, fault);
  }
  refutation.verdict.seconds = secondsSince(start);
  return refutation;
}

} // namespace imbrex::sql
