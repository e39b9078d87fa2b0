// Attributes as text: fields ended by a space each, texts and names in hexadecimal digits behind an
// 'x', reals as their bits.
//
//   a2 0 1 n1 x616c706861 2 1 4602678819172646912     two operands, the second left out; alpha =
//   0.5
#include "support/customops/CustomOps.h"

#include <bit>
#include <charconv>

namespace imbrex::customops {
namespace {

void putText(std::string &out, std::string_view text) {
  constexpr char kDigits[] = "0123456789abcdef";
  out += 'x';
  for (char c : text) {
    out += kDigits[static_cast<uint8_t>(c) >> 4];
    out += kDigits[static_cast<uint8_t>(c) & 15];
  }
  out += ' ';
}

/// Takes fields off the front; everything is empty after a failure.
class Fields {
public:
  explicit Fields(std::string_view text) : rest(text) {}
  bool good = true;

  std::string_view next() {
    const size_t end = rest.find(' ');
    if (end == std::string_view::npos) {
      good = false;
      return {};
    }
    auto field = rest.substr(0, end);
    rest.remove_prefix(end + 1);
    return field;
  }
  template <class T> T number(char prefix = 0) {
    auto field = next();
    if (prefix && good && (field.empty() || field[0] != prefix))
      good = false;
    if (prefix && good)
      field.remove_prefix(1);
    T value{};
    auto [end, failed] = std::from_chars(field.data(), field.data() + field.size(), value);
    good &= failed == std::errc() && end == field.data() + field.size();
    return good ? value : T{};
  }
  /// A count of fields that follow: no more than there is text.
  size_t count(char prefix = 0) {
    const auto n = number<uint64_t>(prefix);
    good &= n <= rest.size() / 2;
    return good ? n : 0;
  }
  std::string text() {
    auto field = next();
    good &= field.size() % 2 == 1 && field[0] == 'x';
    std::string out;
    for (size_t k = 1; good && k < field.size(); k += 2) {
      uint8_t byte = 0;
      auto [end, failed] = std::from_chars(field.data() + k, field.data() + k + 2, byte, 16);
      good &= failed == std::errc() && end == field.data() + k + 2;
      out += static_cast<char>(byte);
    }
    return out;
  }
  bool atEnd() const { return rest.empty(); }

private:
  std::string_view rest;
};

} // namespace

std::string encode(const std::vector<Attribute> &attributes, const std::vector<bool> &absent) {
  std::string out = "a" + std::to_string(absent.size()) + " ";
  for (bool a : absent)
    out += a ? "1 " : "0 ";
  out += "n" + std::to_string(attributes.size()) + " ";
  for (const Attribute &a : attributes) {
    putText(out, a.name);
    out += std::to_string(a.kind) + " ";
    if (a.kind == IMX_ATTRIBUTE_TEXT) {
      putText(out, a.text);
      continue;
    }
    const bool ints = a.kind == IMX_ATTRIBUTE_INTS;
    out += std::to_string(ints ? a.ints.size() : a.reals.size()) + " ";
    for (int64_t v : a.ints)
      out += std::to_string(v) + " ";
    for (double v : a.reals)
      out += std::to_string(std::bit_cast<uint64_t>(v)) + " ";
  }
  return out;
}

Result<Given> decode(std::string_view text) {
  Fields fields(text);
  Given given;
  given.absent.resize(fields.count('a'));
  for (size_t i = 0; i < given.absent.size(); ++i)
    given.absent[i] = fields.number<int>() != 0;
  given.attributes.resize(fields.count('n'));
  for (Attribute &a : given.attributes) {
    a.name = fields.text();
    // A number that names no kind must not become one.
    const int kind = fields.number<int>();
    fields.good &= kind == IMX_ATTRIBUTE_INTS || kind == IMX_ATTRIBUTE_REALS ||
                   kind == IMX_ATTRIBUTE_TEXT;
    if (!fields.good)
      break;
    a.kind = static_cast<ImxOpAttributeKind>(kind);
    if (a.kind == IMX_ATTRIBUTE_TEXT) {
      a.text = fields.text();
      continue;
    }
    for (size_t left = fields.count(); left > 0 && fields.good; --left)
      if (a.kind == IMX_ATTRIBUTE_INTS)
        a.ints.push_back(fields.number<int64_t>());
      else
        a.reals.push_back(std::bit_cast<double>(fields.number<uint64_t>()));
    if (!fields.good)
      break;
  }
  if (!fields.good || !fields.atEnd())
    return badInput(242, "the attributes of a custom operator are damaged");
  return given;
}

} // namespace imbrex::customops
