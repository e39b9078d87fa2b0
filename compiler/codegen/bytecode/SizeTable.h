// The sizes of one function: which slot of its size vector holds what, and the compiled functions
// that fill the slots.
//
//   slots: [symbols of the function][sizes that follow from them][symbols opened next][sizes …] …
//
// Stage 0 runs at entry; each later stage runs where a symbol becomes known (relay.open, a branch's
// or a loop's size). runtime/abi/bytecode.h says how the VM walks them.
//
// A stage computes sizes that code further inside needs, too: a branch that may not be taken. An
// impossible size fails the stage only when its own region needs it; see WhenImpossible.
#pragma once

#include "compiler/codegen/bytecode/SizeCode.h"
#include "runtime/module/format/ArtifactSpec.h"

namespace imbrex::codegen {

class SizeTable {
public:
  /// Symbols that become known together open a stage; the first call is the function's own. `depth`
  /// counts the regions around the place where the stage runs.
  void openStage(llvm::ArrayRef<std::string> symbols, unsigned depth);
  /// Makes sure that `size`, used at `depth`, will have a slot. False when no opened stage has one
  /// of its symbols.
  [[nodiscard]] bool need(const DimExpr &size, unsigned depth);
  /// Lays out the slots. After this, only lookups.
  void finish();

  /// Nothing for a size that was never needed; slotOfSymbol and stageOf for an unknown symbol.
  std::optional<artifact::SizeSpec> of(const DimExpr &size) const;
  std::optional<uint32_t> slotOfSymbol(llvm::StringRef symbol) const;
  /// The stage that `symbol` opens.
  std::optional<size_t> stageOf(llvm::StringRef symbol) const;
  /// What each slot holds, in the symbols of the function.
  std::vector<std::string> slotTexts() const;
  uint32_t slotCount() const { return slots; }
  size_t stageCount() const { return stages.size(); }

  /// Emits stage `i` as an ImxSizesFn named `name` into `kernels`; nothing when it computes
  /// nothing.
  std::optional<artifact::SizesSpec> emit(size_t i, llvm::StringRef name,
                                          mlir::ModuleOp kernels) const;

private:
  struct Stage {
    std::vector<std::string> symbols;
    unsigned depth = 0;
    std::vector<SizeOutput> sizes;
    uint32_t firstSymbol = 0, firstSize = 0;
  };
  std::vector<Stage> stages;
  std::map<std::string, uint32_t, std::less<>> slotByText;
  uint32_t slots = 0;
};

} // namespace imbrex::codegen
