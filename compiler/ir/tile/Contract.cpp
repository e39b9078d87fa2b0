// What launches of a kernel must keep to, as data that needs no compiler.
#include "compiler/ir/tile/Tile.h"

using namespace mlir;

namespace imbrex::tile {

DType dtypeOf(Type element) {
  if (element.isF16())
    return DType::F16;
  if (element.isBF16())
    return DType::BF16;
  if (element.isF32())
    return DType::F32;
  if (element.isF64())
    return DType::F64;
  switch (element.getIntOrFloatBitWidth()) {
  case 1:
    return DType::Bool;
  case 8:
    return DType::I8;
  case 16:
    return DType::I16;
  case 32:
    return DType::I32;
  default:
    return DType::I64;
  }
}

LaunchContract launchContract(KernelOp kernel) {
  LaunchContract contract;
  contract.kernel = kernel.getSymName().str();
  for (auto size : kernel.getSizes().getAsRange<SizeParamAttr>())
    contract.sizes.push_back({size.getName().str(), size.getLo(), size.getHi(), size.getDivisor()});
  for (BlockArgument view : kernel.getViews()) {
    auto type = cast<ViewType>(view.getType());
    auto extents = type.getDims(), strides = type.getStrideDims();
    contract.views.push_back({kernel.viewName(view),
                              dtypeOf(type.getElementType()),
                              {extents.begin(), extents.end()},
                              {strides.begin(), strides.end()},
                              static_cast<ViewAccess>(type.getAccess())});
  }
  for (auto [list, why] : {std::pair(kernel.getAssumptions(), "the kernel assumes it"),
                           std::pair(kernel.getChecks(), "else it would leave a view")})
    for (StringRef text : list.getAsValueRange<StringAttr>()) {
      // Precondition: the kernel's verifier read each of them.
      auto fact = parseFact(text).take();
      contract.facts.push_back({fact.left, fact.right, fact.equal, text.str(), why});
    }
  auto grid = kernel.getGridDims();
  contract.grid.assign(grid.begin(), grid.end());
  return contract;
}

} // namespace imbrex::tile
