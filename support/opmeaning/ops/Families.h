// The operator families: each function appends its family's declarations. A new family is declared
// here and called in registerAllFamilies (Families.cpp); nothing else lists operators.
#pragma once

#include "support/opmeaning/Operator.h"

#include <vector>

namespace imbrex::opmeaning {

void registerElementwise(std::vector<Operator> &ops);
void registerActivations(std::vector<Operator> &ops);
void registerBinary(std::vector<Operator> &ops);
void registerReduce(std::vector<Operator> &ops);
void registerReshape(std::vector<Operator> &ops);
void registerSizes(std::vector<Operator> &ops);
void registerSlice(std::vector<Operator> &ops);
void registerGather(std::vector<Operator> &ops);
void registerScatter(std::vector<Operator> &ops);
void registerFill(std::vector<Operator> &ops);
void registerMatMul(std::vector<Operator> &ops);
void registerEinsum(std::vector<Operator> &ops);
void registerConv(std::vector<Operator> &ops);
void registerColumns(std::vector<Operator> &ops);
void registerNormalize(std::vector<Operator> &ops);
void registerPool(std::vector<Operator> &ops);
void registerQuantize(std::vector<Operator> &ops);
void registerResize(std::vector<Operator> &ops);
void registerRegions(std::vector<Operator> &ops);
void registerHost(std::vector<Operator> &ops);
void registerCustom(std::vector<Operator> &ops);
void registerHostItems(std::vector<Operator> &ops);
void registerRefuse(std::vector<Operator> &ops);

/// Every family, in no particular order; the registry sorts by name.
void registerAllFamilies(std::vector<Operator> &ops);

} // namespace imbrex::opmeaning
