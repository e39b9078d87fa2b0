// The types and attributes of the relay dialect.
#ifndef IMBREX_RELAY_TYPES_TD
#define IMBREX_RELAY_TYPES_TD

include "compiler/ir/relay/Dialect.td"
include "mlir/IR/AttrTypeBase.td"

def Relay_TensorType : TypeDef<Relay_Dialect, "Tensor"> {
  let mnemonic = "tensor";
  let summary = "a dense tensor whose dimensions are expressions over symbols";
  let description = [{
    `!relay.tensor<[n, 2*n+1, 8], f32>`; rank 0 is `!relay.tensor<[], f32>`. A dimension is kept in the
    canonical form of support/dim/DimExpr.h, so two types are equal when all their dimensions are. Element
    types: i1 (bool), iN (signed), uiN (unsigned) for N = 8, 16, 32, 64, f16, bf16, f32, f64, the narrow
    types, !relay.string and !relay.item.
  }];
  // A constant dimension is an IntegerAttr, any other a StringAttr with the canonical text.
  let parameters = (ins ArrayRefParameter<"::mlir::Attribute">:$sizes,
                        "::mlir::Type":$elementType);
  let skipDefaultBuilders = 1;
  let builders = [TypeBuilder<(ins "::llvm::ArrayRef<::imbrex::DimExpr>":$dims,
                                   "::mlir::Type":$elementType)>];
  let hasCustomAssemblyFormat = 1;
  let genVerifyDecl = 1;
  let extraClassDeclaration = [{
    /// The dimensions. Cost: parses the text of each that is no constant.
    ::llvm::SmallVector<::imbrex::DimExpr> getDims() const;
    ::imbrex::DimExpr getDim(int64_t i) const;
    int64_t getRank() const { return static_cast<int64_t>(getSizes().size()); }
    ::imbrex::DType getDType() const;
    /// Every dimension is a constant.
    bool isStatic() const;
    /// The sizes. Precondition: isStatic().
    ::llvm::SmallVector<int64_t> staticShape() const;
    /// The elements, or nothing when a size is symbolic or the product leaves int64.
    std::optional<int64_t> staticElems() const;
    /// Every symbol in a dimension, sorted, once.
    std::vector<std::string> symbols() const;
  }];
}

def Relay_StringType : TypeDef<Relay_Dialect, "String"> {
  let mnemonic = "string";
  let summary = "element type: a text";
}

def Relay_ItemType : TypeDef<Relay_Dialect, "Item"> {
  let mnemonic = "item";
  let summary = "element type: a whole tensor, whose type is known when it is taken out";
  let description = [{
    A sequence is a vector of items, an optional value a vector of at most one.
  }];
}

def Relay_SymbolAttr : AttrDef<Relay_Dialect, "Symbol"> {
  let mnemonic = "symbol";
  let summary = "a dimension symbol and what is known of it: lo <= name <= hi, a multiple of divisor";
  let parameters = (ins StringRefParameter<>:$name, "int64_t":$lo, "int64_t":$hi,
                        "int64_t":$divisor);
  let assemblyFormat = "`<` $name `,` $lo `,` $hi `,` $divisor `>`";
  let genVerifyDecl = 1;
}

#endif
