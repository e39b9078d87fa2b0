#include "tools/imbrex-verify/Disturb.h"

#include "support/opmeaning/Evaluator.h"

#include <gtest/gtest.h>

#include <cmath>

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

TEST(Disturb, SumsByTheSquareRootOfTheirTerms) {
  const int64_t n = 1 << 20;
  const double total = 0.1 * n;
  Moved m = moved("reduce_sum", {floats({n}, std::vector<float>(size_t(n), 0.1f))});
  EXPECT_GT(m.by, 1000 * 0x1p-24 * total);
  EXPECT_LT(m.allowed, 0.01 * total) << "adding term by term, which is off by 1 %, is found";
  EXPECT_LT(moved("reduce_sum", {floats({4}, {1, 1, 1, 1})}).allowed, 1e-4);
}

} // namespace
