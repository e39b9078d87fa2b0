// The operations of the tile dialect: the kernel, where it is, memory, values, and what is unsafe.
#ifndef IMBREX_TILE_OPS_TD
#define IMBREX_TILE_OPS_TD

include "compiler/ir/tile/Types.td"
include "mlir/IR/BuiltinAttributeInterfaces.td"
include "mlir/IR/OpBase.td"
include "mlir/IR/RegionKindInterface.td"
include "mlir/IR/SymbolInterfaces.td"
include "mlir/Interfaces/SideEffectInterfaces.td"

class Tile_Op<string mnemonic, list<Trait> traits = []> : Op<Tile_Dialect, mnemonic, traits>;

/// A tile: a value of static shape. Arithmetic on tiles is arith's and math's, element by element.
def Tile_Value : Type<CPred<"::imbrex::tile::isTile($_self)">, "a tile: a tensor of static shape",
                      "::mlir::RankedTensorType">;
def Tile_Scalar : AnyTypeOf<[AnySignlessInteger, AnyFloat, Index]>;

//===-- The kernel ----------------------------------------------------------===//

def Tile_KernelOp : Tile_Op<"kernel", [Symbol, IsolatedFromAbove, SingleBlock,
                                       SingleBlockImplicitTerminator<"EndOp">]> {
  let summary = "one kernel";
  let description = [{
    ```mlir
    tile.kernel @scale(%x: !tile.view<[n], f32>, %y: !tile.view<[n], f32, write>)
        sizes (n: 1 to 1048576) grid [(n + 255) floordiv 256] {
      %i = tile.block 0
      %t = tile.load %x[%i] : !tile.view<[n], f32> -> tensor<256xf32>
      tile.store %t into %y[%i] : tensor<256xf32>, !tile.view<[n], f32, write>
    }
    ```
    `sizes` are the parameters of a launch with what it guarantees of them (0 to 2^31 - 1 when nothing is said); `grid` has
    one extent for each axis of blocks. `assume ["k == l", "n >= 2*m"]` are facts that the launch checks. `checks` are those that
    `tile-verify` found necessary besides. With `deny_in_kernel_checks` everything must be decided before the launch.
  }];
  let arguments = (ins SymbolNameAttr:$sym_name, ArrayAttr:$sizes, ArrayAttr:$grid,
                       StrArrayAttr:$assumptions, StrArrayAttr:$checks,
                       UnitAttr:$deny_in_kernel_checks);
  let regions = (region SizedRegion<1>:$body);
  let hasCustomAssemblyFormat = 1;
  let hasVerifier = 1;
  let hasRegionVerifier = 1;
  let extraClassDeclaration = [{
    ::llvm::SmallVector<::imbrex::DimExpr> getGridDims();
    ::llvm::MutableArrayRef<::mlir::BlockArgument> getViews() { return getBody().getArguments(); }
    /// The name of an argument in the text, for diagnostics: its location's name or its number.
    std::string viewName(::mlir::Value view);
  }];
}

def Tile_EndOp : Tile_Op<"end", [Terminator, Pure]> {
  let summary = "the end of a kernel or region";
  let assemblyFormat = "attr-dict";
}

//===-- Where the block is --------------------------------------------------===//

def Tile_BlockOp : Tile_Op<"block", [Pure]> {
  let summary = "this block's coordinate on an axis of the grid";
  let arguments = (ins ConfinedAttr<I64Attr, [IntNonNegative]>:$axis);
  let results = (outs Index:$result);
  let assemblyFormat = "$axis attr-dict";
  let hasVerifier = 1;
}

def Tile_SizeOp : Tile_Op<"size", [Pure]> {
  let summary = "an expression over the kernel's sizes as a value";
  let arguments = (ins StrAttr:$value);
  let results = (outs Index:$result);
  let assemblyFormat = "$value attr-dict";
  let hasVerifier = 1;
}

def Tile_UnravelOp : Tile_Op<"unravel", [Pure]> {
  let summary = "a flat number as coordinates, in an order that visits each once";
  let description = [{
    `%i, %j = tile.unravel %p over ["m", "n"]` is row-major order. `grouped 8` visits a grid of two axes in groups of 8 rows,
    column by column within a group (the last group is what rows remain), so that blocks near in time share operands. `%p` must lie in
    0 … m*n − 1.
  }];
  let arguments = (ins Index:$flat, StrArrayAttr:$extents,
                       OptionalAttr<ConfinedAttr<I64Attr, [IntPositive]>>:$group);
  let results = (outs Variadic<Index>:$results);
  let assemblyFormat = "$flat `over` $extents (`grouped` $group^)? attr-dict `:` type($results)";
  let hasVerifier = 1;
}

