// Voice activity in a stream, with a compiled model: chunks of 512 samples at 16 kHz go in one
// after the other, and the model's state and the last 64 samples are carried over. One detector
// belongs to one stream and one thread.
#pragma once

#include "support/Result.h"

#include <cstdint>
#include <memory>
#include <span>
#include <string>

namespace imbrex::silero {

class Detector {
public:
  static constexpr uint32_t rate = 16000;
  static constexpr size_t chunkSize = 512;
  static constexpr size_t contextSize = 64;

  /// Opens an artifact with the inputs input f32[1,576], state f32[2,1,128], sr i64[]. Errors:
  /// E0026.
  static Result<Detector> open(const std::string &artifact);
  ~Detector();
  Detector(Detector &&) noexcept;
  Detector &operator=(Detector &&) noexcept;

  /// The probability that this chunk holds speech. Samples are in [-1, 1].
  Result<float> next(std::span<const float, chunkSize> chunk);

private:
  struct Loaded;
  explicit Detector(std::unique_ptr<Loaded> loaded);
  std::unique_ptr<Loaded> loaded;
};

} // namespace imbrex::silero
