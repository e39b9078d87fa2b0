// The memory of a kernel's views in the interpreter: every access is checked and counted.
#pragma once

#include "compiler/reference/TileElements.h"
#include "compiler/reference/TileInterpreter.h"

namespace imbrex::tile {

/// One view at given sizes.
class ViewMemory {
public:
  /// Fits a view to its sizes and its bytes.
  static Result<ViewMemory> make(ViewType type, const SizeValues &sizes, ViewBytes &bytes);

  llvm::ArrayRef<int64_t> extents() const { return shape; }
  mlir::Type elementType() const { return type.getElementType(); }
  bool contains(llvm::ArrayRef<int64_t> at) const;
  /// Preconditions: contains(at).
  Element read(llvm::ArrayRef<int64_t> at, int64_t block);
  void write(llvm::ArrayRef<int64_t> at, const Element &value, int64_t block);
  void add(llvm::ArrayRef<int64_t> at, const Element &value);
  /// The coordinates of the element stored at a flat offset, of a contiguous view.
  std::optional<std::vector<int64_t>> atOffset(int64_t offset) const;
  std::vector<ElementUse> takeUses() { return std::move(uses); }

private:
  size_t number(llvm::ArrayRef<int64_t> at) const;
  std::byte *address(llvm::ArrayRef<int64_t> at) const;

  ViewType type;
  std::vector<int64_t> shape, strides;
  std::byte *data = nullptr;
  std::vector<ElementUse> uses;
  std::vector<int64_t> writer, reader; // the block that did so last, or -1; -2: several readers
};

} // namespace imbrex::tile
