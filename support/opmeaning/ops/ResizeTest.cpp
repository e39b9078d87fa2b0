#include "support/opmeaning/ops/OpsTestSupport.h"

using namespace imbrex;
using namespace imbrex::opmeaning;
using namespace imbrex::opmeaning::test;

static Attrs by(const char *mode, const char *coordinates) {
  return {{{"mode", std::string(mode)}, {"coordinates", std::string(coordinates)}}};
}
static const std::optional<HostTensor> none;

TEST(Resize, NearestAndLinear) {
  const auto x = f32({2}, {1, 2});
  const auto twice = f32({1}, {2});
  expectTensor(run("resize", {x, twice}, by("nearest", "asymmetric")), {4}, {1, 1, 2, 2});
  expectTensor(run("resize", {x, twice}, by("linear", "half_pixel")), {4}, {1, 1.25, 1.75, 2});
  expectTensor(run("resize", {x, none, i64({1}, {3})}, by("linear", "align_corners")), {3},
               {1, 1.5, 2});
  expectTensor(run("resize", {x, none, i64({1}, {1})}, by("linear", "pytorch_half_pixel")), {1},
               {1});
}

TEST(Resize, Cubic) {
  expectTensor(
      run("resize", {f32({4}, {1, 2, 3, 4}), none, i64({1}, {2})}, by("cubic", "half_pixel")), {2},
      {1.40625, 3.59375}, 1e-6);
}

TEST(Resize, ACropMayLeaveTheOperand) {
  auto attrs = by("nearest", "tf_crop_and_resize");
  attrs.values["extrapolation_value"] = 9.0;
  expectTensor(
      run("resize", {f32({3}, {1, 2, 3}), none, i64({1}, {3}), f32({2}, {0.5, 1.5})}, attrs), {3},
      {2, 3, 9});
}

TEST(Resize, Sizes) {
  const auto scales = [](std::vector<float> v) {
    const auto n = static_cast<int64_t>(v.size());
    return constant(f32({n}, std::move(v)));
  };
  EXPECT_EQ(types("resize", {operand("f32[1, 3, h, w]"), scales({1, 1, 2, 2})}),
            "f32[1, 3, 2*h, 2*w]");
  EXPECT_EQ(types("resize", {operand("f32[5]"), scales({1.4f})}), "f32[7]"); // rounded to f32
  EXPECT_EQ(types("resize", {operand("f32[h]"), scales({0.5f})}), "f32[$0]");
  EXPECT_HAS(types("resize", {operand("f32[4, 4]"), scales({2})}), "not one scale");
  EXPECT_HAS(types("resize", {operand("f32[4]")}), "scales or sizes");
  EXPECT_HAS(types("resize", {operand("f32[4]"), scales({2})}, by("quintic", "asymmetric")),
             "not known");
}

static HostTensor oneBox(std::vector<float> box) { return f32({1, 4}, std::move(box)); }

TEST(RoiAlign, AveragesSamplesOfABox) {
  const auto x = f32({1, 1, 2, 2}, {0, 1, 2, 3});
  const Attrs whole{{{"output_height", int64_t(1)},
                     {"output_width", int64_t(1)},
                     {"samples", int64_t(2)},
                     {"half_pixel", int64_t(0)}}};
  // Samples at 1/2 and 3/2 of each axis; beyond the last element it counts again.
  expectTensor(run("roi_align", {x, oneBox({0, 0, 2, 2}), i64({1}, {0})}, whole), {1, 1, 1, 1},
               {2.25});
  Attrs largest = whole;
  largest.values["mode"] = std::string("max");
  expectTensor(run("roi_align", {x, oneBox({0, 0, 2, 2}), i64({1}, {0})}, largest), {1, 1, 1, 1},
               {3});
}

TEST(RoiAlign, SamplesOutsideThePictureAreZero) {
  const auto x = f32({1, 1, 2, 2}, {1, 1, 1, 1});
  const Attrs one{{{"samples", int64_t(1)}, {"half_pixel", int64_t(0)}}};
  expectTensor(run("roi_align", {x, oneBox({5, 5, 9, 9}), i64({1}, {0})}, one), {1, 1, 1, 1}, {0});
  EXPECT_HAS(types("roi_align",
                   {operand("f32[1, 1, 2, 2]"), operand("f32[n, 4]"), operand("f32[n]")}, one),
             "a picture for each");
}

TEST(RoiAlign, HasASampleForEachElementOfABox) {
  const auto x = f32({1, 1, 4, 4}, {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15});
  const auto two = f32({2, 4}, {0, 0, 2, 2, 0, 0, 4, 4});
  const Attrs whole{{{"half_pixel", int64_t(1)}}};
  const auto most = i64({4}, {0, 1, 2, 3});
  // The middles of 2 x 2 and 4 x 4 elements: their means.
  expectTensor(run("roi_align", {x, two, i64({2}, {0, 0}), most}, whole), {2, 1, 1, 1}, {2.5, 7.5});
  const Attrs largest{{{"half_pixel", int64_t(1)}, {"mode", std::string("max")}}};
  const auto none = f32({1, 4}, {3, 3, 1, 1}); // a box that ends before it begins has no samples
  expectTensor(run("roi_align", {x, none, i64({1}, {0}), most}, whole), {1, 1, 1, 1}, {0});
  expectTensor(run("roi_align", {x, none, i64({1}, {0}), most}, largest), {1, 1, 1, 1}, {0});
}

TEST(MaxRoiPool, PartsOfABoxShareTheirEdges) {
  const auto x = f32({1, 1, 4, 4}, {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15});
  const Attrs twice{{{"output_height", int64_t(2)}, {"output_width", int64_t(2)}}};
  const auto most = i64({4}, {0, 1, 2, 3});
  // Columns and rows 0 to 2, both inside: parts of 1.5 elements, 0-1 and 1-2.
  expectTensor(run("max_roi_pool", {x, f32({1, 5}, {0, 0, 0, 2, 2}), most}, twice), {1, 1, 2, 2},
               {5, 6, 9, 10});
  expectTensor(run("max_roi_pool", {x, f32({1, 5}, {0, 9, 9, 9, 9}), most}, twice), {1, 1, 2, 2},
               {0, 0, 0, 0});
}
