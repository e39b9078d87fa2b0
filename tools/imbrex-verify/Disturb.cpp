#include "tools/imbrex-verify/Disturb.h"

#include "support/opmeaning/Term.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace imbrex::tools {

namespace {

using opmeaning::FloatContract;
using opmeaning::FnId;
using opmeaning::Node;
using opmeaning::Red;
using opmeaning::TermKind;

/// Element functions are within so many units of the last place, and a sum within so many times
/// sqrt(n) of them.
constexpr double kUnits = 4;
/// For what the magnitudes of results and the signs drawn may hide.
constexpr double kSafety = 4;

double unitOf(DType type) {
  switch (type) {
  case DType::F64:
    return 0x1p-53;
  case DType::F32:
    return 0x1p-24;
  case DType::F16:
    return 0x1p-11;
  case DType::BF16:
    return 0x1p-8;
  default:
    return 0;
  }
}

void store(HostTensor &t, int64_t i, double v) {
  const auto at = static_cast<size_t>(i);
  if (t.type() == DType::F64)
    t.mutableData<double>()[at] = v;
  else if (t.type() == DType::F32)
    t.mutableData<float>()[at] = float(v);
  else if (t.type() == DType::F16)
    t.mutableData<uint16_t>()[at] = floatToHalf(float(v));
  else if (t.type() == DType::BF16)
    t.mutableData<uint16_t>()[at] = floatToBfloat16(float(v));
}

/// What of an operator's meaning its errors depend on.
struct Form {
  double terms = 1; // of the longest sum or product
  bool takesExtremes = false;
};

Form formOf(const opmeaning::Operator &op, const opmeaning::Attrs &attrs,
            const std::vector<std::optional<HostTensor>> &operands) {
  std::vector<opmeaning::Operand> types;
  for (const auto &t : operands)
    types.push_back(t ? opmeaning::Operand::of(*t) : opmeaning::Operand::absent());
  Form form;
  auto program = opmeaning::meaningOf(op, types, attrs, {});
  if (!program)
    return form;
  for (const opmeaning::Def &def : program->defs)
    opmeaning::walk(def.body, [&](const Node *n) {
      if (n->kind == TermKind::VApply)
        form.takesExtremes |= n->fn == FnId::Max || n->fn == FnId::Min;
      if (n->kind != TermKind::VReduce)
        return;
      form.takesExtremes |= n->red == Red::Max || n->red == Red::Min;
      double terms = 1;
      for (const DimExpr &e : n->extents)
        terms *= double(e.constant().value_or(1));
      form.terms = std::max(form.terms, terms);
    });
  return form;
}

double largest(const HostTensor &t) {
  double most = 0;
  for (int64_t i = 0, n = t.elems(); i < n; ++i)
    if (double v = std::abs(t.toDouble(i)); std::isfinite(v))
      most = std::max(most, v);
  return most;
}

/// SplitMix64's finalizer.
uint64_t mix(uint64_t z) {
  z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9;
  z = (z ^ (z >> 27)) * 0x94d049bb133111eb;
  return z ^ (z >> 31);
}

/// Windows of 3x3 may be taken from pieces of 6x6, of which nothing is a number when one element is
/// not finite. How far padding moves them is covered: by two at most.
void spoilNeighbours(const std::optional<HostTensor> &x, const std::optional<HostTensor> &weights,
                     HostTensor &result) {
  if (!x || !weights || result.type() != DType::F32 || x->shape().size() != 4 ||
      weights->shape()[2] != 3 || weights->shape()[3] != 3)
    return;
  constexpr int64_t kBefore = 5, kBehind = 5;
  const std::vector<int64_t> &from = x->shape(), &to = result.shape();
  for (int64_t i = 0, n = x->elems(); i < n; ++i) {
    if (std::isfinite(x->toDouble(i)))
      continue;
    const int64_t column = i % from[3], row = i / from[3] % from[2],
                  image = i / from[3] / from[2] / from[1];
    for (int64_t c = 0; c < to[1]; ++c)
      for (int64_t h = std::max<int64_t>(0, row - kBefore); h < std::min(to[2], row + kBehind + 1);
           ++h)
        for (int64_t w = std::max<int64_t>(0, column - kBefore);
             w < std::min(to[3], column + kBehind + 1); ++w)
          store(result, ((image * to[1] + c) * to[2] + h) * to[3] + w,
                std::numeric_limits<double>::quiet_NaN());
  }
}

} // namespace

