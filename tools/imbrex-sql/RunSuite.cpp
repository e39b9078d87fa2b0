// imbrex sql prove --suite.
#include "tools/common/Say.h"
#include "tools/imbrex-sql/Commands.h"

#include <algorithm>
#include <atomic>
#include <cctype>
#include <cstdio>
#include <fstream>
#include <map>
#include <thread>

namespace imbrex::tools::sql {

using namespace imbrex::sql;

namespace {

enum class Outcome : uint8_t { AsExpected, Unknown, Unreadable, Contradiction, Defect };

constexpr const char *OutcomeNames[] = {"as expected", "unknown", "unreadable", "contradiction",
                                        "defect"};

struct CaseResult {
  Decision decision;
  Outcome outcome = Outcome::Unknown;
};

Outcome outcomeOf(const SuiteCase &pair, const Decision &decision) {
  if (pair.error)
    return Outcome::Unreadable;
  if (decision.defect)
    return Outcome::Defect;
  if (decision.verdict.answer == pair.expected)
    return Outcome::AsExpected;
  return decision.verdict.answer == Answer::Unknown ? Outcome::Unknown : Outcome::Contradiction;
}

std::vector<CaseResult> decideAll(const Suite &suite, const DecideLimits &limits, int64_t jobs) {
  std::vector<CaseResult> results(suite.cases.size());
  std::atomic<size_t> next = 0;
  auto work = [&] {
    Engines engines;
    for (size_t i = next++; i < results.size(); i = next++) {
      const SuiteCase &pair = suite.cases[i];
      if (!pair.error)
        results[i].decision = decide(pair.pair, *pair.catalog, pair.semantics, limits, engines);
      results[i].outcome = outcomeOf(pair, results[i].decision);
    }
  };
  std::vector<std::thread> helpers;
  for (int64_t i = 1; i < std::clamp<int64_t>(jobs, 1, 64); ++i)
    helpers.emplace_back(work);
  work();
  for (std::thread &helper : helpers)
    helper.join();
  return results;
}

std::string firstLine(const std::string &text, size_t limit) {
  std::string line = text.substr(0, text.find('\n'));
  return line.size() > limit ? line.substr(0, limit) + " …" : line;
}

std::string reasonOf(const SuiteCase &pair, const CaseResult &result) {
  if (pair.error)
    return pair.error->str();
  if (result.decision.defect)
    return result.decision.defect->str();
  return result.decision.verdict.reason;
}

double quantile(std::vector<double> times, double q) {
  if (times.empty())
    return 0;
  std::sort(times.begin(), times.end());
  return times[std::min(times.size() - 1, size_t(q * double(times.size())))];
}

/// Seconds of the decided pairs, and of all.
struct Times {
  std::vector<double> decided;
  double total = 0;
};

Times timesOf(const std::vector<CaseResult> &results) {
  Times times;
  for (const CaseResult &result : results) {
    times.total += result.decision.verdict.seconds;
    if (result.decision.verdict.answer != Answer::Unknown)
      times.decided.push_back(result.decision.verdict.seconds);
  }
  return times;
}

void printTable(const Suite &suite, const std::vector<CaseResult> &results) {
  size_t width = 4;
  for (const SuiteCase &pair : suite.cases)
    width = std::max(width, std::min<size_t>(pair.name.size(), 60));
  say("%-*s  %-14s %9s  %s\n", int(width), "pair", "verdict", "seconds", "");
  for (size_t i = 0; i < results.size(); ++i) {
    const SuiteCase &pair = suite.cases[i];
    const CaseResult &result = results[i];
    std::string note = firstLine(reasonOf(pair, result), 160);
    if (result.outcome == Outcome::Contradiction)
      note = std::string("expected: ") + answerName(*pair.expected) + "  " + note;
    say("%-*s  %-14s %9.3f  %s\n", int(width), pair.name.c_str(),
        pair.error ? "unreadable" : answerName(result.decision.verdict.answer),
        result.decision.verdict.seconds, note.c_str());
  }
}

Json suiteJson(const Suite &suite, const std::vector<CaseResult> &results) {
  Json list = Json::array();
  for (size_t i = 0; i < results.size(); ++i) {
    const SuiteCase &pair = suite.cases[i];
    Json item =
        pair.error ? Json::object().set("reason", pair.error->str())
                   : decisionJson(results[i].decision, *pair.catalog, pair.semantics, pair.remarks);
    item.set("name", pair.name).set("outcome", OutcomeNames[size_t(results[i].outcome)]);
    if (pair.expected)
      item.set("expected", answerName(*pair.expected));
    list.push(std::move(item));
  }
  return Json::object().set("suite", suite.name).set("pairs", std::move(list));
}

/// DIR/NAME.cert, with whatever a file's name cannot hold replaced.
std::optional<Error> writeCertificates(const Suite &suite, const std::vector<CaseResult> &results,
                                       const std::string &folder) {
  for (size_t i = 0; i < results.size(); ++i) {
    const std::string &certificate = results[i].decision.verdict.certificate;
    std::string name = suite.cases[i].name;
    for (char &c : name)
      if (!std::isalnum(static_cast<unsigned char>(c)) && c != '-' && c != '.')
        c = '_';
    std::string path = folder + "/" + name + ".cert";
    if (!certificate.empty() && !(std::ofstream(path) << certificate))
      return badInput(1143, "cannot write " + path, "",
                      "--certificates with a folder that is there");
  }
  return std::nullopt;
}

} // namespace

Result<ExitCode> reportSuite(const Suite &suite, const ProveOptions &options, double seconds) {
  DecideLimits limits{.seconds = seconds};
  if (!options.certificates.empty())
    limits.evidence = Evidence::Certificate;
  std::vector<CaseResult> results = decideAll(suite, limits, options.jobs);
  if (!options.certificates.empty())
    if (std::optional<Error> failure = writeCertificates(suite, results, options.certificates))
      return *failure;
  std::map<Outcome, size_t> counts;
  for (const CaseResult &result : results)
    ++counts[result.outcome];
  if (options.json) {
    sayLine(suiteJson(suite, results).str().c_str());
  } else {
    printTable(suite, results);
    Times times = timesOf(results);
    say("\nunknown %zu, unreadable %zu, contradictions %zu, defects %zu\n",
        counts[Outcome::Unknown], counts[Outcome::Unreadable], counts[Outcome::Contradiction],
        counts[Outcome::Defect]);
    say("decided pairs: median %.3f s, p95 %.3f s; all: %.1f s\n", quantile(times.decided, 0.5),
        quantile(times.decided, 0.95), times.total);
    say("%s: %zu of %zu\n", suite.name.c_str(), counts[Outcome::AsExpected], results.size());
  }
  if (counts[Outcome::Defect])
    return ExitCode::Internal;
  if (counts[Outcome::Contradiction])
    return ExitCode::No;
  return counts[Outcome::AsExpected] == results.size() ? ExitCode::Good : ExitCode::Unsupported;
}

Result<ExitCode> runSuite(const ProveOptions &options, const Semantics &semantics, double seconds) {
  Result<Suite> suite = readSuite(options.suite, {options.schema, semantics});
  if (!suite)
    return suite.takeError();
  return reportSuite(*suite, options, seconds);
}

} // namespace imbrex::tools::sql
