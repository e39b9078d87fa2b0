// SHA-256 (FIPS 180-4): names cached artifacts by what they were made of. About 400 MB/s.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>

namespace imbrex::tools {

class Sha256 {
public:
  void update(std::span<const std::byte> bytes);
  void update(std::string_view text) { update(std::as_bytes(std::span(text))); }
  /// Adds `text` and its length, so that neighbouring fields cannot be confused.
  void updateField(std::string_view text);
  /// 64 hexadecimal digits. Ends the computation.
  std::string hex();

private:
  void block(const uint8_t *data);

  std::array<uint32_t, 8> state = {0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a,
                                   0x510e527f, 0x9b05688c, 0x1f83d9ab, 0x5be0cd19};
  std::array<uint8_t, 64> pending = {};
  uint64_t total = 0; // bytes so far
};

} // namespace imbrex::tools
