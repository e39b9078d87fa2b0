// Element functions of f32 against the C library's in long double, over all exponents.
#include "compiler/codegen/cpu/KernelTestSupport.h"
#include "compiler/passes/lower/ProgramTestSupport.h"
#include "support/opmeaning/ElementFunctions.h"

#include <bit>
#include <cmath>
#include <gtest/gtest.h>

namespace imbrex {
namespace {

using codegen::test::CompiledProgram;

/// Every float that is a multiple of `step` when its bits are taken as a number, of both signs.
HostTensor floats(uint32_t step) {
  std::vector<float> all{0.0f, -0.0f, INFINITY, -INFINITY, NAN, 0x1p-149f, -0x1p-149f};
  for (uint64_t bits = 0; bits <= 0xffffffff; bits += step)
    all.push_back(std::bit_cast<float>(static_cast<uint32_t>(bits)));
  HostTensor t(DType::F32, {static_cast<int64_t>(all.size())});
  std::copy(all.begin(), all.end(), t.mutableData<float>());
  return t;
}

HostTensor compute(const char *name, const HostTensor &x, const char *target) {
  auto program = lower::test::meaning(name, {x});
  codegen::test::prepare(program, DimFacts());
  CompiledProgram code(std::move(program), DimFacts(), codegen::cpuTargets(target).take().front());
  EXPECT_TRUE(code.ok());
  return code.run({x}).outputs.at(0);
}

/// How far `got` is from `want`, in units in the last place of f32 at `want`.
double ulps(float got, long double want) {
  if (std::isnan(want) || std::isnan(got))
    return std::isnan(want) == std::isnan(got) ? 0 : INFINITY;
  if (std::isinf(static_cast<float>(want)) || std::isinf(got))
    return static_cast<float>(want) == got ? 0 : INFINITY;
  int exponent;
  std::frexp(want, &exponent);
  return static_cast<double>(std::fabs(got - want) /
                             std::ldexp(1.0L, std::max(exponent, -125) - 24));
}

void expectWithin(opmeaning::FnId id, double bound, long double (*function)(long double)) {
  const opmeaning::FnInfo &fn = opmeaning::info(id);
  EXPECT_LE(bound, fn.ulps);
  const HostTensor x = floats(4093); // a prime: all exponents, 2048 fractions each
  for (const char *target : {"cpu:x86-64-v3", "cpu:native"}) {
    SCOPED_TRACE(std::string(fn.name) + " on " + target);
    const HostTensor y = compute(fn.name.data(), x, target);
    double worst = 0;
    float at = 0;
    for (int64_t i = 0; i < x.elems(); ++i) {
      const float in = x.data<float>()[i], out = y.data<float>()[i];
      const long double want = function(in);
      ASSERT_FALSE(in == 0 && std::signbit(static_cast<float>(want)) != std::signbit(out)) << in;
      if (double d = ulps(out, want); d > worst) {
        worst = d;
        at = in;
      }
    }
    EXPECT_LE(worst, bound) << "at " << at;
  }
}

TEST(FastMath, Exponential) { expectWithin(opmeaning::FnId::Exp, 1, std::exp); }
TEST(FastMath, ErrorFunction) { expectWithin(opmeaning::FnId::Erf, 6, std::erf); }
TEST(FastMath, HyperbolicTangent) { expectWithin(opmeaning::FnId::Tanh, 6, std::tanh); }

TEST(FastMath, BoundedFunctionsStayInTheirBounds) {
  const HostTensor x = floats(1021);
  for (const char *name : {"erf", "tanh"}) {
    const HostTensor y = compute(name, x, "cpu:native");
    for (int64_t i = 0; i < x.elems(); ++i)
      ASSERT_FALSE(std::fabs(y.data<float>()[i]) > 1) << name << " of " << x.data<float>()[i];
  }
}

TEST(FastMath, ExtremesOfNoNumberAreNone) {
  const float each[] = {NAN, 1, -2, INFINITY, -INFINITY};
  HostTensor x(DType::F32, {25}), y(DType::F32, {25});
  for (int64_t i = 0; i < 25; ++i) {
    x.mutableData<float>()[i] = each[i / 5];
    y.mutableData<float>()[i] = each[i % 5];
  }
  for (const char *name : {"max", "min"}) {
    auto program = lower::test::meaning(name, {x, y});
    codegen::test::prepare(program, DimFacts());
    CompiledProgram code(std::move(program), DimFacts());
    ASSERT_TRUE(code.ok());
    const HostTensor z = code.run({x, y}).outputs.at(0);
    for (int64_t i = 0; i < 25; ++i) {
      const float a = each[i / 5], b = each[i % 5];
      const float want = std::isnan(a) || std::isnan(b) ? NAN
                         : name[1] == 'a'               ? std::max(a, b)
                                                        : std::min(a, b);
      EXPECT_EQ(ulps(z.data<float>()[i], want), 0) << name << " of " << a << " and " << b;
    }
  }
}

} // namespace
} // namespace imbrex
