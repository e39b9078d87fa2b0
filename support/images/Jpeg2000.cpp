// JPEG 2000, by OpenJPEG: gray or RGB, planes of one size, up to 16 bits.
#include "support/images/Images.h"

#include <algorithm>
#include <cstring>
#include <memory>

#include <openjpeg.h>

namespace imbrex::images {
namespace {

struct Source {
  Bytes file;
  size_t at = 0;
};

OPJ_SIZE_T readBytes(void *to, OPJ_SIZE_T count, void *user) {
  auto *s = static_cast<Source *>(user);
  const size_t taken = std::min(count, s->file.size() - s->at);
  if (taken == 0)
    return static_cast<OPJ_SIZE_T>(-1);
  std::memcpy(to, s->file.data() + s->at, taken);
  s->at += taken;
  return taken;
}
OPJ_OFF_T skipBytes(OPJ_OFF_T count, void *user) {
  auto *s = static_cast<Source *>(user);
  if (count < 0 || static_cast<uint64_t>(count) > s->file.size() - s->at)
    return -1;
  s->at += static_cast<size_t>(count);
  return count;
}
OPJ_BOOL seekTo(OPJ_OFF_T place, void *user) {
  auto *s = static_cast<Source *>(user);
  if (place < 0 || static_cast<uint64_t>(place) > s->file.size())
    return OPJ_FALSE;
  s->at = static_cast<size_t>(place);
  return OPJ_TRUE;
}

/// Streams and codecs are void * to OpenJPEG's users.
template <class T> using Owned = std::unique_ptr<T, void (*)(T *)>;

/// Planes that can be read as they stand.
bool fits(const opj_image_t &image) {
  if (image.numcomps < 1 || image.color_space == OPJ_CLRSPC_SYCC ||
      image.color_space == OPJ_CLRSPC_EYCC || image.color_space == OPJ_CLRSPC_CMYK)
    return false;
  const opj_image_comp_t &first = image.comps[0];
  for (OPJ_UINT32 c = 0; c < image.numcomps; ++c) {
    const opj_image_comp_t &plane = image.comps[c];
    if (!plane.data || plane.w != first.w || plane.h != first.h || plane.prec < 1 ||
        plane.prec > 16 || plane.sgnd)
      return false;
  }
  return isSound(first.h, first.w);
}

} // namespace

std::optional<Picture> decodeJpeg2000(Bytes file) {
  Source source{file};
  Owned<opj_stream_t> stream(opj_stream_default_create(OPJ_TRUE), opj_stream_destroy);
  Owned<opj_codec_t> codec(opj_create_decompress(file[0] == 0xff ? OPJ_CODEC_J2K : OPJ_CODEC_JP2),
                           opj_destroy_codec);
  opj_dparameters_t parameters;
  opj_set_default_decoder_parameters(&parameters);
  if (!stream || !codec || !opj_setup_decoder(codec.get(), &parameters))
    return std::nullopt;
  opj_stream_set_user_data(stream.get(), &source, nullptr);
  opj_stream_set_user_data_length(stream.get(), file.size());
  opj_stream_set_read_function(stream.get(), readBytes);
  opj_stream_set_skip_function(stream.get(), skipBytes);
  opj_stream_set_seek_function(stream.get(), seekTo);
  opj_image_t *raw = nullptr;
  const bool header = opj_read_header(stream.get(), codec.get(), &raw);
  const Owned<opj_image_t> image(raw, [](opj_image_t *i) { opj_image_destroy(i); });
  // Before planes are made: a file of a few bytes may promise any size.
  if (!header || !image || image->x1 < image->x0 || image->y1 < image->y0 ||
      !isSound(image->y1 - image->y0, image->x1 - image->x0, believed(file) / 4) ||
      image->numcomps > 4 || !opj_decode(codec.get(), stream.get(), image.get()) || !fits(*image))
    return std::nullopt;
  const int64_t height = image->comps[0].h, width = image->comps[0].w;
  const bool color = image->numcomps >= 3;
  Picture p{height, width, std::vector<uint8_t>(size_t(height * width * 3))};
  for (int64_t k = 0; k < height * width; ++k)
    for (int64_t c = 0; c < 3; ++c) {
      const opj_image_comp_t &plane = image->comps[color ? c : 0];
      const int value = std::max(plane.data[k], 0), bits = static_cast<int>(plane.prec);
      const int level = bits > 8 ? value >> (bits - 8) : value * 255 / ((1 << bits) - 1);
      p.rgb[size_t(k * 3 + c)] = static_cast<uint8_t>(std::min(level, 255));
    }
  return p;
}

} // namespace imbrex::images
