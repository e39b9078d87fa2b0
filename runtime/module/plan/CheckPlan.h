// Checks the memory plan of an artifact's function, and says what lies where and when.
//
// The compiler checks its plan before it writes bytecode (compiler/passes/memory/CheckPlan); this
// is a second checker, of the bytecode itself, so that a plan is known to be right where only an
// artifact is at hand. It follows all paths and keeps, for each register, the tensors that it may
// be and whether their bytes are still theirs. Refused:
//  - a read of planned bytes that another tensor took over, or that nothing wrote;
//  - a second write to a tensor: its other names would mean other bytes;
//  - a result that shares bytes with an operand or another result of the launch;
//  - a tensor that is not proven to lie in the arena, aligned to 64 bytes.
// Sizes are what the artifact says of its slots; the machine code that computes them is not looked
// at. Cost: registers times instructions, bounded; quadratic in tensors that are alive together.
#pragma once

#include "runtime/module/plan/SlotSizes.h"

namespace imbrex::runtime {

/// A launch, a host operation or a call: one step of the picture.
struct PlanStep {
  bytecode::Op op;
  uint32_t index = 0;          // of the kernel, host operation or function
  std::vector<uint32_t> reads; // indices into FunctionPlan::tensors: what its operands may be
};

/// A tensor in the arena, or in storage of its own.
struct PlanTensor {
  std::string type; // "f32[n, 8]"
  bool planned = false;
  DimExpr offset = 0, bytes = 0;
  uint32_t first = 0, last = 0; // steps between which its bytes matter, both inclusive
  int64_t writer = -1;          // the step that writes it
};

struct FunctionPlan {
  DimExpr arena = 0;
  std::vector<PlanStep> steps;
  std::vector<PlanTensor> tensors;
  int64_t sharedPairs = 0;           // of planned tensors whose bytes overlap, at different times
  std::vector<std::string> problems; // empty: the plan is right
};

/// Precondition: the artifact is verified.
FunctionPlan examinePlan(const artifact::FunctionSpec &function,
                         const artifact::ArtifactSpec &spec);

} // namespace imbrex::runtime
