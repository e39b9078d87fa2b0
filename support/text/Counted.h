// "1 row", "2 rows".
#pragma once

#include <string>
#include <string_view>

namespace imbrex {

/// `many` is what `one` is called when there are none or several; one with an s when left out.
inline std::string counted(size_t count, std::string_view one, std::string_view many = "") {
  std::string text = std::to_string(count) + " ";
  if (count == 1)
    return text.append(one);
  return many.empty() ? text.append(one).append("s") : text.append(many);
}

} // namespace imbrex
