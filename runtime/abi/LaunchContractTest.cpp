// What a launch must keep to: each refusal names the kernel, the condition and the sizes.
#include "runtime/abi/LaunchContract.h"

#include <gtest/gtest.h>

namespace imbrex {
namespace {

DimExpr dim(const char *text) { return DimExpr::parse(text).take(); }

/// y[m, n] of a[m, 2*k] and b[k, n]; n >= m; blocks are not known from operands.
LaunchContract product() {
  LaunchContract c;
  c.kernel = "product";
  c.sizes = {{"m", 1, 1000, 1}, {"n", 0, 1000, 8}, {"k"}, {"blocks", 1, 64, 1}};
  c.views = {{"a", DType::F32, {dim("m"), dim("2*k")}, {dim("2*k"), 1}, ViewAccess::Read},
             {"b", DType::I8, {dim("k"), dim("n")}, {dim("n"), 1}, ViewAccess::Read},
             {"y", DType::F32, {dim("m"), dim("n")}, {dim("n"), 1}, ViewAccess::Write}};
  c.facts = {{dim("n"), dim("m"), false, "n >= m", "the kernel assumes it"}};
  c.grid = {dim("blocks"), dim("(m + 3) floordiv 4")};
  return c;
}

struct Operand {
  std::vector<int64_t> shape, stride;
  DType type = DType::F32;
  size_t at = 0; // bytes into the memory
};

class LaunchContractTest : public testing::Test {
protected:
  std::vector<Operand> good() {
    return {{{4, 6}, {6, 1}, DType::F32, 0},
            {{3, 8}, {8, 1}, DType::I8, 256},
            {{4, 8}, {8, 1}, DType::F32, 512}};
  }
  std::string errorOf(const std::vector<Operand> &operands,
                      const SizeBindings &given = {{"blocks", 2}}) {
    std::vector<ImxView> views;
    for (const Operand &o : operands)
      views.push_back({memory + o.at, o.shape.data(), o.stride.data(),
                       static_cast<int32_t>(o.shape.size()), static_cast<uint32_t>(o.type)});
    auto launch = checkLaunch(product(), views, given);
    if (!launch)
      return launch.error().str();
    last = launch.take();
    return "";
  }
  AdmittedLaunch last;
  alignas(64) std::byte memory[4096];
};

TEST_F(LaunchContractTest, SizesFollowFromOperands) {
  EXPECT_EQ(errorOf(good()), "");
  EXPECT_EQ(last.dims, (std::vector<int64_t>{4, 8, 3, 2}));
  EXPECT_EQ(last.points, 2);
}

TEST_F(LaunchContractTest, UnsignedElementsServeWhereIntegersAreDeclared) {
  auto o = good();
  o[1].type = DType::U8;
  EXPECT_EQ(errorOf(o), "");
  o[1].type = DType::I16;
  EXPECT_NE(errorOf(o).find("operand 'b' has elements of type i16"), std::string::npos);
}

TEST_F(LaunchContractTest, AnExtentThatDisagreesNamesAxisAndShape) {
  auto o = good();
  o[1].shape[0] = 2;
  std::string e = errorOf(o);
  EXPECT_NE(e.find("kernel 'product' is not launched: operand 'b' has extent 2 on axis 0, which "
                   "must be k = 3"),
            std::string::npos)
      << e;
  EXPECT_NE(e.find("sizes are m = 4, n = 8, k = 3, blocks = 2"), std::string::npos) << e;
  o = good();
  o[0].shape[1] = 7; // no k has 2*k = 7; b says k = 3
  EXPECT_NE(errorOf(o).find("operand 'a' has extent 7 on axis 1, which must be 2*k = 6"),
            std::string::npos)
      << errorOf(o);
}

TEST_F(LaunchContractTest, RanksCountsAndMemory) {
  auto o = good();
  o[2].shape = {32};
  o[2].stride = {1};
  EXPECT_NE(errorOf(o).find("operand 'y' has 1 axes"), std::string::npos) << errorOf(o);
  o = good();
  o.pop_back();
  EXPECT_NE(errorOf(o).find("it takes 3 operands, not 2"), std::string::npos) << errorOf(o);
  o = good();
  o[0].at = 2;
  EXPECT_NE(errorOf(o).find("address"), std::string::npos) << errorOf(o);
}

TEST_F(LaunchContractTest, StridesAreThoseOfTheProof) {
  auto o = good();
  o[0].stride = {7, 1};
  EXPECT_NE(errorOf(o).find("operand 'a' has stride 7 on axis 0, which must be 2*k = 6"),
            std::string::npos)
      << errorOf(o);
  o[0].stride = {6, 0};
  EXPECT_NE(errorOf(o).find("stride 0 on axis 1"), std::string::npos) << errorOf(o);
}

TEST_F(LaunchContractTest, LimitsOfSizes) {
  EXPECT_NE(errorOf(good(), {{"blocks", 65}}).find("blocks = 65 lies outside 1 to 64"),
            std::string::npos);
  EXPECT_NE(errorOf(good(), {}).find("size 'blocks' is not known"), std::string::npos);
  EXPECT_NE(errorOf(good(), {{"blocks", 1}, {"q", 1}}).find("'q' is no size of it"),
            std::string::npos);
  auto o = good();
  o[1].shape[1] = o[2].shape[1] = o[1].stride[0] = o[2].stride[0] = 12;
  EXPECT_NE(errorOf(o).find("n = 12 is no multiple of 8"), std::string::npos) << errorOf(o);
}

TEST_F(LaunchContractTest, FactsHoldWithTheirReason) {
  auto o = good();
  o[0].shape[0] = o[2].shape[0] = 9;
  std::string e = errorOf(o);
  EXPECT_NE(e.find("it takes n >= m, but 8 is below 9; because the kernel assumes it"),
            std::string::npos)
      << e;
}

TEST_F(LaunchContractTest, AnOutputOverlapsNothing) {
  auto o = good();
  o[2].at = 64; // inside a
  EXPECT_NE(errorOf(o).find("error[E0283]"), std::string::npos);
  EXPECT_NE(errorOf(o).find("operand 'y' overlaps operand 'a' in memory"), std::string::npos);
  o = good();
  o[1].at = 0; // two inputs may
  EXPECT_EQ(errorOf(o), "");
}

TEST_F(LaunchContractTest, EmptyOperandsAndHugeOnes) {
  auto o = good();
  o[1].shape[1] = o[2].shape[1] = 0;
  EXPECT_NE(errorOf(o).find("n >= m, but 0 is below 4"), std::string::npos) << errorOf(o);
  o = good();
  o[0].shape[0] = int64_t(1) << 62;
  EXPECT_NE(errorOf(o).find("error[E0284]"), std::string::npos) << errorOf(o);
  o[0].shape[0] = -1;
  EXPECT_NE(errorOf(o).find("error[E0284]"), std::string::npos) << errorOf(o);
}

TEST_F(LaunchContractTest, ShapesFromSizes) {
  auto shapes = operandShapes(product(), {{"m", 2}, {"n", 8}, {"k", 5}, {"blocks", 1}});
  ASSERT_TRUE(shapes);
  EXPECT_EQ((*shapes)[0].shape, (std::vector<int64_t>{2, 10}));
  EXPECT_EQ((*shapes)[2].strides, (std::vector<int64_t>{8, 1}));
}

} // namespace
} // namespace imbrex