void disturb(const opmeaning::Operator &op, const opmeaning::Attrs &attrs,
             const std::vector<std::optional<HostTensor>> &operands,
             std::vector<HostTensor> &results, uint64_t seed) {
  if (!op.meaning)
    return;
  const Form form = formOf(op, attrs, operands);
  const bool isExact = op.contract == FloatContract::Exact;
  if (isExact && !form.takesExtremes)
    return;
  for (HostTensor &t : results) {
    const double unit = unitOf(t.type());
    if (unit == 0)
      continue;
    HostTensor moved = HostTensor::of<std::byte>(t.type(), t.shape(), t.bytes());
    // A sum is in float32 at least, and rounded to its type once.
    const double sum = form.terms > 1 ? kUnits * std::sqrt(form.terms) *
                                            std::min(unit, unitOf(DType::F32)) * largest(t)
                                      : 0;
    for (int64_t i = 0, n = t.elems(); i < n; ++i) {
      const double v = t.toDouble(i);
      const bool up = mix(seed + uint64_t(i)) & 1;
      const double by = isExact ? 0 : kUnits * unit * std::abs(v) + sum;
      if (v == 0 && form.takesExtremes && by == 0)
        store(moved, i, up ? 0. : -0.); // the greater of +0 and -0 is either
      else if (std::isfinite(v) && by != 0)
        store(moved, i, up ? v + by : v - by);
    }
    t = std::move(moved);
    seed = mix(seed + 1);
  }
  if (op.contract == FloatContract::Convolve && operands.size() > 1)
    spoilNeighbours(operands[0], operands[1], results[0]);
}

/// Element i of a disturbed run does not tell what the expected one has to be.
static bool isDecided(const HostTensor &expected, const HostTensor &other, int64_t i) {
  if (isFloat(expected.type())) {
    const double here = expected.toDouble(i), there = other.toDouble(i);
    return (!std::isfinite(here) || !std::isfinite(there)) && here != there &&
           !(std::isnan(here) && std::isnan(there));
  }
  const auto size = static_cast<size_t>(byteSize(expected.type())),
             at = static_cast<size_t>(i) * size;
  return !std::ranges::equal(expected.bytes().subspan(at, size), other.bytes().subspan(at, size));
}

HostTensor decided(const HostTensor &actual, const HostTensor &expected,
                   const std::vector<HostTensor> &others) {
  if (actual.shape() != expected.shape() || actual.type() != expected.type())
    return actual;
  HostTensor out = HostTensor::of<std::byte>(actual.type(), actual.shape(), actual.bytes());
  const auto size = static_cast<size_t>(byteSize(expected.type()));
  for (const HostTensor &other : others)
    for (int64_t i = 0; other.shape() == expected.shape() && i < expected.elems(); ++i)
      if (isDecided(expected, other, i)) {
        const size_t at = static_cast<size_t>(i) * size;
        std::ranges::copy(expected.bytes().subspan(at, size),
                          out.mutableBytes().begin() + ptrdiff_t(at));
      }
  return out;
}

double allowedDifference(const HostTensor &expected, const std::vector<HostTensor> &others) {
  double apart = kUnits * unitOf(expected.type()) * largest(expected);
  for (const HostTensor &other : others)
    for (int64_t i = 0, n = std::min(expected.elems(), other.elems()); i < n; ++i)
      if (double d = std::abs(other.toDouble(i) - expected.toDouble(i)); std::isfinite(d))
        apart = std::max(apart, d);
  return kSafety * apart;
}

} // namespace imbrex::tools
