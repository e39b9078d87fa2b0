// The name that was probably meant, for error texts.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace imbrex {

/// The name of `names` that `name` most likely meant, whatever the case: one that begins with it,
/// or differs in at most a third of its characters; "" when none does. Looks at the first 100
/// characters; quadratic in these.
std::string nearestName(std::string_view name, const std::vector<std::string> &names);

} // namespace imbrex
