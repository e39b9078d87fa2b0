// Reads the language of .rules files (README.md).
#pragma once

#include "compiler/passes/graph/rules/Rule.h"
#include "support/Result.h"

namespace imbrex::rules {

/// E0630 with file, line and column for text that is no rule; terms nest at most 32 deep.
Result<std::vector<Rule>> parseRules(std::string_view text, const std::string &file);

/// Names are unique; operators, attributes, forms, functions and conditions exist and have their
/// arity; the right side and the conditions use what the left side binds; a licence stands with
/// `reals` and only there. E0631 with the rule's place.
Status checkRules(const std::vector<Rule> &rules);

} // namespace imbrex::rules
