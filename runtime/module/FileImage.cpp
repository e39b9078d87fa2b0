#include "runtime/module/FileImage.h"

#include "runtime/core/Pages.h"

#include <cerrno>
#include <cstring>
#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#ifndef MADV_POPULATE_READ
#define MADV_POPULATE_READ 22
#endif

namespace imbrex::runtime {

Result<std::shared_ptr<const FileImage>> FileImage::open(const std::string &path) {
  auto failed = [&](const char *why) {
    return badInput(1, "cannot read '" + path + "'", why, "an existing .imx file");
  };
  int fd = ::open(path.c_str(), O_RDONLY | O_CLOEXEC);
  if (fd < 0)
    return failed(std::strerror(errno));
  std::shared_ptr<FileImage> image(new FileImage);
  image->fd = fd; // closed by the image from here on
  struct stat info;
  if (::fstat(fd, &info) != 0)
    return failed(std::strerror(errno));
  if (!S_ISREG(info.st_mode))
    return failed("it is not a regular file");
  image->size = static_cast<size_t>(info.st_size);
  image->mappedFile = true;
  if (image->size == 0)
    return std::shared_ptr<const FileImage>(image);
  void *p = ::mmap(nullptr, image->size, PROT_READ, MAP_PRIVATE, fd, 0);
  if (p == MAP_FAILED)
    return failed(std::strerror(errno));
  image->base = static_cast<std::byte *>(p);
  image->mapped = image->size;
  return std::shared_ptr<const FileImage>(image);
}

Result<std::shared_ptr<const FileImage>> FileImage::copyOf(std::span<const std::byte> bytes) {
  std::shared_ptr<FileImage> image(new FileImage);
  if (bytes.empty())
    return std::shared_ptr<const FileImage>(image);
  uint64_t mapped = bytes.size();
  image->base = static_cast<std::byte *>(mapPages(mapped, Prefault::No));
  if (!image->base)
    return badInput(250, "no memory for an artifact of " + std::to_string(bytes.size()) + " bytes");
  image->mapped = mapped;
  image->size = bytes.size();
  std::memcpy(image->base, bytes.data(), bytes.size());
  ::mprotect(image->base, mapped, PROT_READ);
  return std::shared_ptr<const FileImage>(image);
}

FileImage::~FileImage() {
  if (base)
    ::munmap(base, mapped);
  if (fd >= 0)
    ::close(fd);
}

bool FileImage::readInto(std::byte *to, uint64_t offset, uint64_t count) const {
  while (count) {
    ssize_t n = ::pread(fd, to, count, static_cast<off_t>(offset));
    if (n < 0 && errno == EINTR)
      continue;
    if (n <= 0)
      return false;
    to += n;
    offset += static_cast<uint64_t>(n);
    count -= static_cast<uint64_t>(n);
  }
  return true;
}

void FileImage::populate(std::span<const std::byte> part) const {
  if (!mappedFile || part.empty())
    return;
  auto begin = reinterpret_cast<uintptr_t>(part.data()) & ~uintptr_t{4095};
  auto end = reinterpret_cast<uintptr_t>(part.data()) + part.size();
  ::madvise(reinterpret_cast<void *>(begin), end - begin, MADV_POPULATE_READ);
}

FilePart::~FilePart() { ::munmap(base, mapped); }

/// A large page of the cache is mapped whole where addresses and the file's offsets agree modulo
/// its size; here they do not.
std::unique_ptr<FilePart> FileImage::mapForScatteredReads(std::span<const std::byte> part) const {
  const auto offset = static_cast<uint64_t>(part.data() - base);
  const uint64_t begin = offset & ~uint64_t{4095};
  const uint64_t length = offset + part.size() - begin;
  const uint64_t room = length + 2 * hugePageBytes;
  void *reserved =
      ::mmap(nullptr, room, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (reserved == MAP_FAILED)
    return nullptr;
  const uint64_t wanted = begin + hugePageBytes / 2;
  const uint64_t lead = (wanted - reinterpret_cast<uintptr_t>(reserved)) % hugePageBytes;
  auto *at = static_cast<std::byte *>(reserved) + lead;
  auto made = std::make_unique<FilePart>(reserved, room, at + (offset - begin));
  if (::mmap(at, length, PROT_READ, MAP_PRIVATE | MAP_FIXED, fd, static_cast<off_t>(begin)) ==
      MAP_FAILED)
    return nullptr;
  return made;
}

} // namespace imbrex::runtime