def Tile_EachPieceOp : Tile_Op<"each_piece", [SingleBlock, SingleBlockImplicitTerminator<"EndOp">]> {
  let summary = "the pieces of an output that fall to this block of a persistent kernel";
  let description = [{
    `tile.each_piece %c by [64, 64] grouped 8 { ^bb0(%i: index, %j: index): … }` in a kernel of one grid axis: block b of G visits the
    pieces b, b + G, b + 2 G, …, in row-major or grouped order. The coordinates are minted here and belong to `%c`: the body may
    store to these pieces without further proof.
  }];
  let arguments = (ins Tile_ViewType:$view, DenseI64ArrayAttr:$tile,
                       OptionalAttr<ConfinedAttr<I64Attr, [IntPositive]>>:$group);
  let regions = (region SizedRegion<1>:$body);
  let assemblyFormat = [{
    $view `by` $tile (`grouped` $group^)? `:` qualified(type($view)) $body attr-dict
  }];
  let hasVerifier = 1;
}

//===-- Memory --------------------------------------------------------------===//

def Tile_LoadOp : Tile_Op<"load", [MemoryEffects<[MemRead]>]> {
  let summary = "the tile at tile coordinates of a view";
  let description = [{
    Axis d of the result covers elements [i*t, (i+1)*t) of the view. The coordinates must lie within ceildiv(extent, t); elements beyond the
    extent, in the last tile, are `pad` (0 when not given). With `whole` there must be none. `{ahead = d}` says that the next tile on
    axis d will be read soon: it may be fetched into a cache, and means nothing else.
  }];
  let arguments = (ins Tile_ViewType:$view, Variadic<Index>:$indices, UnitAttr:$whole,
                       OptionalAttr<TypedAttrInterface>:$pad,
                       OptionalAttr<ConfinedAttr<I64Attr, [IntNonNegative]>>:$ahead);
  let results = (outs Tile_Value:$result);
  let assemblyFormat = [{
    $view `[` $indices `]` (`whole` $whole^)? (`pad` $pad^)? attr-dict `:` qualified(type($view)) `->` type($result)
  }];
  let hasVerifier = 1;
}

def Tile_WindowOp : Tile_Op<"window", [MemoryEffects<[MemRead]>]> {
  let summary = "the tile at element offsets of a view, whatever lies outside padded";
  let description = [{
    Axis d of the result covers elements [o, o + t) of the view; those outside 0 … extent − 1 are `pad` (0 when not given). Any offsets are
    allowed: convolutions and sliding windows start before the first element.
  }];
  let arguments = (ins Tile_ViewType:$view, Variadic<Index>:$offsets,
                       OptionalAttr<TypedAttrInterface>:$pad);
  let results = (outs Tile_Value:$result);
  let assemblyFormat = [{
    $view `at` `[` $offsets `]` (`pad` $pad^)? attr-dict `:` qualified(type($view)) `->` type($result)
  }];
  let hasVerifier = 1;
}

def Tile_GatherOp : Tile_Op<"gather", [MemoryEffects<[MemRead]>]> {
  let summary = "rows of a view that a tile of numbers names";
  let description = [{
    `tile.gather %table rows %ids [%j]`: row r of the result is row ids[r] of the view; the other axes are tile coordinates as in
    `tile.load`. A row outside the view is a row of `pad` values, or stops the kernel when `checked`.
  }];
  let arguments = (ins Tile_ViewType:$view, Tile_Value:$rows, Variadic<Index>:$indices,
                       UnitAttr:$checked, OptionalAttr<TypedAttrInterface>:$pad);
  let results = (outs Tile_Value:$result);
  let assemblyFormat = [{
    $view `rows` $rows `[` $indices `]` (`checked` $checked^)? (`pad` $pad^)? attr-dict
      `:` qualified(type($view)) `,` type($rows) `->` type($result)
  }];
  let hasVerifier = 1;
}

