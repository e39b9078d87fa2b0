// Wave files of 16-bit PCM, one channel: the form that speech models are fed with.
#pragma once

#include "support/Result.h"

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace imbrex::silero {

struct Sound {
  uint32_t rate = 16000; // samples a second
  std::vector<int16_t> samples;
};

/// The bytes of a wave file. The samples must take less than 4 GiB.
std::string encodeWav(const Sound &sound);

/// Skips chunks it does not know. Refused with E0801: what is no wave file or is cut off, other
/// encodings than 16-bit PCM, more than one channel.
Result<Sound> decodeWav(std::string_view bytes, const std::string &name);

/// Errors: E0800 when the file cannot be read or written, is no regular file or is larger than 1
/// GiB.
Result<Sound> readWav(const std::string &path);
Status writeWav(const std::string &path, const Sound &sound);

} // namespace imbrex::silero
