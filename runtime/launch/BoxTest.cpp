#include "runtime/launch/Box.h"

#include <gtest/gtest.h>

namespace imbrex::launch {
namespace {

TEST(Box, IntersectsWhereElementsAreShared) {
  EXPECT_TRUE(intersect({{0, 4}, {0, 4}}, {{3, 5}, {0, 1}}));
  EXPECT_FALSE(intersect({{0, 4}, {0, 4}}, {{4, 5}, {0, 4}}));
  EXPECT_FALSE(intersect({{2, 2}}, {{0, 4}}));
  EXPECT_TRUE(intersect({}, {})); // the one element of a tensor without axes
}

TEST(Box, SubtractingLeavesDisjointBoxesOfTheRest) {
  // Every pair of boxes of a grid of 4 by 4: each element of `from` is in the rest or taken, once.
  auto boxes = [] {
    std::vector<Box> all;
    for (int64_t a = 0; a < 4; ++a)
      for (int64_t b = a; b <= 4; ++b)
        for (int64_t c = 0; c < 4; ++c)
          for (int64_t d = c; d <= 4; ++d)
            all.push_back({{a, b}, {c, d}});
    return all;
  }();
  auto holds = [](const Box &box, int64_t i, int64_t j) {
    return box[0].begin <= i && i < box[0].end && box[1].begin <= j && j < box[1].end;
  };
  for (const Box &from : boxes)
    for (const Box &taken : boxes) {
      auto rest = subtract(from, taken);
      EXPECT_LE(rest.size(), 4u);
      for (int64_t i = 0; i < 4; ++i)
        for (int64_t j = 0; j < 4; ++j) {
          int found = 0;
          for (const Box &box : rest)
            found += holds(box, i, j);
          ASSERT_EQ(found, holds(from, i, j) && !holds(taken, i, j))
              << text(from) << " - " << text(taken);
        }
    }
}

} // namespace
} // namespace imbrex::launch