def Tile_ReadOp : Tile_Op<"read", [MemoryEffects<[MemRead]>]> {
  let summary = "one element of a view";
  let arguments = (ins Tile_ViewType:$view, Variadic<Index>:$indices);
  let results = (outs Tile_Scalar:$result);
  let assemblyFormat = "$view `[` $indices `]` attr-dict `:` qualified(type($view)) `->` type($result)";
  let hasVerifier = 1;
}

def Tile_StoreOp : Tile_Op<"store", [MemoryEffects<[MemWrite]>]> {
  let summary = "writes the tile at tile coordinates of a view, as far as the view reaches";
  let arguments = (ins Tile_Value:$value, Tile_ViewType:$view, Variadic<Index>:$indices);
  let assemblyFormat = [{
    $value `into` $view `[` $indices `]` attr-dict `:` type($value) `,` qualified(type($view))
  }];
  let hasVerifier = 1;
}

def Tile_AtomicAddOp : Tile_Op<"atomic_add", [MemoryEffects<[MemRead, MemWrite]>]> {
  let summary = "adds a tile to the elements at tile coordinates, each addition undivided";
  let description = [{
    Any number of blocks may add to one element; on floats the order, and so the last bits, are not fixed, which the report says.
  }];
  let arguments = (ins Tile_Value:$value, Tile_ViewType:$view, Variadic<Index>:$indices);
  let assemblyFormat = [{
    $value `into` $view `[` $indices `]` attr-dict `:` type($value) `,` qualified(type($view))
  }];
  let hasVerifier = 1;
}

def Tile_CheckOp : Tile_Op<"check", [MemoryEffects<[MemWrite]>]> {
  let summary = "stops the kernel with an error unless a condition holds";
  let arguments = (ins I1:$condition, StrAttr:$why);
  let assemblyFormat = "$condition `,` $why attr-dict";
}

//===-- Values --------------------------------------------------------------===//

def Tile_Kind : I32EnumAttr<"Kind", "how a reduction joins elements", [
    I32EnumAttrCase<"sum", 0>, I32EnumAttrCase<"product", 1>, I32EnumAttrCase<"maximum", 2>,
    I32EnumAttrCase<"minimum", 3>
  ]> {
  let cppNamespace = "::imbrex::tile";
}

def Tile_ReduceOp : Tile_Op<"reduce", [Pure]> {
  let summary = "joins the elements along one axis";
  let description = [{
    `tile.reduce sum %x axis 1 : tensor<4x64xf32> -> tensor<4xf32>`. The result's element type is the accumulator's: as wide or wider than the
    operand's. The order of additions depends on the axis' size alone (a fixed tree), so a row's result does not depend on other rows.
    Maximum and minimum propagate NaN.
  }];
  let arguments = (ins Tile_Kind:$kind, Tile_Value:$source, I64Attr:$axis);
  let results = (outs Tile_Value:$result);
  let assemblyFormat = "$kind $source `axis` $axis attr-dict `:` type($source) `->` type($result)";
  let hasVerifier = 1;
}

def Tile_ScanOp : Tile_Op<"scan", [Pure, TypesMatchWith<"a scan keeps the type", "source", "result",
                                                       "$_self">]> {
  let summary = "running results along one axis, each including its own element";
  let arguments = (ins Tile_Kind:$kind, Tile_Value:$source, I64Attr:$axis);
  let results = (outs Tile_Value:$result);
  let assemblyFormat = "$kind $source `axis` $axis attr-dict `:` type($source)";
  let hasVerifier = 1;
}

def Tile_MmaOp : Tile_Op<"mma", [Pure, TypesMatchWith<"the result is the accumulator's type",
                                                     "accumulator", "result", "$_self">]> {
  let summary = "accumulator + left times right";
  let description = [{
    `tile.mma %a, %b, %c : tensor<64x32xbf16>, tensor<32x64xbf16>, tensor<64x64xf32>`. Products and sums are of the accumulator's type: f32 (or f64) for
    floats, i32 for bytes; k is added in ascending order. `unsigned_left`, `unsigned_right`: that operand's bytes are unsigned.
  }];
  let arguments = (ins Tile_Value:$left, Tile_Value:$right, Tile_Value:$accumulator,
                       UnitAttr:$unsigned_left, UnitAttr:$unsigned_right);
  let results = (outs Tile_Value:$result);
  let assemblyFormat = [{
    $left `,` $right `,` $accumulator (`unsigned_left` $unsigned_left^)?
      (`unsigned_right` $unsigned_right^)? attr-dict
      `:` type($left) `,` type($right) `,` type($accumulator)
  }];
  let hasVerifier = 1;
}

