// Relay IR from a Recording, and from a model in one step.
#pragma once

#include "compiler/frontend/onnx/Import.h"

#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/OwningOpRef.h"

namespace imbrex::frontend {

/// A module with one relay.func @main. Locations carry the names of the model's nodes; constants
/// stand at the function's start, each once. E0414 is an internal error: the recording does not fit
/// the dialect.
Result<mlir::OwningOpRef<mlir::ModuleOp>> emitRelay(mlir::MLIRContext &context,
                                                    const Recording &recording);

/// record, then emitRelay. `problems` lists every node at fault when the result is E0400.
Result<mlir::OwningOpRef<mlir::ModuleOp>> importModel(mlir::MLIRContext &context,
                                                      const onnx::Model &model,
                                                      const ImportOptions &options,
                                                      ImportProblems &problems);

} // namespace imbrex::frontend
