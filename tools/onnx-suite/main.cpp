// onnx-suite: the test suites of ONNX against this compiler, with the sizes of their inputs or
// without, or against the reference evaluator alone.
#include "support/json/Json.h"
#include "tools/common/CommandLine.h"
#include "tools/common/Say.h"
#include "tools/onnx-suite/Expectations.h"
#include "tools/onnx-suite/Runner.h"
#include "tools/onnx-suite/Workspace.h"

#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <unistd.h>

using namespace imbrex;
using namespace imbrex::suite;
using imbrex::tools::say;

namespace {

struct Options {
  std::vector<std::string> data;
  std::vector<std::string> expect;
  std::string suite = "node", filter, cache;
  int64_t every = 1, seed = 1;
  bool summary = false, listFailures = false, evaluator = false, dynamic = false, json = false;
  RunOptions run;
};

struct Totals {
  int64_t passed = 0, evaluator = 0, hostOps = 0, constantInputs = 0, random = 0;
};

} // namespace

static const char *word(Verdict v) {
  switch (v) {
  case Verdict::Pass:
    return "pass";
  case Verdict::Fail:
    return "fail";
  case Verdict::Unsupported:
    return "unsupported";
  case Verdict::Crash:
    return "crash";
  case Verdict::Timeout:
    return "timeout";
  }
  return "?";
}

static Result<std::vector<Case>> collect(const Options &o) {
  auto dirs = o.data;
  if (dirs.empty())
    dirs = {suiteData(std::filesystem::read_symlink("/proc/self/exe").parent_path().parent_path(),
                      o.suite)};
  std::vector<Case> cases;
  for (const auto &dir : dirs) {
    auto found = findCases(dir);
    if (!found)
      return found.takeError();
    cases.insert(cases.end(), found->begin(), found->end());
  }
  auto chosen = selectCases(std::move(cases), o.filter);
  return chosen ? Result(sampleCases(chosen.take(), o.every, o.seed)) : chosen;
}

/// Prints every case that is not as listed; how many there are.
static int64_t surprises(const std::vector<Case> &cases, const std::vector<Outcome> &outcomes,
                         const Expectations &expected) {
  int64_t count = 0;
  for (size_t i = 0; i < cases.size(); ++i) {
    bool passed = outcomes[i].verdict == Verdict::Pass;
    auto listed = expected.find(cases[i].name);
    if (passed == (listed == expected.end()))
      continue;
    ++count;
    if (passed)
      say("unexpected pass: %s (listed: %s)\n", cases[i].name.c_str(), listed->second.c_str());
    else
      say("unexpected %s: %s: %s\n", word(outcomes[i].verdict), cases[i].name.c_str(),
          outcomes[i].reason.c_str());
  }
  return count;
}

static void printJson(const std::vector<Case> &cases, const std::vector<Outcome> &outcomes) {
  Json list = Json::array();
  for (size_t i = 0; i < cases.size(); ++i)
    list.push(Json::object()
                  .set("case", cases[i].name)
                  .set("verdict", word(outcomes[i].verdict))
                  .set("reason", outcomes[i].reason)
                  .set("evaluator", outcomes[i].usedEvaluator)
                  .set("host_ops", outcomes[i].usedHostOps)
                  .set("constant_inputs", outcomes[i].constantInputs)
                  .set("random", outcomes[i].random));
  say("%s\n", list.str().c_str());
}

/// The last line carries the claim. In evaluator mode nothing was compiled, and it says so.
static void printSummary(const Options &o, size_t cases, const Totals &t) {
  say("parameter inputs as constants: %lld\nrandom, compared as draws: %lld\n",
      static_cast<long long>(t.constantInputs), static_cast<long long>(t.random));
  if (o.evaluator) {
    say("reference: %lld of %zu\n", static_cast<long long>(t.passed), cases);
    return;
  }
  std::string claim = o.dynamic ? "dynamic" : "static";
  if (o.suite != "node")
    claim = o.dynamic ? o.suite + " dynamic" : o.suite;
  say("evaluator: %lld\nhost-ops: %lld\n%s: %lld of %zu\n", static_cast<long long>(t.evaluator),
      static_cast<long long>(t.hostOps), claim.c_str(), static_cast<long long>(t.passed), cases);
}

