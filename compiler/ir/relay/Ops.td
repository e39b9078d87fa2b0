// The operations of the relay dialect. README.md gives the reasons, Relay.h the C++ interface.
#ifndef IMBREX_RELAY_OPS_TD
#define IMBREX_RELAY_OPS_TD

include "compiler/ir/relay/Types.td"
include "mlir/IR/CommonAttrConstraints.td"
include "mlir/IR/OpAsmInterface.td"
include "mlir/IR/OpBase.td"
include "mlir/IR/RegionKindInterface.td"
include "mlir/IR/SymbolInterfaces.td"
include "mlir/Interfaces/CallInterfaces.td"
include "mlir/Interfaces/ControlFlowInterfaces.td"
include "mlir/Interfaces/FunctionInterfaces.td"
include "mlir/Interfaces/InferTypeOpInterface.td"
include "mlir/Interfaces/SideEffectInterfaces.td"

class Relay_Op<string mnemonic, list<Trait> traits = []>
    : Op<Relay_Dialect, mnemonic, traits>;

def Relay_FuncOp : Relay_Op<"func", [FunctionOpInterface, IsolatedFromAbove]> {
  let summary = "a function of tensors; binds dimension symbols";
  let description = [{
    ```mlir
    relay.func @main(%x: !relay.tensor<[n, 8], f32> {relay.name = "x"})
        -> (!relay.tensor<[n], f32> {relay.name = "y"}) symbols(n: 1 to 64 by 8) where(m = 2*n) {
      …
      relay.return %y : !relay.tensor<[n], f32>
    }
    ```
    `symbols` lists the symbols of the argument types with their facts: `n: lo to hi by divisor`, `*` for no
    upper limit; each is a whole dimension of some argument, or `where` says what it equals. A symbol that is
    bound inside the body (relay.open) may stand in a result type: it is known after the call only.
  }];
  let arguments = (ins SymbolNameAttr:$sym_name,
                       TypeAttrOf<FunctionType>:$function_type,
                       OptionalAttr<StrAttr>:$sym_visibility,
                       OptionalAttr<DictArrayAttr>:$arg_attrs,
                       OptionalAttr<DictArrayAttr>:$res_attrs,
                       OptionalAttr<ArrayAttr>:$symbols,
                       OptionalAttr<ArrayAttr>:$equalities);
  let regions = (region SizedRegion<1>:$body);
  let skipDefaultBuilders = 1;
  let builders = [OpBuilder<(ins "::llvm::StringRef":$name, "::mlir::FunctionType":$type,
      CArg<"::llvm::ArrayRef<SymbolAttr>", "{}">:$symbols)>];
  let hasCustomAssemblyFormat = 1;
  let hasVerifier = 1;
  let hasRegionVerifier = 1;
  let extraClassDeclaration = [{
    ::llvm::ArrayRef<::mlir::Type> getArgumentTypes() { return getFunctionType().getInputs(); }
    ::llvm::ArrayRef<::mlir::Type> getResultTypes() { return getFunctionType().getResults(); }
    ::mlir::Region *getCallableRegion() { return &getBody(); }

    /// The name of argument or result i (`relay.name`); empty when it has none.
    ::llvm::StringRef argName(unsigned i);
    ::llvm::StringRef resultName(unsigned i);
    /// Names all of them, in place of any other attributes that they have.
    void setArgNames(::llvm::ArrayRef<::llvm::StringRef> names);
    void setResultNames(::llvm::ArrayRef<::llvm::StringRef> names);

    /// The bound symbols in order of declaration.
    ::llvm::SmallVector<SymbolAttr> symbolList();
    /// Appends an equality to `where`.
    void addEquality(const ::imbrex::DimExpr &lhs, const ::imbrex::DimExpr &rhs);
    /// What is known of the symbols; an Error names a contradiction. A verified function has none.
    ::imbrex::Result<::imbrex::DimFacts> dimFacts();
    ::mlir::Block &entry() { return getBody().front(); }
    ReturnOp returnOp();
  }];
}

def Relay_ReturnOp : Relay_Op<"return", [Pure, Terminator, ReturnLike, HasParent<"FuncOp">]> {
  let summary = "leaves a function with its results";
  let arguments = (ins Variadic<Relay_TensorType>:$results);
  let assemblyFormat = "attr-dict ($results^ `:` type($results))?";
  let hasVerifier = 1;
}

