// Traits of operations that stand in a relay.func.
#ifndef IMBREX_RELAY_TRAITS_TD
#define IMBREX_RELAY_TRAITS_TD

include "mlir/IR/OpBase.td"

// An operation of another dialect whose attribute `opens` names sizes that are known only after it ran.
def BindsSymbols : NativeOpTrait<"BindsSymbols"> {
  let cppNamespace = "::imbrex::relay";
}

#endif
