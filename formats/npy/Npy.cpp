#include "formats/npy/Npy.h"

#include "support/hostops/Utf8.h"
#include "support/tensor/ItemHeap.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cstring>
#include <fstream>
#include <optional>
#include <string_view>

namespace imbrex::npy {

static constexpr std::string_view kMagic = "\x93NUMPY";
static constexpr size_t kMaxHeader = 1 << 16; // a header is one short dictionary
static constexpr size_t kMaxRank = 64;

struct TypeRow {
  DType type;
  std::string_view code; // without the byte order
};
static constexpr std::array<TypeRow, 13> kTypes = {{{DType::Bool, "b1"},
                                                    {DType::I8, "i1"},
                                                    {DType::I16, "i2"},
                                                    {DType::I32, "i4"},
                                                    {DType::I64, "i8"},
                                                    {DType::U8, "u1"},
                                                    {DType::U16, "u2"},
                                                    {DType::U32, "u4"},
                                                    {DType::U64, "u8"},
                                                    {DType::F16, "f2"},
                                                    {DType::BF16, "V2"},
                                                    {DType::F32, "f4"},
                                                    {DType::F64, "f8"}}};

static Error damaged(std::string because) {
  return badInput(801, "this is not an .npy array, or it is damaged", std::move(because),
                  "writing it again with numpy.save");
}

namespace {

enum class Order : uint8_t { RowMajor, Fortran };

struct Header {
  std::optional<DType> type;
  int64_t charBytes = 0, chars = 0; // of strings: of a character, and characters in an element
  std::optional<Order> order;
  std::optional<std::vector<int64_t>> shape;
};

/// The header's text: a Python dictionary of the three known keys.
class HeaderParser {
public:
  explicit HeaderParser(std::string_view text) : text(text) {}
  Result<Header> parse();

private:
  void skipSpace() {
    while (at < text.size() && (text[at] == ' ' || text[at] == '\n' || text[at] == '\t'))
      ++at;
  }
  bool accept(std::string_view word) {
    skipSpace();
    if (text.substr(at, word.size()) != word)
      return false;
    at += word.size();
    return true;
  }
  std::optional<std::string_view> quoted();
  std::optional<int64_t> number();
  std::optional<std::vector<int64_t>> tuple();
  Status entry(std::string_view key, Header &out);
  Status descr(Header &out);

