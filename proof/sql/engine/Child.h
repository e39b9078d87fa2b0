// A child process whose standard input we write and whose standard output we read.
#pragma once

#include <chrono>
#include <optional>
#include <string>
#include <vector>

#include <sys/types.h>

namespace imbrex::sql {

class Child {
public:
  /// Standard error goes to `errors`, a file that is made anew. None: it could not be started.
  static std::optional<Child> start(const std::vector<std::string> &command,
                                    const std::string &errors = "/dev/null");
  Child(Child &&other) noexcept;
  Child &operator=(Child &&) = delete;
  ~Child(); // closes its input and waits; kills it after a second

  bool write(const std::string &text);
  /// Up to the end marker, a line of its own, which is taken but not returned. None: the child
  /// ended or time ran out.
  std::optional<std::string> readUntil(const std::string &marker, std::chrono::milliseconds limit);

private:
  Child(pid_t id, int input, int output) : id(id), input(input), output(output) {}
  pid_t id;
  int input, output;
  std::string buffer;
};

/// Runs to the end with no input and output; its exit code, or -1.
int runCommand(const std::vector<std::string> &command);

} // namespace imbrex::sql
