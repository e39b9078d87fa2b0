// PBM, PGM and PPM, as text (P1 to P3) and as bytes (P4 to P6).
#include "support/images/Images.h"

namespace imbrex::images {
namespace {

class Reader {
public:
  explicit Reader(Bytes file) : file(file) {}

  /// The next number of the text; -1 where there is none up to `most`.
  int64_t number(int64_t most) {
    skipSpace();
    int64_t value = -1;
    for (; at < file.size() && file[at] >= '0' && file[at] <= '9'; ++at) {
      value = (value < 0 ? 0 : value * 10) + (file[at] - '0');
      if (value > most)
        return -1;
    }
    return value;
  }
  /// The next digit of a bitmap, which may stand without space between.
  int64_t bit() {
    skipSpace();
    return at < file.size() && (file[at] == '0' || file[at] == '1') ? file[at++] - '0' : -1;
  }
  void skip(size_t n) { at += n; }
  Bytes rest() const { return at < file.size() ? file.subspan(at) : Bytes(); }

private:
  void skipSpace() {
    for (; at < file.size(); ++at) {
      if (file[at] == '#')
        while (at + 1 < file.size() && file[at] != '\n')
          ++at;
      else if (file[at] != ' ' && (file[at] < '\t' || file[at] > '\r'))
        return;
    }
  }
  Bytes file;
  size_t at = 2;
};

} // namespace

std::optional<Picture> decodePnm(Bytes file) {
  const int form = file[1] - '0';
  const bool bitmap = form == 1 || form == 4, text = form <= 3, color = form == 3 || form == 6;
  Reader in(file);
  const int64_t width = in.number(kMaxPixels), height = in.number(kMaxPixels);
  const int64_t most = bitmap ? 1 : in.number(65535);
  if (!isSound(height, width) || most < 1)
    return std::nullopt;
  in.skip(text ? 0 : 1); // one white space before the bytes
  const Bytes bytes = in.rest();
  const int64_t planes = color ? 3 : 1, samples = width * planes, wide = most > 255 ? 2 : 1;
  const int64_t row = form == 4 ? (width + 7) / 8 : samples * wide;
  const int64_t present = static_cast<int64_t>(bytes.size());
  if (text ? present < height * samples : present / row < height)
    return std::nullopt;
  Picture p{height, width, std::vector<uint8_t>(size_t(height * width * 3))};
  for (int64_t y = 0; y < height; ++y)
    for (int64_t s = 0; s < samples; ++s) {
      int64_t value = 0;
      if (text)
        value = bitmap ? in.bit() : in.number(most);
      else if (bitmap)
        value = bytes[size_t(y * row + s / 8)] >> (7 - s % 8) & 1;
      else
        for (int64_t k = 0; k < wide; ++k)
          value = value * 256 + bytes[size_t(y * row + s * wide + k)];
      if (value < 0 || value > most)
        return std::nullopt;
      if (bitmap)
        value = 1 - value; // 1 is black
      const auto level = static_cast<uint8_t>((value * 255 + most / 2) / most);
      const int64_t pixel = y * width + s / planes;
      for (int64_t c = 0; c < 3; ++c)
        if (!color || s % 3 == c)
          p.rgb[size_t(pixel * 3 + c)] = level;
    }
  return p;
}

} // namespace imbrex::images
