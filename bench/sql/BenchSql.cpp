// The published suites: how many pairs are decided within a time limit, how fast, and whether
// anything contradicts itself.
//
//   bench-sql [--json FILE] [--seconds S] [--attack MS] [--suite NAME] [--jobs N] [--verbose]
//
// Data: IMBREX_BENCH_DATA (README.md). Every pair that the prover calls equivalent is
// attacked once more by the refuter; a difference there, or a refuted pair that
// wrong-as-published.txt does not list, fails (exit code 1). So does a pair of calcite-232 that
// cannot be read although unreadable-calcite-232.txt does not list it, or the other way round.
#include "bench/sql/Options.h"
#include "bench/sql/Suites.h"
#include "proof/sql/decide/Faults.h"

#include <algorithm>
#include <atomic>
#include <cstdio>
#include <fstream>
#include <thread>

using namespace imbrex;
using namespace imbrex::sql;
using namespace imbrex::sql::bench;

namespace {

struct Options {
  std::string json, only;
  double seconds = 2;
  int attackMs = 100;
  unsigned jobs = 2;
  bool verbose = false;
};

struct CaseResult {
  Answer answer = Answer::Unknown;
  std::string reason, confirmedBy, failure, script;
  double seconds = 0;
  bool read = true;
};

CaseResult runCase(const BenchCase &item, const Options &options, Engines &engines) {
  CaseResult result;
  if (item.error) {
    result.read = false;
    result.reason = item.error->str();
    return result;
  }
  Decision decision =
      decide(item.pair, *item.catalog, item.semantics, {options.seconds, 1}, engines);
  result.answer = decision.verdict.answer;
  result.reason = decision.verdict.reason;
  result.confirmedBy = decision.verdict.confirmedBy;
  result.seconds = decision.verdict.seconds;
  result.script = decision.script;
  if (decision.defect)
    result.failure = decision.defect->str();
  if (result.answer != Answer::Equivalent)
    return result;
  RefuteLimits limits;
  limits.time = std::chrono::milliseconds(options.attackMs);
  limits.seed = 2;
  QueryPtr first = item.pair.first, second = item.pair.second;
  alignColumns(first, second, item.semantics); // which succeeded before the proof
  Refutation attack;
  if (auto fault = faultOf([&] {
        attack = refute(*first, *second, *item.catalog, item.semantics, limits, engines,
                        item.pair.originals);
      }))
    result.failure = fault->str();
  if (attack.verdict.answer == Answer::NotEquivalent || attack.verdict.counterexample) {
    result.failure =
        "called equivalent, but a database shows a difference: " + attack.verdict.reason;
    result.script = attack.script;
  }
  return result;
}

std::vector<CaseResult> runSuite(const BenchSuite &suite, const Options &options) {
  std::vector<CaseResult> results(suite.cases.size());
  std::atomic<size_t> next = 0;
  std::vector<std::thread> workers;
  for (unsigned i = 0; i < options.jobs; ++i)
    workers.emplace_back([&] {
      Engines engines;
      for (size_t k = next++; k < suite.cases.size(); k = next++)
        results[k] = runCase(suite.cases[k], options, engines);
    });
  for (std::thread &worker : workers)
    worker.join();
  return results;
}

double percentile(std::vector<double> values, double part) {
  if (values.empty())
    return 0;
  std::sort(values.begin(), values.end());
  return values[std::min(values.size() - 1, size_t(double(values.size()) * part))];
}

struct Summary {
  std::string text;
  Json json = Json::object();
  unsigned failures = 0;
};

Summary summarise(const BenchSuite &suite, const std::vector<CaseResult> &results,
                  const WrongList &wrong, const Options &options, double elapsed) {
  Summary summary;
  unsigned right = 0, refuted = 0, unread = 0;
  std::vector<double> decided;
  Json list = Json::array();
  for (size_t i = 0; i < results.size(); ++i) {
    const CaseResult &result = results[i];
    const std::string name = suite.name + "/" + suite.cases[i].name;
    std::string failure = result.failure;
    bool isRefuted = result.answer == Answer::NotEquivalent;
    if (isRefuted && suite.cases[i].expected == Answer::Equivalent && !wrong.count(name) &&
        failure.empty())
      failure = "refuted, but not listed as wrong as published";
    if (result.answer == Answer::Equivalent &&
        (suite.cases[i].expected == Answer::NotEquivalent || wrong.count(name)) && failure.empty())
      failure = "called equivalent, but known to be wrong";
    bool counts = suite.countsRefuted ? result.answer == suite.cases[i].expected
                                      : result.answer == Answer::Equivalent;
    right += counts && failure.empty();
    refuted += isRefuted;
    unread += !result.read;
    if (result.answer != Answer::Unknown)
      decided.push_back(result.seconds);
    if (!failure.empty()) {
      ++summary.failures;
      std::printf("FAILURE %s: %s\n%s", name.c_str(), failure.c_str(), result.script.c_str());
    } else if (options.verbose && !counts) {
      std::printf("%s: %s: %s\n", name.c_str(), answerName(result.answer), result.reason.c_str());
    }
    list.push(Json::object()
                  .set("name", suite.cases[i].name)
                  .set("answer", answerName(result.answer))
                  .set("reason", result.reason)
                  .set("confirmedBy", result.confirmedBy)
                  .set("seconds", result.seconds));
  }
  char line[300];
  std::snprintf(line, sizeof line,
                "%s: %u of %zu  (refuted %u, not read %u; decided pairs: median %.1f ms, p95 %.1f "
                "ms; %.1f s in all)\n",
                suite.name.c_str(), right, results.size(), refuted, unread,
                percentile(decided, 0.5) * 1000, percentile(decided, 0.95) * 1000, elapsed);
  summary.text = line;
  summary.json.set("suite", suite.name)
      .set("right", int64_t(right))
      .set("pairs", int64_t(results.size()))
      .set("refuted", int64_t(refuted))
      .set("seconds", elapsed)
      .set("cases", std::move(list));
  return summary;
}

/// Says for each pair that was not read what is wrong with it; counts what the list has wrong.
unsigned printUnread(const BenchSuite &suite, const std::vector<CaseResult> &results,
                     const std::map<std::string, std::string> &unreadable) {
  unsigned failures = 0;
  for (size_t i = 0; i < results.size(); ++i) {
    std::string name = suite.name + "/" + suite.cases[i].name;
    auto listed = unreadable.find(name);
    bool isListed = listed != unreadable.end();
    if (!results[i].read)
      std::printf("not read %s: %s\n", name.c_str(),
                  isListed ? listed->second.c_str() : results[i].reason.c_str());
    if (results[i].read == isListed && suite.name == "calcite-232") {
      ++failures;
      std::printf("FAILURE %s: unreadable-calcite-232.txt says otherwise\n", name.c_str());
    }
  }
  return failures;
}

} // namespace

