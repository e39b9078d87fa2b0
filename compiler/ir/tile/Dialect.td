// The tile dialect: how one kernel computes a tensor, piece by piece. README.md gives the reasons.
#ifndef IMBREX_TILE_DIALECT_TD
#define IMBREX_TILE_DIALECT_TD

include "mlir/IR/DialectBase.td"

def Tile_Dialect : Dialect {
  let name = "tile";
  let cppNamespace = "::imbrex::tile";
  let summary = "kernels over owned pieces of tensors";
  let description = [{
    A kernel runs once for each point of its grid, in any order and at the same time. It reads tiles of its views and
    writes tiles of the views that it owns; between, it computes on values. The pass `tile-verify` proves for all admitted sizes that
    every element of an output is written exactly once and every access is in bounds.
  }];
  let useDefaultTypePrinterParser = 1;
  let useDefaultAttributePrinterParser = 1;
  let dependentDialects = ["::mlir::arith::ArithDialect", "::mlir::scf::SCFDialect"];
  let extraClassDeclaration = "void registerTypes();";
}

#endif
