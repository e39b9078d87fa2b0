#include "compiler/passes/memory/Passes.h"

#include "compiler/passes/memory/CheckPlan.h"
#include "compiler/passes/memory/PlanMemory.h"

namespace imbrex::memory {

#define GEN_PASS_DEF_PLANMEMORY
#define GEN_PASS_DEF_CHECKPLAN
#include "compiler/passes/memory/Passes.h.inc"

namespace {

struct PlanMemoryPass : impl::PlanMemoryBase<PlanMemoryPass> {
  void runOnOperation() override { planMemory(getOperation()); }
};

struct CheckPlanPass : impl::CheckPlanBase<CheckPlanPass> {
  void runOnOperation() override {
    if (auto s = checkPlan(getOperation()); !s) {
      getOperation().emitError(s.error().what);
      signalPassFailure();
    }
  }
};

} // namespace

std::unique_ptr<mlir::Pass> createPlanMemoryPass() { return std::make_unique<PlanMemoryPass>(); }
std::unique_ptr<mlir::Pass> createCheckPlanPass() { return std::make_unique<CheckPlanPass>(); }

} // namespace imbrex::memory
