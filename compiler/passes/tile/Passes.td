// The passes over tile kernels.
#ifndef IMBREX_TILE_PASSES_TD
#define IMBREX_TILE_PASSES_TD

include "mlir/Pass/PassBase.td"

def VerifyTile : Pass<"tile-verify", "::mlir::ModuleOp"> {
  let summary = "proves that kernels write every element once and stay in bounds, for all admitted sizes";
  let description = [{
    For each access the first of these decides: the index is a coordinate of that very axis; the claim holds for all
    sizes; assumptions of the kernel entail it; it depends on sizes alone and becomes a check of each launch (`checks`); it depends on data
    and becomes a check in the kernel (`tile.check`), outside of loops where that is the same. What always fails, and stores that are not proven,
    are errors.
  }];
}

#endif
