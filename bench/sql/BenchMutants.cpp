// Mutants of the published pairs: one side changed a little, or a key or a NOT NULL dropped.
//
//   bench-sql-mutants [--mutants N] [--jobs N] [--seed S] [--random] [--verbose]
//
// A mutant that an engine shows to differ must not be called equivalent: one such answer fails. A
// mutant that is proven equivalent, and that a long search does not refute, is no mutant and is
// counted apart. With --random the solver proposes no databases. Data: IMBREX_BENCH_DATA.
#include "bench/sql/Options.h"
#include "bench/sql/Suites.h"
#include "proof/sql/decide/Faults.h"
#include "proof/sql/decide/GuidedSearch.h"
#include "proof/sql/prove/Prove.h"
#include "proof/sql/random/Mutate.h"
#include "proof/sql/refute/Databases.h"

#include <atomic>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <mutex>
#include <thread>

using namespace imbrex;
using namespace imbrex::sql;
using namespace imbrex::sql::bench;

namespace {

constexpr double ProverSeconds = 0.5;
constexpr uint64_t QuickInstances = 60'000, LongInstances = 300'000;

struct Options {
  size_t mutants = 4500;
  unsigned jobs = 2;
  uint64_t seed = 1;
  bool verbose = false;
  decltype(&refuteGuided) search = refuteGuided;
};

struct MutantPair {
  std::string name;
  QueryPtr first, second;
  std::shared_ptr<const Catalog> catalog;
  Semantics semantics;
};

struct Totals {
  unsigned refuted = 0, refutedQuickly = 0, unknown = 0, same = 0, calledEquivalent = 0,
           defects = 0;
};

/// Both queries over the schema with one constraint less.
std::optional<MutantPair> mutateBySchema(const BenchCase &item, Random &random) {
  size_t sites = countSchemaSites(*item.catalog);
  if (sites == 0)
    return std::nullopt;
  std::optional<SchemaMutant> schema = mutateSchema(*item.catalog, random.below(uint32_t(sites)));
  if (!schema)
    return std::nullopt;
  auto catalog = std::make_shared<const Catalog>(std::move(schema->catalog));
  MutantPair pair{item.name + ": " + schema->what, rebuilt(item.pair.first, *catalog),
                  rebuilt(item.pair.second, *catalog), catalog, item.semantics};
  if (!verify(*pair.first, *catalog) || !verify(*pair.second, *catalog))
    return std::nullopt;
  return pair;
}

std::optional<MutantPair> mutateByQuery(const BenchCase &item, Random &random) {
  bool changesFirst = random.oneIn(2);
  const QueryPtr &source = changesFirst ? item.pair.first : item.pair.second;
  size_t sites = countSites(source, *item.catalog);
  if (sites == 0)
    return std::nullopt;
  std::optional<Mutant> mutant = mutate(source, *item.catalog, random.below(uint32_t(sites)));
  if (!mutant)
    return std::nullopt;
  return MutantPair{item.name + ": " + mutant->what, changesFirst ? mutant->query : item.pair.first,
                    changesFirst ? item.pair.second : mutant->query, item.catalog, item.semantics};
}

/// Mutants of equivalent pairs in turn, one in ten by the schema.
std::vector<MutantPair> makeMutants(size_t wanted, uint64_t seed) {
  std::vector<BenchCase> cases;
  Result<WrongList> wrong = readWrongList();
  for (const char *name : SuiteNames) {
    Result<BenchSuite> suite = loadSuite(name);
    if (!suite || !wrong)
      continue;
    for (BenchCase &item : suite->cases)
      if (!item.error && item.expected == Answer::Equivalent &&
          !wrong->count(std::string(name) + "/" + item.name) &&
          !alignColumns(item.pair.first, item.pair.second, item.semantics)) {
        item.name = std::string(name) + "/" + item.name;
        cases.push_back(std::move(item));
      }
  }
  std::vector<MutantPair> mutants;
  Random random(seed);
  for (size_t round = 0; mutants.size() < wanted && round < 20 && !cases.empty(); ++round)
    for (size_t i = 0; i < cases.size() && mutants.size() < wanted; ++i) {
      std::optional<MutantPair> mutant =
          random.oneIn(10) ? mutateBySchema(cases[i], random) : mutateByQuery(cases[i], random);
      if (mutant && !alignColumns(mutant->first, mutant->second, mutant->semantics))
        mutants.push_back(std::move(*mutant));
    }
  return mutants;
}

Refutation attack(const MutantPair &pair, const Options &options, uint64_t instances, uint64_t seed,
                  Engines &engines) {
  return options.search(*pair.first, *pair.second, *pair.catalog, pair.semantics,
                        {std::chrono::milliseconds(1000), instances, seed}, engines, {});
}

/// What remains open, for whoever works on the refuter.
void printUndecided(const MutantPair &pair, const Refutation &refutation, const Verdict &verdict) {
  std::printf("UNDECIDED %s\n  refuter: %s\n  prover: %s\n%s---\n%s\n", pair.name.c_str(),
              refutation.verdict.reason.c_str(), verdict.reason.c_str(),
              toText(*pair.first, *pair.catalog).c_str(),
              toText(*pair.second, *pair.catalog).c_str());
}

void judge(const MutantPair &pair, const Options &options, Engines &engines, Totals &totals,
           std::mutex &mutex) {
  Refutation refutation = attack(pair, options, QuickInstances, 1, engines);
  Verdict verdict =
      prove(*pair.first, *pair.second, *pair.catalog, pair.semantics, {ProverSeconds});
  bool quickly = refutation.verdict.answer == Answer::NotEquivalent;
  bool proven = verdict.answer == Answer::Equivalent;
  if (proven && !quickly)
    refutation = attack(pair, options, LongInstances, 2, engines);
  bool refuted = refutation.verdict.answer == Answer::NotEquivalent;
  std::lock_guard lock(mutex);
  totals.refuted += refuted;
  totals.refutedQuickly += quickly;
  totals.same += proven && !refuted;
  totals.unknown += !proven && !refuted;
  totals.calledEquivalent += proven && refuted;
  totals.defects += refutation.defect.has_value();
  if (options.verbose && !proven && !refuted)
    printUndecided(pair, refutation, verdict);
  if (proven && refuted)
    std::printf("CALLED EQUIVALENT %s\n%s", pair.name.c_str(), refutation.script.c_str());
  if (refutation.defect)
    std::printf("DEFECT %s: %s\n%s", pair.name.c_str(), refutation.defect->str().c_str(),
                refutation.script.c_str());
}

} // namespace

