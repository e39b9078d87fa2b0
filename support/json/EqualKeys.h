// JSON that people write: a key that stands twice in an object is a mistake there.
#pragma once

#include <string>
#include <string_view>

namespace imbrex {

/// A key that an object of `text` has twice; "" when there is none, or when `text` is not JSON.
/// Reads the text as Json::parse does, which must have accepted its nesting. Linear.
std::string equalKey(std::string_view text);

} // namespace imbrex
