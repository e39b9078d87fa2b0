#include "examples/magika/Json.h"

#include <algorithm>
#include <charconv>
#include <optional>

namespace imbrex::magika {

const JsonValue *JsonValue::find(std::string_view key) const {
  const Object *members = object();
  if (!members)
    return nullptr;
  auto found = members->find(key);
  return found == members->end() ? nullptr : &found->second;
}

namespace {

constexpr int maxDepth = 64;

// Recursive descent; the first failure is kept and every function then returns false.
class Parser {
public:
  Parser(std::string_view text, std::string_view file) : text(text), file(file) {}

  Result<JsonValue> document() {
    JsonValue value;
    if (parseValue(value, 0)) {
      skipSpace();
      if (at == text.size())
        return value;
      fail("text after the end of the value");
    }
    return failure();
  }

private:
  bool fail(const char *why) {
    if (!reason)
      reason = why;
    return false;
  }

  Error failure() const {
    std::string_view before = text.substr(0, at);
    size_t lineStart = before.rfind('\n');
    lineStart = lineStart == std::string_view::npos ? 0 : lineStart + 1;
    FileLocation where{std::string(file),
                       static_cast<uint32_t>(1 + std::count(before.begin(), before.end(), '\n')),
                       static_cast<uint32_t>(1 + at - lineStart)};
    return badInput(20, "this is not JSON", reason, "a file as it came with the model", where);
  }

  void skipSpace() {
    while (at < text.size() && std::string_view(" \t\n\r").find(text[at]) != std::string_view::npos)
      ++at;
  }

  bool accept(char wanted) {
    skipSpace();
    if (at == text.size() || text[at] != wanted)
      return false;
    ++at;
    return true;
  }

  bool acceptWord(std::string_view word) {
    if (text.substr(at, word.size()) != word)
      return false;
    at += word.size();
    return true;
  }

  bool parseValue(JsonValue &value, int depth) {
    if (depth > maxDepth)
      return fail("values are nested deeper than 64 levels");
    skipSpace();
    if (at == text.size())
      return fail("the text ends where a value should stand");
    switch (text[at]) {
    case '{':
      return parseObject(value, depth);
    case '[':
      return parseArray(value, depth);
    case '"': {
      std::string string;
      if (!parseString(string))
        return false;
      value = JsonValue(std::move(string));
      return true;
    }
    default:
      return parseScalar(value);
    }
  }

  bool parseScalar(JsonValue &value) {
    if (acceptWord("null"))
      value = JsonValue();
    else if (acceptWord("true"))
      value = JsonValue(true);
    else if (acceptWord("false"))
      value = JsonValue(false);
    else
      return parseNumber(value);
    return true;
  }

  // Narrower than from_chars, which would also take `01`, `1.` and `inf`.
  bool parseNumber(JsonValue &value) {
    size_t start = at;
    auto digits = [&] {
      size_t first = at;
      while (at < text.size() && text[at] >= '0' && text[at] <= '9')
        ++at;
      return at - first;
    };
    auto skip = [&](std::string_view any) {
      bool found = at < text.size() && any.find(text[at]) != std::string_view::npos;
      at += found;
      return found;
    };
    skip("-");
    size_t whole = at;
    size_t count = digits();
    if (count == 0 || (count > 1 && text[whole] == '0'))
      return fail("no value starts like this");
    if (skip(".") && digits() == 0)
      return fail("a number needs digits after its point");
    if (skip("eE")) {
      skip("+-");
      if (digits() == 0)
        return fail("a number needs digits in its exponent");
    }
    double number = 0;
    if (std::from_chars(text.data() + start, text.data() + at, number).ec != std::errc())
      return fail("the number is out of range");
    value = JsonValue(number);
    return true;
  }

  bool parseArray(JsonValue &value, int depth) {
    ++at;
    JsonValue::Array items;
    if (!accept(']')) {
      do {
        items.emplace_back();
        if (!parseValue(items.back(), depth + 1))
          return false;
      } while (accept(','));
      if (!accept(']'))
        return fail("expected , or ] in an array");
    }
    value = JsonValue(std::move(items));
    return true;
  }

  bool parseObject(JsonValue &value, int depth) {
    ++at;
    JsonValue::Object members;
    if (!accept('}')) {
      do {
        skipSpace();
        std::string key;
        if (!parseString(key))
          return false;
        if (!accept(':'))
          return fail("expected : after a key");
        auto [place, isNew] = members.try_emplace(std::move(key));
        if (!isNew)
          return fail("the object has this key twice");
        if (!parseValue(place->second, depth + 1))
          return false;
      } while (accept(','));
      if (!accept('}'))
        return fail("expected , or } in an object");
    }
    value = JsonValue(std::move(members));
    return true;
  }

  bool parseString(std::string &string) {
    if (at == text.size() || text[at] != '"')
      return fail("expected a string");
    ++at;
    while (at < text.size() && text[at] != '"') {
      unsigned char c = static_cast<unsigned char>(text[at++]);
      if (c < 0x20)
        return fail("a control character stands in a string");
      if (c != '\\')
        string.push_back(static_cast<char>(c));
      else if (!parseEscape(string))
        return false;
    }
    if (at == text.size())
      return fail("a string has no end");
    ++at;
    return true;
  }

  bool parseEscape(std::string &string) {
    if (at == text.size())
      return fail("a string has no end");
    static constexpr std::string_view names = "\"\\/bfnrt", meant = "\"\\/\b\f\n\r\t";
    char c = text[at++];
    if (size_t known = names.find(c); known != std::string_view::npos) {
      string.push_back(meant[known]);
      return true;
    }
    std::optional<uint32_t> code;
    if (c != 'u' || !(code = parseHex4()))
      return fail("this escape is not known");
    if (*code >= 0xD800 && *code < 0xDC00) {
      std::optional<uint32_t> low;
      if (!acceptWord("\\u") || !(low = parseHex4()) || *low < 0xDC00 || *low > 0xDFFF)
        return fail("a high surrogate stands without its low one");
      code = 0x10000 + ((*code - 0xD800) << 10) + (*low - 0xDC00);
    } else if (*code >= 0xDC00 && *code < 0xE000) {
      return fail("a low surrogate stands without its high one");
    }
    appendUtf8(string, *code);
    return true;
  }

  std::optional<uint32_t> parseHex4() {
    uint32_t code = 0;
    const char *first = text.data() + at, *last = first + std::min<size_t>(4, text.size() - at);
    auto [end, error] = std::from_chars(first, last, code, 16);
    if (error != std::errc() || end != first + 4)
      return std::nullopt;
    at += 4;
    return code;
  }

  static void appendUtf8(std::string &string, uint32_t code) {
    auto put = [&](uint32_t byte) { string.push_back(static_cast<char>(byte)); };
    auto tail = [&](int shift) { put(0x80 | ((code >> shift) & 0x3F)); };
    if (code < 0x80) {
      put(code);
    } else if (code < 0x800) {
      put(0xC0 | code >> 6), tail(0);
    } else if (code < 0x10000) {
      put(0xE0 | code >> 12), tail(6), tail(0);
    } else {
      put(0xF0 | code >> 18), tail(12), tail(6), tail(0);
    }
  }

  std::string_view text;
  std::string_view file;
  size_t at = 0;
  const char *reason = nullptr;
};

} // namespace

Result<JsonValue> parseJson(std::string_view text, std::string_view file) {
  return Parser(text, file).document();
}

} // namespace imbrex::magika
