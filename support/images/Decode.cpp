#include "support/images/Images.h"

#include <algorithm>
#include <cstring>
#include <exception>
#include <string_view>

namespace imbrex::images {

std::optional<Picture> decode(Bytes file) {
  const std::string_view text(reinterpret_cast<const char *>(file.data()), file.size());
  using namespace std::string_view_literals;
  if (text.starts_with("BM"))
    return decodeBmp(file);
  if (text.starts_with("\xff\xd8\xff"))
    return decodeJpeg(file);
  if (text.starts_with("\0\0\0\x0cjP  \r\n\x87\n"sv) || text.starts_with("\xff\x4f\xff\x51"))
    return decodeJpeg2000(file);
  if (text.starts_with("\x89PNG\r\n\x1a\n"))
    return decodePng(file);
  if (text.size() > 2 && text[0] == 'P' && text[1] >= '1' && text[1] <= '6')
    return decodePnm(file);
  if (text.starts_with("II*\0"sv) || text.starts_with("MM\0*"sv))
    return decodeTiff(file);
  if (text.starts_with("RIFF") && text.size() > 12 && text.substr(8, 4) == "WEBP")
    return decodeWebp(file);
  return std::nullopt;
}

} // namespace imbrex::images

int32_t imbrex_decode_picture(const uint8_t *file, size_t size,
                              uint8_t *(*grow)(void *user, int64_t height, int64_t width),
                              void *user) {
  try {
    const auto picture = imbrex::images::decode({file, size});
    if (!picture)
      return 1;
    uint8_t *pixels = grow(user, picture->height, picture->width);
    if (!pixels)
      return 1;
    std::ranges::copy(picture->rgb, pixels);
    return 0;
  } catch (const std::exception &) { // no memory
    return 1;
  }
}