def Tile_BroadcastOp : Tile_Op<"broadcast", [Pure]> {
  let summary = "repeats a scalar, or a tile along its axes of size 1";
  let arguments = (ins AnyTypeOf<[Tile_Value, Tile_Scalar]>:$source);
  let results = (outs Tile_Value:$result);
  let assemblyFormat = "$source attr-dict `:` type($source) `->` type($result)";
  let hasVerifier = 1;
}

def Tile_ReshapeOp : Tile_Op<"reshape", [Pure]> {
  let summary = "the same elements in row-major order under another shape";
  let arguments = (ins Tile_Value:$source);
  let results = (outs Tile_Value:$result);
  let assemblyFormat = "$source attr-dict `:` type($source) `->` type($result)";
  let hasVerifier = 1;
}

def Tile_TransposeOp : Tile_Op<"transpose", [Pure]> {
  let summary = "axis d of the result is axis order[d] of the operand";
  let arguments = (ins Tile_Value:$source, DenseI64ArrayAttr:$order);
  let results = (outs Tile_Value:$result);
  let assemblyFormat = "$source $order attr-dict `:` type($source) `->` type($result)";
  let hasVerifier = 1;
}

def Tile_SliceOp : Tile_Op<"slice", [Pure]> {
  let summary = "a part of a tile, from constant offsets";
  let arguments = (ins Tile_Value:$source, DenseI64ArrayAttr:$offsets);
  let results = (outs Tile_Value:$result);
  let assemblyFormat = "$source `from` $offsets attr-dict `:` type($source) `->` type($result)";
  let hasVerifier = 1;
}

def Tile_ConcatOp : Tile_Op<"concat", [Pure]> {
  let summary = "tiles one behind the other along an axis";
  let arguments = (ins Variadic<Tile_Value>:$sources, I64Attr:$axis);
  let results = (outs Tile_Value:$result);
  let assemblyFormat = "$sources `axis` $axis attr-dict `:` type($sources) `->` type($result)";
  let hasVerifier = 1;
}

def Tile_IotaOp : Tile_Op<"iota", [Pure]> {
  let summary = "each element is its coordinate on an axis";
  let arguments = (ins I64Attr:$axis);
  let results = (outs Tile_Value:$result);
  let assemblyFormat = "`axis` $axis attr-dict `:` type($result)";
  let hasVerifier = 1;
}

//===-- What is unsafe ------------------------------------------------------===//

def Tile_UnsafeOp : Tile_Op<"unsafe", [SingleBlock, SingleBlockImplicitTerminator<"EndOp">]> {
  let summary = "raw accesses to memory, with the reason why they are right";
  let description = [{
    Only inside may raw operations stand. Whatever the region writes counts as proven by its author; reports count it.
  }];
  let arguments = (ins StrAttr:$reason);
  let regions = (region SizedRegion<1>:$body);
  let assemblyFormat = "$reason $body attr-dict";
  let hasVerifier = 1;
}

def Tile_RawLoadOp : Tile_Op<"raw_load", [MemoryEffects<[MemRead]>, HasParent<"UnsafeOp">]> {
  let summary = "consecutive elements from a flat offset, unchecked";
  let arguments = (ins Tile_ViewType:$view, Index:$offset, Optional<Tile_TokenType>:$after);
  let results = (outs Tile_Value:$result, Tile_TokenType:$token);
  let assemblyFormat = [{
    $view `at` $offset (`after` $after^)? attr-dict `:` qualified(type($view)) `->` type($result)
  }];
  let hasVerifier = 1;
}

def Tile_RawStoreOp : Tile_Op<"raw_store", [MemoryEffects<[MemWrite]>, HasParent<"UnsafeOp">]> {
  let summary = "consecutive elements to a flat offset, unchecked";
  let arguments = (ins Tile_Value:$value, Tile_ViewType:$view, Index:$offset,
                       Optional<Tile_TokenType>:$after);
  let results = (outs Tile_TokenType:$token);
  let assemblyFormat = [{
    $value `into` $view `at` $offset (`after` $after^)? attr-dict `:` type($value) `,` qualified(type($view))
  }];
  let hasVerifier = 1;
}

#endif