int main(int count, char **words) {
  Options options;
  OptionList list("bench-sql");
  list.value("--json FILE", options.json).value("--seconds S", options.seconds);
  list.value("--attack MS", options.attackMs).value("--suite NAME", options.only);
  list.value("--jobs N", options.jobs).flag("--verbose", options.verbose);
  if (!list.read(count, words))
    return 2;
  Result<WrongList> wrong = readWrongList();
  if (!wrong) {
    std::fprintf(stderr, "%s\n", wrong.error().str().c_str());
    return wrong.error().exitCode() == ExitCode::BadInput ? 2 : 3;
  }
  auto unreadable = readUnreadableList();
  if (!unreadable) {
    std::fprintf(stderr, "%s\n", unreadable.error().str().c_str());
    return 2;
  }
  Json json = Json::array();
  std::string table;
  unsigned failures = 0;
  for (const char *name : SuiteNames) {
    if (!options.only.empty() && options.only != name)
      continue;
    Result<BenchSuite> suite = loadSuite(name);
    if (!suite) {
      table += std::string(name) + ": not run: " + suite.error().str() + "\n";
      continue;
    }
    auto start = std::chrono::steady_clock::now();
    std::vector<CaseResult> results = runSuite(*suite, options);
    double elapsed =
        std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
    Summary summary = summarise(*suite, results, *wrong, options, elapsed);
    table += summary.text;
    failures += summary.failures + printUnread(*suite, results, *unreadable);
    json.push(std::move(summary.json));
  }
  std::printf("%sfailures: %u\n", table.c_str(), failures);
  if (!options.json.empty())
    std::ofstream(options.json) << json.str() << "\n";
  return failures ? 1 : 0;
}
