#include "support/images/Images.h"

#include <cmath>
#include <fstream>
#include <gtest/gtest.h>
#include <iterator>

namespace imbrex::images {
namespace {

std::vector<uint8_t> fileOf(const std::string &name) {
  std::ifstream in(std::string(IMBREX_PICTURES) + "/" + name, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), {}};
}

/// The corpus shows one picture of 3 rows and 4 columns.
uint8_t expected(int64_t y, int64_t x, int64_t channel) {
  const int64_t rgb[] = {x * 60 + y * 3, 255 - x * 40, y * 80};
  return static_cast<uint8_t>(rgb[channel]);
}

double furthest(const Picture &p) {
  double most = 0;
  for (int64_t y = 0; y < 3; ++y)
    for (int64_t x = 0; x < 4; ++x)
      for (int64_t c = 0; c < 3; ++c)
        most = std::max(most,
                        std::abs(double(p.rgb[size_t((y * 4 + x) * 3 + c)]) - expected(y, x, c)));
  return most;
}

TEST(Images, DecodesEachFormat) {
  for (const char *name : {"colors.bmp", "colors.png", "colors.tiff", "deflated.tiff", "colors.ppm",
                           "colors.webp", "colors.jp2", "alpha.png", "colors.jpg", "cmyk.jpg"}) {
    const auto file = fileOf(name);
    const auto p = decode(file);
    ASSERT_TRUE(p) << name;
    ASSERT_EQ(p->height, 3) << name;
    ASSERT_EQ(p->width, 4) << name;
    const bool lossy = std::string_view(name).ends_with(".jpg");
    EXPECT_LE(furthest(*p), lossy ? 40 : 0) << name;
  }
}

TEST(Images, DecodesGrayAndPalettes) {
  for (const char *name : {"gray.png", "gray.pgm", "palette.png", "palette.bmp", "bits.pbm"}) {
    const auto file = fileOf(name);
    const auto p = decode(file);
    ASSERT_TRUE(p) << name;
    EXPECT_EQ(p->rgb.size(), 36u) << name;
  }
  const auto gray = fileOf("gray.png"), same = fileOf("gray.pgm");
  EXPECT_EQ(decode(gray)->rgb, decode(same)->rgb);
  const auto text = fileOf("text.ppm");
  EXPECT_EQ(decode(text)->rgb, (std::vector<uint8_t>{255, 0, 0, 0, 119, 255}));
}

TEST(Images, WhatIsCutOffOrUnknownIsNoPicture) {
  EXPECT_FALSE(decode({}));
  const std::string words = "P6 100000 100000 255 x", other = "no picture";
  for (const std::string &s : {words, other})
    EXPECT_FALSE(decode({reinterpret_cast<const uint8_t *>(s.data()), s.size()}));
  for (const char *name :
       {"colors.bmp", "colors.png", "colors.tiff", "colors.ppm", "colors.jp2", "text.ppm"}) {
    auto file = fileOf(name);
    file.resize(file.size() / 2);
    EXPECT_FALSE(decode(file)) << name;
  }
}

} // namespace
} // namespace imbrex::images
