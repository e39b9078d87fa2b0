// The bytes of an artifact: a mapped file, or a copy of somebody's memory. Page-aligned, read-only,
// constant for as long as the image lives.
#pragma once

#include "support/Result.h"

#include <cstddef>
#include <memory>
#include <span>
#include <string>

namespace imbrex::runtime {

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

private:
  FileImage() = default;
  std::byte *base = nullptr;
  size_t size = 0;
  size_t mapped = 0;
  bool mappedFile = false;
  int fd = -1;
};

} // namespace imbrex::runtime
