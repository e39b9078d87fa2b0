// The operations of the vm dialect. They stand in a relay.func in place of its operators; structured control
// flow, constants and opened sizes stay relay operations until bytecode is written.
#ifndef IMBREX_VM_OPS_TD
#define IMBREX_VM_OPS_TD

include "compiler/ir/vm/Dialect.td"
include "compiler/ir/relay/Types.td"
include "compiler/ir/relay/Traits.td"
include "mlir/IR/OpBase.td"
include "mlir/IR/SymbolInterfaces.td"
include "mlir/Interfaces/SideEffectInterfaces.td"

class Vm_Op<string mnemonic, list<Trait> traits = []> : Op<Vm_Dialect, mnemonic, traits>;

def Vm_KernelOp : Vm_Op<"kernel", [Symbol]> {
  let summary = "what the runtime must know of one kernel";
  let description = [{
    ```mlir
    vm.kernel @k3 (2) -> (1) dims ["n"] grid "n*4" {flops = 0, sources = ["conv1"]}
    ```
    `operands` views are read, `results` written. `dims` are the dimension parameters in order and `grid` the
    launch grid over them, both in the symbols of the function that the kernel was made for.
  }];
  let arguments = (ins SymbolNameAttr:$sym_name, I64Attr:$operands, I64Attr:$results,
                       StrArrayAttr:$dims, StrAttr:$grid, StrArrayAttr:$checks,
                       StrArrayAttr:$sources, I64Attr:$flops);
  let assemblyFormat = [{
    $sym_name `(` $operands `)` `->` `(` $results `)` `dims` $dims `grid` $grid `checks` $checks
    `sources` $sources `flops` $flops attr-dict
  }];
}

def Vm_BufferOp : Vm_Op<"buffer"> {
  let summary = "storage for one tensor";
  let description = [{
    With `offset` (a size in bytes, an expression over the function's symbols) it lies in the function's arena;
    without, it is storage of its own, for what leaves the function.
  }];
  let arguments = (ins OptionalAttr<StrAttr>:$offset);
  let results = (outs Relay_TensorType:$result);
  let assemblyFormat = "(`at` $offset^)? attr-dict `:` type($result)";
}

def Vm_LaunchOp : Vm_Op<"launch", [
    AttrSizedOperandSegments, DeclareOpInterfaceMethods<SymbolUserOpInterface>]> {
  let summary = "runs a kernel over its grid";
  let description = [{
    `vm.launch @k3 (%a, %b) into (%c)`: reads its inputs, writes every element of its outputs, which are
    vm.buffer values. Dimension parameters are the kernel's `dims` by name.
  }];
  let arguments = (ins FlatSymbolRefAttr:$kernel, Variadic<Relay_TensorType>:$inputs,
                       Variadic<Relay_TensorType>:$outputs);
  let assemblyFormat = [{
    $kernel `(` $inputs `:` type($inputs) `)` `into` `(` $outputs `:` type($outputs) `)` attr-dict
  }];
  let hasVerifier = 1;
}

def Vm_HostOp : Vm_Op<"host", [BindsSymbols]> {
  let summary = "a function of the runtime that is no kernel";
  let description = [{
    `vm.host "top_k" (%x, %k, %parameters) opens ["n"] -> …`: support/hostops says what each takes. Results are new
    tensors; `opens` names their sizes that are known only then.
  }];
  let arguments = (ins StrAttr:$function, Variadic<Relay_TensorType>:$inputs,
                       OptionalAttr<StrArrayAttr>:$opens);
  let results = (outs Variadic<Relay_TensorType>:$results);
  let assemblyFormat = [{
    $function `(` $inputs `:` type($inputs) `)` (`opens` $opens^)? attr-dict `->` type($results)
  }];
}

def Vm_AliasOp : Vm_Op<"alias", [Pure]> {
  let summary = "the same bytes under another shape";
  let arguments = (ins Relay_TensorType:$source);
  let results = (outs Relay_TensorType:$result);
  let assemblyFormat = "$source attr-dict `:` type($source) `to` type($result)";
}

#endif
