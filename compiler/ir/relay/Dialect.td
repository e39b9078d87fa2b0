// The relay dialect: what is computed, functional and fully typed, with named dimensions.
#ifndef IMBREX_RELAY_DIALECT_TD
#define IMBREX_RELAY_DIALECT_TD

include "mlir/IR/DialectBase.td"

def Relay_Dialect : Dialect {
  let name = "relay";
  let cppNamespace = "::imbrex::relay";
  let summary = "what a model computes: pure operators on tensors with named dimensions";
  let useDefaultTypePrinterParser = 1;
  let useDefaultAttributePrinterParser = 1;
  let hasConstantMaterializer = 1;
  let hasRegionArgAttrVerify = 1;
  let hasRegionResultAttrVerify = 1;
  let extraClassDeclaration = "void registerTypes();";
}

#endif
