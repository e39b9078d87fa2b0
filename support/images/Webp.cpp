// WebP, by libwebp; alpha is dropped, and of an animation nothing is read.
#include "support/images/Images.h"

#include <webp/decode.h>

namespace imbrex::images {

std::optional<Picture> decodeWebp(Bytes file) {
  int width = 0, height = 0;
  if (!WebPGetInfo(file.data(), file.size(), &width, &height) ||
      !isSound(height, width, believed(file)))
    return std::nullopt;
  Picture p{height, width, std::vector<uint8_t>(size_t(height) * size_t(width) * 3)};
  if (!WebPDecodeRGBInto(file.data(), file.size(), p.rgb.data(), p.rgb.size(), width * 3))
    return std::nullopt;
  return p;
}

} // namespace imbrex::images
