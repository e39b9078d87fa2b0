#include "compiler/codegen/bytecode/SizeTable.h"

#include <algorithm>

namespace imbrex::codegen {

using namespace mlir;

void SizeTable::openStage(ArrayRef<std::string> symbols, unsigned depth) {
  Stage stage;
  stage.symbols.assign(symbols.begin(), symbols.end());
  stage.depth = depth;
  stages.push_back(std::move(stage));
}

std::optional<size_t> SizeTable::stageOf(StringRef symbol) const {
  for (size_t i = stages.size(); i-- > 0;)
    if (llvm::is_contained(stages[i].symbols, symbol))
      return i;
  return std::nullopt;
}

bool SizeTable::need(const DimExpr &size, unsigned depth) {
  size_t at = 0;
  for (const auto &s : size.symbols()) {
    auto stage = stageOf(s);
    if (!stage)
      return false;
    at = std::max(at, *stage);
  }
  if (size.constant() || size.asSymbol())
    return true;
  Stage &stage = stages[at];
  auto when = stage.depth == depth ? WhenImpossible::Fail : WhenImpossible::MinusOne;
  auto it = llvm::find_if(stage.sizes, [&](const SizeOutput &o) { return o.size == size; });
  if (it == stage.sizes.end())
    stage.sizes.push_back({size, when});
  else if (when == WhenImpossible::Fail)
    it->when = when;
  return true;
}

void SizeTable::finish() {
  for (Stage &s : stages) {
    s.firstSymbol = slots;
    for (const auto &name : s.symbols)
      slotByText[name] = slots++;
    s.firstSize = slots;
    for (const auto &o : s.sizes)
      slotByText[o.size.str()] = slots++;
  }
}

std::vector<std::string> SizeTable::slotTexts() const {
  std::vector<std::string> texts(slots);
  for (const auto &[text, slot] : slotByText)
    texts[slot] = text;
  return texts;
}

std::optional<uint32_t> SizeTable::slotOfSymbol(StringRef symbol) const {
  auto it = slotByText.find(std::string_view(symbol));
  return it == slotByText.end() ? std::nullopt : std::optional(it->second);
}

std::optional<artifact::SizeSpec> SizeTable::of(const DimExpr &size) const {
  if (auto c = size.constant())
    return artifact::SizeSpec::literal(*c);
  auto slot = slotOfSymbol(size.str());
  if (!slot)
    return std::nullopt;
  return artifact::SizeSpec::inSlot(static_cast<int32_t>(*slot));
}

std::optional<artifact::SizesSpec> SizeTable::emit(size_t i, StringRef name,
                                                   ModuleOp kernels) const {
  const Stage &stage = stages[i];
  if (stage.sizes.empty())
    return std::nullopt;
  artifact::SizesSpec spec;
  spec.name = spec.entry = name.str();
  spec.inputs = stage.firstSize;
  spec.outputs = static_cast<uint32_t>(stage.sizes.size());
  // need() found a stage for every symbol, and finish() gave it a slot.
  spec.checks = emitSizesFunction(kernels, name, stage.sizes,
                                  [&](StringRef symbol) { return slotOfSymbol(symbol).value(); });
  return spec;
}

} // namespace imbrex::codegen
