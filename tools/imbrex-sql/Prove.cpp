// imbrex sql prove A.sql B.sql --schema S.sql, and --suite.
#include "tools/common/CommandLine.h"
#include "tools/common/Say.h"
#include "tools/imbrex-sql/Commands.h"

#include <cstdio>
#include <cstdlib>

namespace imbrex::tools::sql {

using namespace imbrex::sql;

static Result<Semantics> semanticsOf(const ProveOptions &options) {
  std::optional<Dialect> dialect = dialectOf(options.dialect);
  if (!dialect)
    return badInput(700, "'" + options.dialect + "' is no dialect", "",
                    "--dialect standard, postgres, sqlite, mysql or calcite");
  Semantics semantics = Semantics::of(*dialect);
  const std::string &as = options.comparison;
  if (as != "automatic" && as != "bag" && as != "set" && as != "list")
    return badInput(700, "results are not compared as '" + as + "'", "",
                    "--compare automatic, bag, set or list");
  semantics.comparison = as == "bag"    ? Comparison::Bag
                         : as == "set"  ? Comparison::Set
                         : as == "list" ? Comparison::List
                                        : Comparison::Automatic;
  if (options.exactDivision)
    semantics.division = IntegerDivision::Exact;
  if (options.errorsAreNull)
    semantics.errors = ErrorPolicy::AsNull;
  semantics.compareNames = options.names;
  return semantics;
}

Result<double> secondsOf(const std::string &text) {
  char *end = nullptr;
  double seconds = std::strtod(text.c_str(), &end);
  if (end == text.c_str() || *end || !(seconds > 0) || seconds > 86400)
    return badInput(700, "'" + text + "' is no time limit", "", "--timeout 10");
  return seconds;
}

static Result<BoundQuery> readQueryFile(const std::string &path, const Schema &schema,
                                        const Semantics &semantics, std::string &text) {
  Result<std::string> content = readFile(path);
  if (!content)
    return content.takeError();
  text = content.take();
  return readQuery(text, path, schema, semantics);
}

static ExitCode exitCodeOf(const Decision &decision) {
  if (decision.defect)
    return ExitCode::Internal;
  return decision.verdict.answer == Answer::Equivalent      ? ExitCode::Good
         : decision.verdict.answer == Answer::NotEquivalent ? ExitCode::No
                                                            : ExitCode::Unsupported;
}

static Result<ExitCode> runPair(const std::string &first, const std::string &second,
                                const ProveOptions &options, const Semantics &semantics,
                                double seconds) {
  Schema schema;
  if (!options.schema.empty()) {
    Result<std::string> text = readFile(options.schema);
    if (!text)
      return text.takeError();
    Result<Schema> read = readSchema(*text, options.schema, semantics);
    if (!read)
      return read.takeError();
    schema = read.take();
  }
  QueryPair pair;
  std::vector<std::string> remarks;
  for (bool isFirst : {true, false}) {
    std::string text;
    Result<BoundQuery> query = readQueryFile(isFirst ? first : second, schema, semantics, text);
    if (!query)
      return query.takeError();
    (isFirst ? pair.first : pair.second) = query->query;
    if (query->remarks.empty())
      (isFirst ? pair.originals.first : pair.originals.second) = text;
    remarks.insert(remarks.end(), query->remarks.begin(), query->remarks.end());
  }
  Engines engines;
  Decision decision = decide(pair, schema.catalog, semantics, {seconds}, engines);
  if (options.json)
    sayLine(decisionJson(decision, schema.catalog, semantics, remarks).str().c_str());
  else
    printDecision(decision, semantics, remarks);
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
      .option("SECOND B.sql", second, "a file with the other query")
      .option("--schema S.sql", options.schema, "CREATE TABLE, VIEW and FUNCTION statements")
      .option("--dialect NAME", options.dialect,
              "standard (if not given), postgres, sqlite, mysql or calcite")
      .option("--compare HOW", options.comparison,
              "results as bag, set or list; automatic (if not given): as list when both end in "
              "ORDER BY, else as bag")
      .flag("--names", options.names, "column names must be equal, too")
      .flag("--exact-division", options.exactDivision, "7/2 is 3.5 and not 3")
      .flag("--errors-are-null", options.errorsAreNull,
            "1/0 is NULL; else databases on which a query fails do not count")
      .option("--timeout SECONDS", options.timeout, "for each pair; 10 if not given")
      .option("--suite PATH", options.suite,
              "decide all pairs of a .sqltest or .json file, or of a folder of these")
      .option("--jobs N", options.jobs, "pairs of a suite at a time; 1 if not given")
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
