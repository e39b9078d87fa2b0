#include "proof/sql/refute/Refute.h"

#include "proof/sql/query/Types.h"
#include "proof/sql/refute/Search.h"

namespace imbrex::sql {

using namespace refuter;

namespace {

using Clock = std::chrono::steady_clock;

/// After so many databases that engines show no difference on, the search is of no use.
constexpr int MostContradictions = 20;

double secondsSince(Clock::time_point start) {
  return std::chrono::duration<double>(Clock::now() - start).count();
}

/// Seconds since it was made, without those in which a server started.
class Stopwatch {
public:
  explicit Stopwatch(const Engines &engines) : engines(engines), before(engines.startSeconds()) {}
  double seconds() const { return secondsSince(start) - (engines.startSeconds() - before); }

private:
  const Engines &engines;
  double before;
  Clock::time_point start = Clock::now();
};

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

/// The loop over random databases; goes on where it stopped.
struct Search {
  Pair &pair;
  const RefuteLimits &limits;
  Random random;
  const Stopwatch &watch;
  std::vector<Instance> start = {}; // its texts are below the mark
  size_t mark = 0;                  // of the pool: texts below stay
  bool sawChoice = false;
  const char *fault = "";

  /// In seconds.
  double left() const {
    return std::chrono::duration<double>(limits.time).count() - watch.seconds();
  }

  /// False: no (further) database on which the results differ within the limits.
  bool next(Candidate &candidate, Refutation &refutation) {
    if (mark == 0)
      mark = pair.pool.mark();
    while (refutation.instances < limits.instances) {
      if (left() <= 0)
        return false;
      ++refutation.instances;
      pair.pool.release(mark);
      fill(candidate, refutation.instances - 1);
      Pair::Outcome outcome = pair.run(candidate.instance, candidate.meaning);
      if (outcome == Pair::Outcome::Different)
        return true;
      sawChoice |= outcome == Pair::Outcome::Choice;
      if (outcome == Pair::Outcome::Fault) {
        ++refutation.faults;
        fault =
            pair.firstResult.fault != Fault::None ? pair.firstResult.why : pair.secondResult.why;
      }
    }
    return false;
  }

  /// The proposed databases first: as they are, then with other rows beside theirs.
  void fill(Candidate &candidate, uint64_t number) {
    constexpr uint64_t variations = 100;
    uint64_t count = start.size();
    if (number >= count * variations)
      return pair.generator.generate(random, candidate.instance, candidate.meaning);
    auto beside =
        number < count ? DatabaseGenerator::Beside::Nothing : DatabaseGenerator::Beside::Rows;
    pair.generator.generateFrom(start[number % count], beside, random, candidate.instance,
                                candidate.meaning);
  }

  std::string nothingFound(const Refutation &refutation) const {
    uint64_t good = refutation.instances - refutation.faults;
    std::string text = "no difference in " + std::to_string(good) + " databases";
    if (sawChoice)
      text += "; nondeterministic: ORDER BY leaves ties that the queries may break differently";
    else if (good == 0 && refutation.faults > 0)
      text += std::string("; every run ended in: ") + fault;
    return text;
  }
};

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
  if (!server && failure.empty()) {
    Clock::time_point start = Clock::now();
    server = PostgresServer::start(failure);
    started += secondsSince(start);
  }
  whyNot = failure;
  return server.get();
}

Refutation refute(const Query &first, const Query &second, const Catalog &catalog,
                  const Semantics &semantics, const RefuteLimits &limits, Engines &engines,
                  const OriginalTexts &originals) {
  Stopwatch watch(engines);
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
  Search search{**pair, limits, Random(limits.seed), watch};
  for (const Database &database : limits.start)
    if (std::optional<Instance> instance = toInstance(database, catalog, pool))
      search.start.push_back(std::move(*instance));
  Candidate candidate;
  candidate.meaning = Meaning::plain(pool);
  int contradicted = 0;
  while (search.next(candidate, refutation)) {
    minimise(**pair, candidate, [&] { return search.left() <= 0; });
    if (confirm(**pair, candidate, engines, originals, search.left(), refutation) !=
            Confirmation::Contradicted ||
        ++contradicted == MostContradictions) {
      refutation.verdict.seconds = watch.seconds();
      return refutation;
    }
  }
  refutation.verdict.reason = search.nothingFound(refutation);
  refutation.verdict.seconds = watch.seconds();
  return refutation;
}

} // namespace imbrex::sql