  std::string_view text;
  size_t at = 0;
};

} // namespace

std::optional<std::string_view> HeaderParser::quoted() {
  skipSpace();
  if (at >= text.size() || (text[at] != '\'' && text[at] != '"'))
    return std::nullopt;
  size_t end = text.find(text[at], at + 1);
  if (end == std::string_view::npos)
    return std::nullopt;
  auto word = text.substr(at + 1, end - at - 1);
  at = end + 1;
  return word;
}

std::optional<int64_t> HeaderParser::number() {
  skipSpace();
  size_t begin = at;
  int64_t value = 0;
  for (; at < text.size() && text[at] >= '0' && text[at] <= '9'; ++at)
    if (__builtin_mul_overflow(value, 10, &value) ||
        __builtin_add_overflow(value, text[at] - '0', &value))
      return std::nullopt;
  if (at == begin)
    return std::nullopt;
  accept("L"); // Python 2 wrote long integers so
  return value;
}

std::optional<std::vector<int64_t>> HeaderParser::tuple() {
  std::vector<int64_t> values;
  if (!accept("("))
    return std::nullopt;
  while (!accept(")")) {
    auto value = number();
    if (!value || values.size() == kMaxRank)
      return std::nullopt;
    values.push_back(*value);
    if (accept(","))
      continue;
    if (!accept(")"))
      return std::nullopt;
    break;
  }
  return values;
}

Status HeaderParser::descr(Header &out) {
  auto word = quoted();
  if (!word || word->size() < 2)
    return unsupported(802, "arrays of records are not supported",
                       "the element type is not one simple type", "saving one field alone");
  char order = (*word)[0];
  bool ordered = order == '<' || order == '|' || order == '=' || order == '>';
  auto code = ordered ? word->substr(1) : *word;
  if (code.size() > 1 && (code[0] == 'U' || code[0] == 'S') && order != '>') {
    auto [end, failed] = std::from_chars(code.data() + 1, code.data() + code.size(), out.chars);
    if (failed == std::errc() && end == code.data() + code.size() && out.chars >= 0 &&
        out.chars < INT32_MAX) {
      out.type = DType::String;
      out.charBytes = code[0] == 'U' ? 4 : 1;
      return {};
    }
  }
  auto row = std::ranges::find(kTypes, code, &TypeRow::code);
  if (row == kTypes.end())
    return unsupported(802, "element type '" + std::string(*word) + "' is not supported",
                       "only bool, integers and floats of 8 to 64 bits are",
                       "converting with numpy.ndarray.astype");
  if (order == '>' && byteSize(row->type) > 1)
    return unsupported(802, "big-endian arrays are not supported",
                       "the element type is '" + std::string(*word) + "'",
                       "converting with numpy.ndarray.astype('<" + std::string(code) + "')");
  out.type = row->type;
  return {};
}

Status HeaderParser::entry(std::string_view key, Header &out) {
  if (key == "descr")
    return descr(out);
  if (key == "fortran_order") {
    if (accept("True"))
      out.order = Order::Fortran;
    else if (accept("False"))
      out.order = Order::RowMajor;
    else
      return damaged("fortran_order is neither True nor False");
    return {};
  }
  if (key == "shape") {
    if (!(out.shape = tuple()))
      return damaged("the shape is no tuple of sizes");
    return {};
  }
  return damaged("its header has an unknown key '" + std::string(key) + "'");
}

Result<Header> HeaderParser::parse() {
  Header h;
  if (!accept("{"))
    return damaged("its header is no dictionary");
  while (!accept("}")) {
    auto key = quoted();
    if (!key || !accept(":"))
      return damaged("its header is cut off");
    if (auto done = entry(*key, h); !done)
      return done.takeError();
    if (accept(","))
      continue;
    if (!accept("}"))
      return damaged("its header is cut off");
    break;
  }
  if (!h.type || !h.order || !h.shape)
    return damaged("its header lacks descr, fortran_order or shape");
  return h;
}

/// The file's parts: header text and data.
struct Parts {
  std::string_view header;
  std::span<const std::byte> data;
};

static Result<Parts> split(std::span<const std::byte> bytes) {
  std::string_view text(reinterpret_cast<const char *>(bytes.data()), bytes.size());
  if (text.size() < 10 || !text.starts_with(kMagic))
    return damaged("it does not start as .npy files do");
  auto byte = [&](size_t i) { return size_t(uint8_t(text[i])); };
  size_t version = byte(6);
  if (version < 1 || version > 3)
    return damaged("its format version " + std::to_string(version) + " is unknown");
  size_t begin = version == 1 ? 10 : 12;
  if (text.size() < begin)
    return damaged("it is cut off");
  size_t length = byte(8) | byte(9) << 8;
  if (version > 1)
    length |= byte(10) << 16 | byte(11) << 24;
  if (length > kMaxHeader || length > text.size() - begin)
    return damaged("its header is longer than the file or than any real header");
  return Parts{text.substr(begin, length), bytes.subspan(begin + length)};
}

/// Row-major from column-major, one pass over the output with a running source offset.
static void transpose(std::span<const std::byte> from, HostTensor &to) {
  const auto &shape = to.shape();
  auto size = size_t(byteSize(to.type()));
  std::vector<int64_t> stride(shape.size(), 1), place(shape.size(), 0);
  for (size_t d = 1; d < shape.size(); ++d)
    stride[d] = stride[d - 1] * shape[d - 1];
  auto *out = to.mutableBytes().data();
  int64_t source = 0;
  for (int64_t i = 0, n = to.elems(); i < n; ++i, out += size) {
    std::memcpy(out, from.data() + size_t(source) * size, size);
    for (size_t d = shape.size(); d-- > 0;) {
      source += stride[d];
      if (++place[d] < shape[d])
        break;
      source -= stride[d] * shape[d];
      place[d] = 0;
    }
  }
}

/// Elements of so many characters, each filled up with zeros.
static HostTensor stringsIn(std::span<const std::byte> data, const Header &header) {
  HostTensor t(DType::String, *header.shape);
  auto *numbers = t.mutableData<uint64_t>();
  const std::byte *at = data.data();
  for (int64_t i = 0, n = t.elems(); i < n; ++i, at += header.chars * header.charBytes) {
    std::string text;
    size_t kept = 0; // up to the last character that is not 0
    for (int64_t k = 0; k < header.chars; ++k) {
      uint32_t c = 0;
      std::memcpy(&c, at + k * header.charBytes, size_t(header.charBytes));
      const bool valid = c <= 0x10ffff && (c < 0xd800 || c >= 0xe000);
      hostops::appendCodePoint(text, valid ? c : 0xfffd); // bytes are Latin-1
      kept = c != 0 ? text.size() : kept;
    }
    numbers[i] = ItemHeap::process().string(std::string_view(text).substr(0, kept));
  }
  return t;
}

static Result<HostTensor> decode(std::span<const std::byte> bytes) {
  auto parts = split(bytes);
  if (!parts)
    return parts.takeError();
  auto header = HeaderParser(parts->header).parse();
  if (!header)
    return header.takeError();
  const bool strings = header->type == DType::String;
  if (strings && header->order == Order::Fortran && header->shape->size() > 1)
    return unsupported(802, "strings in Fortran order are not supported", "",
                       "saving numpy.ascontiguousarray of them");
  int64_t size = strings ? header->chars * header->charBytes : byteSize(*header->type);
  int64_t wanted = size;
  if (size == 0 && !elementCount(*header->shape))
    return damaged("its shape has more elements than 64 bits count");
  if (size == 0 && *elementCount(*header->shape) > (1 << 20))
    return damaged("it holds so many empty strings");
  bool empty = std::ranges::count(*header->shape, 0) > 0;
  for (int64_t d : *header->shape)
    if (d != 0 && __builtin_mul_overflow(wanted, d, &wanted))
      return damaged("its shape has more bytes than 64 bits count");
  wanted = empty ? 0 : wanted;
  if (int64_t(parts->data.size()) != wanted)
    return damaged("it holds " + std::to_string(parts->data.size()) +
                   " bytes of data and its shape asks for " + std::to_string(wanted));
  if (strings)
    return stringsIn(parts->data, *header);
  HostTensor t(*header->type, *header->shape);
  if (*header->order == Order::Fortran)
    transpose(parts->data, t);
  else
    std::ranges::copy(parts->data, t.mutableBytes().begin());
  if (t.type() == DType::Bool)
    for (auto &b : t.mutableBytes())
      b = std::byte{b != std::byte{0}};
  return t;
}

Result<HostTensor> read(std::span<const std::byte> bytes, const std::string &name) {
  auto t = decode(bytes);
  if (t)
    return t;
  Error e = t.takeError();
  e.where.file = name;
  return e;
}

Result<HostTensor> read(const std::string &path) {
  std::ifstream in(path, std::ios::binary | std::ios::ate);
  std::streamoff size = in ? std::streamoff(in.tellg()) : -1;
  std::string bytes;
  if (size >= 0 && size < (int64_t(1) << 48)) {
    bytes.resize(size_t(size));
    in.seekg(0);
    in.read(bytes.data(), size);
  }
  if (!in || size < 0)
    return badInput(800, "cannot read '" + path + "'", std::strerror(errno),
                    "checking the path and its permissions");
  return read(std::as_bytes(std::span(bytes)), path);
}

/// Texts as characters of 4 bytes, each filled up to the longest.
static std::string stringBytes(const HostTensor &tensor, size_t &chars) {
  std::vector<std::u32string> texts;
  chars = 1;
  for (int64_t i = 0; i < tensor.elems(); ++i) {
    const std::string_view text = textAt(ItemHeap::process(), tensor, i);
    auto &wide = texts.emplace_back();
    for (size_t at = 0; at < text.size();)
      wide += static_cast<char32_t>(hostops::nextCodePoint(text, at));
    chars = std::max(chars, wide.size());
  }
  std::string out;
  for (std::u32string &wide : texts) {
    wide.resize(chars);
    out.append(reinterpret_cast<const char *>(wide.data()), 4 * chars);
  }
  return out;
}

static std::string headerOf(const HostTensor &tensor, const std::string &descr);

std::string encode(const HostTensor &tensor) {
  if (tensor.type() == DType::String) {
    size_t chars = 1;
    const std::string bytes = stringBytes(tensor, chars);
    return headerOf(tensor, "<U" + std::to_string(chars)) + bytes;
  }
  auto row = std::ranges::find(kTypes, tensor.type(), &TypeRow::type);
  std::string out =
      headerOf(tensor, (byteSize(tensor.type()) > 1 ? "<" : "|") + std::string(row->code));
  auto bytes = tensor.bytes();
  out.append(reinterpret_cast<const char *>(bytes.data()), bytes.size());
  return out;
}

static std::string headerOf(const HostTensor &tensor, const std::string &descr) {
  std::string shape;
  for (int64_t d : tensor.shape())
    shape += std::to_string(d) + ", ";
  if (tensor.rank() > 1)
    shape.resize(shape.size() - 2); // only a 1-tuple keeps its comma
  if (tensor.rank() == 1)
    shape.pop_back();
  std::string header =
      "{'descr': '" + descr + "', 'fortran_order': False, 'shape': (" + shape + "), }";
  header.append(63 - (kMagic.size() + 4 + header.size()) % 64, ' ');
  header += '\n';
  std::string out(kMagic);
  out += {1, 0, char(header.size() & 0xff), char(header.size() >> 8)};
  return out + header;
}

Status write(const std::string &path, const HostTensor &tensor) {
  if (tensor.type() != DType::String &&
      std::ranges::find(kTypes, tensor.type(), &TypeRow::type) == kTypes.end())
    return unsupported(
        802, "'" + path + "' cannot hold elements of type " + std::string(name(tensor.type())),
        "NumPy has no such type");
  std::ofstream out(path, std::ios::binary);
  std::string bytes = encode(tensor);
  out.write(bytes.data(), std::streamsize(bytes.size()));
  out.close();
  if (!out)
    return badInput(800, "cannot write '" + path + "'", std::strerror(errno),
                    "checking the folder, its permissions and free space");
  return {};
}

} // namespace imbrex::npy
