#include "tools/imbrex-verify/Disturb.h"

#include "support/opmeaning/Term.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace imbrex::tools {

namespace {

using opmeaning::FloatContract;
using opmeaning::Node;
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

/// The terms of the longest sum or product in the operator's meaning; 1 for none.
double longestFold(const opmeaning::Operator &op, const opmeaning::Attrs &attrs,
                   const std::vector<std::optional<HostTensor>> &operands) {
  std::vector<opmeaning::Operand> types;
  for (const auto &t : operands)
    types.push_back(t ? opmeaning::Operand::of(*t) : opmeaning::Operand::absent());
  double longest = 1;
  auto program = opmeaning::meaningOf(op, types, attrs, {});
  if (!program)
    return longest;
  for (const opmeaning::Def &def : program->defs)
    opmeaning::walk(def.body, [&](const Node *n) {
      if (n->kind != TermKind::VReduce)
        return;
      double terms = 1;
      for (const DimExpr &e : n->extents)
        terms *= double(e.constant().value_or(1));
      longest = std::max(longest, terms);
    });
  return longest;
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

} // namespace

void disturb(const opmeaning::Operator &op, const opmeaning::Attrs &attrs,
             const std::vector<std::optional<HostTensor>> &operands,
             std::vector<HostTensor> &results, uint64_t seed) {
  if (op.contract == FloatContract::Exact || !op.meaning)
    return;
  const double terms = longestFold(op, attrs, operands);
  for (HostTensor &t : results) {
    const double unit = unitOf(t.type());
    if (unit == 0)
      continue;
    HostTensor moved = HostTensor::of<std::byte>(t.type(), t.shape(), t.bytes());
    // A sum is in float32 at least, and rounded to its type once.
    const double sum =
        terms > 1 ? kUnits * std::sqrt(terms) * std::min(unit, unitOf(DType::F32)) * largest(t) : 0;
    for (int64_t i = 0, n = t.elems(); i < n; ++i) {
      const double v = t.toDouble(i);
      const double by = kUnits * unit * std::abs(v) + sum;
      if (std::isfinite(v))
        store(moved, i, mix(seed + uint64_t(i)) & 1 ? v + by : v - by);
    }
    t = std::move(moved);
    seed = mix(seed + 1);
  }
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
