// The command line of one command: declares what it takes, parses, runs the body, turns errors into
// the text and the exit code that every command shares (docs/reference/exit-codes.md). The only
// user of CLI11.
//
//   CommandLine line("run", "run a model and print its outputs");
//   line.positional("MODEL", model, ".imx or .onnx").option("--threads N", threads, "…");
//   return line.run(argc, argv, [&]() -> Result<ExitCode> { … });
#pragma once

#include "support/Result.h"

#include <functional>
#include <memory>
#include <string>
#include <vector>

namespace imbrex::tools {

class CommandLine {
public:
  /// `name` as typed after `imbrex`; `summary` is one line for --help.
  CommandLine(std::string name, std::string summary);
  ~CommandLine();
  CommandLine(const CommandLine &) = delete;
  CommandLine &operator=(const CommandLine &) = delete;

  /// A required argument without a flag. `target` must outlive run(); so in all of these.
  CommandLine &positional(const std::string &name, std::string &target, const std::string &help);
  /// `spelling` is the flag and the name of its value: "--threads N", "-o,--output FILE".
  CommandLine &option(const std::string &spelling, std::string &target, const std::string &help);
  CommandLine &option(const std::string &spelling, int64_t &target, const std::string &help);
  /// May be given several times; one value each.
  CommandLine &option(const std::string &spelling, std::vector<std::string> &target,
                      const std::string &help);
  CommandLine &flag(const std::string &name, bool &target, const std::string &help);
  /// Text under the options of --help.
  CommandLine &footer(const std::string &text);

  /// Parses and runs `body`; returns the exit code. Errors go to stderr: E0700 for a command line
  /// that does not parse, E0790 when memory runs out, E0791 for a defect of ours.
  int run(int argc, char **argv, const std::function<Result<ExitCode>()> &body);

private:
  struct Impl;
  std::unique_ptr<Impl> impl;
};

/// Prints `error` to stderr and returns its exit code.
int reportError(const Error &error);

} // namespace imbrex::tools
