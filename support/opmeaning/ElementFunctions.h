// The one table of element functions: arity, dtype rule, facts. Evaluation is in Evaluator.cpp, code in
// compiler/passes/lower; a test checks that both know every row.
#pragma once

#include "support/DType.h"

#include <cstdint>
#include <span>
#include <string_view>

namespace imbrex::opmeaning {

enum class FnId : uint8_t {
  // unary, result type = operand type
  Neg, Abs, Sign, Ceil, Floor, Round /* half to even */, Trunc, Recip, Sqrt, Exp, Log, Sin, Cos, Tan, Asin, Acos,
  Atan, Sinh, Cosh, Tanh, Asinh, Acosh, Atanh, Erf, Sigmoid, BitNot, Not,
  // unary, result Bool
  IsNaN, IsInf, IsPosInf, IsNegInf,
  // binary, both operands and the result of one type
  Add, Sub, Mul, Div /* integers truncate */, Mod /* divisor's sign */, Fmod /* dividend's sign */, Pow, Max, Min,
  And, Or, Xor, BitAnd, BitOr, BitXor, ShiftLeft, ShiftRight,
  // binary, result Bool
  Eq, Ne, Lt, Le,
  // unary, result type = operand type; right where log(1 + x) and exp(x) - 1 cancel
  Log1p, Expm1,
  Count
};

enum class ResultRule : uint8_t { Same, Bool };
/// Which operand types a function takes.
enum class TypeClass : uint8_t { Any, Numeric, Float, Integer, Bool };

struct FnInfo {
  FnId id;
  std::string_view name;
  uint8_t arity;
  TypeClass operands;
  ResultRule result;
  bool commutative;
  bool monotone;    // non-decreasing in its one operand
  bool odd;         // f(-x) = -f(x)
  bool zeroAtZero;  // f(0) = 0
  bool idempotent;  // unary: f(f(x)) = f(x); binary: f(x, x) = x
  float ulps;       // accuracy bound of compiled f32 code against the real function, in units in the last place
};

const FnInfo &info(FnId id);
std::span<const FnInfo> allFunctions();
bool accepts(TypeClass c, DType t);

} // namespace imbrex::opmeaning
