// A JSON value: what --json prints, and documents that are read. The only user of nlohmann/json.
//
// A value is a handle: copies and what at() and items() return share the document, so reading a
// large one copies nothing. set() and push() first make the value this handle's own, which is free
// while nobody shares it.
#pragma once

#include "support/Result.h"

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace imbrex {

/// An object keeps the order in which its keys were set.
class Json {
public:
  Json(); // null

  static Json object();
  static Json array();
  static Json of(std::string_view text);
  static Json of(const char *text) { return of(std::string_view(text)); }
  static Json of(int64_t value);
  static Json of(uint64_t value);
  static Json of(double value); // NaN and infinities become strings: JSON has no such numbers
  static Json of(bool value);
  static Json of(const std::vector<int64_t> &values);
  static Json of(const std::vector<std::string> &values);

  /// On an object. Returns *this, so that calls chain.
  Json &set(const std::string &key, Json value);
  /// set() of a key that is not there yet: at a cost that does not grow with the object.
  Json &add(const std::string &key, Json value);
  template <class T> Json &set(const std::string &key, const T &value) {
    return set(key, Json::of(value));
  }
  /// On an array.
  Json &push(Json value);

  /// E0702 when `text` is not JSON, or nests deeper than 500 levels; says the line and column.
  static Result<Json> parse(std::string_view text, const std::string &file = {});
  bool isNull() const;
  bool isArray() const;
  bool isObject() const;
  bool isText() const;
  bool isBool() const;
  bool isInteger() const; // that fits in int64_t
  bool isNumber() const;
  /// The value at `key`; null where there is none or this is no object.
  Json at(const std::string &key) const;
  bool has(const std::string &key) const;
  std::vector<Json> items() const;       // of an array, else empty
  std::vector<std::string> keys() const; // of an object, else empty
  std::vector<Json> values() const;      // of an object in the order of keys(), else empty
  int64_t toInt(int64_t otherwise = 0) const;
  double toDouble(double otherwise = 0) const;
  bool toBool(bool otherwise = false) const;
  /// The text itself for a string, JSON for anything else.
  std::string toText() const;

  /// Two blanks a level, no line break at the end. Bytes that are no UTF-8 are replaced; control
  /// characters are escaped, so that it may go to a terminal.
  std::string str() const;

private:
  std::shared_ptr<void> shared; // of nlohmann's type, which stays out of this header
};

} // namespace imbrex
