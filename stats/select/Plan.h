// The decision tree of a hypothesis before there is data: which procedures will be valid, by what
// the data will show. It can be registered beforehand and compared with what was run.
#pragma once

#include "stats/select/Selection.h"

namespace imbrex::stats {

struct PlanNode {
  std::string question; // "Prob is normally distributed in each group of So"; empty for a leaf
  std::vector<std::string> valid; // of a leaf: ids in order of preference; empty: only the fallback
  std::unique_ptr<PlanNode> yes, no;

  bool leaf() const { return !yes; }
};

/// `selection` must have run without data. Questions are asked cheapest first, and only where the
/// answer matters. At most 2^12 leaves.
PlanNode planOf(Selection &selection);

/// Indented lines with branches.
std::string planText(const PlanNode &plan);
/// A self-contained SVG image.
std::string planSvg(const PlanNode &plan, const std::string &title);

} // namespace imbrex::stats
