#include "support/text/Nearest.h"

#include <gtest/gtest.h>

namespace imbrex {
namespace {

TEST(NearestTest, FindsWhatWasMeant) {
  EXPECT_EQ(nearestName("custmer", {"customer", "invoice"}), "customer");
  EXPECT_EQ(nearestName("MRK", {"student", "mark"}), "mark");
  EXPECT_EQ(nearestName("inv", {"customer", "invoice"}), "invoice");
}

TEST(NearestTest, DoesNotGuessWildly) {
  EXPECT_EQ(nearestName("price", {"customer", "invoice"}), "");
  EXPECT_EQ(nearestName("price", {}), "");
  EXPECT_EQ(nearestName("b", {"a"}), "");
  EXPECT_EQ(nearestName("b", {"a", "B"}), "B");
}

} // namespace
} // namespace imbrex
