// Text inside of HTML and SVG.
#pragma once

#include <string>
#include <string_view>

namespace imbrex {

/// For the content of an element and for a quoted attribute: markup characters become entities,
/// control characters but line breaks and tabs become blanks.
std::string escapeMarkup(std::string_view text);

/// JSON for a `<script type="application/json">`: nothing in it ends the element. `json` is valid
/// JSON.
std::string escapeScriptData(std::string_view json);

} // namespace imbrex
