#include "support/opmeaning/ops/Families.h"

namespace imbrex::opmeaning {

void registerAllFamilies(std::vector<Operator> &ops) {
  registerElementwise(ops);
  registerActivations(ops);
  registerBinary(ops);
  registerReduce(ops);
  registerReshape(ops);
  registerSizes(ops);
  registerSlice(ops);
  registerGather(ops);
  registerScatter(ops);
  registerFill(ops);
  registerMatMul(ops);
  registerEinsum(ops);
  registerConv(ops);
  registerColumns(ops);
  registerNormalize(ops);
  registerPool(ops);
  registerQuantize(ops);
  registerResize(ops);
  registerRegions(ops);
  registerHost(ops);
  registerHostItems(ops);
  registerCustom(ops);
  registerRefuse(ops);
}

} // namespace imbrex::opmeaning
