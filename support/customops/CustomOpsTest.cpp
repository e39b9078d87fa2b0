#include "support/customops/CustomOps.h"

#include <gtest/gtest.h>

namespace imbrex::customops {
namespace {

HostTensor floats(std::vector<int64_t> shape, std::vector<float> v) {
  return HostTensor::of<float>(DType::F32, std::move(shape), v);
}

class CustomOps : public testing::Test {
protected:
  void SetUp() override { ASSERT_TRUE(load(TEST_OPS).ok()) << load(TEST_OPS).error().str(); }

  Result<std::vector<HostTensor>> run(const char *name, std::vector<const HostTensor *> operands,
                                      const std::string &attributes) {
    auto function = functionFor("test.ops", name, 9);
    EXPECT_TRUE(function);
    const HostTensor none = HostTensor(DType::I64, {0});
    const HostTensor text =
        HostTensor::of<char>(DType::U8, {int64_t(attributes.size())}, attributes);
    operands.push_back(&none);
    operands.push_back(&text);
    return (*hostFunction(*function))(operands, ItemHeap::process());
  }
};

TEST_F(CustomOps, AttributesSurviveTheirText) {
  const std::vector<Attribute> given = {{"s", IMX_ATTRIBUTE_TEXT, {}, {}, "a b\nc"},
                                        {"i", IMX_ATTRIBUTE_INTS, {-1, INT64_MIN}, {}, ""},
                                        {"r", IMX_ATTRIBUTE_REALS, {}, {0.1, -0.0}, ""}};
  const std::string text = encode(given, {false, true});
  auto back = decode(text);
  ASSERT_TRUE(back.ok());
  EXPECT_EQ(encode(back->attributes, back->absent), text);
  EXPECT_EQ(back->attributes[0].text, "a b\nc");
  for (size_t cut = 0; cut < text.size(); ++cut)
    EXPECT_FALSE(decode(text.substr(0, cut)).ok()) << cut;
  EXPECT_FALSE(decode("a0 n99999999999 ").ok());
}

TEST_F(CustomOps, ComputesWithAttributesAndOptionalInputs) {
  const HostTensor x = floats({2}, {1, 2}), bias = floats({1}, {10}), none = floats({0}, {});
  const std::vector<Attribute> twice = {{"scale", IMX_ATTRIBUTE_REALS, {}, {2}, ""}};
  auto y = run("Scale", {&x, &bias}, encode(twice, {false, false}));
  ASSERT_TRUE(y.ok()) << y.error().str();
  EXPECT_EQ((*y)[0].toDouble(1), 14);
  y = run("Scale", {&x, &none}, encode(twice, {false, true}));
  ASSERT_TRUE(y.ok()) << y.error().str();
  EXPECT_EQ((*y)[0].toDouble(1), 4);
}

TEST_F(CustomOps, SizesMayDependOnValues) {
  const HostTensor x = floats({2, 2}, {1, -2, 3, 0});
  auto y = run("Positive", {&x}, encode({}, {false}));
  ASSERT_TRUE(y.ok()) << y.error().str();
  EXPECT_EQ((*y)[0].shape(), (std::vector<int64_t>{2}));
  EXPECT_EQ((*y)[0].toDouble(1), 3);
}

TEST_F(CustomOps, TypesCarryOpenSizes) {
  auto scale = functionFor("test.ops", "Scale", 1);
  auto types = inferTypes(*scale, {}, {{DType::F32, {4, -2}}});
  ASSERT_TRUE(types.ok());
  EXPECT_EQ((*types)[0].shape, (std::vector<int64_t>{4, -2}));
  EXPECT_FALSE(functionFor("test.ops", "Positive", 1)) << "it is there from version 2 on";
  EXPECT_EQ(describe(*scale), "test.ops.Scale (version 1) of imbrex_test_ops.so");
}

TEST_F(CustomOps, ReasonsReachTheUser) {
  auto scale = functionFor("test.ops", "Scale", 1);
  auto types = inferTypes(*scale, {}, {{DType::I64, {4}}});
  ASSERT_FALSE(types.ok());
  EXPECT_EQ(types.error().code, 142);
  EXPECT_EQ(types.error().because, "it takes f32");
  EXPECT_FALSE(inferTypes(*scale, {}, {}).ok()) << "too few inputs";
}

TEST_F(CustomOps, BrokenRulesAreErrors) {
  const HostTensor x = floats({1}, {1});
  EXPECT_EQ(run("Forgetful", {&x}, encode({}, {false})).error().code, 143);
  EXPECT_EQ(run("Wrong", {}, encode({}, {})).error().code, 143);
  EXPECT_EQ(run("Scale", {&x}, "damaged").error().code, 242);
}

TEST(CustomLibraries, OthersAreRefused) {
  EXPECT_EQ(load("/no/such/library.so").error().code, 140);
  EXPECT_EQ(load("libm.so.6").error().code, 140) << "not searched for among the system's";
}

} // namespace
} // namespace imbrex::customops
