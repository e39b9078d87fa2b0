// Looks for a small launch that breaks a kernel's promise, by running its index arithmetic for all
// blocks. It decides nothing by itself: it makes a refusal readable, and tells "never holds" from
// "holds for some sizes".
#pragma once

#include "compiler/passes/tile/IndexSpace.h"

#include <functional>

namespace imbrex::tile {

using Values = std::map<std::string, int64_t, std::less<>>;

/// Small admitted sizes that meet the kernel's guarantees, at most `limit`; around multiples of the
/// tile extents that the kernel uses.
std::vector<Values> smallSizes(const IndexSpace &space, size_t limit);

/// Runs `visit` for every execution of `op` at these sizes, with the values of all variables, until
/// it returns false. False when the executions cannot be listed (data, or too many).
bool forEachExecution(const IndexSpace &space, const Domain &domain, const Values &sizes,
                      const std::function<bool(const Values &)> &visit);

/// "m = 65 and n = 3", of the sizes that the kernel has.
std::string describe(const IndexSpace &space, const Values &sizes);
/// "block (1, 0)", with iterations where there are any.
std::string describePoint(const IndexSpace &space, const Domain &domain, const Values &point);
std::string describePiece(const std::vector<int64_t> &piece);

std::optional<int64_t> valueOf(const DimExpr &e, const Values &values);

} // namespace imbrex::tile
