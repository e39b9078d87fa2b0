// Host operations on strings.
#include "support/hostops/Access.h"
#include "support/hostops/Items.h"
#include "support/hostops/Regex.h"
#include "support/hostops/Utf8.h"

#include <charconv>
#include <limits>

namespace imbrex {

using namespace hostops;

// --- Constants

HostTensor packTexts(const HostTensor &strings) {
  std::vector<uint32_t> lengths;
  std::string all;
  for (int64_t i = 0; i < strings.elems(); ++i) {
    std::string_view text = textAt(ItemHeap::process(), strings, i);
    lengths.push_back(static_cast<uint32_t>(text.size()));
    all += text;
  }
  HostTensor packed(DType::U8, {static_cast<int64_t>(4 * lengths.size() + all.size())});
  auto *out = packed.mutableData<uint8_t>();
  std::memcpy(out, lengths.data(), 4 * lengths.size());
  std::memcpy(out + 4 * lengths.size(), all.data(), all.size());
  return packed;
}

HostResults textsOf(HostArgs args, ItemHeap &heap) {
  const HostTensor &packed = *args[0];
  const std::vector<int64_t> shape = args[1]->toInts();
  auto count = elementCount(shape);
  const auto bytes = static_cast<uint64_t>(packed.bytes().size());
  if (packed.type() != DType::U8 || !count || static_cast<uint64_t>(*count) > bytes / 4)
    return wrongValue("a constant of strings is damaged");
  HostTensor out(DType::String, shape);
  auto *numbers = out.mutableData<uint64_t>();
  const auto *data = reinterpret_cast<const char *>(packed.bytes().data());
  uint64_t at = 4 * static_cast<uint64_t>(*count);
  for (int64_t i = 0; i < *count; ++i) {
    uint32_t length = 0;
    std::memcpy(&length, data + 4 * i, 4);
    if (length > bytes - at)
      return wrongValue("a constant of strings is damaged");
    numbers[i] = heap.string({data + at, length});
    at += length;
  }
  return std::vector{std::move(out)};
}

// --- Element by element

HostResults stringConcat(HostArgs args, ItemHeap &heap) {
  const HostTensor &a = *args[0], &b = *args[1];
  if (a.shape() != b.shape())
    return wrongValue("the strings to concatenate have different shapes");
  HostTensor out(DType::String, a.shape());
  auto *numbers = out.mutableData<uint64_t>();
  for (int64_t i = 0; i < a.elems(); ++i)
    numbers[i] = heap.string(std::string(textAt(heap, a, i)).append(textAt(heap, b, i)));
  return std::vector{std::move(out)};
}

HostResults regexFullMatch(HostArgs args, ItemHeap &heap) {
  const HostTensor &x = *args[0];
  if (args[1]->elems() != 1)
    return wrongValue("the pattern is not one string");
  auto regex = Regex::parse(textAt(heap, *args[1], 0));
  if (!regex)
    return regex.takeError();
  HostTensor out(DType::Bool, x.shape());
  auto *flags = out.mutableData<uint8_t>();
  for (int64_t i = 0; i < x.elems(); ++i)
    flags[i] = regex->matchesWhole(textAt(heap, x, i));
  return std::vector{std::move(out)};
}

static std::string numberText(const HostTensor &x, int64_t i) {
  char text[64];
  auto shortest = [&](auto value) {
    return std::string(text, std::to_chars(text, text + sizeof text, value).ptr);
  };
  if (!isFloat(x.type()) && !isNarrowFloat(x.type()))
    return x.type() == DType::U64 ? shortest(static_cast<uint64_t>(x.toInt(i)))
                                  : shortest(x.toInt(i));
  const double value = x.toDouble(i);
  if (std::isnan(value))
    return "NaN";
  if (std::isinf(value))
    return value < 0 ? "-INF" : "INF";
  return x.type() == DType::F64 ? shortest(value) : shortest(static_cast<float>(value));
}

HostResults toStrings(HostArgs args, ItemHeap &heap) {
  const HostTensor &x = *args[0];
  if (isReference(x.type()))
    return wrongValue("these are no numbers");
  HostTensor out(DType::String, x.shape());
  auto *numbers = out.mutableData<uint64_t>();
  for (int64_t i = 0; i < x.elems(); ++i)
    numbers[i] = heap.string(numberText(x, i));
  return std::vector{std::move(out)};
}

/// The whole text as a number; a sign '+' may stand before it.
template <class T> static bool readNumber(std::string_view text, T &value) {
  while (!text.empty() && (text.front() == ' ' || text.front() == '\t'))
    text.remove_prefix(1);
  while (!text.empty() && (text.back() == ' ' || text.back() == '\t'))
    text.remove_suffix(1);
  if (text.starts_with('+'))
    text.remove_prefix(1);
  auto [end, failed] = std::from_chars(text.data(), text.data() + text.size(), value);
  return failed == std::errc() && end == text.data() + text.size() && !text.empty();
}

/// One text as an element of a type; false when it is none.
static bool storeNumber(HostTensor &out, int64_t i, std::string_view text) {
  auto integer = [&](auto type) {
    using T = decltype(type);
    T value{};
    double real = 0;
    const bool whole = readNumber(text, value);
    constexpr auto least = static_cast<double>(std::numeric_limits<T>::min());
    constexpr auto most = static_cast<double>(std::numeric_limits<T>::max());
    if (!whole && (!readNumber(text, real) || !(real >= least && real < most)))
      return false;
    out.mutableData<T>()[i] = whole ? value : static_cast<T>(real);
    return true;
  };
  double real = 0;
  switch (out.type()) {
  case DType::I8:
    return integer(int8_t{});
  case DType::I16:
    return integer(int16_t{});
  case DType::I32:
    return integer(int32_t{});
  case DType::I64:
    return integer(int64_t{});
  case DType::U8:
    return integer(uint8_t{});
  case DType::U16:
    return integer(uint16_t{});
  case DType::U32:
    return integer(uint32_t{});
  case DType::U64:
    return integer(uint64_t{});
  case DType::Bool:
    if (!readNumber(text, real))
      return false;
    out.mutableData<uint8_t>()[i] = real != 0;
    return true;
  case DType::F64:
    return readNumber(text, out.mutableData<double>()[i]);
  case DType::F32:
    return readNumber(text, out.mutableData<float>()[i]);
  case DType::F16:
  case DType::BF16: {
    float value = 0;
    if (!readNumber(text, value))
      return false;
    out.mutableData<uint16_t>()[i] =
        out.type() == DType::F16 ? floatToHalf(value) : floatToBfloat16(value);
    return true;
  }
  default:
    return false;
  }
}

HostResults fromStrings(HostArgs args, ItemHeap &heap) {
  const HostTensor &x = *args[0];
  const int64_t code = param(*args[1], 0);
  if (code < 1 || code > static_cast<int64_t>(LastDType))
    return wrongValue("strings are to become numbers of no type");
  HostTensor out(static_cast<DType>(code), x.shape());
  for (int64_t i = 0; i < x.elems(); ++i)
    if (std::string_view text = textAt(heap, x, i); !storeNumber(out, i, text))
      return wrongValue("'" + std::string(text.substr(0, 100)) + "' is no number of type " +
                        std::string(name(out.type())));
  return std::vector{std::move(out)};
}

// --- Splitting and normalizing

static bool isSpace(char c) { return c == ' ' || (c >= '\t' && c <= '\r'); }

static std::vector<std::string_view> words(std::string_view text, int64_t most) {
  std::vector<std::string_view> parts;
  for (size_t at = 0; at < text.size();) {
    if (isSpace(text[at])) {
      ++at;
      continue;
    }
    size_t end = at;
    while (end < text.size() && !isSpace(text[end]))
      ++end;
    if (static_cast<int64_t>(parts.size()) == most)
      end = text.size();
    parts.push_back(text.substr(at, end - at));
    at = end;
  }
  return parts;
}

static std::vector<std::string_view> fields(std::string_view text, std::string_view delimiter,
                                            int64_t most) {
  std::vector<std::string_view> parts;
  while (true) {
    const size_t end =
        static_cast<int64_t>(parts.size()) == most ? std::string_view::npos : text.find(delimiter);
    parts.push_back(text.substr(0, end));
    if (end == std::string_view::npos)
      return parts;
    text.remove_prefix(end + delimiter.size());
  }
}

HostResults stringSplit(HostArgs args, ItemHeap &heap) {
  const HostTensor &x = *args[0];
  const std::string delimiter(args[1] && args[1]->elems() == 1 ? textAt(heap, *args[1], 0) : "");
  const int64_t most = param(*args[2], 0);
  std::vector<std::vector<std::string_view>> all;
  HostTensor counts(DType::I64, x.shape());
  size_t width = 0;
  for (int64_t i = 0; i < x.elems(); ++i) {
    const std::string_view text = textAt(heap, x, i);
    all.push_back(delimiter.empty() ? words(text, most) : fields(text, delimiter, most));
    width = std::max(width, all.back().size());
    counts.mutableData<int64_t>()[i] = static_cast<int64_t>(all.back().size());
  }
  std::vector<int64_t> shape = x.shape();
  shape.push_back(static_cast<int64_t>(width));
  auto fits = elementCount(shape);
  if (!fits)
    return fits.takeError();
  HostTensor parts(DType::String, shape); // 0 is the empty string
  auto *numbers = parts.mutableData<uint64_t>();
  for (size_t i = 0; i < all.size(); ++i)
    for (size_t k = 0; k < all[i].size(); ++k)
      numbers[i * width + k] = heap.string(std::string(all[i][k]));
  return std::vector{std::move(parts), std::move(counts)};
}

static std::string inCase(std::string_view text, uint32_t (*change)(uint32_t)) {
  std::string out;
  for (size_t at = 0; at < text.size();)
    appendCodePoint(out, change(nextCodePoint(text, at)));
  return out;
}

HostResults stringNormalize(HostArgs args, ItemHeap &heap) {
  const HostTensor &x = *args[0], &params = *args[2];
  const bool sensitive = param(params, 1) != 0;
  std::vector<std::string> stops, kept;
  for (int64_t i = 0; args[1] && i < args[1]->elems(); ++i) {
    const std::string_view word = textAt(heap, *args[1], i);
    stops.push_back(sensitive ? std::string(word) : inCase(word, lowerCase));
  }
  if (x.rank() == 2 && x.shape()[0] != 1)
    return wrongValue("strings to normalize are a vector, or a matrix of one row");
  std::ranges::sort(stops);
  for (int64_t i = 0; i < x.elems(); ++i) {
    const std::string text(textAt(heap, x, i));
    if (std::ranges::binary_search(stops, sensitive ? text : inCase(text, lowerCase)))
      continue;
    const int64_t action = param(params, 0);
    kept.push_back(action == 1   ? inCase(text, lowerCase)
                   : action == 2 ? inCase(text, upperCase)
                                 : text);
  }
  if (kept.empty())
    kept.emplace_back();
  std::vector<int64_t> shape = x.shape();
  shape.back() = static_cast<int64_t>(kept.size());
  return std::vector{stringTensor(heap, shape, kept)};
}

} // namespace imbrex
