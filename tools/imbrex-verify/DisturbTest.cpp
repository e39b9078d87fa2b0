#include "tools/imbrex-verify/Disturb.h"

#include "support/opmeaning/Evaluator.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

using namespace imbrex;
using namespace imbrex::tools;

namespace {

HostTensor floats(std::vector<int64_t> shape, std::vector<float> v) {
  return HostTensor::of<float>(DType::F32, std::move(shape), std::span<const float>(v));
}

/// How far a disturbed run lies from the reference, and may lie from it.
struct Moved {
  double by = 0, allowed = 0;
};
Moved moved(const char *name, const std::vector<std::optional<HostTensor>> &operands) {
  const auto &op = *opmeaning::findOperator(name);
  auto attrs = opmeaning::completeAttrs(op, {});
  auto expected = opmeaning::evaluate(op, operands, *attrs);
  EXPECT_TRUE(expected.ok()) << expected.error().str();
  auto results = *expected;
  disturb(op, *attrs, operands, results, 7);
  Moved m;
  for (int64_t i = 0; i < results[0].elems(); ++i)
    m.by = std::max(m.by, std::abs(results[0].toDouble(i) - (*expected)[0].toDouble(i)));
  m.allowed = allowedDifference((*expected)[0], {results[0]});
  return m;
}

TEST(Disturb, ElementFunctionsByAFewUnits) {
  Moved m = moved("exp", {floats({2}, {0, 1})});
  EXPECT_GT(m.by, 2 * 0x1p-24);
  EXPECT_LT(m.by, 16 * 0x1p-23);
  EXPECT_GE(m.allowed, m.by);
}

TEST(Disturb, ExactOperatorsNotAtAll) {
  EXPECT_EQ(moved("transpose", {floats({2, 2}, {1, 2, 3, 4})}).by, 0);
}

TEST(Disturb, SignsOfZeroAmongExtremes) {
  const auto &op = *opmeaning::findOperator("max");
  auto attrs = opmeaning::completeAttrs(op, {});
  const HostTensor zeros = floats({64}, std::vector<float>(64, 0.0f));
  auto results = *opmeaning::evaluate(op, {zeros, zeros}, *attrs);
  disturb(op, *attrs, {zeros, zeros}, results, 7);
  int64_t negative = 0;
  for (int64_t i = 0; i < 64; ++i) {
    EXPECT_EQ(results[0].toDouble(i), 0);
    negative += std::signbit(results[0].toDouble(i));
  }
  EXPECT_GT(negative, 16);
  EXPECT_LT(negative, 48);
}

TEST(Disturb, PlacesNearWhatIsNotFinite) {
  const auto &op = *opmeaning::findOperator("conv");
  auto attrs = opmeaning::completeAttrs(op, {});
  ASSERT_TRUE(attrs.ok()) << attrs.error().str();
  std::vector<float> x(size_t(24 * 24), 1.0f);
  x[12 * 24 + 12] = std::numeric_limits<float>::infinity();
  const std::vector<std::optional<HostTensor>> operands = {
      floats({1, 1, 24, 24}, x), floats({1, 1, 3, 3}, std::vector<float>(9, 1.0f))};
  auto expected = opmeaning::evaluate(op, operands, *attrs);
  ASSERT_TRUE(expected.ok()) << expected.error().str();
  auto results = *expected;
  disturb(op, *attrs, operands, results, 7);
  // What Winograd makes of it there is no fault; what it makes elsewhere is.
  std::vector<float> bad(size_t(22 * 22), std::nanf(""));
  const HostTensor answer = decided(floats({1, 1, 22, 22}, bad), (*expected)[0], {results[0]});
  EXPECT_EQ(answer.toDouble(8 * 22 + 8), 9) << "a piece ends there";
  EXPECT_TRUE(std::isnan(answer.toDouble(6 * 22 + 12)));
  EXPECT_TRUE(std::isnan(answer.toDouble(0)));
}

TEST(Disturb, SumsByTheSquareRootOfTheirTerms) {
  const int64_t n = 1 << 20;
  const double total = 0.1 * n;
  Moved m = moved("reduce_sum", {floats({n}, std::vector<float>(size_t(n), 0.1f))});
  EXPECT_GT(m.by, 1000 * 0x1p-24 * total);
  EXPECT_LT(m.allowed, 0.01 * total) << "adding term by term, which is off by 1 %, is found";
  EXPECT_LT(moved("reduce_sum", {floats({4}, {1, 1, 1, 1})}).allowed, 1e-4);
}

} // namespace
