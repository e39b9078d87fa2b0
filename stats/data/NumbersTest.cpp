#include "stats/data/Numbers.h"

#include <gtest/gtest.h>

using namespace imbrex::stats;

TEST(Numbers, readsWhatPeopleWrite) {
  EXPECT_EQ(parseNumber(".35", {}), .35);
  EXPECT_EQ(parseNumber(" -4e2 ", {}), -400);
  EXPECT_EQ(parseNumber("+7", {}), 7);
  EXPECT_EQ(parseNumber("\xe2\x88\x92"
                        "1.5",
                        {}),
            -1.5);
  EXPECT_EQ(parseNumber("0,435", {',', 0}), .435);
  EXPECT_EQ(parseNumber("1.286,5", {',', '.'}), 1286.5);
  EXPECT_EQ(parseNumber("1,286,000", {'.', ','}), 1286000);
  EXPECT_EQ(parseNumber("1 286,5", {',', ' '}), 1286.5);
  EXPECT_EQ(parseNumber("1\u00a0286\u202f000,5", {',', ' '}), 1286000.5);
  EXPECT_EQ(parseNumber("\u00a01.5\u202f ", {}), 1.5);
}

TEST(Numbers, refusesWhatIsNone) {
  for (const char *text :
       {"", "-", ".", "abc", "inf", "nan", "1e999", "12a", "--1", "0x10", "1,2", "e5"})
    EXPECT_FALSE(parseNumber(text, {})) << text;
  EXPECT_FALSE(parseNumber("1,28,000", {'.', ','}));
  EXPECT_FALSE(parseNumber("1.5", {',', 0}));
}

TEST(Numbers, tellsTheFormat) {
  EXPECT_EQ(numberHint("12"), NumberHint::None);
  EXPECT_EQ(numberHint("1.25"), NumberHint::Dot);
  EXPECT_EQ(numberHint("2,87"), NumberHint::Comma);
  EXPECT_EQ(numberHint("0,435"), NumberHint::Comma);
  EXPECT_EQ(numberHint("1,286"), NumberHint::EitherComma);
  EXPECT_EQ(numberHint("1.286"), NumberHint::EitherDot);
  EXPECT_EQ(numberHint("1,286.5"), NumberHint::CommaThousands);
  EXPECT_EQ(numberHint("1.286.000"), NumberHint::DotThousands);
  EXPECT_EQ(numberHint("yes"), NumberHint::NoNumber);
}