int main(int count, char **words) {
  Options options;
  bool random = false;
  OptionList list("bench-sql-mutants");
  list.value("--mutants N", options.mutants)
      .value("--jobs N", options.jobs)
      .value("--seed N", options.seed)
      .flag("--random", random);
  if (!list.flag("--verbose", options.verbose).read(count, words))
    return 2;
  if (random)
    options.search = refute;
  std::vector<MutantPair> mutants = makeMutants(options.mutants, options.seed);
  Totals totals;
  std::mutex mutex;
  std::atomic<size_t> next = 0;
  std::vector<std::thread> workers;
  for (unsigned i = 0; i < options.jobs; ++i)
    workers.emplace_back([&] {
      Engines engines;
      for (size_t k = next++; k < mutants.size(); k = next++)
        if (auto fault = faultOf([&] { judge(mutants[k], options, engines, totals, mutex); })) {
          std::lock_guard lock(mutex);
          ++totals.defects;
          std::printf("DEFECT %s: %s\n", mutants[k].name.c_str(), fault->str().c_str());
        }
    });
  for (std::thread &worker : workers)
    worker.join();
  size_t real = mutants.size() - totals.same;
  std::printf(
      "%zu made, %u of them proven equivalent and not refuted in a long search; %u refuted by "
      "execution, %u undecided, %u defects\n",
      mutants.size(), totals.same, totals.refuted, totals.unknown, totals.defects);
  std::printf("mutants: %u of %zu called equivalent\n", totals.calledEquivalent, real);
  std::printf("refuter: %u of %zu within 1 s\n", totals.refutedQuickly, real);
  if (mutants.empty()) {
    std::fprintf(stderr, "no suites: set IMBREX_BENCH_DATA\n");
    return 3;
  }
  return totals.calledEquivalent || totals.defects ? 1 : 0;
}
