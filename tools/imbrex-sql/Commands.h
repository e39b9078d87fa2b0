// The sub-commands of `imbrex sql`, and what they print.
#pragma once

#include "proof/sql/decide/Decide.h"
#include "proof/sql/suite/Suite.h"
#include "support/json/Json.h"
#include "tools/common/CommandLine.h"

#include <array>

namespace imbrex::tools::sql {

int proveCommand(int argc, char **argv);
int explainCommand(int argc, char **argv);
int rulesCommand(int argc, char **argv);
int checkCommand(int argc, char **argv);

struct ProveOptions {
  std::string dialect = "standard", comparison = "automatic", nulls, schema, suite, timeout,
              certificate, certificates;
  bool emptyIsNull = false, overflowCounts = false;
  bool json = false, names = false, exactDivision = false, errorsAreNull = false;
  int64_t jobs = 1;
};

/// Decides all pairs of a suite and prints a table, then `NAME: P of N`, or JSON. No when a verdict
/// contradicts what the suite expects; Unsupported when one is unknown.
Result<ExitCode> runSuite(const ProveOptions &options, const imbrex::sql::Semantics &semantics,
                          double seconds);

Result<ExitCode> reportSuite(const imbrex::sql::Suite &suite, const ProveOptions &options,
                             double seconds);

/// Two queries over a schema, as the files have them.
struct PairOfFiles {
  imbrex::sql::Schema schema;
  imbrex::sql::QueryPair pair;
  std::array<std::string, 2> paths, texts;
  std::vector<std::string> remarks;
};
Result<PairOfFiles> readPair(const std::string &first, const std::string &second,
                             const ProveOptions &options, const imbrex::sql::Semantics &semantics);

/// --schema, --dialect and the others that say what is asked; semanticsOf() reads them.
void addSemanticsOptions(CommandLine &line, ProveOptions &options);
Result<imbrex::sql::Semantics> semanticsOf(const ProveOptions &options);

/// Good, No, Unsupported; Internal for a defect.
ExitCode exitCodeOf(const imbrex::sql::Decision &decision);

/// A time limit; E0700 for text that is none.
Result<double> secondsOf(const std::string &text);

/// Verdict, evidence and remarks of one pair.
void printDecision(const imbrex::sql::Decision &decision, const imbrex::sql::Semantics &semantics,
                   const std::vector<std::string> &remarks);
Json decisionJson(const imbrex::sql::Decision &decision, const imbrex::sql::Catalog &catalog,
                  const imbrex::sql::Semantics &semantics, const std::vector<std::string> &remarks);

} // namespace imbrex::tools::sql
