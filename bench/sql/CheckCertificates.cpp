// Certificates of the published suites and of the shipped rules: every pair that is called
// equivalent has one, and the checker accepts it.
//
//   check-certificates [--suite NAME] [--seconds S] [--jobs N] [--keep DIR] [--coq-all] [--verbose]
//
// Each certificate is compared with the pair it is about. What the prover had asked Z3 is proven in
// the certificate and asked again of cvc5, a program beside this one: "sat" fails, "unknown" is
// listed. The checker's lines are counted: more than 2,000 fail. Each certificate has to have a
// counterpart in Coq; coqc is asked about those of literature and calcite-232, or about all, which
// takes an hour or two. Without cvc5 or coqc it fails. Data: IMBREX_BENCH_DATA; without it, suites
// that need it are not run.
#include "bench/sql/Options.h"
#include "bench/sql/Suites.h"
#include "proof/certificate/check/Check.h"
#include "proof/certificate/export/Coq.h"
#include "proof/certificate/export/Questions.h"
#include "proof/certificate/export/RunCoqc.h"
#include "proof/sql/decide/Faults.h"
#include "proof/sql/prove/Prove.h"
#include "proof/sql/rules/Rules.h"

#include <atomic>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <thread>

#include <sys/wait.h>
#include <unistd.h>

using namespace imbrex;
using namespace imbrex::sql;
using namespace imbrex::sql::bench;

