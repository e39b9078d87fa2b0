// What a kernel was proven under, and the check that a launch keeps to it.
//
// The verifier proves a kernel for all sizes that its contract admits: views of these extents and
// strides, sizes within limits, facts among sizes, outputs that overlap nothing. Compiled code
// relies on that and tests none of it. So whoever launches a kernel, on whatever device, asks
// checkLaunch first; what it refuses would read or write beyond a view, or race.
#pragma once

#include "runtime/abi/kernel.h"
#include "support/DType.h"
#include "support/dim/DimExpr.h"

#include <map>
#include <span>

namespace imbrex {

enum class ViewAccess : uint8_t { Read, Write, Update, Accumulate };

struct LaunchContract {
  struct Size {
    std::string name;
    int64_t least = 0, most = INT64_MAX, multipleOf = 1;
  };
  struct View {
    std::string name;
    DType type =
        DType::Invalid; // integers of either sign where the kernel does not tell them apart
    std::vector<DimExpr> extents, strides; // strides in elements
    ViewAccess access = ViewAccess::Read;
  };
  /// left == right, or left >= right.
  struct Fact {
    DimExpr left = 0, right = 0;
    bool equal = false;
    std::string text;
    std::string why; // who asks for it, as a clause
  };
  std::string kernel;
  std::vector<Size> sizes; // the kernel's dimension parameters, in their order
  std::vector<View> views; // its operands, in their order
  std::vector<Fact> facts; // in the order in which they are checked
  std::vector<DimExpr> grid;
};

using SizeBindings = std::map<std::string, int64_t, std::less<>>;

/// A launch that keeps the contract. dims is what the kernel takes.
struct AdmittedLaunch {
  std::vector<int64_t> dims;
  int64_t points = 0; // of the grid
};

/// Sizes follow from the operands' extents; `given` names those that follow from none. Cost: a few
/// microseconds, no memory of the operands is touched. Refusals name the kernel, the condition and
/// the sizes: E0280 an operand's number, type, shape or strides; E0281 a size; E0282 a fact; E0283
/// operands that overlap; E0284 more elements or points than kernels are proven for.
Result<AdmittedLaunch> checkLaunch(const LaunchContract &contract,
                                   std::span<const ImxView> operands,
                                   const SizeBindings &given = {});

/// checkLaunch in two: what shapes decide, which a caller may remember by them, and what addresses
/// decide.
Result<AdmittedLaunch> checkSizes(const LaunchContract &contract, std::span<const ImxView> operands,
                                  const SizeBindings &given = {});
Status checkMemory(const LaunchContract &contract, std::span<const ImxView> operands);

/// The shape and strides of each operand at these sizes, for callers that start from sizes.
struct OperandShape {
  std::vector<int64_t> shape, strides;
};
Result<std::vector<OperandShape>> operandShapes(const LaunchContract &contract,
                                                const SizeBindings &sizes);

} // namespace imbrex
