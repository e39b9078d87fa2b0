#include "stats/data/Encoding.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <cstdint>
#include <cstring>

namespace imbrex::stats {
namespace {

// Code points of the bytes 0x80..0x9f in Windows-1252; 0: not assigned.
constexpr std::array<uint16_t, 32> windowsHigh = {
    0x20ac, 0,      0x201a, 0x0192, 0x201e, 0x2026, 0x2020, 0x2021, 0x02c6, 0x2030, 0x0160,
    0x2039, 0x0152, 0,      0x017d, 0,      0,      0x2018, 0x2019, 0x201c, 0x201d, 0x2022,
    0x2013, 0x2014, 0x02dc, 0x2122, 0x0161, 0x203a, 0x0153, 0,      0x017e, 0x0178};

void appendUtf8(std::string &out, uint32_t point) {
  if (point < 0x80) {
    out += static_cast<char>(point);
  } else if (point < 0x800) {
    out += static_cast<char>(0xc0 | (point >> 6));
    out += static_cast<char>(0x80 | (point & 0x3f));
  } else if (point < 0x10000) {
    out += static_cast<char>(0xe0 | (point >> 12));
    out += static_cast<char>(0x80 | ((point >> 6) & 0x3f));
    out += static_cast<char>(0x80 | (point & 0x3f));
  } else {
    out += static_cast<char>(0xf0 | (point >> 18));
    out += static_cast<char>(0x80 | ((point >> 12) & 0x3f));
    out += static_cast<char>(0x80 | ((point >> 6) & 0x3f));
    out += static_cast<char>(0x80 | (point & 0x3f));
  }
}

enum class Latin : uint8_t { Iso, Windows };

std::string fromLatin(std::string_view bytes, Latin kind) {
  std::string out;
  out.reserve(bytes.size() + bytes.size() / 8);
  for (char c : bytes) {
    uint32_t point = static_cast<unsigned char>(c);
    if (kind == Latin::Windows && point >= 0x80 && point < 0xa0)
      point = windowsHigh[point - 0x80] ? windowsHigh[point - 0x80] : 0xfffd;
    appendUtf8(out, point);
  }
  return out;
}

enum class Order : uint8_t { Little, Big };

Result<std::string> fromUtf16(std::string_view bytes, Order order) {
  if (bytes.size() % 2)
    return badInput(1202, "the file is no UTF-16", "it has an odd number of bytes",
                    "declaring its encoding");
  auto unit = [&](size_t at) -> uint32_t {
    uint32_t a = static_cast<unsigned char>(bytes[at]),
             b = static_cast<unsigned char>(bytes[at + 1]);
    return order == Order::Little ? a | (b << 8) : (a << 8) | b;
  };
  std::string out;
  out.reserve(bytes.size());
  for (size_t i = 0; i < bytes.size(); i += 2) {
    uint32_t point = unit(i);
    if (point >= 0xd800 && point < 0xdc00 && i + 3 < bytes.size() && unit(i + 2) >= 0xdc00 &&
        unit(i + 2) < 0xe000) {
      point = 0x10000 + ((point - 0xd800) << 10) + (unit(i + 2) - 0xdc00);
      i += 2;
    } else if (point >= 0xd800 && point < 0xe000) {
      point = 0xfffd;
    }
    appendUtf8(out, point);
  }
  return out;
}

std::string normalized(std::string_view name) {
  std::string out;
  for (char c : name)
    if (std::isalnum(static_cast<unsigned char>(c)))
      out += static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  return out;
}

Result<DecodedText> utf16(std::string_view bytes, Order order, std::string reason) {
  Result<std::string> text = fromUtf16(bytes, order);
  if (!text)
    return text.takeError();
  return DecodedText{text.take(), order == Order::Little ? "UTF-16LE" : "UTF-16BE",
                     std::move(reason)};
}

Result<DecodedText> decodeDeclared(std::string bytes, std::string_view declared) {
  std::string name = normalized(declared);
  std::string_view view = bytes;
  if (name == "utf8" || name == "ascii" || name == "usascii") {
    if (view.starts_with("\xef\xbb\xbf"))
      bytes.erase(0, 3);
    size_t bad = 0;
    if (!validUtf8(bytes, &bad))
      return badInput(1202, "the file is not in the declared encoding " + std::string(declared),
                      "byte " + std::to_string(bad + 1) + " is no valid UTF-8",
                      "`encoding: windows-1252`, or leaving the encoding out");
    return DecodedText{std::move(bytes), "UTF-8", "declared"};
  }
  if (name == "latin1" || name == "iso88591")
    return DecodedText{fromLatin(bytes, Latin::Iso), "ISO-8859-1", "declared"};
  if (name == "windows1252" || name == "cp1252")
    return DecodedText{fromLatin(bytes, Latin::Windows), "Windows-1252", "declared"};
  if (name == "utf16le" || (name == "utf16" && view.starts_with("\xff\xfe")))
    return utf16(view.starts_with("\xff\xfe") ? view.substr(2) : view, Order::Little, "declared");
  if (name == "utf16be" || name == "utf16")
    return utf16(view.starts_with("\xfe\xff") ? view.substr(2) : view, Order::Big, "declared");
  return badInput(1202, "there is no encoding '" + std::string(declared) + "'", "",
                  "utf-8, windows-1252, latin1, utf-16le or utf-16be");
}

} // namespace

bool validUtf8(std::string_view text, size_t *badOffset) {
  const auto *s = reinterpret_cast<const unsigned char *>(text.data());
  size_t n = text.size(), i = 0;
  auto fail = [&] {
    if (badOffset)
      *badOffset = i;
    return false;
  };
  while (i < n) {
    uint64_t eight;
    if (i + 8 <= n && (std::memcpy(&eight, s + i, 8), (eight & 0x8080808080808080ull) == 0)) {
      i += 8;
      continue;
    }
    if (s[i] < 0x80) {
      ++i;
      continue;
    }
    size_t more = s[i] >= 0xf0 ? 3 : s[i] >= 0xe0 ? 2 : 1;
    if (s[i] < 0xc2 || s[i] > 0xf4 || i + more >= n)
      return fail();
    for (size_t k = 1; k <= more; ++k)
      if ((s[i + k] & 0xc0) != 0x80)
        return fail();
    bool overlong = (s[i] == 0xe0 && s[i + 1] < 0xa0) || (s[i] == 0xf0 && s[i + 1] < 0x90);
    bool outside = (s[i] == 0xed && s[i + 1] >= 0xa0) || (s[i] == 0xf4 && s[i + 1] >= 0x90);
    if (overlong || outside)
      return fail();
    i += more + 1;
  }
  return true;
}

Result<DecodedText> decodeText(std::string bytes, std::string_view declared) {
  Result<DecodedText> decoded = [&]() -> Result<DecodedText> {
    std::string_view view = bytes;
    if (!declared.empty())
      return decodeDeclared(std::move(bytes), declared);
    if (view.starts_with("\xef\xbb\xbf")) {
      bytes.erase(0, 3);
      if (validUtf8(bytes))
        return DecodedText{std::move(bytes), "UTF-8", "byte order mark"};
    }
    if (view.starts_with("\xff\xfe"))
      return utf16(view.substr(2), Order::Little, "byte order mark");
    if (view.starts_with("\xfe\xff"))
      return utf16(view.substr(2), Order::Big, "byte order mark");
    if (validUtf8(bytes)) {
      bool ascii = std::none_of(bytes.begin(), bytes.end(), [](char c) { return c & 0x80; });
      return DecodedText{std::move(bytes), "UTF-8",
                         ascii ? "plain ASCII" : "its bytes are valid UTF-8"};
    }
    return DecodedText{fromLatin(bytes, Latin::Windows), "Windows-1252",
                       "its bytes are no valid UTF-8"};
  }();
  if (decoded && decoded->text.find('\0') != std::string::npos)
    return badInput(1202, "the file holds NUL bytes",
                    "it is no text, or UTF-16 without a byte order mark",
                    "`encoding: utf-16le` if it comes from a spreadsheet");
  return decoded;
}

} // namespace imbrex::stats
