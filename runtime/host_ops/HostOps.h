// Operations that are no kernels: the functions of support/hostops on the VM's tensors.
#pragma once

#include "runtime/core/Objects.h"
#include "support/hostops/HostOps.h"

namespace imbrex::runtime {

/// One call: operands in, results out.
class HostCall {
public:
  virtual std::span<Tensor *const> operands() const = 0;
  virtual size_t resultCount() const = 0;
  /// Makes result `index`; null when there is no memory. Contents are indeterminate.
  virtual Tensor *makeResult(size_t index, DType type, std::span<const int64_t> shape) = 0;

protected:
  ~HostCall() = default;
};

/// Makes every result. Operands are dense; their strings and items are `heap`'s. Errors are the user's to read: E0242 when operands do
/// not fit, E0250 when there is no memory.
Status callHostFunction(const HostFunction &function, HostCall &call, ItemHeap &heap);

} // namespace imbrex::runtime
