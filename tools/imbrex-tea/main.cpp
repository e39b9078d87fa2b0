// imbrex tea SUB …: statistics from declared studies. Links no LLVM.
#include "support/text/Nearest.h"
#include "tools/common/CommandLine.h"
#include "tools/common/Say.h"
#include "tools/imbrex-tea/Commands.h"

#include "stats/data/Table.h"

#include <cstdio>
#include <string>

using namespace imbrex;
using namespace imbrex::tools;

namespace {

struct SubCommand {
  const char *name, *arguments, *summary;
  int (*run)(int, char **);
};
constexpr SubCommand subCommands[] = {
    {"run", "study.tea", "the valid tests of each hypothesis, the results, and why", teaRun},
    {"plan", "study.tea", "before there is data: which test will be valid when", teaPlan},
    {"power", "study.tea", "before there is data: how many observations it needs", teaPower},
    {"why-not", "study.tea TEST", "what a test requires, and what speaks against it", teaWhyNot},
    {"compare", "a.csv b.csv", "do two samples differ? one line", teaCompare},
    {"check", "study.tea", "is the study complete and consistent, and does its data fit?",
     teaCheck},
};

void printHelp() {
  sayLine("usage: imbrex tea COMMAND [ARGUMENTS]\n\n"
          "Declare variables, design and hypothesis; get the statistical tests that are valid.\n\n"
          "commands:");
  for (const SubCommand &sub : subCommands)
    say("  %-8s %-24s %s\n", sub.name, sub.arguments, sub.summary);
  sayLine("\nimbrex tea COMMAND --help    what a command takes");
}

int unknown(const std::string &name) {
  std::vector<std::string> names;
  for (const SubCommand &sub : subCommands)
    names.emplace_back(sub.name);
  std::string near = nearestName(name, names);
  return reportError(badInput(701, "there is no command 'tea " + name + "'", "",
                              "imbrex tea " + (near.empty() ? "--help" : near)));
}

} // namespace

int main(int argc, char **argv) {
  std::string name = argc > 1 ? argv[1] : "";
  if (name == "--help" || name == "-h" || name == "help") {
    printHelp();
    return static_cast<int>(ExitCode::Good);
  }
  if (name.empty())
    return reportError(badInput(700, "no command was given", "", "imbrex tea --help"));
  for (const SubCommand &sub : subCommands)
    if (name == sub.name)
      return sub.run(argc - 1, argv + 1);
  return unknown(name);
}
