// The passes that plan memory, for imbrex-opt; the pipeline calls planMemory and checkPlan directly.
#ifndef IMBREX_PASSES_MEMORY_TD
#define IMBREX_PASSES_MEMORY_TD

include "mlir/Pass/PassBase.td"

def PlanMemory : Pass<"vm-plan-memory", "::imbrex::relay::FuncOp"> {
  let summary = "gives every vm.buffer its place";
  let constructor = "imbrex::memory::createPlanMemoryPass()";
}

def CheckPlan : Pass<"vm-check-plan", "::imbrex::relay::FuncOp"> {
  let summary = "refuses a memory plan in which a read could see another buffer's bytes";
  let constructor = "imbrex::memory::createCheckPlanPass()";
}

#endif
