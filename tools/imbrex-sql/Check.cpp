// imbrex sql check CERTIFICATE [A.sql B.sql].
#include "proof/certificate/check/Check.h"
#include "proof/certificate/export/Coq.h"
#include "proof/certificate/export/Questions.h"

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

static std::optional<Error> writeQuestions(const std::string &certificate,
                                           const std::string &folder) {
  size_t count = 0;
  for (const std::string &script : certificate::questions(certificate))
    if (std::string path = folder + "/question-" + std::to_string(++count) + ".smt2";
        !(std::ofstream(path) << script))
      return badInput(1143, "cannot write " + path, "", "--questions with a folder that is there");
  return {};
}

static Result<ExitCode> report(const check::Outcome &outcome, const ProveOptions &options,
                               bool belongs) {
  if (!outcome.isReadable)
    return badInput(1142, "the file is no certificate", outcome.why,
                    "a file written by imbrex sql prove --certificate");
  if (options.json) {
    Json json = Json::object();
    json.set("accepted", outcome.accepted).set("translation", outcome.translation);
    json.set("steps", int64_t(outcome.steps)).set("queriesCompared", belongs);
    if (!outcome.accepted)
      json.set("why", outcome.why);
    sayLine(json.str().c_str());
  } else if (!outcome.accepted) {
    say("REJECTED: %s\n", outcome.why.c_str());
  } else {
    say("ACCEPTED: %u steps\n", outcome.steps);
    say("terms: %s translation%s\n", outcome.translation.c_str(),
        belongs ? ", of these queries" : "; give both queries and the schema to compare");
  }
  return outcome.accepted ? ExitCode::Good : ExitCode::No;
}

int checkCommand(int argc, char **argv) {
  ProveOptions options;
  std::string file, first, second, folder, coqFile;
  CommandLine line("sql check", "Checks a certificate of equivalence, step by step, without the "
                                "prover and without a solver.");
  line.positional("CERTIFICATE", file, "written by imbrex sql prove --certificate")
      .option("FIRST A.sql", first, "the first query, to see that the certificate is about it")
      .option("SECOND B.sql", second, "the second query")
      .option("--questions DIR", folder,
              "write what the prover had asked its solver, as SMT-LIB for another one")
      .option("--coq FILE", coqFile, "write the proof for coqc, where its rules have counterparts")
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
    check::Outcome outcome = check::check(*text, statement);
    if (outcome.accepted && !folder.empty())
      if (std::optional<Error> failure = writeQuestions(*text, folder))
        return *failure;
    if (outcome.accepted && !coqFile.empty()) {
      Result<std::string> script = certificate::coq(*text);
      if (!script)
        return script.takeError();
      if (!(std::ofstream(coqFile) << *script))
        return badInput(1143, "cannot write " + coqFile, "", "another path");
    }
    return report(outcome, options, !statement.empty());
  });
}

} // namespace imbrex::tools::sql
