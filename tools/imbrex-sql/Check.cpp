// imbrex sql check CERTIFICATE [A.sql B.sql].
#include "proof/certificate/check/Check.h"

#include "tools/common/CommandLine.h"
#include "tools/common/Say.h"
#include "tools/imbrex-sql/Commands.h"

#include <cstdio>
#include <fstream>

namespace imbrex::tools::sql {

using namespace imbrex::sql;

/// What the queries of a pair make a certificate claim.
static Result<std::string> statementOf(const std::string &certificate, const std::string &first,
                                       const std::string &second, const ProveOptions &options,
                                       const Semantics &semantics) {
  Result<PairOfFiles> pair = readPair(first, second, options, semantics);
  if (!pair)
    return pair.takeError();
  QueryPtr a = pair->pair.first, b = pair->pair.second;
  if (std::optional<std::string> misfit = alignColumns(a, b, semantics))
    return badInput(1140, "the queries do not fit each other", *misfit, "the queries of the pair");
  bool isPlain = certificate.find("\ntranslation simplified\n") == std::string::npos;
  std::string text = statement(*a, *b, pair->schema.catalog, semantics,
                               isPlain ? Translation::Plain : Translation::Simplified);
  if (text.empty())
    return unsupported(1141, "the queries have no terms", "a construct in them is not covered");
  return text;
}

static Result<ExitCode> report(const check::Outcome &outcome, const ProveOptions &options,
                               bool belongs) {
  if (!outcome.isReadable)
    return badInput(1142, "the file is no certificate", outcome.why,
                    "a file written by imbrex sql prove --certificate");
  if (options.json) {
    Json json = Json::object();
    json.set("accepted", outcome.accepted).set("translation", outcome.translation);
    json.set("steps", int64_t(outcome.steps)).set("questions", int64_t(outcome.questions));
    json.set("trustedLeaves", int64_t(outcome.leaves.size())).set("queriesCompared", belongs);
    if (!outcome.accepted)
      json.set("why", outcome.why);
    sayLine(json.str().c_str());
  } else if (!outcome.accepted) {
    say("REJECTED: %s\n", outcome.why.c_str());
  } else {
    say("ACCEPTED: %u steps, %u questions, %zu of them trusted to a solver\n", outcome.steps,
        outcome.questions, outcome.leaves.size());
    say("terms: %s translation%s\n", outcome.translation.c_str(),
        belongs ? ", of these queries" : "; give both queries and the schema to compare");
  }
  return outcome.accepted ? ExitCode::Good : ExitCode::No;
}

int checkCommand(int argc, char **argv) {
  ProveOptions options;
  std::string file, first, second, leaves;
  bool strict = false;
  CommandLine line("sql check", "Checks a certificate of equivalence, step by step, without the "
                                "prover and without a solver.");
  line.positional("CERTIFICATE", file, "written by imbrex sql prove --certificate")
      .option("FIRST A.sql", first, "the first query, to see that the certificate is about it")
      .option("SECOND B.sql", second, "the second query")
      .option("--leaves DIR", leaves, "write questions that are trusted to a solver, as SMT-LIB")
      .flag("--strict", strict, "reject a certificate that trusts a solver in anything")
      .flag("--json", options.json, "print JSON")
      .footer("exit codes: 0 accepted, 1 rejected, 2 bad input");
  addSemanticsOptions(line, options);
  return line.run(argc, argv, [&]() -> Result<ExitCode> {
    Result<Semantics> semantics = semanticsOf(options);
    if (!semantics)
      return semantics.takeError();
    if (first.empty() != second.empty())
      return badInput(700, "check takes a certificate, and both queries or none", "",
                      "imbrex sql check --help");
    Result<std::string> text = readFile(file);
    if (!text)
      return text.takeError();
    std::string statement;
    if (!first.empty()) {
      Result<std::string> stated = statementOf(*text, first, second, options, *semantics);
      if (!stated)
        return stated.takeError();
      statement = stated.take();
    }
    check::Outcome outcome =
        check::check(*text, strict ? check::Leaves::Refuse : check::Leaves::Trust, statement);
    for (size_t i = 0; i < outcome.leaves.size() && !leaves.empty(); ++i)
      if (std::string path = leaves + "/leaf-" + std::to_string(i + 1) + ".smt2";
          !(std::ofstream(path) << outcome.leaves[i]))
        return badInput(1143, "cannot write " + path, "", "--leaves with a folder that is there");
    return report(outcome, options, !statement.empty());
  });
}

} // namespace imbrex::tools::sql
