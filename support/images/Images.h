// Pictures in files' formats, decoded to 8-bit RGB: BMP, JPEG, JPEG 2000, PNG, PNM, TIFF, WebP.
//
// A library of its own (libimbrex-images.so), opened by the host operation decode_image when a
// model needs it, so that the runtime itself links none of the codecs. Each codec's header is
// included by its file here only. A picture that cannot be decoded, whatever the reason, is empty:
// so ImageDecoder has it.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

namespace imbrex::images {

using Bytes = std::span<const uint8_t>;

/// Row-major, three bytes a pixel.
struct Picture {
  int64_t height = 0, width = 0;
  std::vector<uint8_t> rgb;
};

/// A file that promises more pixels is not decoded.
constexpr int64_t kMaxPixels = int64_t(1) << 26;

/// True for sizes that are positive and within `most` pixels.
inline bool isSound(int64_t height, int64_t width, int64_t most = kMaxPixels) {
  return height > 0 && width > 0 && height <= most && width <= most / height;
}
/// The most that a file of so many bytes is believed: the best codecs need a byte for some thousand
/// pixels.
inline int64_t believed(Bytes file) {
  return std::min<int64_t>(kMaxPixels, (int64_t(file.size()) + 16) * 8192);
}

std::optional<Picture> decodeBmp(Bytes file);
std::optional<Picture> decodeJpeg(Bytes file);
std::optional<Picture> decodeJpeg2000(Bytes file);
std::optional<Picture> decodePng(Bytes file);
std::optional<Picture> decodePnm(Bytes file);
std::optional<Picture> decodeTiff(Bytes file);
std::optional<Picture> decodeWebp(Bytes file);

/// By the format that its first bytes name.
std::optional<Picture> decode(Bytes file);

} // namespace imbrex::images

extern "C" {
/// What the library exports. `grow` gives memory for the pixels of a picture of a height and width,
/// or null; it is called at most once, and only for a picture that was decoded. 0: decoded.
using ImbrexDecodePicture = int32_t (*)(const uint8_t *file, size_t size,
                                        uint8_t *(*grow)(void *user, int64_t height, int64_t width),
                                        void *user);
__attribute__((visibility("default"))) int32_t
imbrex_decode_picture(const uint8_t *file, size_t size,
                      uint8_t *(*grow)(void *user, int64_t height, int64_t width), void *user);
}
