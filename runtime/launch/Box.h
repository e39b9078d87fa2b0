// A rectangular part of a tensor, in elements: what a borrow or an access covers.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace imbrex::launch {

struct Range {
  int64_t begin = 0, end = 0;
  friend bool operator==(const Range &, const Range &) = default;
};

/// One range an axis; a tensor without axes has the box of none, which covers its one element.
using Box = std::vector<Range>;

Box wholeBox(const std::vector<int64_t> &shape);
bool isEmpty(const Box &box);
/// Boxes of one tensor that share an element.
bool intersect(const Box &a, const Box &b);
/// What of `from` is not in `taken`, as disjoint boxes, at most two an axis.
std::vector<Box> subtract(const Box &from, const Box &taken);
/// "[0:4, 8:16]"
std::string text(const Box &box);

} // namespace imbrex::launch
