#include "support/json/EqualKeys.h"

#include "support/json/ParseValue.h"

namespace imbrex {

std::string equalKey(std::string_view text) {
  nlohmann::ordered_json value;
  std::string twice;
  return json::parseValue(text, value, twice) ? "" : twice;
}

} // namespace imbrex