static Result<ExitCode> body(const Options &o) {
  if (o.evaluator && o.dynamic)
    return badInput(700, "--evaluator and --dynamic exclude each other",
                    "the evaluator runs with sizes only");
  if (!isSuite(o.suite))
    return badInput(700, "there is no suite '" + o.suite + "'", "",
                    "node, pytorch-converted, pytorch-operator, simple or light");
  Workspace kernels;
  const std::string folder = o.cache.empty() ? kernels.path : o.cache;
  auto backend = o.evaluator ? evaluatorBackend()
                 : o.dynamic ? dynamicBackend(folder)
                             : compiledBackend(folder);
  if (!backend)
    return unsupported(712, "this build cannot compile models", "", "--evaluator");
  Expectations expected;
  for (const auto &path : o.expect) {
    auto read = readExpectations(path);
    if (!read)
      return read.takeError();
    expected.merge(*read);
  }
  if (o.evaluator)
    std::erase_if(expected, [](const auto &e) { return e.second.starts_with(compiledOnly); });
  auto cases = collect(o);
  if (!cases)
    return cases.takeError();
  bool terminal = isatty(2) != 0;
  auto outcomes = runAll(*cases, *backend, o.run, [&](size_t n) {
    if (terminal)
      std::fprintf(stderr, "\r%zu of %zu", n, cases->size());
  });
  if (terminal)
    std::fprintf(stderr, "\r");
  Totals totals;
  for (const auto &r : outcomes)
    if (r.verdict == Verdict::Pass) {
      ++totals.passed;
      totals.evaluator += r.usedEvaluator;
      totals.hostOps += r.usedHostOps;
      totals.constantInputs += r.constantInputs;
      totals.random += r.random;
    }
  if (o.json)
    printJson(*cases, outcomes);
  if (o.listFailures)
    for (size_t i = 0; i < cases->size(); ++i)
      if (outcomes[i].verdict != Verdict::Pass)
        say("%s: %s: %s\n", word(outcomes[i].verdict), (*cases)[i].name.c_str(),
            outcomes[i].reason.c_str());
  bool good = o.expect.empty() ? totals.passed == int64_t(cases->size())
                               : surprises(*cases, outcomes, expected) == 0;
  if (o.summary)
    printSummary(o, cases->size(), totals);
  return good ? ExitCode::Good : ExitCode::No;
}

int main(int argc, char **argv) {
  Options o;
  tools::CommandLine line("onnx-suite", "run the test suites of ONNX");
  line.option("--suite NAME", o.suite,
              "node (default), pytorch-converted, pytorch-operator, simple or light")
      .option("--data DIR", o.data,
              "a folder of cases; default: the suite's in the onnx package, or the system's")
      .option("--filter REGEX", o.filter, "only cases whose name matches")
      .option("--every N", o.every, "a sample of the cases: one of N")
      .option("--seed N", o.seed, "which sample")
      .option("--expect FILE", o.expect,
              "the cases known to fail; anything else is a failure (again for each list)")
      .option("--cache FOLDER", o.cache,
              "keep kernels' machine code there; default: for this run only")
      .option("--jobs N", o.run.jobs, "cases at a time")
      .option("--timeout SECONDS", o.run.seconds, "for one case")
      .flag("--evaluator", o.evaluator, "run in the reference evaluator instead of compiled")
      .flag("--dynamic", o.dynamic,
            "forget the sizes of the inputs: compiled for any of their ranks")
      .flag("--list-failures", o.listFailures, "name every case that does not pass, and why")
      .flag("--json", o.json, "print every case as JSON")
      .flag("--summary", o.summary, "print the counts");
  return line.run(argc, argv, [&] { return body(o); });
}
