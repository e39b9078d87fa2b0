// Planning and checking memory as passes: constructors and registration.
#pragma once

#include "compiler/ir/vm/Vm.h"

#include "mlir/Pass/Pass.h"

#include <memory>

namespace imbrex::memory {

std::unique_ptr<mlir::Pass> createPlanMemoryPass();
std::unique_ptr<mlir::Pass> createCheckPlanPass();

#define GEN_PASS_REGISTRATION
#include "compiler/passes/memory/Passes.h.inc"

} // namespace imbrex::memory
