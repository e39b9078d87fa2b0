// The sub-commands of `imbrex sql`, and what they print.
#pragma once

#include "proof/sql/decide/Decide.h"
#include "proof/sql/suite/Suite.h"
#include "support/json/Json.h"

namespace imbrex::tools::sql {

int proveCommand(int argc, char **argv);
int rulesCommand(int argc, char **argv);

struct ProveOptions {
  std::string dialect = "standard", comparison = "automatic", schema, suite, timeout, certificate;
  bool json = false, names = false, exactDivision = false, errorsAreNull = false;
  int64_t jobs = 1;
};

/// Decides all pairs of a suite and prints a table, then `NAME: P of N`, or JSON. No when a verdict
/// contradicts what the suite expects; Unsupported when one is unknown.
Result<ExitCode> runSuite(const ProveOptions &options, const imbrex::sql::Semantics &semantics,
                          double seconds);

Result<ExitCode> reportSuite(const imbrex::sql::Suite &suite, const ProveOptions &options,
                             double seconds);

/// A time limit; E0700 for text that is none.
Result<double> secondsOf(const std::string &text);

/// Verdict, evidence and remarks of one pair.
void printDecision(const imbrex::sql::Decision &decision, const imbrex::sql::Semantics &semantics,
                   const std::vector<std::string> &remarks);
Json decisionJson(const imbrex::sql::Decision &decision, const imbrex::sql::Catalog &catalog,
                  const imbrex::sql::Semantics &semantics, const std::vector<std::string> &remarks);

} // namespace imbrex::tools::sql
