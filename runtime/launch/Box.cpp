#include "runtime/launch/Box.h"

#include <algorithm>

namespace imbrex::launch {

Box wholeBox(const std::vector<int64_t> &shape) {
  Box box;
  for (int64_t extent : shape)
    box.push_back({0, extent});
  return box;
}

bool isEmpty(const Box &box) {
  return std::any_of(box.begin(), box.end(), [](const Range &r) { return r.begin >= r.end; });
}

bool intersect(const Box &a, const Box &b) {
  if (isEmpty(a) || isEmpty(b))
    return false;
  for (size_t d = 0; d < a.size(); ++d)
    if (a[d].begin >= b[d].end || b[d].begin >= a[d].end)
      return false;
  return true;
}

std::vector<Box> subtract(const Box &from, const Box &taken) {
  if (!intersect(from, taken))
    return isEmpty(from) ? std::vector<Box>{} : std::vector<Box>{from};
  std::vector<Box> rest;
  Box middle = from;
  for (size_t d = 0; d < from.size(); ++d) {
    for (Range side : {Range{middle[d].begin, taken[d].begin}, Range{taken[d].end, middle[d].end}})
      if (side.begin < side.end) {
        rest.push_back(middle);
        rest.back()[d] = side;
      }
    middle[d] = {std::max(middle[d].begin, taken[d].begin), std::min(middle[d].end, taken[d].end)};
  }
  return rest;
}

std::string text(const Box &box) {
  std::string s = "[";
  for (const Range &r : box)
    s += (s.size() > 1 ? ", " : "") + std::to_string(r.begin) + ":" + std::to_string(r.end);
  return s + "]";
}

} // namespace imbrex::launch
