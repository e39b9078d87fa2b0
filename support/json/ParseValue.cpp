#include "support/json/ParseValue.h"

#include <unordered_map>
#include <vector>

namespace imbrex::json {
namespace {

using Value = nlohmann::ordered_json;

/// Objects of few keys are looked through; larger ones have an index.
constexpr size_t fewKeys = 16;

class Builder : public nlohmann::json_sax<Value> {
public:
  explicit Builder(Value &root) : root(root) {}

  std::optional<ParseFailure> failure;
  std::string twice;

  bool null() override { return put(nullptr); }
  bool boolean(bool value) override { return put(value); }
  bool number_integer(number_integer_t value) override { return put(value); }
  bool number_unsigned(number_unsigned_t value) override { return put(value); }
  bool number_float(number_float_t value, const string_t &) override { return put(value); }
  bool string(string_t &value) override { return put(std::move(value)); }
  bool binary(binary_t &) override { return false; }

  bool start_object(std::size_t) override { return open(Value::object()); }
  bool start_array(std::size_t) override { return open(Value::array()); }
  bool end_object() override { return close(); }
  bool end_array() override { return close(); }

  bool key(string_t &name) override {
    Level &level = levels.back();
    auto &object = level.container->get_ref<Value::object_t &>();
    Value::object_t::Container &entries = object;
    if (object.size() < fewKeys) {
      size_t before = object.size();
      level.slot = &object[name];
      if (object.size() == before)
        twice = name;
      return true;
    }
    if (level.index.empty())
      for (size_t i = 0; i < object.size(); ++i)
        level.index.emplace(entries[i].first, i);
    auto [place, isNew] = level.index.try_emplace(name, object.size());
    if (!isNew)
      twice = name;
    if (isNew)
      entries.push_back({std::move(name), Value()});
    level.slot = &entries[place->second].second;
    return true;
  }

  bool parse_error(std::size_t position, const std::string &,
                   const nlohmann::detail::exception &error) override {
    failure = ParseFailure{position ? position - 1 : 0, error.id >= 400};
    return false;
  }

private:
  struct Level {
    Value *container;      // stays in its place while it is open
    Value *slot = nullptr; // where the next value of an object goes
    std::unordered_map<std::string, size_t> index = {};
  };

  Value *place(Value &&value) {
    if (levels.empty()) {
      root = std::move(value);
      return &root;
    }
    Level &level = levels.back();
    if (level.container->is_array()) {
      level.container->push_back(std::move(value));
      return &level.container->back();
    }
    *level.slot = std::move(value);
    return level.slot;
  }

  template <class T> bool put(T &&value) {
    place(Value(std::forward<T>(value)));
    return true;
  }
  bool open(Value &&value) {
    levels.push_back({place(std::move(value))});
    return true;
  }
  bool close() {
    levels.pop_back();
    return true;
  }

  Value &root;
  std::vector<Level> levels;
};

} // namespace

std::optional<ParseFailure> parseValue(std::string_view text, Value &value, std::string &twice) {
  Builder builder(value);
  Value::sax_parse(text, &builder);
  twice = builder.twice;
  return builder.failure;
}

} // namespace imbrex::json
