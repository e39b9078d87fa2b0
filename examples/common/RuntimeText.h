// The runtime's error texts inside the ones of an example.
#pragma once

#include <string>
#include <string_view>

namespace imbrex {

/// "m.imx: error[E0100]: this is no artifact; because …; try …" -> "this is no artifact; because
/// …": the place and the remedy are those of the example's own error.
inline std::string reasonOf(std::string_view runtimeText) {
  constexpr std::string_view head = "]: ", remedy = "; try ";
  if (size_t code = runtimeText.find("error[E"); code != std::string_view::npos)
    if (size_t text = runtimeText.find(head, code); text != std::string_view::npos)
      runtimeText.remove_prefix(text + head.size());
  return std::string(runtimeText.substr(0, runtimeText.find(remedy)));
}

} // namespace imbrex
