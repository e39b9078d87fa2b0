// The types and attributes of the tile dialect.
#ifndef IMBREX_TILE_TYPES_TD
#define IMBREX_TILE_TYPES_TD

include "compiler/ir/tile/Dialect.td"
include "mlir/IR/AttrTypeBase.td"
include "mlir/IR/EnumAttr.td"

def Tile_Access : I32EnumAttr<"Access", "what a kernel may do with a view", [
    I32EnumAttrCase<"read", 0>,       // loads, by any block
    I32EnumAttrCase<"write", 1>,      // each element stored exactly once, never loaded
    I32EnumAttrCase<"update", 2>,     // loaded and stored, a tile by the block that owns it
    I32EnumAttrCase<"accumulate", 3>  // added to by any block, atomically; never loaded
  ]> {
  let cppNamespace = "::imbrex::tile";
}

def Tile_ViewType : TypeDef<Tile_Dialect, "View"> {
  let mnemonic = "view";
  let summary = "a tensor in memory, as a kernel's argument";
  let description = [{
    `!tile.view<[m, k], f32>` is read; `!tile.view<[m, n], f32, write>` is an output. Sizes are expressions over the kernel's
    sizes. Elements are contiguous in row-major order unless the type says `strides [1, m]`, in elements. Element types: signless
    integers of 1 (a byte in memory), 8, 16, 32, 64 bits, f16, bf16, f32, f64.
  }];
  let parameters = (ins ArrayRefParameter<"::mlir::Attribute">:$sizes, "::mlir::Type":$elementType,
                        "::imbrex::tile::Access":$access,
                        ArrayRefParameter<"::mlir::Attribute">:$strides);
  let hasCustomAssemblyFormat = 1;
  let genVerifyDecl = 1;
  let extraClassDeclaration = [{
    static ViewType get(::mlir::MLIRContext *context, ::llvm::ArrayRef<::imbrex::DimExpr> dims, ::mlir::Type element,
                        Access access);
    int64_t getRank() const { return static_cast<int64_t>(getSizes().size()); }
    /// The extents. Cost: parses the text of each that is no constant.
    ::llvm::SmallVector<::imbrex::DimExpr> getDims() const;
    /// The strides in elements, whether written or implied.
    ::llvm::SmallVector<::imbrex::DimExpr> getStrideDims() const;
    bool isContiguous() const { return getStrides().empty(); }
    bool isWritten() const { return getAccess() != Access::read; }
  }];
}

def Tile_TokenType : TypeDef<Tile_Dialect, "Token"> {
  let mnemonic = "token";
  let summary = "orders raw accesses to memory";
}

def Tile_SizeAttr : AttrDef<Tile_Dialect, "SizeParam"> {
  let mnemonic = "size_param";
  let summary = "a size of a kernel and what launches guarantee of it: lo <= name <= hi, a multiple of divisor";
  let parameters = (ins StringRefParameter<>:$name, "int64_t":$lo, "int64_t":$hi,
                        "int64_t":$divisor);
  let assemblyFormat = "`<` $name `,` $lo `,` $hi `,` $divisor `>`";
  let genVerifyDecl = 1;
}

#endif
