// The sizes of one function: which slot of its size vector holds what, and the compiled functions
// that fill the slots.
//
//   slots: [symbols of the function][sizes that follow from them][symbols opened next][sizes …] …
//
// Stage 0 runs at entry; each later stage runs where a symbol becomes known (relay.open, a branch's
// or a loop's size). runtime/abi/bytecode.h says how the VM walks them.
#pragma once

#include "compiler/ir/relay/Relay.h"
#include "runtime/module/format/ArtifactSpec.h"

#include "mlir/IR/BuiltinOps.h"

namespace imbrex::codegen {

class SizeTable {
public:
  /// Symbols that become known together open a stage; the first call is the function's own.
  void openStage(llvm::ArrayRef<std::string> symbols);
  /// Makes sure that `size` will have a slot. Precondition: its symbols are in an opened stage.
  void need(const DimExpr &size);
  /// Lays out the slots. After this, only lookups.
  void finish();

  artifact::SizeSpec of(const DimExpr &size) const;
  uint32_t slotOfSymbol(llvm::StringRef symbol) const;
  uint32_t slotCount() const { return slots; }
  size_t stageCount() const { return stages.size(); }
  /// The stage that `symbol` opens.
  size_t stageOf(llvm::StringRef symbol) const;

  /// Emits stage `i` as an ImxSizesFn named `name` into `kernels`; nothing when it computes
  /// nothing.
  std::optional<artifact::SizesSpec> emit(size_t i, llvm::StringRef name,
                                          mlir::ModuleOp kernels) const;

private:
  struct Stage {
    std::vector<std::string> symbols;
    std::vector<DimExpr> sizes;
    uint32_t firstSymbol = 0, firstSize = 0;
  };
  std::vector<Stage> stages;
  std::map<std::string, uint32_t, std::less<>> slotByText;
  uint32_t slots = 0;
};

} // namespace imbrex::codegen