namespace {

constexpr size_t MaxCheckerLines = 2000;

struct Options {
  std::string only, keep;
  double seconds = 2;
  unsigned jobs = 2;
  bool verbose = false, coqAll = false;
};

struct CaseResult {
  bool isEquivalent = false, isAccepted = false;
  std::string why, translation, certificate;
  std::vector<std::string> refutations;
  double proveSeconds = 0, checkSeconds = 0;
};

double secondsSince(std::chrono::steady_clock::time_point start) {
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

CaseResult runCase(const BenchCase &item, const Options &options) {
  CaseResult result;
  QueryPtr first = item.pair.first, second = item.pair.second;
  if (item.error || item.expected == Answer::NotEquivalent ||
      alignColumns(first, second, item.semantics))
    return result;
  auto start = std::chrono::steady_clock::now();
  Verdict verdict = prove(*first, *second, *item.catalog, item.semantics,
                          {options.seconds, Evidence::Certificate});
  result.proveSeconds = secondsSince(start);
  result.isEquivalent = verdict.answer == Answer::Equivalent;
  result.certificate = verdict.certificate;
  if (!result.isEquivalent)
    return result;
  if (verdict.certificate.empty()) {
    result.why = verdict.reason;
    return result;
  }
  start = std::chrono::steady_clock::now();
  bool isPlain = verdict.certificate.find("\ntranslation plain\n") != std::string::npos;
  std::string claim = statement(*first, *second, *item.catalog, item.semantics,
                                isPlain ? Translation::Plain : Translation::Simplified);
  check::Outcome outcome = check::check(verdict.certificate, claim);
  result.checkSeconds = secondsSince(start);
  result.isAccepted = outcome.accepted;
  result.why = outcome.why;
  result.translation = outcome.translation;
  result.refutations = certificate::questions(verdict.certificate);
  return result;
}

std::vector<CaseResult> runSuite(const BenchSuite &suite, const Options &options) {
  std::vector<CaseResult> results(suite.cases.size());
  std::atomic<size_t> next = 0;
  std::vector<std::thread> workers;
  for (unsigned i = 0; i < options.jobs; ++i)
    workers.emplace_back([&] {
      for (size_t k = next++; k < suite.cases.size(); k = next++)
        if (auto fault = faultOf([&] { results[k] = runCase(suite.cases[k], options); })) {
          results[k].isEquivalent = true; // or might be: it counts as not accepted
          results[k].why = fault->str();
        }
    });
  for (std::thread &worker : workers)
    worker.join();
  return results;
}

enum class Answer5 : uint8_t { Unsat, Sat, Unknown, Missing };

/// What cvc5 says of a script, within five seconds.
Answer5 ask(const std::string &script, const std::string &path) {
  std::ofstream(path) << script;
  std::string command = "cvc5 --lang=smt2.6 --tlimit=5000 '" + path + "' 2>&1";
  FILE *pipe = popen(command.c_str(), "r");
  char line[256] = "";
  if (pipe && !std::fgets(line, sizeof line, pipe))
    line[0] = 0;
  int status = pipe ? pclose(pipe) : -1;
  if (WIFEXITED(status) && WEXITSTATUS(status) == 127)
    return Answer5::Missing;
  return !std::strncmp(line, "unsat", 5) ? Answer5::Unsat
         : !std::strncmp(line, "sat", 3) ? Answer5::Sat
                                         : Answer5::Unknown;
}

/// All are exported; coqc is asked about those of two suites, or about all.
struct CoqTotals {
  size_t certificates = 0, exported = 0, asked = 0, accepted = 0, rejected = 0, unfinished = 0,
         failed = 0;
  bool isMissing = false;
};

constexpr unsigned CoqSeconds = 300; // of processor time: the largest take it one or two minutes

enum class Asked : uint8_t { No, Yes };

void askCoq(const std::string &name, const std::string &certificate, Asked asked,
            CoqTotals &totals) {
  Result<std::string> script = certificate::coq(certificate);
  ++totals.certificates;
  totals.exported += script.ok();
  if (!script)
    std::printf("NOT EXPORTED to Coq: %s: %s\n", name.c_str(), script.error().str().c_str());
  if (!script || totals.isMissing || asked == Asked::No)
    return;
  ++totals.asked;
  certificate::CoqRun run = certificate::runCoqc(*script, CoqSeconds);
  using certificate::CoqAnswer;
  totals.isMissing = run.answer == CoqAnswer::Missing;
  totals.accepted += run.answer == CoqAnswer::Accepted;
  totals.rejected += run.answer == CoqAnswer::Rejected;
  totals.unfinished += run.answer == CoqAnswer::TimedOut;
  totals.failed += run.answer == CoqAnswer::Failed;
  if (run.answer != CoqAnswer::Accepted && run.answer != CoqAnswer::Missing)
    std::printf("NOT ACCEPTED by coqc: %s: %s\n", name.c_str(), run.text.c_str());
}

struct Totals {
  CoqTotals coq;
  size_t equivalent = 0, accepted = 0, plain = 0, refutations = 0, answers[4] = {}, bytes = 0;
};

void report(const BenchSuite &suite, const std::vector<CaseResult> &results, const Options &options,
            const std::string &scratch, Totals &totals) {
  double prove = 0, check = 0;
  Totals own;
  for (size_t i = 0; i < results.size(); ++i) {
    const CaseResult &result = results[i];
    const std::string name = suite.name + "/" + suite.cases[i].name;
    if (!result.isEquivalent)
      continue;
    ++own.equivalent;
    own.accepted += result.isAccepted;
    own.plain += result.isAccepted && result.translation == "plain";
    own.bytes += result.certificate.size();
    prove += result.proveSeconds;
    check += result.checkSeconds;
    if (!result.isAccepted)
      std::printf("NOT ACCEPTED %s: %s\n", name.c_str(), result.why.c_str());
    if (!options.keep.empty() && !result.certificate.empty())
      std::ofstream(options.keep + "/" + suite.name + "." + suite.cases[i].name + ".cert")
          << result.certificate;
    for (const std::string &script : result.refutations) {
      ++own.refutations;
      Answer5 answer = ask(script, scratch);
      ++own.answers[size_t(answer)];
      if (answer != Answer5::Unsat)
        std::printf("%s %s\n", answer == Answer5::Sat ? "SAT" : "unknown to cvc5: a question of",
                    name.c_str());
    }
    bool isAsked = options.coqAll || suite.name == "literature" || suite.name == "calcite-232";
    if (result.isAccepted)
      askCoq(name, result.certificate, isAsked ? Asked::Yes : Asked::No, totals.coq);
    if (options.verbose)
      std::printf("%s: proven in %.3f s, checked in %.3f s, %zu bytes\n", name.c_str(),
                  result.proveSeconds, result.checkSeconds, result.certificate.size());
  }
  std::printf(
      "%s: %zu of %zu (from the terms as read %zu; %.1f MB; proving %.1f s, checking %.1f s)\n",
      suite.name.c_str(), own.accepted, own.equivalent, own.plain, double(own.bytes) / 1e6, prove,
      check);
  std::fflush(stdout);
  totals.equivalent += own.equivalent;
  totals.accepted += own.accepted;
  totals.plain += own.plain;
  totals.bytes += own.bytes;
  totals.refutations += own.refutations;
  for (size_t i = 0; i < 4; ++i)
    totals.answers[i] += own.answers[i];
}

/// Of all sources that a check trusts.
size_t checkerLines() {
  size_t lines = 0;
  for (const auto &entry :
       std::filesystem::directory_iterator(IMBREX_BENCH_SQL "/../../proof/certificate/check")) {
    std::string name = entry.path().filename();
    bool isSource = name.ends_with(".h") || name.ends_with(".cpp");
    if (!isSource || name.ends_with("Fuzz.cpp") || name.ends_with("Test.cpp"))
      continue;
    std::ifstream in(entry.path());
    for (std::string line; std::getline(in, line);)
      ++lines;
  }
  return lines;
}

} // namespace

int main(int count, char **words) {
  Options options;
  OptionList list("check-certificates");
  list.value("--suite NAME", options.only).value("--seconds S", options.seconds);
  list.value("--jobs N", options.jobs).value("--keep DIR", options.keep);
  list.flag("--coq-all", options.coqAll);
  if (!list.flag("--verbose", options.verbose).read(count, words))
    return 2;
  std::string scratch = std::filesystem::temp_directory_path() / "imbrex-leaf-XXXXXX";
  int file = mkstemp(scratch.data());
  Totals totals;
  std::vector<std::string> names(std::begin(SuiteNames), std::end(SuiteNames));
  names.emplace_back("rules");
  bool complete = true;
  for (const std::string &name : names) {
    if (!options.only.empty() && options.only != name)
      continue;
    Result<BenchSuite> suite = loadSuite(name);
    if (!suite) {
      std::printf("%s: not run: %s\n", name.c_str(), suite.error().str().c_str());
      complete = false;
      continue;
    }
    report(*suite, runSuite(*suite, options), options, scratch, totals);
  }
  if (file >= 0)
    close(file);
  std::filesystem::remove(scratch);
  auto part = [](size_t some, size_t all) {
    return all ? 100.0 * double(some) / double(all) : 0.0;
  };
  size_t lines = checkerLines();
  std::printf("checker: %zu lines\n", lines);
  const CoqTotals &coq = totals.coq;
  std::printf("coq: %zu of %zu exported; coqc asked about %zu of %s: accepted %zu, rejected %zu, "
              "longer than five minutes %zu, failed %zu%s\n",
              coq.exported, coq.certificates, coq.asked,
              options.coqAll ? "all" : "literature and calcite-232", coq.accepted, coq.rejected,
              coq.unfinished, coq.failed, coq.isMissing ? " (there is no coqc)" : "");
  std::printf("certificates: %zu of %zu%s; from the terms as read %.1f %%; 0 trusted leaves; "
              "refutations %zu, cvc5: unsat %zu, unknown %zu, sat %zu, not asked %zu\n",
              totals.accepted, totals.equivalent, complete ? "" : " (not all suites are here)",
              part(totals.plain, totals.equivalent), totals.refutations, totals.answers[0],
              totals.answers[2], totals.answers[1], totals.answers[3]);
  bool good = totals.accepted == totals.equivalent && totals.answers[1] == 0 &&
              lines <= MaxCheckerLines && coq.rejected + coq.unfinished + coq.failed == 0 &&
              coq.exported == coq.certificates && part(totals.answers[2], totals.refutations) <= 5;
  if (coq.isMissing)
    std::printf("FAILED: there is no coqc to ask; scripts/install-deps.sh --oracles installs it\n");
  if (totals.answers[size_t(Answer5::Missing)] > 0)
    std::printf("FAILED: there is no cvc5 to ask; scripts/install-deps.sh --oracles installs it\n");
  good &= !coq.isMissing && totals.answers[size_t(Answer5::Missing)] == 0;
  return good ? 0 : 1;
}
