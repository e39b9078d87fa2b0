// The vm dialect: who runs when, on which memory. README.md gives the reasons.
#ifndef IMBREX_VM_DIALECT_TD
#define IMBREX_VM_DIALECT_TD

include "mlir/IR/DialectBase.td"

def Vm_Dialect : Dialect {
  let name = "vm";
  let cppNamespace = "::imbrex::vm";
  let summary = "launches of kernels over planned storage";
  let dependentDialects = ["::imbrex::relay::RelayDialect"];
}

#endif
