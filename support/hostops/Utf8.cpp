#include "support/hostops/Utf8.h"

namespace imbrex::hostops {

uint32_t nextCodePoint(std::string_view text, size_t &at) {
  const auto lead = static_cast<uint8_t>(text[at++]);
  if (lead < 0x80)
    return lead;
  const int more = lead >= 0xf0 && lead < 0xf5 ? 3 : lead >= 0xe0 ? 2 : lead >= 0xc2 ? 1 : 0;
  if (more == 0 || lead >= 0xf5 || text.size() - at < static_cast<size_t>(more))
    return 0xfffd;
  uint32_t c = lead & (0x3f >> more);
  for (int k = 0; k < more; ++k) {
    const auto byte = static_cast<uint8_t>(text[at + static_cast<size_t>(k)]);
    if ((byte & 0xc0) != 0x80)
      return 0xfffd;
    c = c << 6 | (byte & 0x3f);
  }
  constexpr uint32_t kLeast[] = {0, 0x80, 0x800, 0x10000};
  if (c < kLeast[more] || c > 0x10ffff || (c >= 0xd800 && c < 0xe000))
    return 0xfffd;
  at += static_cast<size_t>(more);
  return c;
}

void appendCodePoint(std::string &text, uint32_t c) {
  if (c < 0x80) {
    text += static_cast<char>(c);
    return;
  }
  const int more = c < 0x800 ? 1 : c < 0x10000 ? 2 : 3;
  constexpr uint8_t kLead[] = {0, 0xc0, 0xe0, 0xf0};
  text += static_cast<char>(kLead[more] | c >> (6 * more));
  for (int k = more - 1; k >= 0; --k)
    text += static_cast<char>(0x80 | (c >> (6 * k) & 0x3f));
}

namespace {

/// Capitals first, first + step, … last, each `distance` below its small letter.
struct Letters {
  uint32_t first, last, step;
  int32_t distance;
};
constexpr Letters kLetters[] = {
    {'A', 'Z', 1, 32},      {0xc0, 0xd6, 1, 32},    {0xd8, 0xde, 1, 32},   {0x100, 0x12e, 2, 1},
    {0x132, 0x136, 2, 1},   {0x139, 0x147, 2, 1},   {0x14a, 0x176, 2, 1},  {0x178, 0x178, 1, -121},
    {0x179, 0x17d, 2, 1},   {0x386, 0x386, 1, 38},  {0x388, 0x38a, 1, 37}, {0x38c, 0x38c, 1, 64},
    {0x38e, 0x38f, 1, 63},  {0x391, 0x3a1, 1, 32},  {0x3a3, 0x3ab, 1, 32}, {0x400, 0x40f, 1, 80},
    {0x410, 0x42f, 1, 32},  {0x460, 0x480, 2, 1},   {0x48a, 0x4be, 2, 1},  {0x4d0, 0x52e, 2, 1},
    {0x1e00, 0x1e94, 2, 1}, {0x1ea0, 0x1efe, 2, 1},
};

} // namespace

uint32_t lowerCase(uint32_t c) {
  for (const Letters &l : kLetters)
    if (c >= l.first && c <= l.last && (c - l.first) % l.step == 0)
      return static_cast<uint32_t>(static_cast<int32_t>(c) + l.distance);
  return c;
}

uint32_t upperCase(uint32_t c) {
  for (const Letters &l : kLetters) {
    const auto capital = static_cast<uint32_t>(static_cast<int32_t>(c) - l.distance);
    if (capital >= l.first && capital <= l.last && (capital - l.first) % l.step == 0)
      return capital;
  }
  return c;
}

} // namespace imbrex::hostops
