// JPEG, by libjpeg-turbo with its accurate transform and its usual upsampling.
#include "support/images/Images.h"

#include <csetjmp>
#include <cstdio>

#include <jpeglib.h>

namespace imbrex::images {
namespace {

struct Errors {
  jpeg_error_mgr base;
  std::jmp_buf out;
};

void stop(j_common_ptr info) { std::longjmp(reinterpret_cast<Errors *>(info->err)->out, 1); }
void say(j_common_ptr, int) {}
void print(j_common_ptr) {}

/// CMYK as Adobe's programs write it is inverted.
void fromCmyk(const std::vector<uint8_t> &row, bool inverted, uint8_t *rgb) {
  for (size_t x = 0; x < row.size() / 4; ++x)
    for (size_t c = 0; c < 3; ++c) {
      const int ink = inverted ? row[x * 4 + c] : 255 - row[x * 4 + c];
      const int light = inverted ? row[x * 4 + 3] : 255 - row[x * 4 + 3];
      rgb[x * 3 + c] = static_cast<uint8_t>(ink * light / 255);
    }
}

/// Between setjmp and longjmp no object with a destructor is made: what needs one lies with the
/// caller.
bool read(jpeg_decompress_struct &info, Errors &errors, Bytes file, Picture &p,
          std::vector<uint8_t> &row) {
  if (setjmp(errors.out))
    return false;
  jpeg_create_decompress(&info);
  info.mem->max_memory_to_use = 1L << 28;
  jpeg_mem_src(&info, file.data(), file.size());
  if (jpeg_read_header(&info, TRUE) != JPEG_HEADER_OK ||
      !isSound(info.image_height, info.image_width, believed(file)))
    return false;
  const bool cmyk = info.jpeg_color_space == JCS_CMYK || info.jpeg_color_space == JCS_YCCK;
  info.out_color_space = cmyk ? JCS_CMYK : JCS_RGB;
  jpeg_start_decompress(&info);
  p.height = info.output_height, p.width = info.output_width;
  p.rgb.resize(size_t(p.height * p.width * 3));
  row.resize(cmyk ? size_t(p.width) * 4 : 0);
  while (info.output_scanline < info.output_height) {
    uint8_t *to = p.rgb.data() + size_t(info.output_scanline) * size_t(p.width) * 3;
    JSAMPROW line = cmyk ? row.data() : to;
    if (jpeg_read_scanlines(&info, &line, 1) != 1)
      return false;
    if (cmyk)
      fromCmyk(row, info.saw_Adobe_marker != FALSE, to);
  }
  jpeg_finish_decompress(&info);
  return true;
}

} // namespace

std::optional<Picture> decodeJpeg(Bytes file) {
  jpeg_decompress_struct info{};
  Errors errors{};
  info.err = jpeg_std_error(&errors.base);
  errors.base.error_exit = stop;
  errors.base.emit_message = say;
  errors.base.output_message = print;
  Picture p;
  std::vector<uint8_t> row;
  const bool good = read(info, errors, file, p, row);
  jpeg_destroy_decompress(&info);
  return good ? std::optional(std::move(p)) : std::nullopt;
}

} // namespace imbrex::images
