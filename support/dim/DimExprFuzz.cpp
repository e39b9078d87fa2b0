// Any bytes as the text of a dimension: read, or refused; what was read prints and reads back.
#include "support/dim/DimExpr.h"

#include <cstdlib>

extern "C" int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  std::string_view text(reinterpret_cast<const char *>(data), size);
  auto e = imbrex::DimExpr::parse(text);
  if (!e)
    return 0;
  auto again = imbrex::DimExpr::parse(e->str());
  // Printed forms may be longer and nest more deeply than the text was; only what reads back must
  // be equal.
  if (again && !(*again == *e))
    std::abort();
  imbrex::DimFacts facts;
  (void)facts.add("n", {1, 64, 1});
  auto simple = facts.simplify(*e);
  (void)facts.lowerBound(simple);
  return 0;
}
