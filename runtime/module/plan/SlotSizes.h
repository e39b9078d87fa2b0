// The sizes of one function of an artifact as expressions: what its slots hold, as the artifact
// says.
#pragma once

#include "runtime/module/format/ArtifactSpec.h"
#include "runtime/module/format/Decode.h"
#include "support/dim/DimExpr.h"

#include <map>

namespace imbrex::runtime {

/// Slots without a name, or with one that is no size, are symbols of their own ("slot3"): nothing
/// is known of them but that a size is not negative.
class SlotSizes {
public:
  explicit SlotSizes(const artifact::FunctionSpec &function);

  DimExpr of(artifact::SizeSpec size) const;
  DimExpr of(bytecode::SizeWords size) const;
  /// Bytes of a tensor; its sizes are those of an instruction.
  DimExpr bytes(DType type, const std::vector<bytecode::SizeWords> &dims) const;
  const DimFacts &facts() const { return known; }
  /// With the names that the model gives its symbols.
  std::string shown(const DimExpr &size) const;

  /// Values of the function's symbols, by the model's names.
  using Values = std::map<std::string, int64_t, std::less<>>;
  /// The value of a size; nothing when a symbol has none, or it is not computed at entry.
  std::optional<int64_t> evaluate(const DimExpr &size, const Values &values) const;

private:
  std::vector<DimExpr> slots;
  std::map<std::string, std::string, std::less<>> shownNames; // of symbols
  DimFacts known;
};

} // namespace imbrex::runtime
