#include "compiler/passes/graph/rules/Binding.h"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace imbrex::rules {

using opmeaning::AttrValue;
using opmeaning::TensorType;

namespace {

const TensorType *typeOf(const AttrTerm &term, const Binding &b) {
  if (term.name == "result")
    return &b.result;
  auto it = b.values.find(term.name);
  return it == b.values.end() ? nullptr : &it->second.type;
}

/// The element type of a variable, or the one that an attribute names.
DType dtypeOf(const AttrTerm &term, const Binding &b) {
  if (auto it = b.attrs.find(term.name); it != b.attrs.end())
    if (const auto *type = std::get_if<DType>(&it->second))
      return *type;
  const TensorType *type = typeOf(term, b);
  return type ? type->type : DType::Invalid;
}

/// Arithmetic types: not those that are stored narrower than a byte or as an 8-bit float, whose
/// casts saturate.
bool isWide(DType t) { return t != DType::Invalid && t <= DType::F64; }

struct Format {
  int bits, exponent; // of the significand with its leading bit; exponents reach 2^exponent
};
Format formatOf(DType t) {
  switch (t) {
  case DType::F16:
    return {11, 15};
  case DType::BF16:
    return {8, 127};
  case DType::F32:
    return {24, 127};
  default:
    return {53, 1023};
  }
}
int valueBits(DType t) {
  const int bits = static_cast<int>(byteSize(t)) * 8;
  return t == DType::Bool ? 1 : isSignedInt(t) ? bits - 1 : bits;
}

/// Every value of `from` is a value of `to`.
bool embeds(DType from, DType to) {
  if (!isWide(from) || !isWide(to) || to == DType::Bool)
    return from == to && isWide(from);
  if (from == DType::Bool)
    return true;
  if (isFloat(from))
    return isFloat(to) && formatOf(from).bits <= formatOf(to).bits &&
           formatOf(from).exponent <= formatOf(to).exponent;
  if (isFloat(to)) // all integers up to 2^bits, and the most negative one is a power of two
    return valueBits(from) <= formatOf(to).bits && valueBits(from) <= formatOf(to).exponent;
  return (isSignedInt(to) || !isSignedInt(from)) && valueBits(from) <= valueBits(to);
}

bool sameType(const Condition &c, const Binding &b) {
  const TensorType *x = typeOf(c.arguments[0], b), *y = typeOf(c.arguments[1], b);
  return x && y && *x == *y;
}

const std::vector<int64_t> *intsOf(const AttrTerm &term, const Binding &b) {
  auto it = b.attrs.find(term.name);
  return it == b.attrs.end() ? nullptr : std::get_if<std::vector<int64_t>>(&it->second);
}

bool isIdentity(const Condition &c, const Binding &b) {
  const std::vector<int64_t> *perm = intsOf(c.arguments[0], b);
  for (size_t i = 0; perm && i < perm->size(); ++i)
    if ((*perm)[i] != static_cast<int64_t>(i))
      return false;
  return perm;
}

/// Axes of size 1 change their places only: the order of the others stays.
bool movesOnes(const Condition &c, const Binding &b) {
  const TensorType *x = typeOf(c.arguments[0], b);
  const std::vector<int64_t> *perm = intsOf(c.arguments[1], b);
  if (!x || !perm || !b.facts || perm->size() != x->dims.size())
    return false;
  int64_t last = -1;
  for (int64_t axis : *perm) {
    if (b.facts->provenEqual(x->dims[static_cast<size_t>(axis)], 1))
      continue;
    if (axis < last)
      return false;
    last = axis;
  }
  return true;
}

std::optional<HostTensor> constantOf(const AttrTerm &term, const Binding &b) {
  auto it = b.values.find(term.name);
  return it == b.values.end() || !it->second.isConstant ? std::nullopt : it->second.constant();
}

/// All elements are the number, with its sign where it is zero.
bool allAre(const Condition &c, const Binding &b) {
  const AttrValue &wanted = c.arguments[1].value;
  const double value = std::holds_alternative<double>(wanted) ? std::get<double>(wanted)
                                                              : double(std::get<int64_t>(wanted));
  constexpr int64_t most = 4096;
  std::optional<HostTensor> t = constantOf(c.arguments[0], b);
  if (!t || t->elems() == 0 || t->elems() > most)
    return false;
  for (int64_t i = 0; i < t->elems(); ++i)
    if (const double v = t->toDouble(i); v != value || std::signbit(v) != std::signbit(value))
      return false;
  return true;
}

bool isConstant(const Condition &c, const Binding &b) {
  auto it = b.values.find(c.arguments[0].name);
  return it != b.values.end() && it->second.isConstant;
}

/// So that it broadcasts to whatever rank its partner has.
bool isSingle(const Condition &c, const Binding &b) {
  const TensorType *x = typeOf(c.arguments[0], b);
  return x && x->dims.size() <= 1 && (x->dims.empty() || x->dims[0] == DimExpr(1));
}

bool isFloatType(const Condition &c, const Binding &b) {
  const DType t = dtypeOf(c.arguments[0], b);
  return t != DType::Invalid && isFloat(t);
}
bool isIntegerType(const Condition &c, const Binding &b) {
  return isInteger(dtypeOf(c.arguments[0], b));
}
bool isSignedType(const Condition &c, const Binding &b) {
  const DType t = dtypeOf(c.arguments[0], b);
  return isFloat(t) || isSignedInt(t);
}
bool isWideType(const Condition &c, const Binding &b) { return isWide(dtypeOf(c.arguments[0], b)); }
bool doesEmbed(const Condition &c, const Binding &b) {
  return embeds(dtypeOf(c.arguments[0], b), dtypeOf(c.arguments[1], b));
}
bool sameKind(const Condition &c, const Binding &b) {
  const DType x = dtypeOf(c.arguments[0], b), y = dtypeOf(c.arguments[1], b);
  return isFloat(x) == isFloat(y);
}
bool isTotal(const Condition &, const Binding &b) { return b.total(); }

constexpr ConditionInfo conditions[] = {
    {"all", "every element of the constant is this number; zeros by their sign", 2, allAre},
    {"constant", "it is a constant", 1, isConstant},
    {"embeds", "every value of the first element type is one of the second", 2, doesEmbed},
    {"float", "its element type is a float", 1, isFloatType},
    {"identity", "the permutation changes nothing", 1, isIdentity},
    {"integer", "its element type is an integer, and not Bool", 1, isIntegerType},
    {"moves_ones", "the permutation moves axes of size 1 only", 2, movesOnes},
    {"same_kind", "both element types are floats, or neither is", 2, sameKind},
    {"same_type", "both have the same sizes and element type", 2, sameType},
    {"signed", "its element type has a sign: a float or a signed integer", 1, isSignedType},
    {"single", "it has one element and a rank of at most 1", 1, isSingle},
    {"total", "nothing on the left is checked while running", 0, isTotal},
    {"wide", "its element type is one to compute with: no 8-bit float, no type under a byte", 1,
     isWideType},
};

} // namespace

const ConditionInfo *findCondition(std::string_view name) {
  for (const ConditionInfo &c : conditions)
    if (c.name == name)
      return &c;
  return nullptr;
}

bool conditionsHold(const Rule &rule, const Binding &binding) {
  return std::all_of(rule.conditions.begin(), rule.conditions.end(),
                     [&](const Condition &c) { return findCondition(c.name)->holds(c, binding); });
}

} // namespace imbrex::rules
