// JSON text as nlohmann's document, in time linear in the text. nlohmann's own reader looks through
// all earlier keys of an object for each new one, so that an object of 80,000 keys takes minutes.
#pragma once

#include <nlohmann/json.hpp>

#include <optional>
#include <string>
#include <string_view>

namespace imbrex::json {

struct ParseFailure {
  size_t offset = 0; // of the byte that does not fit
  bool outOfRange = false;
};

/// Of equal keys in an object the last one counts, as in nlohmann's reader; `twice` is one of them,
/// "" without any. The nesting must have been checked. Cost: linear, memory of the document.
std::optional<ParseFailure> parseValue(std::string_view text, nlohmann::ordered_json &value,
                                       std::string &twice);

} // namespace imbrex::json
