#include "tools/common/CommandLine.h"
#include "tools/common/Say.h"
#include "tools/common/Terminal.h"

#include <CLI/App.hpp>
#include <CLI/Config.hpp>
#include <CLI/Formatter.hpp>

#include <cctype>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <new>

namespace imbrex::tools {

struct CommandLine::Impl {
  std::string name;
  CLI::App app;
};

namespace {

struct Spelling {
  std::string flags, value;
};

Spelling split(const std::string &spelling) {
  auto space = spelling.find(' ');
  if (space == std::string::npos)
    return {spelling, "TEXT"};
  return {spelling.substr(0, space), spelling.substr(space + 1)};
}

/// A sentence becomes the rest of one; a name in capitals stays as it is.
std::string lowerFirst(std::string text) {
  if (text.size() > 1 && !std::isupper(static_cast<unsigned char>(text[1])))
    text[0] = static_cast<char>(std::tolower(static_cast<unsigned char>(text[0])));
  return text;
}

/// What was printed may still be on its way: a full disk or a closed stream shows only now.
int printed(ExitCode code) {
  bool failed = std::fflush(stdout) != 0;
  if (!failed && !std::ferror(stdout))
    return static_cast<int>(code);
  return reportError(badInput(792, "cannot write the output", failed ? std::strerror(errno) : ""));
}

} // namespace

CommandLine::CommandLine(std::string name, std::string summary) : impl(new Impl) {
  impl->name = std::move(name);
  impl->app.description(std::move(summary));
  impl->app.name("imbrex " + impl->name);
  impl->app.set_help_flag("-h,--help", "print this text");
}

CommandLine::~CommandLine() = default;

CommandLine &CommandLine::positional(const std::string &name, std::string &target,
                                     const std::string &help) {
  impl->app.add_option(name, target, help)->required()->type_name("");
  return *this;
}

CommandLine &CommandLine::option(const std::string &spelling, std::string &target,
                                 const std::string &help) {
  auto [flags, value] = split(spelling);
  impl->app.add_option(flags, target, help)->type_name(value);
  return *this;
}

CommandLine &CommandLine::option(const std::string &spelling, int64_t &target,
                                 const std::string &help) {
  auto [flags, value] = split(spelling);
  impl->app.add_option(flags, target, help)->type_name(value);
  return *this;
}

CommandLine &CommandLine::option(const std::string &spelling, std::vector<std::string> &target,
                                 const std::string &help) {
  auto [flags, value] = split(spelling);
  impl->app.add_option(flags, target, help)
      ->type_name(value)
      ->type_size(1)
      ->expected(1)
      ->multi_option_policy(CLI::MultiOptionPolicy::TakeAll);
  return *this;
}

CommandLine &CommandLine::flag(const std::string &name, bool &target, const std::string &help) {
  impl->app.add_flag(name, target, help);
  return *this;
}

CommandLine &CommandLine::footer(const std::string &text) {
  impl->app.footer(text);
  return *this;
}

int CommandLine::run(int argc, char **argv, const std::function<Result<ExitCode>()> &body) {
  try {
    impl->app.parse(argc, argv);
  } catch (const CLI::CallForHelp &) {
    sayText(wrapped(impl->app.help(), terminalColumns()));
    return printed(ExitCode::Good);
  } catch (const CLI::ParseError &error) {
    return reportError(
        badInput(700, lowerFirst(error.what()), "", "imbrex " + impl->name + " --help"));
  }
  try {
    Result<ExitCode> result = [&] {
      Patience patience("imbrex " + impl->name);
      return body();
    }();
    return result ? printed(*result) : reportError(result.error());
  } catch (const std::bad_alloc &) {
    return reportError(
        badInput(790, "memory ran out", "the input needs more than this machine gives"));
  } catch (const std::exception &error) {
    return reportError(internalError(791, error.what()));
  }
}

int reportError(const Error &error) {
  std::fflush(stdout);
  warn("%s\n", error.str().c_str());
  return static_cast<int>(error.exitCode());
}

} // namespace imbrex::tools
