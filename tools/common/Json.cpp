#include "tools/common/Json.h"

#include <nlohmann/json.hpp>

#include <cmath>

namespace imbrex::tools {

using Value = nlohmann::ordered_json;

struct Json::Impl {
  Value value;
};

namespace {

std::string dump(const Value &value, int indent) {
  return value.dump(indent, ' ', false, Value::error_handler_t::replace);
}

} // namespace

Json::Json() : impl(new Impl) {}
Json::Json(const Json &other) : impl(new Impl(*other.impl)) {}
Json::Json(Json &&other) noexcept : impl(std::move(other.impl)) {}
Json::~Json() = default;
Json &Json::operator=(Json other) {
  impl.swap(other.impl);
  return *this;
}

Json Json::object() {
  Json json;
  json.impl->value = Value::object();
  return json;
}
Json Json::array() {
  Json json;
  json.impl->value = Value::array();
  return json;
}
Json Json::of(std::string_view text) {
  Json json;
  json.impl->value = std::string(text);
  return json;
}
Json Json::of(int64_t value) {
  Json json;
  json.impl->value = value;
  return json;
}
Json Json::of(uint64_t value) {
  Json json;
  json.impl->value = value;
  return json;
}
Json Json::of(double value) {
  if (!std::isfinite(value))
    return of(std::isnan(value) ? "NaN" : value > 0 ? "Infinity" : "-Infinity");
  Json json;
  json.impl->value = value;
  return json;
}
Json Json::of(bool value) {
  Json json;
  json.impl->value = value;
  return json;
}
Json Json::of(const std::vector<int64_t> &values) {
  Json json;
  json.impl->value = values;
  return json;
}
Json Json::of(const std::vector<std::string> &values) {
  Json json;
  json.impl->value = values;
  return json;
}

Json &Json::set(const std::string &key, Json value) {
  impl->value[key] = std::move(value.impl->value);
  return *this;
}
Json &Json::push(Json value) {
  impl->value.push_back(std::move(value.impl->value));
  return *this;
}

Result<Json> Json::parse(std::string_view text) {
  Json json;
  json.impl->value = Value::parse(text, nullptr, /*allow_exceptions=*/false);
  if (json.impl->value.is_discarded())
    return badInput(702, "the text is not JSON");
  return json;
}

bool Json::isNull() const { return impl->value.is_null(); }
bool Json::isArray() const { return impl->value.is_array(); }
bool Json::isObject() const { return impl->value.is_object(); }

Json Json::at(const std::string &key) const {
  Json json;
  if (isObject() && impl->value.contains(key))
    json.impl->value = impl->value[key];
  return json;
}

std::vector<Json> Json::items() const {
  std::vector<Json> result;
  if (!isArray())
    return result;
  for (const Value &value : impl->value) {
    result.emplace_back();
    result.back().impl->value = value;
  }
  return result;
}

std::vector<std::string> Json::keys() const {
  std::vector<std::string> result;
  if (isObject())
    for (const auto &entry : impl->value.items())
      result.push_back(entry.key());
  return result;
}

int64_t Json::toInt(int64_t otherwise) const {
  return impl->value.is_number_integer() ? impl->value.get<int64_t>() : otherwise;
}

std::string Json::toText() const {
  return impl->value.is_string() ? impl->value.get<std::string>() : dump(impl->value, -1);
}

std::string Json::str() const { return dump(impl->value, 2); }

} // namespace imbrex::tools
