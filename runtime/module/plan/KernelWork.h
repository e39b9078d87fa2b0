// What one launch of a kernel does, for given sizes: beside its time stands what the machine could
// do.
#pragma once

#include "runtime/module/plan/SlotSizes.h"

namespace imbrex::runtime {

struct KernelWork {
  int64_t flops = 0;  // 0: not known
  int64_t bytes = -1; // of operands, as far as they are read, and results; -1: not known
};

/// `sizes` are those of the function that launches it. Sizes known only while running are not
/// known.
KernelWork workOf(const artifact::KernelSpec &kernel, const SlotSizes &sizes,
                  const SlotSizes::Values &values);

} // namespace imbrex::runtime
