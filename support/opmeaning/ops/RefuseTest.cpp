#include "support/opmeaning/ops/OpsTestSupport.h"

using namespace imbrex;
using namespace imbrex::opmeaning;
using namespace imbrex::opmeaning::test;

static Attrs refusal(int64_t when) {
  return {{{"when", when},
           {"why", std::string("the sizes do not fit")},
           {"type", DType::I32},
           {"shape", Ints{2, 1}}}};
}

TEST(Refuse, FailsOnOneValueOfTheCondition) {
  for (int64_t when : {0, 1}) {
    const auto held = boolean({}, {uint8_t(when)}), other = boolean({}, {uint8_t(!when)});
    EXPECT_HAS(failure("refuse", {held}, refusal(when)), "the sizes do not fit");
    expectTensor(run("refuse", {other}, refusal(when)), {2, 1}, {0, 0});
  }
}

TEST(Refuse, Types) {
  EXPECT_EQ(types("refuse", {operand("bool[1]")}, refusal(1)), "i32[2, 1]");
  EXPECT_HAS(types("refuse", {operand("bool[2]")}, refusal(1)), "condition");
  EXPECT_HAS(types("refuse", {operand("i64[]")}, refusal(1)), "refuses by a bool");
  auto negative = refusal(1);
  negative.values["shape"] = Ints{-1};
  EXPECT_HAS(types("refuse", {operand("bool[]")}, negative), "negative");
}
