#include "runtime/api/imbrex.hpp"
#include "runtime/testing/TestModels.h"

#include <gtest/gtest.h>

namespace {

TEST(CppTest, RunsAModel) {
  auto bytes = imbrex::testing::rowSumModel().bytes();
  imbrex::Model model(bytes);
  ASSERT_EQ(model.inputs().size(), 1u);
  EXPECT_STREQ(model.inputs()[0].name, "x");
  EXPECT_NE(model.info().find("row_sum"), std::string::npos);
  imbrex::Runner runner(model, 1);
  std::vector<float> x = {1, 2, 3, 4, 5, 6, 7, 8};
  auto outputs = runner.run({imbrex::Input::of<float>({2, 4}, x)});
  auto y = outputs[0].values<float>();
  EXPECT_EQ(std::vector<float>(y.begin(), y.end()), (std::vector<float>{10, 26}));
  EXPECT_THROW(outputs[0].values<double>(), imbrex::RuntimeError);
}

TEST(CppTest, ErrorsAreExceptionsWithAStatus) {
  try {
    imbrex::Model model("/nonexistent.imx");
    FAIL();
  } catch (const imbrex::RuntimeError &e) {
    EXPECT_EQ(e.status(), IMBREX_BAD_ARGUMENT);
    EXPECT_NE(std::string(e.what()).find("/nonexistent.imx"), std::string::npos);
  }
  std::vector<float> x(3);
  EXPECT_THROW(imbrex::Input::of<float>({2, 4}, x), imbrex::RuntimeError);
}

TEST(CppTest, ElementTypes) {
  EXPECT_EQ(imbrex::dtypeOf<bool>(), 1u);
  EXPECT_EQ(imbrex::dtypeOf<int8_t>(), 2u);
  EXPECT_EQ(imbrex::dtypeOf<int64_t>(), 5u);
  EXPECT_EQ(imbrex::dtypeOf<uint8_t>(), 6u);
  EXPECT_EQ(imbrex::dtypeOf<uint32_t>(), 8u);
  EXPECT_EQ(imbrex::dtypeOf<double>(), 13u);
}

} // namespace
