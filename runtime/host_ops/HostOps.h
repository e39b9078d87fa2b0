// Operations that are no kernels: sizes known only from values, strings, sequences. Found by name.
#pragma once

#include "runtime/core/Objects.h"
#include "support/Result.h"

#include <span>
#include <string_view>
#include <vector>

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

/// Must make every result. Errors are the user's to read: E0242 when values do not fit.
using HostOpFn = Status (*)(HostCall &);

/// Null when there is no operation of that name.
HostOpFn hostOpByName(std::string_view name);
/// All names, sorted.
std::vector<std::string_view> hostOpNames();

} // namespace imbrex::runtime
