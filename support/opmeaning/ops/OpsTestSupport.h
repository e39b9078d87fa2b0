// Short forms for tests of operators: tensors, operand types from text, evaluation of one operator.
#pragma once

#include "support/opmeaning/Evaluator.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <optional>
#include <string>
#include <vector>

namespace imbrex::opmeaning::test {

inline constexpr float Inf = std::numeric_limits<float>::infinity();
inline constexpr float NaN = std::numeric_limits<float>::quiet_NaN();

using Shape = std::vector<int64_t>;
using Ints = std::vector<int64_t>;
using Args = std::vector<std::optional<HostTensor>>;

inline HostTensor f32(Shape shape, std::vector<float> v) {
  return HostTensor::of<float>(DType::F32, std::move(shape), v);
}
inline HostTensor i64(Shape shape, std::vector<int64_t> v) {
  return HostTensor::of<int64_t>(DType::I64, std::move(shape), v);
}
inline HostTensor i32(Shape shape, std::vector<int32_t> v) {
  return HostTensor::of<int32_t>(DType::I32, std::move(shape), v);
}
inline HostTensor i8(Shape shape, std::vector<int8_t> v) {
  return HostTensor::of<int8_t>(DType::I8, std::move(shape), v);
}
inline HostTensor u8(Shape shape, std::vector<uint8_t> v) {
  return HostTensor::of<uint8_t>(DType::U8, std::move(shape), v);
}
inline HostTensor boolean(Shape shape, std::vector<uint8_t> v) {
  return HostTensor::of<uint8_t>(DType::Bool, std::move(shape), v);
}

/// Results of the operator, or one failure and no results.
inline std::vector<HostTensor> runAll(std::string_view name, const Args &args, Attrs attrs = {}) {
  const Operator *op = findOperator(name);
  if (!op) {
    ADD_FAILURE() << "no operator " << name;
    return {};
  }
  auto r = evaluate(*op, args, attrs);
  if (!r) {
    ADD_FAILURE() << r.error().str();
    return {};
  }
  return r.take();
}
inline HostTensor run(std::string_view name, const Args &args, Attrs attrs = {}) {
  auto all = runAll(name, args, std::move(attrs));
  return all.empty() ? HostTensor() : all[0];
}
/// The text of the error that evaluation ends in; empty when there is none.
inline std::string failure(std::string_view name, const Args &args, Attrs attrs = {}) {
  auto r = evaluate(*findOperator(name), args, attrs);
  return r ? "" : r.error().str();
}

/// Elements as doubles.
inline std::vector<double> values(const HostTensor &t) {
  std::vector<double> v;
  for (int64_t i = 0; i < t.elems(); ++i)
    v.push_back(t.toDouble(i));
  return v;
}
/// Shape and elements, each within `relative` of what is expected; NaN equals NaN.
inline void expectTensor(const HostTensor &t, const Shape &shape, const std::vector<double> &want,
                         double relative = 0) {
  EXPECT_EQ(t.shape(), shape);
  const auto got = values(t);
  ASSERT_EQ(got.size(), want.size());
  for (size_t i = 0; i < got.size(); ++i) {
    if (std::isnan(want[i]))
      EXPECT_TRUE(std::isnan(got[i])) << "at " << i << ": " << got[i];
    else if (relative == 0 || std::isinf(want[i]))
      EXPECT_EQ(got[i], want[i]) << "at " << i;
    else
      EXPECT_NEAR(got[i], want[i], relative * std::max(std::abs(want[i]), 1e-30)) << "at " << i;
  }
}

/// "f32[n, 8]"
inline Operand operand(const std::string &text) {
  const size_t open = text.find('[');
  TensorType t{*dtypeFromName(text.substr(0, open)), {}};
  std::string inside = text.substr(open + 1, text.size() - open - 2);
  for (size_t at = 0; at < inside.size();) {
    size_t end = inside.find(',', at);
    end = end == std::string::npos ? inside.size() : end;
    auto d = DimExpr::parse(inside.substr(at, end - at));
    EXPECT_TRUE(d.ok()) << text;
    t.dims.push_back(*d);
    at = end + 1;
  }
  return Operand::of(t);
}
inline Operand constant(HostTensor t) { return Operand::of(std::move(t)); }

/// "f32[n, 8] i64[n]", or the error's text.
inline std::string types(std::string_view name, const std::vector<Operand> &operands,
                         Attrs attrs = {}) {
  auto r = typesOf(*findOperator(name), operands, attrs, {});
  if (!r)
    return r.error().str();
  std::string text;
  for (const TensorType &t : *r)
    text += (text.empty() ? "" : " ") + t.str();
  return text;
}

#define EXPECT_HAS(text, part) EXPECT_NE(std::string(text).find(part), std::string::npos) << text

} // namespace imbrex::opmeaning::test
