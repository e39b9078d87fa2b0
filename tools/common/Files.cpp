#include "tools/common/Files.h"

#include "runtime/module/format/Layout.h"

#include <cerrno>
#include <cstring>
#include <fcntl.h>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <unistd.h>

namespace imbrex::tools {

Result<ModelKind> modelKindOf(const std::string &path) {
  // A pipe would be waited for, and could be read only once.
  std::error_code none;
  const auto status = std::filesystem::status(path, none);
  if (std::filesystem::exists(status) && !std::filesystem::is_regular_file(status))
    return badInput(710, "cannot read " + path, "it is no regular file", "a file of its content");
  int file = open(path.c_str(), O_RDONLY | O_CLOEXEC);
  char start[sizeof artifact::fileMagic] = {};
  ssize_t got = file < 0 ? -1 : read(file, start, sizeof start);
  int failure = errno;
  if (file >= 0)
    close(file);
  if (got < 0)
    return badInput(710, "cannot read " + path, std::strerror(failure), "another path");
  return std::memcmp(start, artifact::fileMagic, sizeof start) == 0 ? ModelKind::Artifact
                                                                    : ModelKind::Onnx;
}

Status writeText(const std::string &path, const std::string &text) {
  std::error_code unknown;
  const auto kind = std::filesystem::symlink_status(path, unknown).type();
  const bool replaces =
      kind == std::filesystem::file_type::regular || kind == std::filesystem::file_type::not_found;
  const std::string beside = replaces ? path + ".new-" + std::to_string(getpid()) : path;
  std::ofstream out(beside, std::ios::binary);
  out << text;
  out.close();
  std::error_code failure;
  if (out && replaces)
    std::filesystem::rename(beside, path, failure);
  if (out && !failure)
    return {};
  const std::string reason = failure ? failure.message() : std::strerror(errno);
  if (replaces)
    std::filesystem::remove(beside, failure);
  return badInput(792, "cannot write " + path, reason, "another folder");
}

std::string readText(const std::string &path) {
  std::ifstream file(path);
  std::string text(std::istreambuf_iterator<char>(file), {});
  while (!text.empty() && text.back() == '\n')
    text.pop_back();
  return text;
}

bool isSameFile(const std::string &a, const std::string &b) {
  std::error_code failure;
  return std::filesystem::equivalent(a, b, failure) && !failure;
}

std::string joined(const std::vector<std::string> &words, const std::string &separator) {
  std::string text;
  for (const std::string &word : words)
    text += (text.empty() ? "" : separator) + word;
  return text;
}

} // namespace imbrex::tools
