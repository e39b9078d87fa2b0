#include "support/opmeaning/ElementFunctions.h"

#include <cassert>

namespace imbrex::opmeaning {

namespace {
constexpr auto Any = TypeClass::Any;
constexpr auto Num = TypeClass::Numeric;
constexpr auto Flt = TypeClass::Float;
constexpr auto Int = TypeClass::Integer;
constexpr auto Bln = TypeClass::Bool;
constexpr auto Same = ResultRule::Same;
constexpr auto ToBool = ResultRule::Bool;
constexpr bool T = true, _ = false;

// id, name, arity, operands, result, commutative, monotone, odd, zeroAtZero, idempotent, ulps
constexpr FnInfo kTable[] = {
    {FnId::Neg, "neg", 1, Num, Same, _, _, T, T, _, 0},
    {FnId::Abs, "abs", 1, Num, Same, _, _, _, T, T, 0},
    {FnId::Sign, "sign", 1, Num, Same, _, T, T, T, T, 0},
    {FnId::Ceil, "ceil", 1, Flt, Same, _, T, _, T, T, 0},
    {FnId::Floor, "floor", 1, Flt, Same, _, T, _, T, T, 0},
    {FnId::Round, "round", 1, Flt, Same, _, T, T, T, T, 0},
    {FnId::Trunc, "trunc", 1, Flt, Same, _, T, T, T, T, 0},
    {FnId::Recip, "recip", 1, Flt, Same, _, _, T, _, _, 0.5f},
    {FnId::Sqrt, "sqrt", 1, Flt, Same, _, T, _, T, _, 0.5f},
    {FnId::Exp, "exp", 1, Flt, Same, _, T, _, _, _, 2},
    {FnId::Log, "log", 1, Flt, Same, _, T, _, _, _, 2},
    {FnId::Sin, "sin", 1, Flt, Same, _, _, T, T, _, 4},
    {FnId::Cos, "cos", 1, Flt, Same, _, _, _, _, _, 4},
    {FnId::Tan, "tan", 1, Flt, Same, _, _, T, T, _, 4},
    {FnId::Asin, "asin", 1, Flt, Same, _, T, T, T, _, 4},
    {FnId::Acos, "acos", 1, Flt, Same, _, _, _, _, _, 4},
    {FnId::Atan, "atan", 1, Flt, Same, _, T, T, T, _, 4},
    {FnId::Sinh, "sinh", 1, Flt, Same, _, T, T, T, _, 4},
    {FnId::Cosh, "cosh", 1, Flt, Same, _, _, _, _, _, 4},
    {FnId::Tanh, "tanh", 1, Flt, Same, _, T, T, T, _, 6},
    {FnId::Asinh, "asinh", 1, Flt, Same, _, T, T, T, _, 4},
    {FnId::Acosh, "acosh", 1, Flt, Same, _, T, _, _, _, 4},
    {FnId::Atanh, "atanh", 1, Flt, Same, _, T, T, T, _, 4},
    {FnId::Erf, "erf", 1, Flt, Same, _, T, T, T, _, 6},
    {FnId::Sigmoid, "sigmoid", 1, Flt, Same, _, T, _, _, _, 4},
    {FnId::BitNot, "bitnot", 1, Int, Same, _, _, _, _, _, 0},
    {FnId::Not, "not", 1, Bln, Same, _, _, _, _, _, 0},
    {FnId::IsNaN, "isnan", 1, Flt, ToBool, _, _, _, T, _, 0},
    {FnId::IsInf, "isinf", 1, Flt, ToBool, _, _, _, T, _, 0},
    {FnId::IsPosInf, "isposinf", 1, Flt, ToBool, _, _, _, T, _, 0},
    {FnId::IsNegInf, "isneginf", 1, Flt, ToBool, _, _, _, T, _, 0},
    {FnId::Add, "add", 2, Num, Same, T, _, _, _, _, 0.5f},
    {FnId::Sub, "sub", 2, Num, Same, _, _, _, _, _, 0.5f},
    {FnId::Mul, "mul", 2, Num, Same, T, _, _, _, _, 0.5f},
    {FnId::Div, "div", 2, Num, Same, _, _, _, _, _, 0.5f},
    {FnId::Mod, "mod", 2, Num, Same, _, _, _, _, _, 0.5f},
    {FnId::Fmod, "fmod", 2, Num, Same, _, _, _, _, _, 0},
    {FnId::Pow, "pow", 2, Num, Same, _, _, _, _, _, 4},
    {FnId::Max, "max", 2, Num, Same, T, _, _, _, T, 0},
    {FnId::Min, "min", 2, Num, Same, T, _, _, _, T, 0},
    {FnId::And, "and", 2, Bln, Same, T, _, _, _, T, 0},
    {FnId::Or, "or", 2, Bln, Same, T, _, _, _, T, 0},
    {FnId::Xor, "xor", 2, Bln, Same, T, _, _, _, _, 0},
    {FnId::BitAnd, "bitand", 2, Int, Same, T, _, _, _, T, 0},
    {FnId::BitOr, "bitor", 2, Int, Same, T, _, _, _, T, 0},
    {FnId::BitXor, "bitxor", 2, Int, Same, T, _, _, _, _, 0},
    {FnId::ShiftLeft, "shl", 2, Int, Same, _, _, _, _, _, 0},
    {FnId::ShiftRight, "shr", 2, Int, Same, _, _, _, _, _, 0},
    {FnId::Eq, "eq", 2, Any, ToBool, T, _, _, _, _, 0},
    {FnId::Ne, "ne", 2, Any, ToBool, T, _, _, _, _, 0},
    {FnId::Lt, "lt", 2, Num, ToBool, _, _, _, _, _, 0},
    {FnId::Le, "le", 2, Num, ToBool, _, _, _, _, _, 0},
    {FnId::Log1p, "log1p", 1, Flt, Same, _, T, _, T, _, 4},
    {FnId::Expm1, "expm1", 1, Flt, Same, _, T, _, T, _, 4},
};

constexpr bool inOrder() {
  for (size_t i = 0; i < std::size(kTable); ++i)
    if (static_cast<size_t>(kTable[i].id) != i)
      return false;
  return std::size(kTable) == static_cast<size_t>(FnId::Count);
}
static_assert(inOrder(), "one row for each FnId, in the order of the enumeration");
} // namespace

const FnInfo &info(FnId id) {
  assert(id < FnId::Count);
  return kTable[static_cast<size_t>(id)];
}

std::span<const FnInfo> allFunctions() { return kTable; }

bool accepts(TypeClass c, DType t) {
  switch (c) {
  case TypeClass::Any:
    return t != DType::Invalid;
  case TypeClass::Numeric:
    return isFloat(t) || isInteger(t);
  case TypeClass::Float:
    return isFloat(t);
  case TypeClass::Integer:
    return isInteger(t);
  case TypeClass::Bool:
    return t == DType::Bool;
  }
  return false;
}

} // namespace imbrex::opmeaning
