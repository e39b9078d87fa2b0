#include "support/json/Json.h"

#include "support/json/ParseValue.h"
#include "support/text/Printable.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <cmath>
#include <cstdio>

namespace imbrex {

using Value = nlohmann::ordered_json;

namespace {

constexpr int DeepestLevel = 500;

Value &valueOf(const std::shared_ptr<void> &shared) { return *static_cast<Value *>(shared.get()); }

/// The value, as this handle's own: copied when anyone else holds the document.
Value &own(std::shared_ptr<void> &shared) {
  if (shared.use_count() > 1)
    shared = std::make_shared<Value>(valueOf(shared));
  return valueOf(shared);
}

std::string dump(const Value &value, int indent) {
  return value.dump(indent, ' ', false, Value::error_handler_t::replace);
}

/// JSON escapes for what a terminal takes for orders. Such characters stand in strings only, and
/// those below U+0020 are escaped already.
std::string withoutControls(std::string json) {
  auto suspicious = [](char c) { return static_cast<unsigned char>(c) >= 0x7f; };
  if (std::none_of(json.begin(), json.end(), suspicious))
    return json;
  std::string out;
  char escape[16];
  auto add = [&](uint32_t unit) {
    std::snprintf(escape, sizeof escape, "\\u%04x", unit);
    out += escape;
  };
  for (size_t at = 0; at < json.size();) {
    const CodePoint c = firstCodePoint(std::string_view(json).substr(at));
    if (c.value < 0x7f || !isControl(c.value)) {
      out.append(json, at, std::max<size_t>(c.bytes, 1));
    } else if (c.value >= 0x10000) {
      add(0xd800 + ((c.value - 0x10000) >> 10));
      add(0xdc00 + ((c.value - 0x10000) & 0x3ff));
    } else {
      add(c.value);
    }
    at += std::max<size_t>(c.bytes, 1);
  }
  return out;
}

FileLocation locate(std::string_view text, size_t offset, const std::string &file) {
  std::string_view before = text.substr(0, std::min(offset, text.size()));
  size_t lineStart = before.rfind('\n');
  uint32_t line = 1 + uint32_t(std::count(before.begin(), before.end(), '\n'));
  uint32_t column = uint32_t(before.size() - (lineStart == before.npos ? 0 : lineStart + 1)) + 1;
  return {file, line, column};
}

/// Where `text` first nests deeper than DeepestLevel, or npos. Values are destroyed and copied
/// recursively.
size_t findTooDeep(std::string_view text) {
  int level = 0;
  bool inText = false;
  for (size_t i = 0; i < text.size(); ++i) {
    char c = text[i];
    if (inText) {
      if (c == '\\')
        ++i;
      else
        inText = c != '"';
    } else if (c == '"') {
      inText = true;
    } else if (c == '[' || c == '{') {
      if (++level > DeepestLevel)
        return i;
    } else if (c == ']' || c == '}') {
      --level;
    }
  }
  return std::string_view::npos;
}

} // namespace

Json::Json() : shared(std::make_shared<Value>()) {}

Json Json::object() {
  Json json;
  valueOf(json.shared) = Value::object();
  return json;
}
Json Json::array() {
  Json json;
  valueOf(json.shared) = Value::array();
  return json;
}
Json Json::of(std::string_view text) {
  Json json;
  valueOf(json.shared) = std::string(text);
  return json;
}
Json Json::of(int64_t value) {
  Json json;
  valueOf(json.shared) = value;
  return json;
}
Json Json::of(uint64_t value) {
  Json json;
  valueOf(json.shared) = value;
  return json;
}
Json Json::of(double value) {
  if (!std::isfinite(value))
    return of(std::isnan(value) ? "NaN" : value > 0 ? "Infinity" : "-Infinity");
  Json json;
  valueOf(json.shared) = value;
  return json;
}
Json Json::of(bool value) {
  Json json;
  valueOf(json.shared) = value;
  return json;
}
Json Json::of(const std::vector<int64_t> &values) {
  Json json;
  valueOf(json.shared) = values;
  return json;
}
Json Json::of(const std::vector<std::string> &values) {
  Json json;
  valueOf(json.shared) = values;
  return json;
}

Json &Json::set(const std::string &key, Json value) {
  own(shared)[key] = std::move(own(value.shared));
  return *this;
}
Json &Json::add(const std::string &key, Json value) {
  own(shared).get_ref<Value::object_t &>().push_back({key, std::move(own(value.shared))});
  return *this;
}
Json &Json::push(Json value) {
  own(shared).push_back(std::move(own(value.shared)));
  return *this;
}

Result<Json> Json::parse(std::string_view text, const std::string &file) {
  size_t deep = findTooDeep(text);
  if (deep != std::string_view::npos)
    return badInput(702, "the JSON nests too deeply", "more than 500 levels are not read", {},
                    locate(text, deep, file));
  Json json;
  std::string twice; // the last one counts
  if (auto failure = json::parseValue(text, valueOf(json.shared), twice))
    return badInput(702, "the text is not JSON",
                    failure->outOfRange ? "a number is out of range" : "", {},
                    locate(text, failure->offset, file));
  return json;
}

bool Json::isNull() const { return valueOf(shared).is_null(); }
bool Json::isArray() const { return valueOf(shared).is_array(); }
bool Json::isObject() const { return valueOf(shared).is_object(); }
bool Json::isText() const { return valueOf(shared).is_string(); }
bool Json::isBool() const { return valueOf(shared).is_boolean(); }
bool Json::isNumber() const { return valueOf(shared).is_number(); }
bool Json::isInteger() const {
  const Value &value = valueOf(shared);
  return value.is_number_integer() &&
         !(value.is_number_unsigned() && value.get<uint64_t>() > uint64_t(INT64_MAX));
}

bool Json::has(const std::string &key) const { return isObject() && valueOf(shared).contains(key); }

Json Json::at(const std::string &key) const {
  Json json;
  if (has(key))
    json.shared = std::shared_ptr<void>(shared, &valueOf(shared)[key]);
  return json;
}

std::vector<Json> Json::items() const {
  std::vector<Json> result;
  if (!isArray())
    return result;
  for (Value &value : valueOf(shared)) {
    result.emplace_back();
    result.back().shared = std::shared_ptr<void>(shared, &value);
  }
  return result;
}

std::vector<std::string> Json::keys() const {
  std::vector<std::string> result;
  if (isObject())
    for (const auto &entry : valueOf(shared).items())
      result.push_back(entry.key());
  return result;
}

std::vector<Json> Json::values() const {
  std::vector<Json> result;
  if (isObject())
    for (auto &entry : valueOf(shared).get_ref<Value::object_t &>()) {
      result.emplace_back();
      result.back().shared = std::shared_ptr<void>(shared, &entry.second);
    }
  return result;
}

int64_t Json::toInt(int64_t otherwise) const {
  return isInteger() ? valueOf(shared).get<int64_t>() : otherwise;
}
double Json::toDouble(double otherwise) const {
  return isNumber() ? valueOf(shared).get<double>() : otherwise;
}
bool Json::toBool(bool otherwise) const {
  return isBool() ? valueOf(shared).get<bool>() : otherwise;
}

std::string Json::toText() const {
  const Value &value = valueOf(shared);
  return value.is_string() ? value.get<std::string>() : dump(value, -1);
}

std::string Json::str() const { return withoutControls(dump(valueOf(shared), 2)); }

} // namespace imbrex
