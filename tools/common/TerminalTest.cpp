#include "tools/common/Terminal.h"

#include <gtest/gtest.h>

namespace imbrex::tools {
namespace {

TEST(TerminalTest, BreaksLinesAtWordsUnderTheirText) {
  EXPECT_EQ(wrapped("  --data FILE   this data instead of that of the study\nshort\n", 40),
            "  --data FILE   this data instead of\n"
            "                that of the study\nshort\n");
  EXPECT_EQ(wrapped("  one two three four", 10), "  one two\n  three\n  four");
}

TEST(TerminalTest, ACharacterIsAColumn) {
  EXPECT_EQ(wrapped("ää öö üü", 8), "ää öö üü");
  EXPECT_EQ(wrapped("ää öö üü", 7), "ää öö\nüü");
}

TEST(TerminalTest, KeepsWhatIsNotToBeBroken) {
  EXPECT_EQ(wrapped("  a/path/without/any/blank", 10), "  a/path/without/any/blank");
  EXPECT_EQ(wrapped("a/path/without/any/blank and more", 10), "a/path/without/any/blank\nand more");
  EXPECT_EQ(wrapped("", 10), "");
  EXPECT_EQ(wrapped("\n\n", 10), "\n\n");
  EXPECT_EQ(wrapped("               x", 10), "               x");
  EXPECT_EQ(wrapped("one two three", 0), "one two three");
}

TEST(TerminalTest, SaysNothingWhereNobodySits) {
  testing::internal::CaptureStderr();
  {
    Patience patience("imbrex test");
  }
  EXPECT_EQ(testing::internal::GetCapturedStderr(), "");
}

} // namespace
} // namespace imbrex::tools
