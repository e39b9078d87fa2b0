#include "proof/sql/engine/Child.h"

#include <csignal>
#include <fcntl.h>
#include <poll.h>
#include <sys/wait.h>
#include <unistd.h>

namespace imbrex::sql {

namespace {

using Clock = std::chrono::steady_clock;

/// Never returns: becomes `command`, or ends with 127.
[[noreturn]] void become(const std::vector<std::string> &command, int input, int output,
                         int errors) {
  dup2(input, 0);
  dup2(output, 1);
  dup2(errors, 2);
  std::vector<char *> arguments;
  for (const std::string &word : command)
    arguments.push_back(const_cast<char *>(word.c_str()));
  arguments.push_back(nullptr);
  execvp(arguments[0], arguments.data());
  _exit(127);
}

} // namespace

std::optional<Child> Child::start(const std::vector<std::string> &command,
                                  const std::string &errors) {
  int in[2], out[2];
  if (pipe2(in, O_CLOEXEC) != 0)
    return std::nullopt;
  if (pipe2(out, O_CLOEXEC) != 0) {
    close(in[0]);
    close(in[1]);
    return std::nullopt;
  }
  int errorFile = open(errors.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
  pid_t id = fork();
  if (id == 0)
    become(command, in[0], out[1], errorFile);
  close(in[0]);
  close(out[1]);
  if (errorFile >= 0)
    close(errorFile);
  if (id < 0) {
    close(in[1]);
    close(out[0]);
    return std::nullopt;
  }
  return Child(id, in[1], out[0]);
}

Child::Child(Child &&other) noexcept
    : id(other.id), input(other.input), output(other.output), buffer(std::move(other.buffer)) {
  other.id = -1;
}

Child::~Child() {
  if (id < 0)
    return;
  close(input);
  close(output);
  for (int i = 0; i < 100; ++i) {
    if (waitpid(id, nullptr, WNOHANG) != 0)
      return;
    usleep(10'000);
  }
  kill(id, SIGKILL);
  waitpid(id, nullptr, 0);
}

bool Child::write(const std::string &text) {
  // A child that ended must not end us: SIGPIPE is held back for the write.
  sigset_t pipeOnly, before;
  sigemptyset(&pipeOnly);
  sigaddset(&pipeOnly, SIGPIPE);
  pthread_sigmask(SIG_BLOCK, &pipeOnly, &before);
  size_t done = 0;
  while (done < text.size()) {
    ssize_t count = ::write(input, text.data() + done, text.size() - done);
    if (count <= 0)
      break;
    done += size_t(count);
  }
  timespec none{0, 0};
  sigtimedwait(&pipeOnly, nullptr, &none);
  pthread_sigmask(SIG_SETMASK, &before, nullptr);
  return done == text.size();
}

std::optional<std::string> Child::readUntil(const std::string &marker,
                                            std::chrono::milliseconds limit) {
  Clock::time_point end = Clock::now() + limit;
  std::string line = marker + "\n";
  size_t from = 0;
  while (true) {
    for (size_t at = buffer.find(line, from); at != std::string::npos;
         at = buffer.find(line, at + 1))
      if (at == 0 || buffer[at - 1] == '\n') {
        std::string text = buffer.substr(0, at);
        buffer.erase(0, at + line.size());
        return text;
      }
    from = buffer.size() < line.size() ? 0 : buffer.size() - line.size();
    auto left = std::chrono::duration_cast<std::chrono::milliseconds>(end - Clock::now());
    pollfd waiting{output, POLLIN, 0};
    if (left.count() <= 0 || poll(&waiting, 1, int(left.count())) <= 0)
      return std::nullopt;
    char chunk[16384];
    ssize_t count = read(output, chunk, sizeof chunk);
    if (count <= 0)
      return std::nullopt;
    buffer.append(chunk, size_t(count));
  }
}

int runCommand(const std::vector<std::string> &command) {
  pid_t id = fork();
  if (id == 0) {
    int nothing = open("/dev/null", O_RDWR);
    become(command, nothing, nothing, nothing);
  }
  int status = 0;
  if (id < 0 || waitpid(id, &status, 0) < 0 || !WIFEXITED(status))
    return -1;
  return WEXITSTATUS(status);
}

} // namespace imbrex::sql
