// Any bytes as a .rules file: read and checked, or refused.
#include "compiler/passes/graph/rules/ParseRules.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  auto rules = imbrex::rules::parseRules({reinterpret_cast<const char *>(data), size}, "f.rules");
  if (rules)
    (void)imbrex::rules::checkRules(*rules);
  return 0;
}
