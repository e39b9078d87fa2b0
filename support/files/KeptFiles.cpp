#include "support/files/KeptFiles.h"

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <fcntl.h>
#include <filesystem>
#include <sys/stat.h>
#include <unistd.h>
#include <vector>

namespace fs = std::filesystem;

namespace imbrex {

Result<std::string> userCacheFolder() {
  for (auto [variable, below] :
       {std::pair{"XDG_CACHE_HOME", "/imbrex"}, {"HOME", "/.cache/imbrex"}}) {
    const char *value = std::getenv(variable);
    if (value && value[0] == '/')
      return std::string(value) + below;
  }
  return badInput(731, "there is no place to keep what is compiled",
                  "neither XDG_CACHE_HOME nor HOME names a folder",
                  "imbrex compile MODEL -o FILE.imx and imbrex run FILE.imx");
}

static std::string untrusted(const struct stat &facts) {
  if (facts.st_uid != geteuid())
    return "it belongs to another user";
  if (facts.st_mode & (S_IWGRP | S_IWOTH))
    return "other users can write to it";
  return {};
}

std::string untrusted(const std::string &path) {
  struct stat facts = {};
  return stat(path.c_str(), &facts) == 0 ? untrusted(facts) : std::strerror(errno);
}

namespace {

/// A file descriptor that is closed.
struct Descriptor {
  int number;
  explicit Descriptor(int number) : number(number) {}
  Descriptor(const Descriptor &) = delete;
  Descriptor &operator=(const Descriptor &) = delete;
  ~Descriptor() {
    if (number >= 0)
      close(number);
  }
};

struct Kept {
  fs::path path;
  fs::file_time_type used;
  uint64_t bytes;
};

/// The regular files of a folder. Another process may remove them meanwhile.
std::vector<Kept> filesOf(const std::string &folder) {
  std::vector<Kept> files;
  std::error_code failure;
  for (fs::directory_iterator at(folder, failure), end; !failure && at != end;
       at.increment(failure)) {
    std::error_code ignored;
    if (!at->is_regular_file(ignored))
      continue;
    Kept file{at->path(), at->last_write_time(ignored), at->file_size(ignored)};
    if (!ignored)
      files.push_back(std::move(file));
  }
  return files;
}

bool writeAll(int file, std::span<const std::byte> bytes) {
  while (!bytes.empty()) {
    ssize_t wrote = ::write(file, bytes.data(), bytes.size());
    if (wrote < 0 && errno == EINTR)
      continue;
    if (wrote <= 0)
      return false;
    bytes = bytes.subspan(static_cast<size_t>(wrote));
  }
  return true;
}

} // namespace

Status KeptFiles::prepare() const {
  std::error_code failure;
  bool made = fs::create_directories(folder, failure);
  if (made && !failure)
    fs::permissions(folder, fs::perms::owner_all, failure);
  if (failure)
    return badInput(731, "cannot make the folder " + folder, failure.message());
  if (std::string why = untrusted(folder); !why.empty())
    return badInput(731, "the folder " + folder + " cannot be trusted", why);
  if (access(folder.c_str(), W_OK | X_OK) != 0)
    return badInput(731, "cannot write to the folder " + folder, std::strerror(errno));
  return {};
}

std::optional<std::string> KeptFiles::read(const std::string &name) const {
  // What is no file would make us wait, and what is linked to is somewhere else.
  Descriptor file(open(path(name).c_str(), O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK));
  struct stat facts = {};
  if (file.number < 0 || fstat(file.number, &facts) != 0 || !S_ISREG(facts.st_mode) ||
      !untrusted(facts).empty() || static_cast<uint64_t>(facts.st_size) > limitBytes)
    return std::nullopt;
  std::string content(static_cast<size_t>(facts.st_size), '\0');
  size_t done = 0;
  while (done < content.size()) {
    ssize_t got = ::read(file.number, content.data() + done, content.size() - done);
    if (got < 0 && errno == EINTR)
      continue;
    if (got <= 0)
      return std::nullopt;
    done += static_cast<size_t>(got);
  }
  futimens(file.number, nullptr);
  return content;
}

bool KeptFiles::write(const std::string &name, std::span<const std::byte> bytes) const {
  static std::atomic<unsigned> count = 0;
  const std::string unfinished =
      path(name) + "." + std::to_string(getpid()) + "." + std::to_string(count++);
  Descriptor file(open(unfinished.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600));
  if (file.number < 0)
    return false;
  if (writeAll(file.number, bytes) && rename(unfinished.c_str(), path(name).c_str()) == 0)
    return true;
  unlink(unfinished.c_str());
  return false;
}

void KeptFiles::touch(const std::string &name) const {
  utimensat(AT_FDCWD, path(name).c_str(), nullptr, 0);
}

void KeptFiles::evict(const std::string &keep) const {
  std::vector<Kept> files = filesOf(folder);
  uint64_t total = 0;
  for (const Kept &file : files)
    total += file.bytes;
  std::sort(files.begin(), files.end(),
            [](const Kept &a, const Kept &b) { return a.used < b.used; });
  std::error_code ignored;
  for (const Kept &file : files) {
    if (total <= limitBytes)
      return;
    if (file.path.filename() == keep)
      continue;
    fs::remove(file.path, ignored);
    total -= file.bytes;
  }
}

FolderUse folderUse(const std::string &folder) {
  FolderUse use;
  for (const Kept &file : filesOf(folder)) {
    ++use.files;
    use.bytes += file.bytes;
  }
  return use;
}

} // namespace imbrex
