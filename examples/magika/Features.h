// From a file to what the model reads: `beginSize` tokens of its beginning, then `endSize` tokens
// of its end.
//
//   "  #!/bin/sh\n…  \n"  ->  '#' '!' '/' … 256 256 | 256 256 … 'f' 'i'
//
// White space before the beginning and after the end is dropped; what is missing is padding, after
// the beginning and before the end. At most `blockSize` bytes are read from either end, whatever
// the file's size. Some paths are answered without the model: directories, empty files, files with
// fewer than `minimumSize` bytes of substance.
#pragma once

#include "support/Result.h"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace imbrex::magika {

struct FeatureConfig {
  uint32_t beginSize = 1024;
  uint32_t endSize = 1024;
  uint32_t blockSize = 4096;
  uint32_t minimumSize = 8;
  int32_t padding = 256;
};

enum class Symlinks { Follow, Name };

struct Features {
  /// beginSize + endSize tokens; empty when `answer` is set.
  std::vector<int32_t> tokens;
  /// The label where no model is needed: empty, directory, symlink, txt, unknown.
  std::optional<std::string> answer;
  /// Why, when that is not plain from the label ("a FIFO: not read").
  std::string note;
};

/// Reads no more than two blocks and never waits: a FIFO, socket or device is answered `unknown`
/// unread. Errors: E0021 when the path does not exist, may not be read, or fails while being read.
Result<Features> featuresOfFile(const std::string &path, const FeatureConfig &, Symlinks);

/// The same for bytes in memory.
Features featuresOfBytes(std::string_view bytes, const FeatureConfig &);

/// Strict: no overlong forms, no surrogates, nothing above U+10FFFF, no cut-off sequence.
bool isUtf8(std::string_view bytes);

} // namespace imbrex::magika
