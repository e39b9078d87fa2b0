// A strict reader of small JSON files (RFC 8259): the configuration that comes with a model.
// Refused: trailing text, comments, duplicate keys, nesting deeper than 64, invalid escapes. Cost:
// linear in the text (keys of one object are kept in a sorted map).
#pragma once

#include "support/Result.h"

#include <map>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

namespace imbrex::magika {

class JsonValue {
public:
  using Array = std::vector<JsonValue>;
  using Object = std::map<std::string, JsonValue, std::less<>>;

  JsonValue() = default;
  explicit JsonValue(bool value) : state(value) {}
  explicit JsonValue(double value) : state(value) {}
  explicit JsonValue(std::string value) : state(std::move(value)) {}
  explicit JsonValue(Array value) : state(std::move(value)) {}
  explicit JsonValue(Object value) : state(std::move(value)) {}

  bool isNull() const { return std::holds_alternative<std::monostate>(state); }
  /// Null when the value is of another kind.
  const bool *boolean() const { return std::get_if<bool>(&state); }
  const double *number() const { return std::get_if<double>(&state); }
  const std::string *string() const { return std::get_if<std::string>(&state); }
  const Array *array() const { return std::get_if<Array>(&state); }
  const Object *object() const { return std::get_if<Object>(&state); }
  /// The member of an object; null when this is no object or has no such member.
  const JsonValue *find(std::string_view key) const;

private:
  std::variant<std::monostate, bool, double, std::string, Array, Object> state;
};

/// Errors are E0020 with the line and column in `file`.
Result<JsonValue> parseJson(std::string_view text, std::string_view file);

} // namespace imbrex::magika
