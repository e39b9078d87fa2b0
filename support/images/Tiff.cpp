// TIFF, by libtiff: the first picture of a file.
#include "support/images/Images.h"

#include <algorithm>
#include <cstring>
#include <memory>

#include <tiffio.h>

namespace imbrex::images {
namespace {

struct Source {
  Bytes file;
  uint64_t at = 0;
};

tmsize_t readBytes(thandle_t handle, void *to, tmsize_t count) {
  auto *s = static_cast<Source *>(handle);
  const uint64_t left = s->at < s->file.size() ? s->file.size() - s->at : 0;
  const auto taken = std::min<uint64_t>(left, static_cast<uint64_t>(std::max<tmsize_t>(count, 0)));
  if (taken)
    std::memcpy(to, s->file.data() + s->at, taken);
  s->at += taken;
  return static_cast<tmsize_t>(taken);
}
tmsize_t writeBytes(thandle_t, void *, tmsize_t) { return 0; }
toff_t seekTo(thandle_t handle, toff_t offset, int whence) {
  auto *s = static_cast<Source *>(handle);
  s->at = whence == SEEK_SET   ? offset
          : whence == SEEK_CUR ? s->at + offset
                               : s->file.size() + offset;
  return s->at;
}
int closeIt(thandle_t) { return 0; }
toff_t sizeOf(thandle_t handle) { return static_cast<Source *>(handle)->file.size(); }

} // namespace

std::optional<Picture> decodeTiff(Bytes file) {
  TIFFSetErrorHandler(nullptr);
  TIFFSetWarningHandler(nullptr);
  Source source{file};
  std::unique_ptr<TIFF, void (*)(TIFF *)> tiff(TIFFClientOpen("picture", "rm", &source, readBytes,
                                                              writeBytes, seekTo, closeIt, sizeOf,
                                                              nullptr, nullptr),
                                               TIFFClose);
  uint32_t width = 0, height = 0;
  if (!tiff || !TIFFGetField(tiff.get(), TIFFTAG_IMAGEWIDTH, &width) ||
      !TIFFGetField(tiff.get(), TIFFTAG_IMAGELENGTH, &height) ||
      !isSound(height, width, believed(file) / 2))
    return std::nullopt;
  std::vector<uint32_t> raster(size_t(width) * height);
  if (!TIFFReadRGBAImageOriented(tiff.get(), width, height, raster.data(), ORIENTATION_TOPLEFT, 1))
    return std::nullopt;
  Picture p{height, width, std::vector<uint8_t>(raster.size() * 3)};
  for (size_t k = 0; k < raster.size(); ++k) {
    p.rgb[k * 3] = TIFFGetR(raster[k]);
    p.rgb[k * 3 + 1] = TIFFGetG(raster[k]);
    p.rgb[k * 3 + 2] = TIFFGetB(raster[k]);
  }
  return p;
}

} // namespace imbrex::images
