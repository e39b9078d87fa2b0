// The evaluator against numbers worked out by hand.
#include "support/opmeaning/Evaluator.h"
#include "support/opmeaning/TestPrograms.h"

#include <gtest/gtest.h>

#include <chrono>
#include <cmath>
#include <limits>

namespace imbrex::opmeaning {

using test::ints;
using test::reals;

constexpr float kInf = std::numeric_limits<float>::infinity();
constexpr float kNaN = std::numeric_limits<float>::quiet_NaN();

static HostTensor only(Result<std::vector<HostTensor>> r) {
  EXPECT_TRUE(r.ok()) << (r.ok() ? "" : r.error().str());
  return r.ok() ? (*r)[0] : HostTensor();
}

static std::vector<double> numbers(const HostTensor &t) {
  std::vector<double> out;
  for (int64_t i = 0; i < t.elems(); ++i)
    out.push_back(t.toDouble(i));
  return out;
}

/// One definition over operands given as constants; its value.
using Body = std::function<Val(Builder &, Axes)>;
static Result<std::vector<HostTensor>> compute(std::vector<HostTensor> operands, DType type,
                                               std::vector<Dim> dims, const Body &body,
                                               Precision precision = Precision::Stepwise) {
  std::vector<Operand> types;
  std::vector<std::optional<HostTensor>> values;
  for (const HostTensor &t : operands) {
    TensorType tt{t.type(), {}};
    for (int64_t d : t.shape())
      tt.dims.push_back(d);
    types.push_back(Operand::of(tt));
    values.push_back(t);
  }
  Builder b(types, DimFacts());
  Tensor y = b.def("y", type, std::move(dims), [&](Axes i) { return body(b, i); });
  auto p = b.finish({y});
  if (!p)
    return p.takeError();
  return evaluate(*p, values, precision);
}

/// fn over two rank-0 operands of one integer type.
static int64_t integerFn(FnId fn, DType type, int64_t a, int64_t b) {
  auto r =
      compute({ints(type, {}, {a}), ints(type, {}, {b})},
              info(fn).result == ResultRule::Bool ? DType::Bool : type, {},
              [&](Builder &bld, Axes) { return bld.f(fn, {(*bld.in(0))({}), (*bld.in(1))({})}); });
  return only(std::move(r)).toInt(0);
}

TEST(Evaluator, MatMul) {
  auto p = test::matmul({TensorType{DType::F32, {2, 3}}, TensorType{DType::F32, {3, 2}}});
  ASSERT_TRUE(p.ok()) << p.error().str();
  auto y =
      only(evaluate(*p, {reals({2, 3}, {1, 2, 3, 4, 5, 6}), reals({3, 2}, {1, 0, 0, 1, 1, 1})}));
  EXPECT_EQ(numbers(y), (std::vector<double>{4, 5, 10, 11}));
}

TEST(Evaluator, MatMulBindsSymbolsFromOperands) {
  Dim n = Dim::symbol("n");
  auto p = test::matmul({TensorType{DType::F32, {n, 2}}, TensorType{DType::F32, {2, 1}}});
  ASSERT_TRUE(p.ok()) << p.error().str();
  auto y = only(evaluate(*p, {reals({3, 2}, {1, 2, 3, 4, 5, 6}), reals({2, 1}, {1, 1})}));
  EXPECT_EQ(y.shape(), (std::vector<int64_t>{3, 1}));
  EXPECT_EQ(numbers(y), (std::vector<double>{3, 7, 11}));
}

TEST(Evaluator, SymbolsInsideOfExpressionsAreSolved) {
  Dim n = Dim::symbol("n");
  Builder b(test::typed({TensorType{DType::F32, {n * Dim(2) + 1}}}), DimFacts());
  Tensor y = b.def("y", DType::F32, {n}, [&](Axes i) { return (*b.in(0))({i[0] * Dim(2)}); });
  auto p = b.finish({y});
  ASSERT_TRUE(p.ok()) << p.error().str();
  EXPECT_EQ(numbers(only(evaluate(*p, {reals({5}, {1, 2, 3, 4, 5})}))),
            (std::vector<double>{1, 3}));
  EXPECT_EQ(evaluate(*p, {reals({4}, {1, 2, 3, 4})}).error().code, 540) << "no n gives 4";
}

TEST(Evaluator, MatMulOfAThousandRowsIsQuick) {
  auto p = test::matmul({TensorType{DType::F32, {512, 257}}, TensorType{DType::F32, {257, 64}}});
  ASSERT_TRUE(p.ok());
  auto start = std::chrono::steady_clock::now();
  auto y =
      only(evaluate(*p, {HostTensor(DType::F32, {512, 257}), HostTensor(DType::F32, {257, 64})}));
  std::chrono::duration<double> seconds = std::chrono::steady_clock::now() - start;
  EXPECT_EQ(y.elems(), 512 * 64);
  // 8.4 million steps; a per-element hash or allocation would need a minute.
  EXPECT_LT(seconds.count(), 20);
  RecordProperty("milliseconds", static_cast<int>(seconds.count() * 1000));
}

TEST(Evaluator, SoftmaxOfARowWithInfinityIsNaN) {
  auto p = test::softmax({DType::F32, {2, 3}});
  ASSERT_TRUE(p.ok()) << p.error().str();
  auto y = only(evaluate(*p, {reals({2, 3}, {0, 0, 0, -kInf, -kInf, -kInf})}));
  EXPECT_FLOAT_EQ(y.toDouble(0), 1.f / 3);
  EXPECT_TRUE(std::isnan(y.toDouble(3)));
}

TEST(Evaluator, SoftmaxStepwiseAndRealAgreeWithinRounding) {
  auto p = test::softmax({DType::F32, {1, 4}});
  auto x = reals({1, 4}, {1, 2, 3, 4});
  auto stepwise = only(evaluate(*p, {x})), exact = only(evaluate(*p, {x}, Precision::Real));
  EXPECT_EQ(exact.type(), DType::F64);
  for (int64_t i = 0; i < 4; ++i)
    EXPECT_NEAR(stepwise.toDouble(i), exact.toDouble(i), 1e-7);
  EXPECT_NEAR(exact.toDouble(3), 0.64391425988797, 1e-14);
}

TEST(Evaluator, ConvolutionPadsByAbsence) {
  // A 3x3 kernel of ones over a 2x2 image of ones, padding 1: every output sees the whole image.
  auto p =
      test::conv({TensorType{DType::F32, {1, 1, 2, 2}}, TensorType{DType::F32, {1, 1, 3, 3}}}, 1);
  ASSERT_TRUE(p.ok()) << p.error().str();
  auto x = reals({1, 1, 2, 2}, {1, 2, 3, 4});
  auto y = only(evaluate(*p, {x, reals({1, 1, 3, 3}, std::vector<float>(9, 1))}));
  EXPECT_EQ(numbers(y), (std::vector<double>{10, 10, 10, 10}));
  // An infinite weight over the padding is not multiplied by 0.
  std::vector<float> w(9, 1);
  w[0] = kInf;
  y = only(evaluate(*p, {x, reals({1, 1, 3, 3}, w)}));
  EXPECT_EQ(y.toDouble(0), 10);
  EXPECT_EQ(y.toDouble(3), kInf);
}

struct BestSpec {
  Best best;
  Tie tie;
};
static BestSpec argMax(Tie tie) { return {Best::Max, tie}; }

static int64_t bestPlace(BestSpec spec, std::vector<float> x) {
  auto n = static_cast<int64_t>(x.size());
  auto r = compute({reals({n}, x)}, DType::I64, {}, [&](Builder &b, Axes) {
    Tensor t = *b.in(0);
    auto best = b.best(spec.best, spec.tie, {n}, {}, [&](Axes k) { return t({k[0]}); });
    return b.cast(best.place, DType::I64);
  });
  return only(std::move(r)).toInt(0);
}

TEST(Evaluator, ArgMaxTakesTiesByPlaceAndNaNFirst) {
  EXPECT_EQ(bestPlace(argMax(Tie::First), {1, 3, 3, 2}), 1);
  EXPECT_EQ(bestPlace(argMax(Tie::Last), {1, 3, 3, 2}), 2);
  EXPECT_EQ(bestPlace(argMax(Tie::First), {1, kNaN, 9, kNaN}), 1);
  EXPECT_EQ(bestPlace(argMax(Tie::Last), {1, kNaN, 9, kNaN}), 1);
  EXPECT_EQ(bestPlace({Best::Min, Tie::First}, {4, 2, 2}), 1);
  EXPECT_EQ(bestPlace(argMax(Tie::First), {-kInf, -kInf}), 0);
  EXPECT_EQ(bestPlace(argMax(Tie::First), {}), -1);
}

TEST(Evaluator, MaxReductionIsNaNWhereOneElementIs) {
  auto r = compute({reals({3}, {1, kNaN, 3})}, DType::F32, {}, [](Builder &b, Axes) {
    return b.reduce(Red::Max, DType::F32, {3}, {}, [&](Axes k) { return (*b.in(0))({k[0]}); });
  });
  EXPECT_TRUE(std::isnan(only(std::move(r)).toDouble(0)));
}

TEST(Evaluator, EmptyReductionsGiveTheIdentity) {
  auto fold = [](Red red, DType type) {
    HostTensor empty(type, {0});
    auto r = compute({empty}, type, {}, [&](Builder &b, Axes) {
      return b.reduce(red, type, {0}, {}, [&](Axes k) { return (*b.in(0))({k[0]}); });
    });
    return only(std::move(r)).toDouble(0);
  };
  EXPECT_EQ(fold(Red::Sum, DType::F32), 0);
  EXPECT_EQ(fold(Red::Prod, DType::I32), 1);
  EXPECT_EQ(fold(Red::Max, DType::F32), -kInf);
  EXPECT_EQ(fold(Red::Max, DType::I8), -128);
  EXPECT_EQ(fold(Red::Min, DType::U8), 255);
  EXPECT_EQ(fold(Red::And, DType::Bool), 1);
}

TEST(Evaluator, GatherTakesNegativeIndices) {
  auto p = test::gather({TensorType{DType::F32, {3}}, TensorType{DType::I64, {2}}});
  ASSERT_TRUE(p.ok()) << p.error().str();
  auto x = reals({3}, {10, 20, 30});
  EXPECT_EQ(numbers(only(evaluate(*p, {x, ints(DType::I64, {2}, {-1, 0})}))),
            (std::vector<double>{30, 10}));
  auto outside = evaluate(*p, {x, ints(DType::I64, {2}, {0, 3})});
  ASSERT_FALSE(outside.ok());
  EXPECT_EQ(outside.error().code, 541);
  EXPECT_NE(outside.error().what.find("outside of the dimension"), std::string::npos);
}

TEST(Evaluator, ScatterKeepsTheLastWriter) {
  // y[j] = v[last u where idx[u] = j], else x[j].
  auto r = compute(
      {reals({4}, {1, 2, 3, 4}), ints(DType::I64, {3}, {2, 0, 2}), reals({3}, {10, 20, 30})},
      DType::F32, {4}, [](Builder &b, Axes j) {
        Tensor x = *b.in(0), idx = *b.in(1), v = *b.in(2);
        auto last = b.best(
            Best::Max, Tie::Last, {3}, [&](Axes u) { return eq(idx.index({u[0]}), j[0]); },
            [&](Axes) { return b.integer(1, DType::I32); });
        return b.select(
            le(0, last.place), [&] { return v({last.place}); }, [&] { return x({j[0]}); });
      });
  EXPECT_EQ(numbers(only(std::move(r))), (std::vector<double>{20, 2, 30, 4}));
}

TEST(Evaluator, TransposedConvolutionIsSolvedNotSearched) {
  // y[p] = sum (h < 3, r < 2) where h*2 + r = p : x[h] * w[r]
  auto r = compute(
      {reals({3}, {1, 2, 3}), reals({2}, {1, 10})}, DType::F32, {6}, [](Builder &b, Axes p) {
        return b.reduce(
            Red::Sum, DType::F32, {3, 2}, [&](Axes k) { return eq(k[0] * Dim(2) + k[1], p[0]); },
            [&](Axes k) { return (*b.in(0))({k[0]}) * (*b.in(1))({k[1]}); });
      });
  EXPECT_EQ(numbers(only(std::move(r))), (std::vector<double>{1, 10, 2, 20, 3, 30}));
}

TEST(Evaluator, IntegersWrapAndTruncate) {
  EXPECT_EQ(integerFn(FnId::Add, DType::I8, 127, 1), -128);
  EXPECT_EQ(integerFn(FnId::Mul, DType::U8, 16, 17), 16);
  EXPECT_EQ(integerFn(FnId::Div, DType::I32, -7, 2), -3);
  EXPECT_EQ(integerFn(FnId::Mod, DType::I32, -7, 3), 2);
  EXPECT_EQ(integerFn(FnId::Mod, DType::I32, 7, -3), -2);
  EXPECT_EQ(integerFn(FnId::Fmod, DType::I32, -7, 3), -1);
  EXPECT_EQ(integerFn(FnId::Div, DType::I32, INT32_MIN, -1), INT32_MIN);
  EXPECT_EQ(integerFn(FnId::Div, DType::I64, INT64_MIN, -1), INT64_MIN);
  EXPECT_EQ(integerFn(FnId::ShiftLeft, DType::U8, 1, 8), 0);
  EXPECT_EQ(integerFn(FnId::ShiftRight, DType::I32, -8, 1), -4);
  EXPECT_EQ(integerFn(FnId::ShiftRight, DType::I32, -8, 32), 0);
  EXPECT_EQ(integerFn(FnId::Lt, DType::U64, 1, -1), 1) << "-1 is the greatest u64";
  EXPECT_EQ(integerFn(FnId::Pow, DType::I32, 3, 4), 81);
  EXPECT_EQ(integerFn(FnId::Pow, DType::I32, 2, -1), 0);
}

TEST(Evaluator, IntegerDivisionByZeroIsReported) {
  auto r = compute({ints(DType::I32, {}, {1}), ints(DType::I32, {}, {0})}, DType::I32, {},
                   [](Builder &b, Axes) { return (*b.in(0))({}) / (*b.in(1))({}); });
  ASSERT_FALSE(r.ok());
  EXPECT_EQ(r.error().code, 542);
}

TEST(Evaluator, SelectDoesNotReachTheOtherBranch) {
  auto r = compute({ints(DType::I32, {2}, {6, 1}), ints(DType::I32, {2}, {3, 0})}, DType::I32, {2},
                   [](Builder &b, Axes i) {
                     Val d = (*b.in(1))({i[0]});
                     Pred zero = b.holds(b.f(FnId::Eq, {d, b.integer(0, DType::I32)}));
                     return b.select(
                         zero, [&] { return b.integer(-1, DType::I32); },
                         [&] { return (*b.in(0))({i[0]}) / d; });
                   });
  EXPECT_EQ(numbers(only(std::move(r))), (std::vector<double>{2, -1}));
}

static double castTo(DType type, float v) {
  auto r = compute({reals({}, {v})}, type, {},
                   [&](Builder &b, Axes) { return b.cast((*b.in(0))({}), type); });
  return only(std::move(r)).toDouble(0);
}

TEST(Evaluator, CastsSaturateAndRound) {
  EXPECT_EQ(castTo(DType::I8, 300), 127);
  EXPECT_EQ(castTo(DType::I8, -1.9f), -1);
  EXPECT_EQ(castTo(DType::U8, -5), 0);
  EXPECT_EQ(castTo(DType::I32, kNaN), 0);
  EXPECT_EQ(castTo(DType::Bool, kNaN), 1);
  EXPECT_EQ(castTo(DType::F16, 65520), kInf);
  EXPECT_EQ(castTo(DType::F16, 1.0009766f), 1.0009765625);
  EXPECT_EQ(castTo(DType::BF16, 1.01f), 1.0078125);
}

TEST(Evaluator, HalfRoundsAfterEveryFunction) {
  auto sum = [](Precision precision) {
    HostTensor one(DType::F16, {}), small(DType::F16, {});
    one.mutableData<uint16_t>()[0] = floatToHalf(1);
    small.mutableData<uint16_t>()[0] =
        floatToHalf(0.0004f); // less than half of the last place of 1
    auto r = compute(
        {one, small}, DType::F16, {},
        [](Builder &b, Axes) {
          Val x = (*b.in(0))({}), e = (*b.in(1))({});
          return x + e + e;
        },
        precision);
    return only(std::move(r)).toDouble(0);
  };
  EXPECT_EQ(sum(Precision::Stepwise), 1);
  EXPECT_GT(sum(Precision::Real), 1.0007);
}

static double sumOf(const HostTensor &x) {
  auto r = compute({x}, x.type(), {}, [&](Builder &b, Axes) {
    return b.reduce(Red::Sum, x.type(), {x.elems()}, {},
                    [&](Axes k) { return (*b.in(0))({k[0]}); });
  });
  return only(std::move(r)).toDouble(0);
}

TEST(Evaluator, SumsAreRoundedOnce) {
  HostTensor ones(DType::F16, {4096});
  for (int i = 0; i < 4096; ++i)
    ones.mutableData<uint16_t>()[i] = floatToHalf(1);
  EXPECT_EQ(sumOf(ones), 4096) << "2048 + 1 rounds to 2048 in f16";
  EXPECT_EQ(sumOf(reals({1000000}, std::vector<float>(1000000, 0.1f))), 100000)
      << "in f32, term by term, it is 100958.34";
  auto wide = [](std::vector<double> v) {
    return sumOf(HostTensor::of<double>(DType::F64, {int64_t(v.size())}, v));
  };
  EXPECT_EQ(wide({1, 1e100, 1, -1e100}), 2);
  EXPECT_EQ(wide({1e308, 1e308}), std::numeric_limits<double>::infinity());
  EXPECT_TRUE(std::isnan(wide({1e308, 1e308, -std::numeric_limits<double>::infinity()})));
}

TEST(Evaluator, RoundIsHalfToEven) {
  auto r = compute({reals({4}, {0.5f, 1.5f, 2.5f, -0.5f})}, DType::F32, {4},
                   [](Builder &b, Axes i) { return b.f(FnId::Round, {(*b.in(0))({i[0]})}); });
  EXPECT_EQ(numbers(only(std::move(r))), (std::vector<double>{0, 2, 2, 0}));
}

TEST(Evaluator, OperandsMustFitTheProgram) {
  auto p = test::matmul({TensorType{DType::F32, {2, 3}}, TensorType{DType::F32, {3, 2}}});
  auto r =
      evaluate(*p, {reals({2, 3}, std::vector<float>(6)), reals({2, 2}, std::vector<float>(4))});
  ASSERT_FALSE(r.ok());
  EXPECT_EQ(r.error().code, 540);
  EXPECT_NE(r.error().because.find("f32[2, 2], not f32[3, 2]"), std::string::npos)
      << r.error().str();
  r = evaluate(*p, {reals({2, 3}, std::vector<float>(6))});
  ASSERT_FALSE(r.ok());
  EXPECT_EQ(r.error().code, 540);
}

TEST(Evaluator, StepsAreLimited) {
  auto p = test::matmul({TensorType{DType::F32, {64, 64}}, TensorType{DType::F32, {64, 64}}});
  HostTensor x(DType::F32, {64, 64});
  auto r = evaluate(*p, {x, x}, Precision::Stepwise, 1000);
  ASSERT_FALSE(r.ok());
  EXPECT_EQ(r.error().code, 543);
}

TEST(Evaluator, HugeSizesAreRefusedNotAllocated) {
  auto r = compute({}, DType::F32, {int64_t{1} << 40},
                   [](Builder &b, Axes) { return b.real(0, DType::F32); });
  ASSERT_FALSE(r.ok());
  EXPECT_EQ(r.error().code, 543);
}

TEST(Evaluator, RunTimeSizesAreReadFromOperands) {
  // y[i < value(n)] = i
  Builder b({Operand::of(TensorType{DType::I64, {}})}, DimFacts());
  Dim n = b.in(0)->value();
  Tensor y = b.def("y", DType::I64, {n}, [&](Axes i) { return b.cast(i[0], DType::I64); });
  auto p = b.finish({y});
  ASSERT_TRUE(p.ok()) << p.error().str();
  EXPECT_EQ(numbers(only(evaluate(*p, {ints(DType::I64, {}, {3})}))),
            (std::vector<double>{0, 1, 2}));
  auto negative = evaluate(*p, {ints(DType::I64, {}, {-3})});
  ASSERT_FALSE(negative.ok());
  EXPECT_EQ(negative.error().code, 541);
}

TEST(Evaluator, EveryFunctionHasAnEvaluation) {
  for (const FnInfo &row : allFunctions()) {
    for (DType type : {DType::Bool, DType::I32, DType::U64, DType::F16, DType::F32, DType::F64}) {
      if (!accepts(row.operands, type))
        continue;
      HostTensor x(type, {1});
      x.mutableBytes()[0] = std::byte{1};
      auto r = compute({x, x}, row.result == ResultRule::Bool ? DType::Bool : type, {1},
                       [&](Builder &b, Axes i) {
                         Val v = (*b.in(0))({i[0]});
                         return row.arity == 1 ? b.f(row.id, {v}) : b.f(row.id, {v, v});
                       });
      EXPECT_TRUE(r.ok()) << row.name << " " << name(type);
    }
  }
}

TEST(Evaluator, MovesElementsARowAtATime) {
  const HostTensor x = reals({2, 5}, {0, 1, 2, 3, 4, 10, 11, 12, 13, 14});
  auto moved = [&](std::vector<Dim> dims, const Body &body) {
    return numbers(only(compute({x}, DType::F32, std::move(dims), body)));
  };
  auto at = [](Builder &b, const Ix &i, const Ix &j) { return (*b.in(0))({i, j}); };
  // Panels of four columns, the last one filled up.
  EXPECT_EQ(moved({2, 2, 4},
                  [&](Builder &b, Axes i) {
                    Ix j = i[0] * 4 + i[2];
                    return b.select(
                        lt(j, 5), [&] { return at(b, i[1], j); },
                        [&] { return b.real(-1, DType::F32); });
                  }),
            (std::vector<double>{0, 1, 2, 3, 10, 11, 12, 13, 4, -1, -1, -1, 14, -1, -1, -1}));
  // A border before and behind, and a matrix turned and reversed.
  EXPECT_EQ(moved({1, 8},
                  [&](Builder &b, Axes i) {
                    Ix j = i[1] - 2;
                    return b.select(
                        all({le(0, j), lt(j, 5)}), [&] { return at(b, i[0], j); },
                        [&] { return b.real(7, DType::F32); });
                  }),
            (std::vector<double>{7, 7, 0, 1, 2, 3, 4, 7}));
  EXPECT_EQ(moved({5, 2, 1}, [&](Builder &b, Axes i) { return at(b, Ix(1) - i[1], Ix(4) - i[0]); }),
            (std::vector<double>{14, 4, 13, 3, 12, 2, 11, 1, 10, 0}));
}

TEST(Evaluator, RefusesToMoveWhatIsNotThere) {
  auto r = compute({reals({3}, {1, 2, 3})}, DType::F32, {4}, [](Builder &b, Axes i) {
    return b.select(
        le(i[0], 3), [&] { return (*b.in(0))({i[0]}); }, [&] { return b.real(0, DType::F32); });
  });
  ASSERT_FALSE(r);
  EXPECT_EQ(r.error().code, 544) << r.error().str();
}

} // namespace imbrex::opmeaning
