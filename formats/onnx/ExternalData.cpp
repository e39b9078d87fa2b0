#include "formats/onnx/ExternalData.h"

#include <cerrno>
#include <cstring>
#include <fcntl.h>
#include <filesystem>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

namespace imbrex::onnx {
namespace fs = std::filesystem;

static Error unreadable(const std::string &path, std::string because) {
  return badInput(300, "cannot read '" + path + "'", std::move(because),
                  "checking the path and its permissions");
}

static Result<MappedFile> mapDescriptor(int fd, const std::string &path) {
  struct stat info{};
  if (fstat(fd, &info) != 0)
    return unreadable(path, std::strerror(errno));
  if (!S_ISREG(info.st_mode))
    return unreadable(path, "it is not a regular file");
  auto size = static_cast<size_t>(info.st_size);
  if (size == 0)
    return MappedFile{};
  void *base = mmap(nullptr, size, PROT_READ, MAP_PRIVATE, fd, 0);
  if (base == MAP_FAILED)
    return unreadable(path, std::strerror(errno));
  std::shared_ptr<const void> owner(base,
                                    [size](const void *p) { munmap(const_cast<void *>(p), size); });
  return MappedFile{{static_cast<const std::byte *>(base), size}, std::move(owner)};
}

Result<MappedFile> mapFile(const std::string &path) {
  // Non-blocking, so that a pipe in place of a file is refused rather than waited for.
  int fd = ::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK);
  if (fd < 0)
    return unreadable(path, std::strerror(errno));
  auto mapped = mapDescriptor(fd, path);
  close(fd);
  return mapped;
}

static Error refused(const std::string &location, std::string because) {
  return badInput(304, "external data '" + location + "' refused", std::move(because),
                  "keeping the data file in the model's directory, as the exporter wrote it");
}

static bool isInside(const fs::path &file, const fs::path &dir) {
  auto [end, ignored] = std::mismatch(dir.begin(), dir.end(), file.begin(), file.end());
  return end == dir.end();
}

Result<MappedFile> ExternalData::open(const std::string &location) {
  if (auto it = files.find(location); it != files.end())
    return it->second;
  if (baseDir.empty())
    return refused(location, "a model read from memory has no directory to look in");
  if (location.empty() || location.find('\0') != std::string::npos)
    return refused(location, "it is not a file name");
  fs::path relative(location);
  if (relative.is_absolute())
    return refused(location, "it is an absolute path");
  for (const auto &part : relative)
    if (part == "..")
      return refused(location, "it leaves the model's directory");
  std::error_code failed;
  fs::path dir = fs::canonical(baseDir, failed);
  if (failed)
    return refused(location, "the model's directory: " + failed.message());
  fs::path file = fs::canonical(dir / relative, failed);
  if (failed)
    return refused(location, failed.message());
  if (!isInside(file, dir))
    return refused(location, "a link leads out of the model's directory");
  auto mapped = mapFile(file.string());
  if (!mapped)
    return refused(location, mapped.error().because);
  return files.emplace(location, mapped.take()).first->second;
}

Result<MappedFile> ExternalData::view(const std::string &location, int64_t offset, int64_t length) {
  auto file = open(location);
  if (!file)
    return file.takeError();
  auto size = static_cast<int64_t>(file->bytes.size());
  if (offset < 0 || offset > size)
    return refused(location, "its offset " + std::to_string(offset) + " is outside the file of " +
                                 std::to_string(size) + " bytes");
  if (length < 0)
    length = size - offset;
  if (length > size - offset)
    return refused(location, std::to_string(length) + " bytes at offset " + std::to_string(offset) +
                                 " exceed the file of " + std::to_string(size) + " bytes");
  return MappedFile{file->bytes.subspan(size_t(offset), size_t(length)), file->owner};
}

} // namespace imbrex::onnx
