#include "tools/common/Process.h"

#include <cerrno>
#include <climits>
#include <cstring>
#include <fcntl.h>
#include <spawn.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

extern char **environ;

namespace imbrex::tools {

namespace {

/// argv of a program: pointers into `path` and `arguments`, and the closing null.
std::vector<char *> argvOf(const std::string &path, const std::vector<std::string> &arguments) {
  std::vector<char *> argv{const_cast<char *>(path.c_str())};
  for (const std::string &argument : arguments)
    argv.push_back(const_cast<char *>(argument.c_str()));
  argv.push_back(nullptr);
  return argv;
}

/// The wait status; -1 when it could not be waited for.
int waitFor(pid_t child) {
  int status = 0;
  while (waitpid(child, &status, 0) < 0)
    if (errno != EINTR)
      return -1;
  return status;
}

} // namespace

Result<std::string> ownFolder() {
  char path[PATH_MAX];
  ssize_t length = readlink("/proc/self/exe", path, sizeof path);
  if (length <= 0)
    return badInput(703, "the program's own folder is unknown", std::strerror(errno),
                    "mounting /proc");
  std::string text(path, static_cast<size_t>(length));
  return text.substr(0, text.rfind('/'));
}

std::vector<std::string> commandFolders() {
  Result<std::string> own = ownFolder();
  if (!own)
    return {};
  return {*own, *own + "/../libexec/imbrex"};
}

Result<std::string> findCommand(const std::string &name) {
  for (const std::string &folder : commandFolders()) {
    std::string path = folder + "/imbrex-" + name;
    if (access(path.c_str(), X_OK) == 0)
      return path;
  }
  return unsupported(704, "the program imbrex-" + name + " is not installed",
                     "it is not beside imbrex", "building or installing the compiler too");
}

Result<int> runProgram(const std::string &path, const std::vector<std::string> &arguments) {
  constexpr int cannotStart = 127;
  std::vector<char *> argv = argvOf(path, arguments);
  const pid_t parent = getpid(), child = fork();
  if (child == 0) {
    // Who ends this program, ends what it waits for.
    prctl(PR_SET_PDEATHSIG, SIGTERM);
    if (getppid() == parent && dup2(STDERR_FILENO, STDOUT_FILENO) >= 0)
      execv(path.c_str(), argv.data());
    _exit(cannotStart);
  }
  if (child < 0)
    return badInput(705, "cannot start " + path, std::strerror(errno));
  int status = waitFor(child);
  if (WIFEXITED(status) && WEXITSTATUS(status) == cannotStart)
    return badInput(705, "cannot start " + path, "it is no program of this machine");
  if (WIFEXITED(status))
    return WEXITSTATUS(status);
  return internalError(705, path + " was ended by signal " + std::to_string(WTERMSIG(status)));
}

std::string firstLineOf(const std::string &program, const std::vector<std::string> &arguments) {
  int ends[2];
  if (pipe2(ends, O_CLOEXEC) != 0)
    return "";
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_adddup2(&actions, ends[1], STDOUT_FILENO);
  posix_spawn_file_actions_addopen(&actions, STDERR_FILENO, "/dev/null", O_WRONLY, 0);
  pid_t child = 0;
  int failure = posix_spawnp(&child, program.c_str(), &actions, nullptr,
                             argvOf(program, arguments).data(), environ);
  posix_spawn_file_actions_destroy(&actions);
  close(ends[1]);
  std::string text;
  char buffer[4096];
  for (ssize_t got; failure == 0 && (got = read(ends[0], buffer, sizeof buffer)) > 0;)
    if (text.size() < sizeof buffer)
      text.append(buffer, static_cast<size_t>(got));
  close(ends[0]);
  if (failure != 0 || waitFor(child) != 0)
    return "";
  return text.substr(0, text.find('\n'));
}

} // namespace imbrex::tools
