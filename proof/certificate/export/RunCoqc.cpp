#include "proof/certificate/export/RunCoqc.h"

#include "proof/certificate/export/Coq.h"

#include <csignal>
#include <cstdlib>
#include <filesystem>
#include <fstream>

#include <sys/wait.h>

namespace imbrex::certificate {

namespace {

std::string contentOf(const std::string &path) {
  std::ifstream in(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), {}};
}

constexpr int TimeoutStatus = 124, OverTime = 128 + SIGXCPU;

/// Of the shell's status: 127 is that of a program that is not there, and above 128 are signals.
/// coqc itself ends with 1 for what it rejects, and with 129 for defects.
CoqAnswer answerOf(int status, const std::string &output) {
  if (status == -1 || !WIFEXITED(status))
    return CoqAnswer::Failed;
  switch (WEXITSTATUS(status)) {
  case 0:
    return isAcceptedByCoq(output) ? CoqAnswer::Accepted : CoqAnswer::Rejected;
  case 1:
    return CoqAnswer::Rejected;
  case TimeoutStatus:
  case OverTime:
    return CoqAnswer::TimedOut;
  case 127:
    return CoqAnswer::Missing;
  default:
    return CoqAnswer::Failed;
  }
}

} // namespace

CoqRun runCoqc(const std::string &script, unsigned seconds) {
  CoqRun run;
  std::error_code failure;
  std::string folder = std::filesystem::temp_directory_path(failure) / "imbrex-coq-XXXXXX";
  if (failure || !mkdtemp(folder.data())) {
    run.text = "no temporary folder";
    return run;
  }
  if (!(std::ofstream(folder + "/certificate.v") << script).flush())
    run.text = "cannot write the script\n";
  // Warnings, such as that there is no home directory, are no part of the answer.
  std::string command = "cd '" + folder + "' && ulimit -S -t " + std::to_string(seconds) +
                        " && timeout " + std::to_string(20 * seconds) +
                        " coqc certificate.v >answer 2>messages";
  int status = std::system(command.c_str());
  std::string output = contentOf(folder + "/answer");
  run.answer = run.text.empty() ? answerOf(status, output) : CoqAnswer::Failed;
  if (run.answer != CoqAnswer::Accepted)
    run.text +=
        "status " + std::to_string(status) + ": " + output + contentOf(folder + "/messages");
  std::filesystem::remove_all(folder, failure);
  return run;
}

} // namespace imbrex::certificate
