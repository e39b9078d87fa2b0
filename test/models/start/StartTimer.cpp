// Times a program from its start to its exit and to its first byte of output, many times, page
// cache warm.
//
//   start-timer [-n RUNS] [--limit MS] COMMAND [ARGUMENT...]
//
// One run before the measured ones warms the page cache. Last line:
// `start: median X ms, min Y, max Z, n N` (to the exit, wait included). Exit codes: 0 good, 1 the
// median is over the limit or a run failed, 2 usage.
#include <algorithm>
#include <cerrno>
#include <charconv>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fcntl.h>
#include <optional>
#include <spawn.h>
#include <string_view>
#include <sys/wait.h>
#include <unistd.h>
#include <vector>

extern char **environ;

namespace {

using Clock = std::chrono::steady_clock;

struct Run {
  double firstByteMs = 0, exitMs = 0;
};

double since(Clock::time_point start) {
  return std::chrono::duration<double, std::milli>(Clock::now() - start).count();
}

/// Starts the command with its output in a pipe and waits for its end; nothing when it fails.
std::optional<Run> runOnce(char **command) {
  int ends[2];
  if (pipe2(ends, O_CLOEXEC) != 0)
    return std::nullopt;
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_adddup2(&actions, ends[1], STDOUT_FILENO);
  Run run;
  pid_t child = 0;
  auto start = Clock::now();
  int error = posix_spawnp(&child, command[0], &actions, nullptr, command, environ);
  posix_spawn_file_actions_destroy(&actions);
  close(ends[1]);
  if (error) {
    std::fprintf(stderr, "start-timer: %s: %s\n", command[0], std::strerror(error));
    close(ends[0]);
    return std::nullopt;
  }
  char buffer[4096];
  ssize_t got;
  while ((got = read(ends[0], buffer, sizeof buffer)) > 0 || (got < 0 && errno == EINTR))
    if (got > 0 && run.firstByteMs == 0)
      run.firstByteMs = since(start);
  int status = 0;
  while (waitpid(child, &status, 0) < 0 && errno == EINTR) {
  }
  run.exitMs = since(start);
  close(ends[0]);
  if (!WIFEXITED(status) || WEXITSTATUS(status) != 0 || run.firstByteMs == 0) {
    std::fprintf(stderr, "start-timer: %s: %s\n", command[0],
                 run.firstByteMs == 0 ? "gave no answer" : "failed");
    return std::nullopt;
  }
  return run;
}

double median(std::vector<double> values) {
  std::sort(values.begin(), values.end());
  size_t middle = values.size() / 2;
  return values.size() % 2 ? values[middle] : (values[middle - 1] + values[middle]) / 2;
}

/// True when the median is within the limit.
bool report(const std::vector<Run> &runs, double limitMs) {
  std::vector<double> exits, firsts;
  for (const Run &run : runs) {
    exits.push_back(run.exitMs);
    firsts.push_back(run.firstByteMs);
  }
  double middle = median(exits);
  std::printf("to the first byte: median %.2f ms; limit to the exit %.0f ms\n", median(firsts),
              limitMs);
  std::printf("start: median %.2f ms, min %.2f, max %.2f, n %zu\n", middle,
              *std::min_element(exits.begin(), exits.end()),
              *std::max_element(exits.begin(), exits.end()), exits.size());
  return middle <= limitMs;
}

template <class T> bool readNumber(const char *text, T &out) {
  const char *end = text + std::strlen(text);
  auto [stop, error] = std::from_chars(text, end, out);
  return error == std::errc() && stop == end && out > 0;
}

} // namespace

int main(int argc, char **argv) {
  int count = 30, at = 1;
  double limitMs = 30;
  bool good = true;
  for (; good && at + 1 < argc && argv[at][0] == '-'; at += 2)
    good = std::string_view(argv[at]) == "-n"        ? readNumber(argv[at + 1], count)
           : std::string_view(argv[at]) == "--limit" ? readNumber(argv[at + 1], limitMs)
                                                     : false;
  if (!good || at >= argc || argv[at][0] == '-') {
    std::fputs("usage: start-timer [-n RUNS] [--limit MS] COMMAND [ARGUMENT...]\n", stderr);
    return 2;
  }
  if (!runOnce(argv + at))
    return 1;
  std::vector<Run> runs;
  for (int i = 0; i < count; ++i) {
    std::optional<Run> run = runOnce(argv + at);
    if (!run)
      return 1;
    runs.push_back(*run);
  }
  return report(runs, limitMs) ? 0 : 1;
}
