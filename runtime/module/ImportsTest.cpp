#include "runtime/module/Imports.h"

#include "support/DType.h"

#include <bit>
#include <cmath>
#include <gtest/gtest.h>

namespace imbrex::runtime {
namespace {

template <class F> F *function(const char *name) {
  const void *p = importByName(name);
  EXPECT_NE(p, nullptr) << name;
  return reinterpret_cast<F *>(const_cast<void *>(p));
}

TEST(ImportsTest, FindsByNameOnly) {
  EXPECT_EQ(function<float(float)>("tanhf")(0.5f), std::tanh(0.5f));
  EXPECT_EQ(function<double(double, double)>("pow")(2, 10), 1024);
  EXPECT_EQ(importByName("system"), nullptr);
  EXPECT_EQ(importByName(""), nullptr);
}

TEST(ImportsTest, NarrowFloats) {
  // Both 16-bit formats are returned in the same register; touching a __bf16 here would itself call
  // the conversion, which not every libgcc has.
  auto bf16 = [](float v) __attribute__((no_sanitize("function"))) {
    return std::bit_cast<uint16_t>(function<_Float16(float)>("__truncsfbf2")(v));
  };
  EXPECT_EQ(bf16(1.0f), 0x3f80);
  EXPECT_EQ(bf16(1.00390625f), 0x3f80) << "a tie goes to even";
  EXPECT_EQ(bf16(1.01171875f), 0x3f82);
  EXPECT_TRUE(std::isnan(bfloat16ToFloat(bf16(std::nanf("")))));
  auto *widen = function<float(_Float16)>("__extendhfsf2");
  EXPECT_EQ(widen(std::bit_cast<_Float16>(uint16_t{0x3c01})), 1.0009765625f);
}

TEST(ImportsTest, DoublesAreRoundedOnce) {
  auto half = [](double v) {
    return std::bit_cast<uint16_t>(function<_Float16(double)>("__truncdfhf2")(v));
  };
  // Just above the middle of 1 and its successor: by way of float the excess would be lost.
  EXPECT_EQ(half(1.00048828125 + 1e-12), 0x3c01);
  EXPECT_EQ(half(1.00048828125 - 1e-12), 0x3c00);
  EXPECT_EQ(half(1.00048828125), 0x3c00);
  EXPECT_EQ(half(-1.00048828125 - 1e-12), 0xbc01);
  EXPECT_EQ(half(1e300), 0x7c00);
  EXPECT_EQ(half(-1e-300), 0x8000);
  EXPECT_EQ(half(0.0), 0);
}

TEST(ImportsTest, IntegerPowers) {
  auto *power = function<double(double, int)>("__powidf2");
  EXPECT_EQ(power(2, 10), 1024);
  EXPECT_EQ(power(2, -2), 0.25);
  EXPECT_EQ(power(3, 0), 1);
}

} // namespace
} // namespace imbrex::runtime
