#include "support/opmeaning/ops/Families.h"

namespace imbrex::opmeaning {

void registerAllFamilies(std::vector<Operator> &ops) {}

} // namespace imbrex::opmeaning
