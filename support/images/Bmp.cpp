// BMP: 8, 24 or 32 bits a pixel, not compressed.
#include "support/images/Images.h"

#include <cstdlib>

namespace imbrex::images {

static int64_t little(Bytes file, size_t at, size_t bytes) {
  uint32_t value = 0;
  for (size_t k = 0; k < bytes; ++k)
    value |= uint32_t(file[at + k]) << (8 * k);
  return bytes == 4 ? int64_t(int32_t(value)) : int64_t(value);
}

std::optional<Picture> decodeBmp(Bytes file) {
  if (file.size() < 54)
    return std::nullopt;
  const int64_t begin = little(file, 10, 4), header = little(file, 14, 4),
                bits = little(file, 28, 2);
  const int64_t width = little(file, 18, 4), signedHeight = little(file, 22, 4);
  const int64_t height = std::abs(signedHeight), compression = little(file, 30, 4);
  // BITFIELDS with 32 bits is what writers of alpha use; its masks are taken to be the usual ones.
  const bool known = compression == 0 || (compression == 3 && bits == 32);
  if (header < 40 || !known || (bits != 8 && bits != 24 && bits != 32) || !isSound(height, width))
    return std::nullopt;
  const int64_t row = (width * bits + 31) / 32 * 4, size = static_cast<int64_t>(file.size());
  if (begin < 0 || begin > size || (size - begin) / row < height)
    return std::nullopt;
  const int64_t palette = 14 + header;
  if (bits == 8 && (palette > size || (begin - palette) / 4 < 1))
    return std::nullopt;
  const int64_t colors = bits == 8 ? (begin - palette) / 4 : 0;
  Picture p{height, width, std::vector<uint8_t>(size_t(height * width * 3))};
  for (int64_t y = 0; y < height; ++y) {
    const int64_t from = begin + (signedHeight < 0 ? y : height - 1 - y) * row;
    for (int64_t x = 0; x < width; ++x) {
      int64_t at = from + x * bits / 8;
      if (bits == 8) {
        if (file[size_t(at)] >= colors)
          return std::nullopt;
        at = palette + int64_t(file[size_t(at)]) * 4;
      }
      for (int64_t c = 0; c < 3; ++c)
        p.rgb[size_t((y * width + x) * 3 + c)] = file[size_t(at + 2 - c)];
    }
  }
  return p;
}

} // namespace imbrex::images