def Relay_ConstantOp : Relay_Op<"constant", [ConstantLike, Pure,
    DeclareOpInterfaceMethods<InferTypeOpInterface>]> {
  let summary = "a tensor known when compiling";
  let description = [{
    `relay.constant dense<[1, 2]> : tensor<2xi64>` or `dense_resource<…>`; see toAttr and toHostTensor in
    Relay.h. The result type follows from the attribute's.
  }];
  let arguments = (ins ElementsAttr:$value);
  let results = (outs Relay_TensorType:$result);
  let assemblyFormat = "$value attr-dict";
  let hasFolder = 1;
  let hasVerifier = 1;
}

def Relay_ApplyOp : Relay_Op<"apply", [DeclareOpInterfaceMethods<MemoryEffectsOpInterface>,
    DeclareOpInterfaceMethods<OpAsmOpInterface, ["getAsmResultNames"]>]> {
  let summary = "an operator of support/opmeaning, applied";
  let description = [{
    ```mlir
    %y = relay.apply "conv"(%x, %w, _) {strides = [2, 2]} : (Tx, Tw) -> Ty
    ```
    `_` is an optional operand left out. Attributes that have their default value are not printed; they are
    always stored. The result types are what the operator's type relation says of the operands, their constant
    values and the function's facts: the verifier derives them again. `opens(k)` names the sizes that the
    operator itself computes when it runs, in the order in which its meaning opens them.
    docs/decisions/0001-one-apply-op.md says why there is one such operation and not one an operator.
  }];
  let arguments = (ins Variadic<Relay_TensorType>:$inputs,
                       StrAttr:$operator_name,
                       DictionaryAttr:$operator_attrs,
                       OptionalAttr<DenseI32ArrayAttr>:$absent,
                       OptionalAttr<StrArrayAttr>:$opens);
  let results = (outs Variadic<Relay_TensorType>:$results);
  let hasCustomAssemblyFormat = 1;
  let hasVerifier = 1;
  let extraClassDeclaration = [{
    /// Applies `name` to `operands` (null for one left out) and infers the result types; inserts relay.open
    /// before it where a size is an operand's element. The application must be legal: an illegal one is a
    /// fatal internal error. Use buildApply for anything a user wrote.
    static ApplyOp create(::mlir::OpBuilder &builder, ::mlir::Location location,
                          ::llvm::StringRef name, ::llvm::ArrayRef<::mlir::Value> operands,
                          ::imbrex::opmeaning::Attrs attrs = {});

    /// The operator. Precondition: verified.
    const ::imbrex::opmeaning::Operator &op();
    /// The operands in the operator's order, null for one left out; no trailing nulls.
    ::llvm::SmallVector<::mlir::Value> operatorOperands();
  }];
}

def Relay_OpenOp : Relay_Op<"open", [DeclareOpInterfaceMethods<MemoryEffectsOpInterface>]> {
  let summary = "names a size that is an element of a tensor, known only at run time";
  let description = [{
    ```mlir
    relay.open %shape[2] as "k" : !relay.tensor<[3], i64>
    ```
    From here on types may mention `k`. The tensor has an integer type and rank 0 (no index) or 1. Within one
    block an element is opened once, so that equal sizes have equal names.
  }];
  let arguments = (ins Relay_TensorType:$tensor, DenseI64ArrayAttr:$at, StrAttr:$symbol);
  let assemblyFormat = "$tensor `` custom<Index>($at) `as` $symbol attr-dict `:` qualified(type($tensor))";
  let hasVerifier = 1;
}

def Relay_YieldOp : Relay_Op<"yield", [Pure, Terminator, ReturnLike,
    ParentOneOf<["IfOp", "LoopOp", "FusedOp"]>]> {
  let summary = "ends a region with its values";
  let arguments = (ins Variadic<Relay_TensorType>:$results);
  let builders = [OpBuilder<(ins), [{ (void)$_state; }]>];
  let assemblyFormat = "attr-dict ($results^ `:` type($results))?";
}

def Relay_IfOp : Relay_Op<"if", [RecursiveMemoryEffects,
    SingleBlockImplicitTerminator<"YieldOp">]> {
  let summary = "one of two regions, by a boolean of rank 0";
  let description = [{
    ```mlir
    %r = relay.if %c opens(k) -> (!relay.tensor<[k], f32>) { … relay.yield %a : … } else { … relay.yield %b : … }
    ```
    Only the chosen region runs. A size on which the branches differ gets a fresh symbol, listed in `opens`:
    its value is the size that the chosen branch yields.
  }];
  let arguments = (ins Relay_TensorType:$condition, OptionalAttr<StrArrayAttr>:$opens);
  let results = (outs Variadic<Relay_TensorType>:$results);
  let regions = (region SizedRegion<1>:$thenRegion, SizedRegion<1>:$elseRegion);
  let hasCustomAssemblyFormat = 1;
  let hasVerifier = 1;
  let hasRegionVerifier = 1;
  let extraClassDeclaration = [{
    YieldOp thenYield();
    YieldOp elseYield();
  }];
}

