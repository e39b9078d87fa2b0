// Files that programs keep for their later runs, such as compiled models, in a folder of the
// user's.
//
// A file appears under its name only when it is whole (written beside, then renamed), so any number
// of processes and threads may share the folder. When it outgrows its limit, the files used longest
// ago go. What is kept may be machine code that is loaded later: only a folder and files that
// nobody but the user can write are trusted.
#pragma once

#include "support/Result.h"

#include <cstddef>
#include <optional>
#include <span>
#include <string>

namespace imbrex {

/// $XDG_CACHE_HOME/imbrex or ~/.cache/imbrex. E0731 when neither is known.
Result<std::string> userCacheFolder();

/// Only the user can write what is at `path`: "", or why not.
std::string untrusted(const std::string &path);

class KeptFiles {
public:
  /// Nothing happens before the first use. `limitBytes` is of all files together.
  KeptFiles(std::string folder, uint64_t limitBytes)
      : folder(std::move(folder)), limitBytes(limitBytes) {}

  std::string path(const std::string &name) const { return folder + "/" + name; }

  /// Makes the folder, for the user alone. E0731 when it cannot be made, written or trusted.
  Status prepare() const;

  /// The content of a file, which counts as its use. Nothing when there is none, or when others can
  /// write to it.
  std::optional<std::string> read(const std::string &name) const;
  /// Whole or not at all; false when not.
  bool write(const std::string &name, std::span<const std::byte> bytes) const;
  /// Says that a file is being used.
  void touch(const std::string &name) const;

  /// Removes files until the rest fits the limit, but never `keep`. Linear in the number of files.
  void evict(const std::string &keep = "") const;

private:
  std::string folder;
  uint64_t limitBytes;
};

/// What is in a folder: regular files, not those of folders inside.
struct FolderUse {
  uint64_t files = 0, bytes = 0;
};
FolderUse folderUse(const std::string &folder);

} // namespace imbrex
