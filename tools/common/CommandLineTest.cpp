#include "tools/common/CommandLine.h"

#include <cstdio>
#include <cstdlib>
#include <gtest/gtest.h>

using namespace imbrex;
using namespace imbrex::tools;

namespace {

/// Runs a command that prints a line to `file`, and exits with its code.
[[noreturn]] void printTo(const char *file) {
  if (!std::freopen(file, "w", stdout))
    std::abort();
  char name[] = "imbrex-say";
  char *arguments[] = {name};
  std::exit(CommandLine("say", "Say something.").run(1, arguments, [] {
    std::puts("something");
    return Result<ExitCode>(ExitCode::Good);
  }));
}

TEST(CommandLineDeathTest, SaysThatItsOutputWasNotWritten) {
  EXPECT_EXIT(printTo("/dev/null"), testing::ExitedWithCode(0), "");
  EXPECT_EXIT(printTo("/dev/full"), testing::ExitedWithCode(2), "E0792.*No space left");
}

TEST(CommandLineTest, KeepsANameInCapitals) {
  CommandLine line("say", "Say something.");
  std::string model;
  line.positional("MODEL", model, "a model");
  char name[] = "imbrex-say";
  char *arguments[] = {name};
  testing::internal::CaptureStderr();
  EXPECT_EQ(line.run(1, arguments, [] { return Result<ExitCode>(ExitCode::Good); }), 2);
  EXPECT_NE(testing::internal::GetCapturedStderr().find(" MODEL is required"), std::string::npos);
}

} // namespace
