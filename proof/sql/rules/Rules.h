// The rewrite rules that Imbrex ships: suites in the form of .sqltest (suite/Suite.h), in the
// program itself.
#pragma once

#include <string_view>
#include <vector>

namespace imbrex::sql {

struct RuleFile {
  std::string_view name; // "literature"
  std::string_view text;
};

const std::vector<RuleFile> &ruleFiles();

} // namespace imbrex::sql
