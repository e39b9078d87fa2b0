#include "compiler/passes/graph/rules/Rule.h"

#include <algorithm>

namespace imbrex::rules {

std::vector<std::string> licences() {
  std::vector<std::string> names;
  for (const Rule &rule : allRules())
    if (!rule.licence.empty())
      names.push_back(rule.licence);
  std::sort(names.begin(), names.end());
  names.erase(std::unique(names.begin(), names.end()), names.end());
  return names;
}

} // namespace imbrex::rules
