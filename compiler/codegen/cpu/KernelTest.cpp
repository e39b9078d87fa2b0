// Operators as compiled kernels against the reference evaluator.
#include "compiler/codegen/cpu/KernelTestSupport.h"
#include "compiler/passes/lower/ProgramTestSupport.h"

namespace imbrex {
namespace {

using namespace opmeaning;
using codegen::test::CompiledProgram;
using codegen::test::prepare;
using lower::test::expectEqual;
using lower::test::meaning;
using lower::test::with;

constexpr float kInf = INFINITY, kNaN = NAN;

/// A tensor of any type from numbers, converted as the type stores them.
HostTensor tensorOf(DType type, std::vector<int64_t> shape, const std::vector<double> &values) {
  HostTensor t(type, std::move(shape));
  for (int64_t i = 0; i < t.elems(); ++i) {
    double v = values[i];
    switch (type) {
    case DType::F16:
      t.mutableData<uint16_t>()[i] = floatToHalf(static_cast<float>(v));
      break;
    case DType::BF16:
      t.mutableData<uint16_t>()[i] = floatToBfloat16(static_cast<float>(v));
      break;
    case DType::F32:
      t.mutableData<float>()[i] = static_cast<float>(v);
      break;
    case DType::F64:
      t.mutableData<double>()[i] = v;
      break;
    default: { // little-endian, two's complement
      auto n = static_cast<int64_t>(v);
      memcpy(t.mutableBytes().data() + i * byteSize(type), &n, byteSize(type));
    }
    }
  }
  return t;
}

HostTensor randomTensor(DType type, std::vector<int64_t> shape, unsigned seed) {
  int64_t elems = 1;
  for (int64_t s : shape)
    elems *= s;
  std::mt19937 gen(seed);
  std::vector<double> values(elems);
  for (double &v : values) {
    v = std::uniform_real_distribution<float>(-2, 2)(gen);
    v = type == DType::Bool ? v > 0 : isFloat(type) ? v : v * 50;
  }
  return tensorOf(type, std::move(shape), values);
}

/// Compiled code against the evaluator on tensors of known size.
void expectSame(const char *name, const std::vector<HostTensor> &inputs, Attrs given = {},
                double tolerance = 1e-5, const char *target = "cpu:native") {
  SCOPED_TRACE(name);
  Program program = meaning(name, inputs, std::move(given));
  auto expected = lower::test::valuesOf(program, inputs);
  prepare(program, DimFacts());
  CompiledProgram code(std::move(program), DimFacts(), codegen::cpuTargets(target).take().front());
  ASSERT_TRUE(code.ok());
  auto got = code.run(inputs);
  ASSERT_EQ(got.failed, "");
  expectEqual(got.outputs, expected, tolerance);
}

/// The same for n = 0, 1, 5 and 100 with one piece of code. A dimension below 0 stands for n.
void expectSameForAllSizes(const char *name,
                           const std::vector<std::pair<DType, std::vector<int64_t>>> &types,
                           Attrs given = {}, double tolerance = 1e-5) {
  SCOPED_TRACE(name);
  const Operator *op = findOperator(name);
  ASSERT_NE(op, nullptr);
  auto attrs = completeAttrs(*op, std::move(given));
  ASSERT_TRUE(attrs) << attrs.error().str();
  std::vector<Operand> operands;
  for (const auto &[type, dims] : types) {
    TensorType t{type, {}};
    for (int64_t d : dims)
      t.dims.push_back(d < 0 ? DimExpr::symbol("n") : DimExpr(d));
    operands.push_back(Operand::of(t));
  }
  auto program = meaningOf(*op, operands, *attrs, {});
  ASSERT_TRUE(program) << program.error().str();
  std::vector<std::pair<std::vector<HostTensor>, std::vector<HostTensor>>> cases;
  const std::vector<int64_t> sizes = {0, 1, 5, 100};
  for (int64_t n : sizes) {
    std::vector<HostTensor> inputs;
    for (auto [type, dims] : types) {
      std::replace_if(dims.begin(), dims.end(), [](int64_t d) { return d < 0; }, n);
      inputs.push_back(randomTensor(type, dims, static_cast<unsigned>(n + inputs.size())));
    }
    auto expected = lower::test::valuesOf(*program, inputs);
    cases.emplace_back(std::move(inputs), std::move(expected));
  }
  prepare(*program, DimFacts());
  CompiledProgram code(program.take(), DimFacts());
  ASSERT_TRUE(code.ok());
  for (size_t i = 0; i < sizes.size(); ++i) {
    SCOPED_TRACE("n = " + std::to_string(sizes[i]));
    auto got = code.run(cases[i].first, {{"n", sizes[i]}});
    ASSERT_EQ(got.failed, "");
    expectEqual(got.outputs, cases[i].second, tolerance);
  }
}

const Attrs kAxis0 = with({{"axis", int64_t(0)}}), kAxis1 = with({{"axis", int64_t(1)}});

TEST(KernelHarness, MemoryEndsWhereTheAbiSays) {
  codegen::test::GuardedMemory memory(0);
  auto *bytes = static_cast<volatile char *>(memory.data());
  bytes[63] = 1;
  EXPECT_DEATH(bytes[64] = 1, "");
}

TEST(Kernel, Elementwise) {
  expectSame("add", {randomTensor(DType::F32, {3, 5}, 1), randomTensor(DType::F32, {5}, 2)});
  expectSame("relu", {randomTensor(DType::F32, {100000}, 1)});
  expectSame("tanh", {randomTensor(DType::F32, {7, 11}, 1)});
  expectSame("less", {randomTensor(DType::F32, {4, 6}, 1), randomTensor(DType::F32, {4, 6}, 2)});
}

TEST(Kernel, LogarithmsOfDenormals) {
  expectSame("log", {tensorOf(DType::F32, {6}, {1e-40, 1e-45, 1.2e-38, 0, 1, kInf})});
}

TEST(Kernel, Movement) {
  expectSame("transpose", {randomTensor(DType::F32, {3, 4, 5}, 1)},
             with({{"perm", std::vector<int64_t>{2, 0, 1}}}));
  expectSame("concat", {randomTensor(DType::I64, {3, 4}, 1), randomTensor(DType::I64, {3, 2}, 2)},
             kAxis1);
}

TEST(Kernel, Reductions) {
  expectSame("reduce_sum", {randomTensor(DType::F32, {33, 65}, 1)},
             with({{"axes", std::vector<int64_t>{0}}, {"keepdims", int64_t(0)}}));
  expectSame("reduce_max", {randomTensor(DType::F32, {33, 65}, 1)},
             with({{"axes", std::vector<int64_t>{1}}}));
  expectSame("softmax", {randomTensor(DType::F32, {4, 100}, 1)});
  expectSame("argmax", {randomTensor(DType::F32, {4, 100}, 1)}, kAxis1);
}

TEST(Kernel, Contractions) {
  auto f32 = [](std::vector<int64_t> shape, unsigned seed) {
    return randomTensor(DType::F32, std::move(shape), seed);
  };
  expectSame("matmul", {f32({3, 7}, 1), f32({7, 5}, 2)});
  expectSame("matmul", {f32({50, 70}, 1), f32({70, 90}, 2)});
  expectSame("matmul", {f32({2, 33, 20}, 1), f32({2, 20, 40}, 2)});
  expectSame("conv", {f32({1, 3, 20, 20}, 1), f32({8, 3, 3, 3}, 2)},
             with({{"pads", std::vector<int64_t>{1, 1, 1, 1}}}));
}

// What an artifact holds beside this machine's best level.
TEST(Kernel, NarrowerRegisters) {
  const char *v3 = "cpu:x86-64-v3";
  auto a = randomTensor(DType::F32, {50, 70}, 1), b = randomTensor(DType::F32, {70, 90}, 2);
  expectSame("matmul", {a, b}, {}, 1e-5, v3);
  expectSame("softmax", {a}, {}, 1e-5, v3);
  expectSame("reduce_sum", {a}, with({{"axes", std::vector<int64_t>{0}}}), 1e-5, v3);
  auto half = randomTensor(DType::F16, {33, 40}, 3), brain = randomTensor(DType::BF16, {9, 40}, 4);
  expectSame("add", {half, half}, {}, 0, v3);
  expectSame("mul", {brain, brain}, {}, 0, v3);
}

TEST(Kernel, SymbolicSizes) {
  using enum DType;
  expectSameForAllSizes("add", {{F32, {-1, 3}}, {F32, {3}}});
  expectSameForAllSizes("relu", {{F32, {3, -1}}});
  expectSameForAllSizes("transpose", {{I64, {-1, 7}}},
                        with({{"perm", std::vector<int64_t>{1, 0}}}));
  expectSameForAllSizes("softmax", {{F32, {-1, 9}}});
  expectSameForAllSizes("softmax", {{F32, {9, -1}}});
  expectSameForAllSizes("reduce_sum", {{F32, {4, -1}}}, with({{"axes", std::vector<int64_t>{1}}}));
  expectSameForAllSizes("reduce_sum", {{F32, {-1, 4}}}, with({{"axes", std::vector<int64_t>{1}}}));
}

TEST(Kernel, SymbolicContractions) {
  using enum DType;
  expectSameForAllSizes("matmul", {{F32, {-1, 40}}, {F32, {40, 48}}});
  expectSameForAllSizes("matmul", {{F32, {40, -1}}, {F32, {-1, 48}}});
  expectSameForAllSizes("matmul", {{F32, {40, 24}}, {F32, {24, -1}}});
  expectSameForAllSizes("matmul", {{F32, {-1, 9, 40}}, {F32, {-1, 40, 33}}});
  expectSameForAllSizes("conv", {{F32, {-1, 3, 8, 8}}, {F32, {16, 3, 3, 3}}},
                        with({{"pads", std::vector<int64_t>{1, 1, 1, 1}}}));
}

// Both arms of a select are computed: the arm that is not chosen must not read beyond its tensor,
// which is empty for n = 0 while its other sizes are large.
TEST(Kernel, GuardedReadsOfEmptyTensors) {
  using enum DType;
  expectSameForAllSizes("concat", {{F32, {-1, 3000}}, {F32, {2, 3000}}}, kAxis0);
  expectSameForAllSizes("concat", {{F32, {2, 3000}}, {F32, {-1, 3000}}}, kAxis0);
  expectSameForAllSizes("concat", {{F64, {3000, -1}}, {F64, {3000, 2}}}, kAxis1);
  expectSameForAllSizes("concat", {{I64, {70, -1, 90}}, {I64, {70, 1, 90}}}, kAxis1);
  expectSameForAllSizes("concat", {{Bool, {-1, 5000}}, {Bool, {-1, 5000}}}, kAxis0);
}

void expectGathered(const HostTensor &x, const HostTensor &at, const std::string &failure) {
  Program program = meaning("gather", {x, at}, kAxis0);
  ASSERT_FALSE(program.requirements.empty());
  auto expected = evaluate(program, {x, at});
  ASSERT_EQ(expected.ok(), failure.empty());
  prepare(program, DimFacts());
  CompiledProgram code(std::move(program), DimFacts());
  ASSERT_TRUE(code.ok());
  auto got = code.run({x, at});
  EXPECT_EQ(got.failed, failure);
  if (failure.empty())
    expectEqual(got.outputs, *expected, 0);
}

TEST(Kernel, ChecksReportAnIndexOutOfRange) {
  HostTensor x = randomTensor(DType::F32, {5, 40}, 1);
  const std::string outside = "an index is outside its axis";
  expectGathered(x, tensorOf(DType::I64, {4}, {0, 4, -5, -1}), "");
  expectGathered(x, tensorOf(DType::I32, {2, 2}, {0, 4, -5, -1}), "");
  expectGathered(x, tensorOf(DType::I64, {4}, {0, 1, 2, 5}), outside);
  expectGathered(x, tensorOf(DType::I64, {4}, {-6, 1, 2, 0}), outside);
  expectGathered(x, tensorOf(DType::I64, {2, 2}, {0, 0, 1e15, 0}), outside);
  expectGathered(x, tensorOf(DType::I64, {0}, {}), "");
  expectGathered(randomTensor(DType::F32, {0, 40}, 1), tensorOf(DType::I64, {1}, {0}), outside);
}

TEST(Kernel, SixteenBitFloats) {
  for (DType t : {DType::F16, DType::BF16}) {
    SCOPED_TRACE(t == DType::F16 ? "f16" : "bf16");
    auto a = randomTensor(t, {6, 70}, 1), b = randomTensor(t, {6, 70}, 2);
    expectSame("add", {a, b}, {}, 0);
    expectSame("mul", {a, b}, {}, 0);
    expectSame("relu", {a}, {}, 0);
    expectSame("less", {a, b}, {}, 0);
    expectSame("reduce_max", {a}, with({{"axes", std::vector<int64_t>{1}}}), 0);
    // Sums are taken in f32, in another order, and rounded once.
    double ulp = t == DType::F16 ? 1e-3 : 1e-2;
    expectSame("matmul", {a, randomTensor(t, {70, 33}, 3)}, {}, ulp);
    expectSame("reduce_sum", {a}, with({{"axes", std::vector<int64_t>{0}}}), ulp);
    expectSame("cast", {a}, with({{"to", DType::F32}}), 0);
    expectSame("cast", {randomTensor(DType::F32, {300}, 4)}, with({{"to", t}}), 0);
    expectSame("add",
               {tensorOf(t, {4}, {kInf, kNaN, 3e38, -0.0}), tensorOf(t, {4}, {-1, 1, 3e38, 0})}, {},
               0);
  }
}

TEST(Kernel, Bools) {
  auto a = randomTensor(DType::Bool, {7, 9}, 1), b = randomTensor(DType::Bool, {7, 9}, 2);
  expectSame("and", {a, b}, {}, 0);
  expectSame("or", {a, b}, {}, 0);
  expectSame("xor", {a, b}, {}, 0);
  expectSame("logical_not", {a}, {}, 0);
  expectSame("cast", {a}, with({{"to", DType::F32}}), 0);
  expectSame("cast", {tensorOf(DType::F32, {5}, {0, -0.0, kNaN, 1e-40, 3})},
             with({{"to", DType::Bool}}), 0);
  expectSame("where", {a, randomTensor(DType::F32, {7, 9}, 3), randomTensor(DType::F32, {9}, 4)},
             {}, 0);
}

template <class T> HostTensor integers(DType type, std::vector<T> values) {
  return HostTensor::of<T>(type, {static_cast<int64_t>(values.size())}, values);
}

// Where the meaning is undefined the code must still neither trap nor read elsewhere: a division by
// zero gives 0, the smallest integer divided by -1 itself.
template <class T> void expectDivision(DType type) {
  constexpr T low = std::numeric_limits<T>::min(), high = std::numeric_limits<T>::max();
  HostTensor a = integers<T>(type, {low, low, high, 0, 7, static_cast<T>(-7), 7, low, 1});
  HostTensor b = integers<T>(type, {static_cast<T>(-1), 0, 0, 0, 2, 2, static_cast<T>(-2), 1, low});
  for (const char *name : {"div", "mod"}) {
    SCOPED_TRACE(name);
    Program program = meaning(name, {a, b});
    prepare(program, DimFacts());
    CompiledProgram code(std::move(program), DimFacts());
    ASSERT_TRUE(code.ok());
    auto got = code.run({a, b});
    ASSERT_EQ(got.failed, "");
    const bool div = std::string_view(name) == "div";
    for (int64_t i = 0; i < a.elems(); ++i) {
      auto x = a.template data<T>()[i], y = b.template data<T>()[i];
      auto value = got.outputs[0].template data<T>()[i];
      if (y == 0)
        EXPECT_EQ(value, 0) << "at " << i;
      else if (std::is_signed_v<T> && x == low && y == static_cast<T>(-1))
        EXPECT_EQ(value, div ? low : T(0)) << "at " << i;
      else {
        T q = static_cast<T>(x / y), r = static_cast<T>(x % y);
        if (r != 0 && (r < 0) != (y < 0))
          r = static_cast<T>(r + y); // the sign of the divisor
        EXPECT_EQ(value, div ? q : r) << "at " << i;
      }
    }
  }
}

TEST(Kernel, IntegerDivisionNeverTraps) {
  expectDivision<int8_t>(DType::I8);
  expectDivision<int32_t>(DType::I32);
  expectDivision<int64_t>(DType::I64);
  expectDivision<uint8_t>(DType::U8);
  expectDivision<uint32_t>(DType::U32);
}

TEST(Kernel, IntegersAreExact) {
  using enum DType;
  for (DType t : {I8, U8, I16, U16, I32, U32, I64, U64}) {
    auto a = randomTensor(t, {5, 8}, 1), b = randomTensor(t, {5, 8}, 2);
    for (const char *name : {"add", "sub", "mul", "less"})
      expectSame(name, {a, b}, {}, 0);
    expectSame("matmul", {a, randomTensor(t, {8, 40}, 3)}, {}, 0);
    expectSame("cast", {a}, with({{"to", F32}}), 0);
    expectSame("cast", {tensorOf(F32, {7}, {1e30, -1e30, kNaN, kInf, -kInf, 2.7, -2.7})},
               with({{"to", t}}), 0);
  }
}

TEST(Kernel, ArgmaxOfTiesAndSpecialValues) {
  auto rows = tensorOf(DType::F32, {6, 4}, {1,     3,     3,     2,     //
                                            kNaN,  5,     kNaN,  1,     //
                                            5,     1,     kNaN,  9,     //
                                            -kInf, -kInf, -kInf, 0,     //
                                            -kInf, -kInf, -kInf, -kInf, //
                                            -0.0,  0.0,   -0.0,  0.0});
  for (const char *name : {"argmax", "argmin"})
    for (int64_t last : {0, 1})
      expectSame(name, {rows}, with({{"axis", int64_t(1)}, {"select_last_index", last}}), 0);
  expectSame("reduce_max", {rows}, with({{"axes", std::vector<int64_t>{1}}}), 0);
  expectSame("reduce_min", {rows}, with({{"axes", std::vector<int64_t>{1}}}), 0);
  expectSame("argmax", {tensorOf(DType::I32, {2, 3}, {7, 7, 1, -2147483648.0, -2147483648.0, -5})},
             kAxis1, 0);
}

} // namespace
} // namespace imbrex
