// PNG, by libpng: palettes and gray become RGB, 16 bits become 8, alpha is dropped.
#include "support/images/Images.h"

#include <csetjmp>
#include <cstring>

#include <png.h>

namespace imbrex::images {
namespace {

struct Source {
  Bytes rest;
};

void readBytes(png_structp png, png_bytep to, png_size_t count) {
  auto *source = static_cast<Source *>(png_get_io_ptr(png));
  if (count > source->rest.size())
    png_error(png, "the file ends early");
  std::memcpy(to, source->rest.data(), count);
  source->rest = source->rest.subspan(count);
}

void stop(png_structp png, png_const_charp) { png_longjmp(png, 1); }
void ignore(png_structp, png_const_charp) {}

/// Objects with destructors lie with the caller, as longjmp passes over this.
bool read(png_structp png, png_infop info, Bytes file, Picture &p, std::vector<png_bytep> &rows) {
  if (setjmp(png_jmpbuf(png)))
    return false;
  png_set_user_limits(png, 1U << 26, 1U << 26);
  png_read_info(png, info);
  p.height = png_get_image_height(png, info), p.width = png_get_image_width(png, info);
  if (!isSound(p.height, p.width, believed(file)))
    return false;
  png_set_expand(png);
  png_set_strip_16(png);
  png_set_strip_alpha(png);
  png_set_gray_to_rgb(png);
  png_set_interlace_handling(png);
  png_read_update_info(png, info);
  if (png_get_rowbytes(png, info) != size_t(p.width) * 3)
    return false;
  p.rgb.resize(size_t(p.height * p.width * 3));
  for (int64_t y = 0; y < p.height; ++y)
    rows.push_back(p.rgb.data() + y * p.width * 3);
  png_read_image(png, rows.data());
  return true;
}

} // namespace

std::optional<Picture> decodePng(Bytes file) {
  png_structp png = png_create_read_struct(PNG_LIBPNG_VER_STRING, nullptr, stop, ignore);
  png_infop info = png ? png_create_info_struct(png) : nullptr;
  Source source{file};
  Picture p;
  std::vector<png_bytep> rows;
  bool good = false;
  if (info) {
    png_set_read_fn(png, &source, readBytes);
    good = read(png, info, file, p, rows);
  }
  png_destroy_read_struct(&png, &info, nullptr);
  return good ? std::optional(std::move(p)) : std::nullopt;
}

} // namespace imbrex::images
