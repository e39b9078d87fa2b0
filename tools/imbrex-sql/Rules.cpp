// imbrex sql rules: the rewrite rules that are shipped.
#include "proof/sql/rules/Rules.h"
#include "tools/common/CommandLine.h"
#include "tools/common/Say.h"
#include "tools/imbrex-sql/Commands.h"

#include <cstdio>

namespace imbrex::tools::sql {

using namespace imbrex::sql;

static void list(const Suite &suite) {
  say("%s\n", suite.name.c_str());
  for (const SuiteCase &rule : suite.cases)
    say("  %-14s  %s\n", rule.expected ? answerName(*rule.expected) : "", rule.name.c_str());
}

static void show(const SuiteCase &rule) {
  say("%s: %s\n\n%s\n--- and\n%s\n", rule.name.c_str(),
      rule.expected ? answerName(*rule.expected) : "", rule.pair.originals.first.c_str(),
      rule.pair.originals.second.c_str());
}

static Result<ExitCode> run(const ProveOptions &options, const std::string &name, bool prove,
                            double seconds) {
  std::vector<SuiteCase> chosen;
  for (const RuleFile &file : ruleFiles()) {
    Result<std::vector<SuiteCase>> cases = readSqlTest(file.text, std::string(file.name), {});
    if (!cases)
      return cases.takeError();
    Suite suite{std::string(file.name), cases.take()};
    if (name.empty() && !prove)
      list(suite);
    for (SuiteCase &rule : suite.cases)
      if (name.empty() || rule.name == name)
        chosen.push_back(std::move(rule));
  }
  if (chosen.empty())
    return badInput(1063, "there is no rule '" + name + "'", "", "imbrex sql rules for a list");
  if (!prove && !name.empty())
    for (const SuiteCase &rule : chosen)
      show(rule);
  return prove ? reportSuite({"rules", std::move(chosen)}, options, seconds) : ExitCode::Good;
}

int rulesCommand(int argc, char **argv) {
  ProveOptions options;
  options.timeout = "10";
  std::string name;
  bool prove = false;
  CommandLine line("sql rules", "The rewrite rules that are shipped: a list, one of them, or all "
                                "proven or refuted now.");
  line.option("RULE NAME", name, "show this one")
      .flag("--prove", prove, "decide them, and print the verdicts")
      .option("--timeout SECONDS", options.timeout, "for each rule; 10 if not given")
      .option("--jobs N", options.jobs, "rules at a time; 1 if not given")
      .flag("--json", options.json, "print JSON, with --prove");
  return line.run(argc, argv, [&]() -> Result<ExitCode> {
    Result<double> seconds = secondsOf(options.timeout);
    if (!seconds)
      return seconds.takeError();
    return run(options, name, prove, *seconds);
  });
}

} // namespace imbrex::tools::sql
