// imbrex sql prove A.sql B.sql --schema S.sql, and --suite.
#include "tools/common/CommandLine.h"
#include "tools/common/Say.h"
#include "tools/imbrex-sql/Commands.h"

#include <cstdio>
#include <fstream>

namespace imbrex::tools::sql {

using namespace imbrex::sql;

ExitCode exitCodeOf(const Decision &decision) {
  if (decision.defect)
    return ExitCode::Internal;
  return decision.verdict.answer == Answer::Equivalent      ? ExitCode::Good
         : decision.verdict.answer == Answer::NotEquivalent ? ExitCode::No
                                                            : ExitCode::Unsupported;
}

static Result<ExitCode> runPair(const std::string &first, const std::string &second,
                                const ProveOptions &options, const Semantics &semantics,
                                double seconds) {
  Result<PairOfFiles> files = readPair(first, second, options, semantics);
  if (!files)
    return files.takeError();
  Engines engines;
  DecideLimits limits{.seconds = seconds};
  if (!options.certificate.empty())
    limits.evidence = Evidence::Certificate;
  Decision decision = decide(files->pair, files->schema.catalog, semantics, limits, engines);
  const std::string &certificate = decision.verdict.certificate;
  if (!certificate.empty() && !(std::ofstream(options.certificate) << certificate))
    return badInput(1143, "cannot write " + options.certificate, "", "another path");
  if (options.json)
    sayLine(decisionJson(decision, files->schema.catalog, semantics, files->remarks).str().c_str());
  else
    printDecision(decision, semantics, files->remarks);
  if (decision.defect)
    reportError(*decision.defect);
  return exitCodeOf(decision);
}

int proveCommand(int argc, char **argv) {
  ProveOptions options;
  options.timeout = "10";
  std::string first, second;
  CommandLine line("sql prove", "Proves that two queries have the same result on every database of "
                                "the schema, or finds a database on which they differ.");
  line.option("FIRST A.sql", first, "a file with one query")
      .option("SECOND B.sql", second, "a file with the other query");
  addSemanticsOptions(line, options);
  line.option("--suite PATH", options.suite,
              "decide all pairs of a .sqltest or .json file, or of a folder of these")
      .option("--jobs N", options.jobs, "pairs of a suite at a time; 1 if not given")
      .option("--certificate FILE", options.certificate,
              "write the proof of EQUIVALENT, for imbrex sql check")
      .option("--certificates DIR", options.certificates,
              "the same for each pair of a suite, as DIR/NAME.cert")
      .flag("--json", options.json, "print JSON")
      .footer("exit codes: 0 equivalent, 1 not equivalent, 3 unknown, 2 bad input");
  return line.run(argc, argv, [&]() -> Result<ExitCode> {
    Result<Semantics> semantics = semanticsOf(options);
    if (!semantics)
      return semantics.takeError();
    Result<double> seconds = secondsOf(options.timeout);
    if (!seconds)
      return seconds.takeError();
    if (!options.suite.empty() && first.empty())
      return runSuite(options, *semantics, *seconds);
    if (first.empty() || second.empty() || !options.suite.empty())
      return badInput(700, "prove takes two files, or a suite", "", "imbrex sql prove --help");
    return runPair(first, second, options, *semantics, *seconds);
  });
}

} // namespace imbrex::tools::sql
