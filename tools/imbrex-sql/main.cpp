// imbrex sql: are two queries the same? Links no LLVM.
#include "tools/common/CommandLine.h"
#include "tools/common/Say.h"
#include "tools/imbrex-sql/Commands.h"

#include <cstdio>
#include <string>

using namespace imbrex;
using namespace imbrex::tools;

namespace {

struct Command {
  const char *name, *summary;
  int (*run)(int argc, char **argv);
};

constexpr Command commands[] = {
    {"prove", "prove that two queries are the same, or find a database on which they differ",
     tools::sql::proveCommand},
    {"explain", "the same, with the steps in words", tools::sql::explainCommand},
    {"check", "check a certificate of equivalence, without the prover", tools::sql::checkCommand},
    {"rules", "rewrite rules that are shipped, and their verdicts", tools::sql::rulesCommand},
};

void printHelp() {
  sayLine("Equivalence of SQL queries, decided with evidence.\n"
          "usage: imbrex sql COMMAND [ARGUMENTS]\n\ncommands:");
  for (const Command &command : commands)
    say("  %-10s %s\n", command.name, command.summary);
  sayLine("\nimbrex sql COMMAND --help    what a command takes");
}

} // namespace

int main(int argc, char **argv) {
  std::string name = argc > 1 ? argv[1] : "";
  if (name == "--help" || name == "-h") {
    printHelp();
    return static_cast<int>(ExitCode::Good);
  }
  for (const Command &command : commands)
    if (name == command.name)
      return command.run(argc - 1, argv + 1);
  return reportError(
      badInput(701, name.empty() ? "no command was given" : "there is no command '" + name + "'",
               "", "imbrex sql --help"));
}
