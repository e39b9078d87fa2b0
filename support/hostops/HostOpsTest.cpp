#include "support/hostops/HostOps.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

namespace imbrex {
namespace {

using Ints = std::vector<int64_t>;
using Floats = std::vector<float>;

HostTensor floats(Ints shape, Floats v) {
  return HostTensor::of<float>(DType::F32, std::move(shape), v);
}
HostTensor ints(Ints shape, Ints v) {
  return HostTensor::of<int64_t>(DType::I64, std::move(shape), v);
}
HostTensor params(Ints v) {
  const auto n = static_cast<int64_t>(v.size());
  return ints({n}, std::move(v));
}
Floats values(const HostTensor &t) { return {t.data<float>(), t.data<float>() + t.elems()}; }

std::vector<HostTensor> run(const char *name, std::vector<const HostTensor *> args) {
  auto made = (*hostFunction(name))(args, ItemHeap::process());
  EXPECT_TRUE(made.ok()) << made.error().str();
  return made.ok() ? made.take() : std::vector<HostTensor>(4);
}

TEST(HostOps, NamesAreSortedAndFound) {
  auto all = hostFunctions();
  EXPECT_TRUE(std::ranges::is_sorted(all, {}, &HostFunction::name));
  for (const HostFunction &f : all)
    EXPECT_EQ(hostFunction(f.name), &f);
  EXPECT_EQ(hostFunction("no such thing"), nullptr);
}

TEST(HostOps, RowsAreWrittenAndAppended) {
  auto x = floats({2, 2}, {1, 2, 3, 4}), row = floats({2}, {7, 8});
  auto at = ints({}, {1}), none = params({});
  EXPECT_EQ(values(run("write_row", {&x, &row, &at, &none})[0]), (Floats{1, 2, 7, 8}));
  auto longer = run("append_row", {&x, &row, &none});
  EXPECT_EQ(longer[0].shape(), (Ints{3, 2}));
  EXPECT_EQ(values(longer[0]), (Floats{1, 2, 3, 4, 7, 8}));
  EXPECT_EQ(values(x), (Floats{1, 2, 3, 4})) << "operands stay";
  auto outside = ints({}, {2}), wide = floats({3}, {1, 2, 3});
  for (auto args : {std::vector<const HostTensor *>{&x, &row, &outside, &none},
                    std::vector<const HostTensor *>{&x, &wide, &at, &none}})
    EXPECT_EQ((*hostFunction("write_row"))(args, ItemHeap::process()).error().code, 242);
}

TEST(HostOps, OperandsOfADamagedArtifactAreRefused) {
  const HostTensor scalar = floats({}, {1}), none = params({}), two = params({0, 1});
  for (const HostFunction &f : hostFunctions()) {
    const std::vector<const HostTensor *> few = {&none};
    EXPECT_FALSE(f(few, ItemHeap::process()).ok()) << f.name;
    std::vector<const HostTensor *> absent(f.operands.size() + 1, nullptr);
    EXPECT_FALSE(f(absent, ItemHeap::process()).ok()) << f.name;
    std::vector<const HostTensor *> scalars(f.operands.size() + 1, &scalar);
    EXPECT_FALSE(f(scalars, ItemHeap::process()).ok()) << f.name;
  }
  const HostTensor k = ints({1}, {1});
  const std::vector<const HostTensor *> noAxis = {&scalar, &k, &two};
  EXPECT_FALSE((*hostFunction("top_k"))(noAxis, ItemHeap::process()).ok());
}

TEST(TopK, TiesTakeTheLowerPlaceAndNaNIsLargest) {
  const HostTensor x = floats({2, 4}, {1, 3, 3, 2, 0, NAN, -1, 5}), two = ints({1}, {2});
  const HostTensor most = params({1, 1}), least = params({1, 0});
  auto y = run("top_k", {&x, &two, &most});
  EXPECT_EQ(y[1].toInts(), (Ints{1, 2, 1, 3}));
  EXPECT_EQ(values(run("top_k", {&x, &two, &least})[0]), (Floats{1, 2, -1, 0}));
}

TEST(TopK, RefusesMoreThanThereAre) {
  const HostTensor x = floats({2}, {1, 2}), three = ints({1}, {3}), p = params({0, 1});
  std::vector<const HostTensor *> args = {&x, &three, &p};
  auto made = topK(args);
  ASSERT_FALSE(made.ok());
  EXPECT_EQ(made.error().code, 242);
}

TEST(NonZero, PlacesInRowMajorOrder) {
  const HostTensor x = floats({2, 3}, {0, 1, -0.0f, 2, NAN, 0}), p = params({});
  EXPECT_EQ(run("non_zero", {&x, &p})[0].toInts(), (Ints{0, 1, 1, 1, 0, 1}));
  const HostTensor scalar = floats({}, {1}), none = floats({0, 4}, {});
  EXPECT_EQ(run("non_zero", {&scalar, &p})[0].shape(), (Ints{0, 1}));
  EXPECT_EQ(run("non_zero", {&none, &p})[0].shape(), (Ints{2, 0}));
}

TEST(Compress, AlongAnAxisAndFlattened) {
  const HostTensor x = floats({2, 3}, {1, 2, 3, 4, 5, 6});
  std::vector<uint8_t> bits = {0, 1, 1};
  const HostTensor condition = HostTensor::of<uint8_t>(DType::Bool, {3}, bits);
  const HostTensor along = params({1, 0}), flat = params({0, 1});
  EXPECT_EQ(values(run("compress", {&x, &condition, &along})[0]), (Floats{2, 3, 5, 6}));
  EXPECT_EQ(values(run("compress", {&x, &condition, &flat})[0]), (Floats{2, 3}));
  const HostTensor rows = params({0, 0});
  std::vector<const HostTensor *> beyond = {&x, &condition, &rows};
  EXPECT_FALSE(compress(beyond).ok());
}

TEST(Unique, SortedAndInOrderOfAppearance) {
  const HostTensor x = floats({6}, {2, 1, 1, 3, 4, 3});
  const HostTensor sorted = params({0, 1, 1}), asSeen = params({0, 1, 0});
  auto y = run("unique", {&x, &sorted});
  EXPECT_EQ(values(y[0]), (Floats{1, 2, 3, 4}));
  EXPECT_EQ(y[1].toInts(), (Ints{1, 0, 3, 4}));
  EXPECT_EQ(y[2].toInts(), (Ints{1, 0, 0, 2, 3, 2}));
  EXPECT_EQ(y[3].toInts(), (Ints{2, 1, 2, 1}));
  auto seen = run("unique", {&x, &asSeen});
  EXPECT_EQ(values(seen[0]), (Floats{2, 1, 3, 4}));
  EXPECT_EQ(seen[2].toInts(), (Ints{0, 1, 1, 2, 3, 2}));
}

TEST(Unique, RowsOfAMatrix) {
  const HostTensor x = floats({3, 2}, {1, 0, 0, 5, 1, 0}), rows = params({0, 0, 1});
  auto y = run("unique", {&x, &rows});
  EXPECT_EQ(y[0].shape(), (Ints{2, 2}));
  EXPECT_EQ(values(y[0]), (Floats{0, 5, 1, 0}));
  EXPECT_EQ(y[1].toInts(), (Ints{1, 0}));
}

TEST(NonMaxSuppression, KeepsTheBestOfOverlappingBoxes) {
  // Two boxes over each other and one far away; corners in any order.
  const HostTensor boxes = floats({1, 3, 4}, {0, 0, 1, 1, 1, 1.1f, 0, 0.1f, 0, 10, 1, 11});
  const HostTensor scores = floats({1, 1, 3}, {0.5f, 0.9f, 0.1f});
  const HostTensor most = ints({1}, {3}), iou = floats({1}, {0.5f}), least = floats({1}, {0.2f});
  const HostTensor corners = params({0});
  auto y = run("non_max_suppression", {&boxes, &scores, &most, &iou, nullptr, &corners});
  EXPECT_EQ(y[0].toInts(), (Ints{0, 0, 1, 0, 0, 2}));
  auto few = run("non_max_suppression", {&boxes, &scores, &most, &iou, &least, &corners});
  EXPECT_EQ(few[0].toInts(), (Ints{0, 0, 1}));
  auto none = run("non_max_suppression", {&boxes, &scores, nullptr, nullptr, nullptr, &corners});
  EXPECT_EQ(none[0].shape(), (Ints{0, 3}));
}

TEST(Determinant, OfSeveralMatrices) {
  const HostTensor x = floats({3, 2, 2}, {1, 2, 3, 4, 0, 1, 1, 0, 1, 2, 2, 4}), p = params({});
  EXPECT_EQ(values(run("determinant", {&x, &p})[0]), (Floats{-2, -1, 0}));
}

TEST(CouplePairs, FindsTheProbabilitiesThatPairsComeFrom) {
  // p = (0.5, 0.3, 0.2): what two classes have of their sum.
  const HostTensor pairs = floats({1, 3}, {0.5f / 0.8f, 0.5f / 0.7f, 0.6f}), three = params({3});
  const auto p = values(run("couple_pairs", {&pairs, &three})[0]);
  ASSERT_EQ(p.size(), 3u);
  EXPECT_NEAR(p[0], 0.5, 0.01); // its iteration ends within 0.005
  EXPECT_NEAR(p[1], 0.3, 0.01);
  EXPECT_NEAR(p[0] + p[1] + p[2], 1, 1e-6);
  const HostTensor odd = floats({1, 2}, {0.5f, 0.5f});
  const std::vector<const HostTensor *> args = {&odd, &three};
  EXPECT_FALSE(couplePairs(args).ok());
  const HostTensor nan = floats({1, 3}, {NAN, 0.5f, 0.5f});
  EXPECT_EQ(run("couple_pairs", {&nan, &three})[0].elems(), 3);
}

} // namespace
} // namespace imbrex
