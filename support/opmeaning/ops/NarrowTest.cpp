// Casts to and from narrow types, and bitcast. The corner cases were read off ml_dtypes 0.5.
#include "support/opmeaning/ops/OpsTestSupport.h"

#include <cmath>

using namespace imbrex;
using namespace imbrex::opmeaning;
using namespace imbrex::opmeaning::test;

static const DType kFloats[] = {DType::F8E4M3FN,   DType::F8E5M2, DType::F8E4M3FNUZ,
                                DType::F8E5M2FNUZ, DType::F8E8M0, DType::F4E2M1};

static Attrs castTo(DType t, int64_t saturate = 1, const char *mode = "up") {
  return {{{"to", t}, {"saturate", saturate}, {"round_mode", std::string(mode)}}};
}

static HostTensor codes(DType t) {
  std::vector<uint8_t> all(t == DType::F4E2M1 ? 16 : 256);
  for (size_t i = 0; i < all.size(); ++i)
    all[i] = static_cast<uint8_t>(i);
  return HostTensor::of<uint8_t>(t, {int64_t(all.size())}, all);
}

/// The codes that `values` are cast to.
static std::vector<int> encoded(DType t, std::vector<float> values, const Attrs &a) {
  const HostTensor y = run("cast", {f32({int64_t(values.size())}, values)}, a);
  std::vector<int> out;
  for (int64_t i = 0; i < y.elems(); ++i)
    out.push_back(y.data<uint8_t>()[i]);
  return out;
}

TEST(Narrow, EveryCodeHasItsValue) {
  for (DType t : kFloats) {
    const HostTensor all = codes(t), wide = run("cast", {all}, castTo(DType::F32));
    for (int64_t i = 0; i < all.elems(); ++i) {
      const double wanted = narrowToDouble(t, static_cast<uint8_t>(i));
      const float got = wide.data<float>()[i];
      if (std::isnan(wanted)) {
        EXPECT_TRUE(std::isnan(got)) << name(t) << " " << i;
        continue;
      }
      EXPECT_EQ(got, wanted) << name(t) << " " << i;
      EXPECT_EQ(std::signbit(got), std::signbit(wanted)) << name(t) << " " << i;
    }
  }
}

TEST(Narrow, EveryValueKeepsItsCode) {
  for (DType t : kFloats) {
    const HostTensor all = codes(t), wide = run("cast", {all}, castTo(DType::F32));
    const HostTensor back = run("cast", {wide}, castTo(t, 0));
    // 2^-127 is a subnormal, whose fraction rounds up as ONNX defines it.
    for (int64_t i = t == DType::F8E8M0 ? 1 : 0; i < all.elems(); ++i)
      if (!std::isnan(narrowToDouble(t, static_cast<uint8_t>(i))))
        EXPECT_EQ(back.data<uint8_t>()[i], i) << name(t);
  }
}

TEST(Narrow, HalfwayGoesToTheEvenNeighbour) {
  for (DType t : {DType::F8E4M3FN, DType::F8E5M2, DType::F8E4M3FNUZ, DType::F8E5M2FNUZ}) {
    const int largest = narrowFormat(t).largest;
    for (int c = 0; c < largest; ++c) {
      const double low = narrowToDouble(t, uint8_t(c)), high = narrowToDouble(t, uint8_t(c + 1));
      const auto half = static_cast<float>((low + high) / 2);
      const std::vector<float> around = {half, std::nextafter(half, 0.0f),
                                         std::nextafter(half, INFINITY)};
      EXPECT_EQ(encoded(t, around, castTo(t)), (std::vector<int>{c + c % 2, c, c + 1})) << name(t);
    }
  }
}

TEST(Narrow, BeyondTheLargest) {
  const float inf = INFINITY;
  const std::vector<float> v = {inf, -inf, 1e8f, -1e8f, NAN};
  EXPECT_EQ(encoded(DType::F8E4M3FN, v, castTo(DType::F8E4M3FN)),
            (std::vector<int>{0x7e, 0xfe, 0x7e, 0xfe, 0x7f}));
  EXPECT_EQ(encoded(DType::F8E4M3FN, v, castTo(DType::F8E4M3FN, 0)),
            (std::vector<int>{0x7f, 0xff, 0x7f, 0xff, 0x7f}));
  EXPECT_EQ(encoded(DType::F8E5M2, v, castTo(DType::F8E5M2)),
            (std::vector<int>{0x7b, 0xfb, 0x7b, 0xfb, 0x7f}));
  EXPECT_EQ(encoded(DType::F8E5M2, v, castTo(DType::F8E5M2, 0)),
            (std::vector<int>{0x7c, 0xfc, 0x7c, 0xfc, 0x7f}));
  EXPECT_EQ(encoded(DType::F8E4M3FNUZ, v, castTo(DType::F8E4M3FNUZ)),
            (std::vector<int>{0x7f, 0xff, 0x7f, 0xff, 0x80}));
  EXPECT_EQ(encoded(DType::F8E5M2FNUZ, v, castTo(DType::F8E5M2FNUZ, 0)),
            (std::vector<int>{0x80, 0x80, 0x80, 0x80, 0x80}));
  EXPECT_EQ(encoded(DType::F4E2M1, v, castTo(DType::F4E2M1)),
            (std::vector<int>{0x7, 0xf, 0x7, 0xf, 0x8}));
}

TEST(Narrow, NoNegativeZeroWhereItsCodeIsNaN) {
  EXPECT_EQ(encoded(DType::F8E4M3FNUZ, {-0.0f, -1e-9f}, castTo(DType::F8E4M3FNUZ)),
            (std::vector<int>{0, 0}));
  EXPECT_EQ(encoded(DType::F8E4M3FN, {-0.0f, -1e-9f}, castTo(DType::F8E4M3FN)),
            (std::vector<int>{0x80, 0x80}));
}

TEST(Narrow, PowersOfTwo) {
  const DType t = DType::F8E8M0;
  const std::vector<float> v = {1, 1.5f, 1.25f, 3, 0, 3.4e38f, INFINITY};
  EXPECT_EQ(encoded(t, v, castTo(t)), (std::vector<int>{127, 128, 128, 129, 0, 254, 255}));
  EXPECT_EQ(encoded(t, v, castTo(t, 1, "down")),
            (std::vector<int>{127, 127, 127, 128, 0, 254, 255}));
  EXPECT_EQ(encoded(t, v, castTo(t, 1, "nearest")),
            (std::vector<int>{127, 128, 127, 129, 0, 254, 255}));
}

TEST(Narrow, IntegersKeepTheirLowBits) {
  const HostTensor i4 = run("cast", {f32({4}, {-8, 7, 3.9f, 9})}, castTo(DType::I4));
  expectTensor(run("cast", {i4}, castTo(DType::I8)), {4}, {-8, 7, 3, -7});
  const HostTensor u2 = run("cast", {i8({3}, {1, 3, 5})}, castTo(DType::U2));
  expectTensor(run("cast", {u2}, castTo(DType::F32)), {3}, {1, 3, 1});
}

TEST(Bitcast, KeepsTheBits) {
  const HostTensor bits = run("bitcast", {f32({2}, {1, -2})}, {{{"to", DType::I32}}});
  expectTensor(bits, {2}, {0x3f800000, -0x40000000});
  expectTensor(run("bitcast", {bits}, {{{"to", DType::F32}}}), {2}, {1, -2});
  EXPECT_HAS(types("bitcast", {operand("f32[2]")}, {{{"to", DType::I16}}}), "not of the size");
}
