// imbrex SUB …: finds imbrex-SUB beside itself or in ../libexec/imbrex and becomes it. Links no
// LLVM, so that `imbrex run` of a compiled model starts at once.
#include "runtime/api/imbrex.h"
#include "tools/common/CommandLine.h"
#include "tools/common/Process.h"
#include "tools/common/Say.h"

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <numeric>
#include <set>
#include <unistd.h>
#include <vector>

using namespace imbrex;
using namespace imbrex::tools;

namespace {

struct Command {
  const char *name, *summary;
};
constexpr Command commands[] = {
    {"run", "run a model (.imx, or .onnx: compiled once and kept) and print its outputs"},
    {"compile", "compile a model to an artifact (.imx)"},
    {"info", "what a model or an artifact holds: inputs, outputs, operators, sizes"},
    {"explain", "what the compiler made of a model: a page with graph, kernels, memory, times"},
    {"verify", "check an artifact, or a compiled model against the reference evaluator"},
    {"sql", "are two SQL queries the same: a proof, or a database on which they differ"},
    {"tea", "statistics from a declared study: valid tests, why, effect sizes"},
    {"bench", "how long a model runs; with --against, whether it is faster than another"},
    {"doctor", "what was found on this machine"},
    {"opt", "the compiler's passes over its IR as text, for who works on the compiler"},
};

/// Sub-commands that are installed, by name.
std::set<std::string> installed() {
  std::set<std::string> names;
  for (const std::string &folder : commandFolders()) {
    std::error_code ignored;
    for (const auto &entry : std::filesystem::directory_iterator(folder, ignored)) {
      std::string name = entry.path().filename();
      if (name.starts_with("imbrex-") && access(entry.path().c_str(), X_OK) == 0)
        names.insert(name.substr(std::strlen("imbrex-")));
    }
  }
  return names;
}

void printHelp() {
  sayLine("usage: imbrex COMMAND [ARGUMENTS]\n\ncommands:");
  std::set<std::string> names = installed();
  for (const Command &command : commands) {
    const char *remark = names.erase(command.name) ? "" : " (not installed)";
    say("  %-10s %s%s\n", command.name, command.summary, remark);
  }
  for (const std::string &name : names)
    say("  %-10s see imbrex %s --help\n", name.c_str(), name.c_str());
  sayLine("\nimbrex help COMMAND    what a command takes\nimbrex --version       the version");
}

/// Levenshtein distance.
size_t distance(const std::string &a, const std::string &b) {
  std::vector<size_t> row(b.size() + 1);
  std::iota(row.begin(), row.end(), 0);
  for (size_t i = 0; i < a.size(); ++i) {
    size_t diagonal = row[0]++;
    for (size_t j = 0; j < b.size(); ++j) {
      size_t changed = diagonal + (a[i] != b[j]);
      diagonal = row[j + 1];
      row[j + 1] = std::min({changed, row[j] + 1, row[j + 1] + 1});
    }
  }
  return row.back();
}

int unknownCommand(const std::string &name) {
  std::set<std::string> names = installed();
  for (const Command &command : commands)
    names.insert(command.name);
  std::string similar;
  for (const std::string &known : names)
    if (distance(name, known) <= 2 || (name.size() > 2 && known.starts_with(name)))
      similar += (similar.empty() ? "imbrex " : " or imbrex ") + known;
  return reportError(badInput(701, "there is no command '" + name + "'", "",
                              similar.empty() ? "imbrex help" : similar));
}

int become(const std::string &name, char **arguments) {
  Result<std::string> path = findCommand(name);
  if (!path) {
    for (const Command &command : commands)
      if (name == command.name)
        return reportError(path.error());
    return unknownCommand(name);
  }
  arguments[0] = path->data();
  execv(path->c_str(), arguments);
  return reportError(badInput(705, "cannot start " + *path, std::strerror(errno)));
}

} // namespace

int main(int argc, char **argv) {
  std::string name = argc > 1 ? argv[1] : "";
  if (name == "--version" || name == "version") {
    sayLine("imbrex " IMBREX_VERSION);
    return static_cast<int>(ExitCode::Good);
  }
  bool helping = name == "help" || name == "--help" || name == "-h";
  if (helping && argc > 2) {
    char help[] = "--help";
    std::vector<char *> arguments(argv + 2, argv + argc);
    arguments.insert(arguments.end(), {help, nullptr});
    return become(argv[2], arguments.data());
  }
  if (helping) {
    printHelp();
    return static_cast<int>(ExitCode::Good);
  }
  if (name.empty())
    return reportError(badInput(700, "no command was given", "", "imbrex help"));
  if (name.find('/') != std::string::npos || name[0] == '-')
    return unknownCommand(name);
  return become(name, argv + 1);
}
