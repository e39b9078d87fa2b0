// The bytes of an artifact: a mapped file, or a copy of somebody's memory. Page-aligned, read-only,
// constant for as long as the image lives.
#pragma once

#include "support/Result.h"

#include <cstddef>
#include <memory>
#include <span>
#include <string>

namespace imbrex::runtime {

/// A further mapping of a part of a file; gone with this object.
class FilePart {
public:
  FilePart(void *base, size_t mapped, const std::byte *data)
      : base(base), mapped(mapped), first(data) {}
  ~FilePart();
  FilePart(const FilePart &) = delete;
  FilePart &operator=(const FilePart &) = delete;
  const std::byte *data() const { return first; }

private:
  void *base;
  size_t mapped;
  const std::byte *first;
};

class FileImage {
public:
  /// Maps the file; nothing is read yet. The file must not be cut short while it is mapped: writers
  /// that replace it by a rename, as ours does, are fine. E0001 when it cannot be opened.
  static Result<std::shared_ptr<const FileImage>> open(const std::string &path);
  static Result<std::shared_ptr<const FileImage>> copyOf(std::span<const std::byte> bytes);

  ~FileImage();
  FileImage(const FileImage &) = delete;
  FileImage &operator=(const FileImage &) = delete;

  std::span<const std::byte> bytes() const { return {base, size}; }
  bool isMappedFile() const { return mappedFile; }
  /// Reads a part of a mapped file into `to` without touching the mapping; false on an I/O error.
  bool readInto(std::byte *to, uint64_t offset, uint64_t count) const;
  /// Asks the system to bring a part in now, in one go instead of page by page.
  void populate(std::span<const std::byte> part) const;
  /// Maps a part of a mapped file once more, for reads here and there: what they touch becomes
  /// resident by 64 KiB. The first mapping may take 2 MiB for each byte that is read, where the
  /// system keeps the file in large pages. Null when there is no room.
  std::unique_ptr<FilePart> mapForScatteredReads(std::span<const std::byte> part) const;

private:
  FileImage() = default;
  std::byte *base = nullptr;
  size_t size = 0;
  size_t mapped = 0;
  bool mappedFile = false;
  int fd = -1;
};

} // namespace imbrex::runtime
