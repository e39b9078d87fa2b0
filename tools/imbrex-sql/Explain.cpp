// imbrex sql explain A.sql B.sql: why two queries are the same, in steps; or on which database they
// are not, and what differs there; or what is missing.
#include "proof/sql/explain/Explain.h"
#include "proof/sql/decide/Faults.h"
#include "proof/sql/refute/Domains.h"
#include "tools/common/CommandLine.h"
#include "tools/common/Say.h"
#include "tools/imbrex-sql/Commands.h"

#include <algorithm>
#include <chrono>
#include <cstdio>

namespace imbrex::tools::sql {

using namespace imbrex::sql;

namespace {

using Clock = std::chrono::steady_clock;

/// What becomes of the verdict without a constraint.
struct Need {
  std::string constraint;
  Decision without;
};

struct Report {
  Decision decision;
  Explanation explanation;
  std::vector<Need> needs;
  unsigned notTried = 0; // constraints, for lack of time
};

/// The verdict over a schema with one constraint less; the queries are bound anew.
std::optional<Decision> decideWithout(const Constraint &constraint, const PairOfFiles &files,
                                      const Semantics &semantics, double seconds,
                                      Engines &engines) {
  Schema schema = files.schema;
  schema.catalog = constraint.without;
  QueryPair pair;
  pair.originals = files.pair.originals;
  for (size_t i = 0; i < 2; ++i) {
    Result<BoundQuery> query = readQuery(files.texts[i], files.paths[i], schema, semantics);
    if (!query)
      return std::nullopt;
    (i == 0 ? pair.first : pair.second) = query->query;
  }
  return decide(pair, schema.catalog, semantics, {seconds}, engines);
}

/// A third of the time for the verdict's explanation, the rest for the constraints.
Report makeReport(const PairOfFiles &files, const Semantics &semantics, double seconds) {
  Clock::time_point start = Clock::now();
  auto left = [&] { return seconds - std::chrono::duration<double>(Clock::now() - start).count(); };
  Report report;
  Engines engines;
  report.decision = decide(files.pair, files.schema.catalog, semantics, {seconds}, engines);
  if (report.decision.verdict.answer == Answer::NotEquivalent)
    return report;
  QueryPtr first = files.pair.first, second = files.pair.second;
  // A fault in here leaves the verdict as it is, and is reported beside it.
  if (auto fault = faultOf([&] {
        alignColumns(first, second, semantics);
        report.explanation = explainProof(*first, *second, files.schema.catalog, semantics,
                                          std::max(0.1, left() / 3));
      })) {
    report.explanation = {};
    report.explanation.missing = fault->what;
    report.decision.defect = std::move(fault);
    return report;
  }
  if (report.decision.verdict.answer != Answer::Equivalent)
    return report;
  std::vector<bool> used = usedTables(*first, *second, files.schema.catalog);
  for (const Constraint &constraint : constraintsOf(files.schema.catalog, used)) {
    if (left() < 0.05) {
      ++report.notTried;
      continue;
    }
    auto without = decideWithout(constraint, files, semantics, std::min(left(), 2.0), engines);
    if (without && without->verdict.answer != Answer::Equivalent)
      report.needs.push_back({constraint.text, std::move(*without)});
  }
  return report;
}

void sayParts(const char *which, const std::vector<std::string> &parts) {
  say("\nThe %s query has%s\n", which, parts.empty() ? " no rows" : ":");
  for (size_t i = 0; i < parts.size(); ++i)
    say("  %zu. %s\n", i + 1, parts[i].c_str());
}

void sayNeeds(const Report &report) {
  if (report.needs.empty() && report.notTried == 0)
    return sayLine("\nNo constraint of the schema is needed.");
  if (!report.needs.empty())
    sayLine("\nThis rests on:");
  for (const Need &need : report.needs) {
    bool differs = need.without.verdict.answer == Answer::NotEquivalent;
    say("  %s; without it %s\n", need.constraint.c_str(),
        differs ? "the queries differ, as on this database:" : "there is no proof");
    if (!differs || !need.without.verdict.counterexample)
      continue;
    const std::string &script = need.without.script;
    for (size_t start = 0; start < script.size();) {
      size_t end = std::min(script.find('\n', start), script.size());
      if (std::string line = script.substr(start, end - start); line.starts_with("INSERT"))
        say("    %s\n", line.c_str());
      start = end + 1;
    }
  }
  if (report.notTried)
    say("The time did not suffice to try %u further constraints.\n", report.notTried);
}

void sayReport(const Report &report, const PairOfFiles &files, const Semantics &semantics) {
  printDecision(report.decision, semantics, files.remarks);
  if (report.decision.verdict.answer == Answer::NotEquivalent)
    return sayLine("The rows after each query are its result on this database.");
  const Explanation &explanation = report.explanation;
  sayParts("first", explanation.first);
  sayParts("second", explanation.second);
  if (!explanation.steps.empty())
    sayLine("\nSteps:");
  for (size_t i = 0; i < explanation.steps.size(); ++i)
    say("  %zu. %s\n", i + 1, explanation.steps[i].c_str());
  if (!explanation.complete)
    say("\n%s: %s\n",
        report.decision.verdict.answer == Answer::Equivalent
            ? "The proof as a whole succeeded, but does not fall apart into steps"
            : "No proof",
        explanation.missing.empty() ? "sets are compared as a whole" : explanation.missing.c_str());
  if (report.decision.verdict.answer == Answer::Equivalent)
    sayNeeds(report);
}

Json textsJson(const std::vector<std::string> &texts) {
  Json list = Json::array();
  for (const std::string &text : texts)
    list.push(Json::of(text));
  return list;
}

Json reportJson(const Report &report, const PairOfFiles &files, const Semantics &semantics) {
  Json json = decisionJson(report.decision, files.schema.catalog, semantics, files.remarks);
  if (report.decision.verdict.answer == Answer::NotEquivalent)
    return json;
  const Explanation &explanation = report.explanation;
  json.set("first", textsJson(explanation.first))
      .set("second", textsJson(explanation.second))
      .set("steps", textsJson(explanation.steps))
      .set("complete", explanation.complete);
  if (!explanation.missing.empty())
    json.set("missing", explanation.missing);
  Json needs = Json::array();
  for (const Need &need : report.needs)
    needs.push(Json::object()
                   .set("constraint", need.constraint)
                   .set("without", answerName(need.without.verdict.answer))
                   .set("script", need.without.script));
  json.set("needs", std::move(needs)).set("notTried", int64_t(report.notTried));
  return json;
}

} // namespace

int explainCommand(int argc, char **argv) {
  ProveOptions options;
  options.timeout = "10";
  std::string first, second;
  CommandLine line(
      "sql explain",
      "Why two queries are the same: what each one counts, how the parts correspond, and "
      "which constraints of the schema that rests on. Or where they differ.");
  line.option("FIRST A.sql", first, "a file with one query")
      .option("SECOND B.sql", second, "a file with the other query");
  addSemanticsOptions(line, options);
  line.flag("--json", options.json, "print JSON")
      .footer("exit codes: 0 equivalent, 1 not equivalent, 3 unknown, 2 bad input");
  return line.run(argc, argv, [&]() -> Result<ExitCode> {
    Result<Semantics> semantics = semanticsOf(options);
    if (!semantics)
      return semantics.takeError();
    Result<double> seconds = secondsOf(options.timeout);
    if (!seconds)
      return seconds.takeError();
    if (first.empty() || second.empty())
      return badInput(700, "explain takes two files", "", "imbrex sql explain --help");
    Result<PairOfFiles> files = readPair(first, second, options, *semantics);
    if (!files)
      return files.takeError();
    Report report = makeReport(*files, *semantics, *seconds);
    if (options.json)
      sayLine(reportJson(report, *files, *semantics).str().c_str());
    else
      sayReport(report, *files, *semantics);
    if (report.decision.defect)
      reportError(*report.decision.defect);
    return exitCodeOf(report.decision);
  });
}

} // namespace imbrex::tools::sql
