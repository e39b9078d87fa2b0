// One element function applied to every element: y[i…] = f(x[i…]).
#include "support/opmeaning/ops/Common.h"
#include "support/opmeaning/ops/Families.h"

namespace imbrex::opmeaning {
namespace {

Result<Program> apply(Builder &b, FnId fn) {
  auto x = *b.in(0);
  const FnInfo &row = info(fn);
  if (!accepts(row.operands, x.type))
    return failed(b, std::string(row.name) + " does not take " + describe(x));
  auto type = row.result == ResultRule::Bool ? DType::Bool : x.type;
  auto y = b.def("y", type, x.dims, [&](Axes i) { return b.f(fn, {x(list(i))}); });
  return b.finish({y});
}

template <FnId fn> Result<Program> unary(Builder &b, const Attrs &) { return apply(b, fn); }

Result<Program> identity(Builder &b, const Attrs &) {
  auto x = *b.in(0);
  auto y = b.def("y", x.type, x.dims, [&](Axes i) { return x(list(i)); });
  return b.finish({y});
}

Result<Program> isInf(Builder &b, const Attrs &a) {
  const bool negative = a.i("detect_negative") != 0, positive = a.i("detect_positive") != 0;
  if (negative || positive)
    return apply(b, negative && positive ? FnId::IsInf
                    : negative           ? FnId::IsNegInf
                                         : FnId::IsPosInf);
  auto x = *b.in(0);
  if (!checkFloat(b, x))
    return b.finish({});
  auto y = b.def("y", DType::Bool, x.dims, [&](Axes) { return b.integer(0, DType::Bool); });
  return b.finish({y});
}

struct Row {
  std::string_view name, doc;
  Meaning meaning;
};

constexpr Row rows[] = {
    {"neg", "-x; integers wrap.", unary<FnId::Neg>},
    {"abs", "|x|; integers wrap.", unary<FnId::Abs>},
    {"sign", "-1, 0 or 1; NaN stays NaN.", unary<FnId::Sign>},
    {"ceil", "The smallest integer >= x.", unary<FnId::Ceil>},
    {"floor", "The largest integer <= x.", unary<FnId::Floor>},
    {"round", "The nearest integer, halves to even.", unary<FnId::Round>},
    {"trunc", "The integer part.", unary<FnId::Trunc>},
    {"recip", "1 / x.", unary<FnId::Recip>},
    {"sqrt", "The square root; NaN below 0.", unary<FnId::Sqrt>},
    {"exp", "e to the x.", unary<FnId::Exp>},
    {"log", "The natural logarithm.", unary<FnId::Log>},
    {"sin", "Sine.", unary<FnId::Sin>},
    {"cos", "Cosine.", unary<FnId::Cos>},
    {"tan", "Tangent.", unary<FnId::Tan>},
    {"asin", "Inverse sine.", unary<FnId::Asin>},
    {"acos", "Inverse cosine.", unary<FnId::Acos>},
    {"atan", "Inverse tangent.", unary<FnId::Atan>},
    {"sinh", "Hyperbolic sine.", unary<FnId::Sinh>},
    {"cosh", "Hyperbolic cosine.", unary<FnId::Cosh>},
    {"tanh", "Hyperbolic tangent.", unary<FnId::Tanh>},
    {"asinh", "Inverse hyperbolic sine.", unary<FnId::Asinh>},
    {"acosh", "Inverse hyperbolic cosine.", unary<FnId::Acosh>},
    {"atanh", "Inverse hyperbolic tangent.", unary<FnId::Atanh>},
    {"erf", "The error function.", unary<FnId::Erf>},
    {"sigmoid", "1 / (1 + exp(-x)).", unary<FnId::Sigmoid>},
    {"bitwise_not", "Every bit flipped.", unary<FnId::BitNot>},
    {"logical_not", "True where x is false.", unary<FnId::Not>},
    {"is_nan", "True where x is NaN.", unary<FnId::IsNaN>},
    {"identity", "x.", identity},
};

} // namespace

void registerElementwise(std::vector<Operator> &ops) {
  for (const Row &row : rows)
    ops.push_back({.name = row.name, .doc = row.doc, .attrs = {}, .meaning = row.meaning});
  ops.push_back({.name = "is_inf",
                 .doc = "True where x is an infinity of a detected sign.",
                 .attrs = {intAttr("detect_negative", 1, "0: -inf does not count"),
                           intAttr("detect_positive", 1, "0: +inf does not count")},
                 .meaning = isInf});
}

} // namespace imbrex::opmeaning
