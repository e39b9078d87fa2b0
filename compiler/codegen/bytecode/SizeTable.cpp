#include "compiler/codegen/bytecode/SizeTable.h"

#include "compiler/passes/lower/EmitTerm.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"

#include <algorithm>

namespace imbrex::codegen {

using namespace mlir;

void SizeTable::openStage(ArrayRef<std::string> symbols) {
  Stage stage;
  stage.symbols.assign(symbols.begin(), symbols.end());
  stages.push_back(std::move(stage));
}

size_t SizeTable::stageOf(StringRef symbol) const {
  for (size_t i = stages.size(); i-- > 0;)
    if (llvm::is_contained(stages[i].symbols, symbol))
      return i;
  llvm_unreachable("a symbol that no stage opens");
}

void SizeTable::need(const DimExpr &size) {
  if (size.constant() || size.asSymbol())
    return;
  size_t at = 0;
  for (const auto &s : size.symbols())
    at = std::max(at, stageOf(s));
  if (!llvm::is_contained(stages[at].sizes, size))
    stages[at].sizes.push_back(size);
}

void SizeTable::finish() {
  for (Stage &s : stages) {
    s.firstSymbol = slots;
    for (const auto &name : s.symbols)
      slotByText[name] = slots++;
    s.firstSize = slots;
    for (const auto &e : s.sizes)
      slotByText[e.str()] = slots++;
  }
}

uint32_t SizeTable::slotOfSymbol(StringRef symbol) const {
  return slotByText.find(std::string_view(symbol))->second;
}

artifact::SizeSpec SizeTable::of(const DimExpr &size) const {
  if (auto c = size.constant())
    return artifact::SizeSpec::literal(*c);
  return artifact::SizeSpec::inSlot(static_cast<int32_t>(slotByText.at(size.str())));
}

std::optional<artifact::SizesSpec> SizeTable::emit(size_t i, StringRef name,
                                                   ModuleOp kernels) const {
  const Stage &stage = stages[i];
  if (stage.sizes.empty())
    return std::nullopt;
  OpBuilder b(kernels.getContext());
  b.setInsertionPointToEnd(kernels.getBody());
  Location loc = NameLoc::get(b.getStringAttr(name));
  Type ptr = LLVM::LLVMPointerType::get(b.getContext()), i64 = b.getI64Type();
  auto func = func::FuncOp::create(b, loc, name, b.getFunctionType({ptr, ptr}, {b.getI32Type()}));
  Block *entry = func.addEntryBlock();
  b.setInsertionPointToStart(entry);
  auto at = [&](Value base, uint32_t slot) -> Value {
    return LLVM::GEPOp::create(b, loc, ptr, i64, base,
                               ArrayRef<LLVM::GEPArg>{static_cast<int32_t>(slot)});
  };
  lower::SizeEmitter sizes([&](StringRef symbol) -> Value {
    Value v = LLVM::LoadOp::create(b, loc, i64, at(entry->getArgument(0), slotOfSymbol(symbol)));
    return arith::IndexCastOp::create(b, loc, b.getIndexType(), v);
  });
  for (size_t k = 0; k < stage.sizes.size(); ++k) {
    Value v = arith::IndexCastOp::create(b, loc, i64, sizes.emit(b, loc, stage.sizes[k]));
    LLVM::StoreOp::create(b, loc, v, at(entry->getArgument(1), static_cast<uint32_t>(k)));
  }
  Value good = arith::ConstantOp::create(b, loc, b.getI32IntegerAttr(0));
  func::ReturnOp::create(b, loc, good);
  artifact::SizesSpec spec;
  spec.name = spec.entry = name.str();
  spec.inputs = static_cast<uint16_t>(stage.firstSize);
  spec.outputs = static_cast<uint16_t>(stage.sizes.size());
  return spec;
}

} // namespace imbrex::codegen
