// The checked-in list of cases that are known to fail, each with the feature that is missing. A
// case that passes though it is listed is a failure too: the list never lags behind.
#pragma once

#include "support/Result.h"

#include <map>
#include <string>
#include <string_view>

namespace imbrex::suite {

/// Case name to missing feature.
using Expectations = std::map<std::string, std::string, std::less<>>;

/// A feature with this prefix is missing in compiled code only: the evaluator has it.
inline constexpr std::string_view compiledOnly = "compiled: ";

/// Lines `case: missing feature`; # starts a comment. E0711 with the line for anything else, and
/// for a case named twice.
Result<Expectations> readExpectations(const std::string &path);
Result<Expectations> parseExpectations(const std::string &text, const std::string &path);

} // namespace imbrex::suite