def Relay_LoopOp : Relay_Op<"loop", [RecursiveMemoryEffects, SingleBlock]> {
  let summary = "repeats a region while another says so";
  let description = [{
    ```mlir
    %r = relay.loop (%i: !relay.tensor<[k], f32> = %a: !relay.tensor<[4], f32>)
        entry(k) opens(r) -> (!relay.tensor<[r], f32>) while {
      … relay.yield %go : !relay.tensor<[], i1>
    } do (%j) {
      … relay.yield %next : !relay.tensor<[k + 1], f32>
    }
    ```
    Meaning: `v = inits; while (cond(v)) v = body(v); results = v`. Both regions have the carried values as
    their arguments; the second list names those of the body. A carried size that changes from one iteration to the next is a symbol
    of `entry`, bound anew each time a region is entered; the sizes of the results are then symbols of `opens`.
  }];
  let arguments = (ins Variadic<Relay_TensorType>:$inits, OptionalAttr<StrArrayAttr>:$entry,
                       OptionalAttr<StrArrayAttr>:$opens);
  let results = (outs Variadic<Relay_TensorType>:$results);
  let regions = (region SizedRegion<1>:$condRegion, SizedRegion<1>:$bodyRegion);
  let hasCustomAssemblyFormat = 1;
  let hasVerifier = 1;
  let hasRegionVerifier = 1;
  let extraClassDeclaration = [{
    YieldOp condYield();
    YieldOp bodyYield();
  }];
}

def Relay_CallOp : Relay_Op<"call", [CallOpInterface,
    DeclareOpInterfaceMethods<SymbolUserOpInterface>]> {
  let summary = "calls a relay.func";
  let description = [{
    `%r = relay.call @f(%x) opens(k) : (T) -> T`. The function's symbols take the sizes of the operands; a size
    that only the function's body knows is a fresh symbol of `opens`.
  }];
  let arguments = (ins FlatSymbolRefAttr:$callee, Variadic<Relay_TensorType>:$inputs,
                       OptionalAttr<StrArrayAttr>:$opens,
                       OptionalAttr<DictArrayAttr>:$arg_attrs,
                       OptionalAttr<DictArrayAttr>:$res_attrs);
  let results = (outs Variadic<Relay_TensorType>:$results);
  let assemblyFormat = [{
    $callee `(` $inputs `)` (`opens` `` custom<Names>($opens)^)? attr-dict `:` functional-type($inputs, results)
  }];
  let extraClassDeclaration = [{
    ::mlir::Operation::operand_range getArgOperands() { return getInputs(); }
    ::mlir::MutableOperandRange getArgOperandsMutable() { return getInputsMutable(); }
    ::mlir::CallInterfaceCallable getCallableForCallee() { return getCalleeAttr(); }
    void setCalleeFromCallable(::mlir::CallInterfaceCallable callee) {
      setCalleeAttr(::llvm::cast<::mlir::FlatSymbolRefAttr>(
          ::llvm::cast<::mlir::SymbolRefAttr>(callee)));
    }
  }];
}

def Relay_FusedOp : Relay_Op<"fused", [IsolatedFromAbove, RecursiveMemoryEffects,
    SingleBlockImplicitTerminator<"YieldOp">]> {
  let summary = "a group of operators that becomes one kernel";
  let description = [{
    ```mlir
    %y = relay.fused (%a = %x, %b = %w) : (Tx, Tw) -> (Ty) { … relay.yield %2 : Ty }
    ```
    Values come in as operands only; small constants may stand inside. The region holds relay.apply and
    relay.constant. Symbols of the function are visible in its types.
  }];
  let arguments = (ins Variadic<Relay_TensorType>:$inputs);
  let results = (outs Variadic<Relay_TensorType>:$results);
  let regions = (region SizedRegion<1>:$body);
  let hasCustomAssemblyFormat = 1;
  let hasRegionVerifier = 1;
  let extraClassDeclaration = [{
    ::mlir::Block &entry() { return getBody().front(); }
    YieldOp yield();
  }];
}

#endif
