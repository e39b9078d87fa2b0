// Operators' meanings as Programs, and the evaluator's verdict on what a rewrite made of them: for
// the tests of this folder.
#pragma once

#include "support/opmeaning/Evaluator.h"

#include <cmath>
#include <cstring>
#include <gtest/gtest.h>
#include <random>

namespace imbrex::lower::test {

using namespace opmeaning;

inline HostTensor random(std::vector<int64_t> shape, unsigned seed) {
  HostTensor t(DType::F32, std::move(shape));
  std::mt19937 gen(seed);
  for (int64_t i = 0; i < t.elems(); ++i)
    t.mutableData<float>()[i] = std::uniform_real_distribution<float>(-2, 2)(gen);
  return t;
}

inline TensorType typeOf(const HostTensor &t) {
  return {t.type(), std::vector<DimExpr>(t.shape().begin(), t.shape().end())};
}

inline Attrs with(std::map<std::string, AttrValue, std::less<>> values) {
  return {std::move(values)};
}

/// The meaning of operator `name`; `constants` says which inputs are known while compiling.
inline Program meaning(const char *name, const std::vector<HostTensor> &inputs, Attrs given = {},
                       const std::vector<size_t> &constants = {}) {
  const Operator *op = findOperator(name);
  EXPECT_NE(op, nullptr) << name;
  auto attrs = completeAttrs(*op, std::move(given));
  EXPECT_TRUE(attrs) << attrs.error().str();
  std::vector<Operand> operands;
  for (const auto &in : inputs)
    operands.push_back(Operand::of(typeOf(in)));
  for (size_t i : constants)
    operands[i] = Operand::of(inputs[i]);
  auto program = meaningOf(*op, operands, *attrs, {});
  EXPECT_TRUE(program) << program.error().str();
  return program ? program.take() : Program();
}

/// The outputs of `p`; operands behind `inputs` are constants of its own.
inline std::vector<HostTensor> valuesOf(const Program &p, const std::vector<HostTensor> &inputs) {
  std::vector<std::optional<HostTensor>> values(inputs.begin(), inputs.end());
  for (size_t i = values.size(); i < p.operands.size(); ++i)
    values.push_back(p.operands[i].constant);
  auto out = evaluate(p, values);
  EXPECT_TRUE(out) << out.error().str() << "\n" << p.str();
  return out ? out.take() : std::vector<HostTensor>();
}

/// Equal shapes and elements; NaN equals NaN. A tolerance of 0 asks for equal bits.
inline void expectEqual(const std::vector<HostTensor> &got, const std::vector<HostTensor> &expected,
                        double tolerance) {
  ASSERT_EQ(got.size(), expected.size());
  for (size_t k = 0; k < got.size(); ++k) {
    ASSERT_EQ(got[k].shape(), expected[k].shape());
    ASSERT_EQ(got[k].type(), expected[k].type());
    for (int64_t i = 0; i < got[k].elems(); ++i) {
      double g = got[k].toDouble(i), e = expected[k].toDouble(i);
      bool same = g == e || (std::isnan(g) && std::isnan(e)) ||
                  std::abs(g - e) <= tolerance * std::max(1.0, std::abs(e));
      ASSERT_TRUE(same) << "output " << k << " at " << i << ": " << g << ", not " << e;
    }
  }
}

inline int64_t termSize(const Node *root) {
  int64_t size = 0;
  walk(root, [&](const Node *) { ++size; });
  return size;
}

} // namespace imbrex::lower::test
