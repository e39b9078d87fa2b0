#include "proof/certificate/export/RunCoqc.h"

#include "proof/certificate/export/Coq.h"

#include <chrono>
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <thread>

#include <fcntl.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

namespace imbrex::certificate {

namespace {

constexpr rlim_t MostBytes = rlim_t(8) << 30;
constexpr int NotStarted = 127; // of the child, before it is coqc

std::string contentOf(const std::string &path) {
  std::ifstream in(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), {}};
}

/// A file for one of the child's streams, in the folder that it is in.
bool redirect(const char *path, int stream) {
  int file = open(path, O_WRONLY | O_CREAT | O_TRUNC, 0600);
  return file >= 0 && dup2(file, stream) == stream;
}

/// In the child: becomes coqc, or tells the pipe why it does not. It ends with its parent.
[[noreturn]] void becomeCoqc(const char *folder, unsigned seconds, int pipe) {
  const rlimit time{seconds, seconds + 5}, space{MostBytes, MostBytes}, noCore{0, 0};
  const char *const words[] = {"coqc", "certificate.v", nullptr};
  if (prctl(PR_SET_PDEATHSIG, SIGKILL) == 0 && setrlimit(RLIMIT_CPU, &time) == 0 &&
      setrlimit(RLIMIT_AS, &space) == 0 && setrlimit(RLIMIT_CORE, &noCore) == 0 &&
      chdir(folder) == 0 && redirect("answer", STDOUT_FILENO) &&
      redirect("messages", STDERR_FILENO))
    execvp(words[0], const_cast<char *const *>(words));
  int why = errno;
  if (write(pipe, &why, sizeof why) != ssize_t(sizeof why))
    _exit(NotStarted);
  _exit(NotStarted);
}

/// Its status; nothing: it took too long by the clock and was ended.
bool ended(pid_t child, std::chrono::seconds limit, int &status) {
  auto last = std::chrono::steady_clock::now() + limit;
  while (waitpid(child, &status, WNOHANG) == 0) {
    if (std::chrono::steady_clock::now() > last) {
      kill(child, SIGKILL);
      waitpid(child, &status, 0);
      return false;
    }
    std::this_thread::sleep_for(std::chrono::milliseconds(20));
  }
  return true;
}

/// coqc ends with 1 for what it rejects and then names the place in the script; also when it finds
/// no library, which is no word on the script.
CoqAnswer answerOf(int status, const std::string &output, const std::string &messages) {
  if (WIFSIGNALED(status) && WTERMSIG(status) == SIGXCPU)
    return CoqAnswer::TimedOut;
  if (!WIFEXITED(status))
    return CoqAnswer::Failed;
  if (WEXITSTATUS(status) == 0)
    return isAcceptedByCoq(output) ? CoqAnswer::Accepted : CoqAnswer::Rejected;
  auto says = [&](const char *text) { return messages.find(text) != std::string::npos; };
  bool isRejection = WEXITSTATUS(status) == 1 && says("certificate.v\", line ") &&
                     says("\nError") && !says("Stack overflow") && !says("Out of memory") &&
                     !says("Cannot find a physical path");
  return isRejection ? CoqAnswer::Rejected : CoqAnswer::Failed;
}

/// Runs coqc on the script in the folder.
CoqRun runIn(const std::string &folder, unsigned seconds) {
  CoqRun run;
  int ends[2], why = 0, status = 0;
  if (pipe2(ends, O_CLOEXEC) != 0)
    return {CoqAnswer::Failed, "coqc was not started: no pipe"};
  pid_t child = fork();
  if (child == 0)
    becomeCoqc(folder.c_str(), seconds, ends[1]);
  close(ends[1]);
  bool isTold = child > 0 && read(ends[0], &why, sizeof why) == ssize_t(sizeof why);
  close(ends[0]);
  if (child < 0 || isTold) {
    if (child > 0)
      waitpid(child, &status, 0);
    return {isTold && why == ENOENT ? CoqAnswer::Missing : CoqAnswer::Failed,
            std::string("coqc was not started: ") + std::strerror(isTold ? why : errno)};
  }
  bool isInTime = ended(child, std::chrono::seconds(20 * seconds), status);
  std::string output = contentOf(folder + "/answer"), messages = contentOf(folder + "/messages");
  run.answer = isInTime ? answerOf(status, output, messages) : CoqAnswer::TimedOut;
  if (run.answer != CoqAnswer::Accepted) // warnings are no part of the answer
    run.text = "status " + std::to_string(status) + ": " + output + messages;
  return run;
}

} // namespace

CoqRun runCoqc(const std::string &script, unsigned seconds) {
  std::error_code failure;
  std::string folder = std::filesystem::temp_directory_path(failure) / "imbrex-coq-XXXXXX";
  if (failure || !mkdtemp(folder.data()))
    return {CoqAnswer::Failed, "no temporary folder"};
  bool isWritten = bool((std::ofstream(folder + "/certificate.v") << script).flush());
  CoqRun run = isWritten ? runIn(folder, seconds)
                         : CoqRun{CoqAnswer::Failed, "the script cannot be written"};
  std::filesystem::remove_all(folder, failure);
  return run;
}

} // namespace imbrex::certificate
