// The term language in which an operator's meaning is written: indices, guards and scalars over operands and
// earlier definitions. Terms are immutable, live in the Program that made them, and are equal when their
// addresses are (they are hash-consed per Program).
//
// Semantics (DESIGN: "rules of meaning"): select and `where` are lazy — what is not chosen does not exist.
// Index arithmetic is over the mathematical integers; floordiv and mod are Euclidean with a divisor > 0.
#pragma once

#include "support/DType.h"
#include "support/dim/DimExpr.h"
#include "support/opmeaning/ElementFunctions.h"

#include <cstdint>
#include <vector>

namespace imbrex::opmeaning {

/// What a read reads: an operand of the operator, or an earlier definition of the same Program.
struct Source {
  enum class Kind : uint8_t { Operand, Def } kind = Kind::Operand;
  uint32_t index = 0;
  friend bool operator==(Source, Source) = default;
};

enum class Red : uint8_t { Sum, Prod, Max, Min, And, Or };
enum class Best : uint8_t { Max, Min };
enum class Tie : uint8_t { First, Last };
enum class Cmp : uint8_t { Eq, Ne, Lt, Le };

enum class TermKind : uint8_t {
  // Indices (sort Ix). Children in `args`.
  IxVar,      // a bound variable: of a Def, a reduce or a best; identity is the node, `number` its ordinal
  IxConst,    // number
  IxDim,      // dim, as an index
  IxAdd,      // args[0] + args[1]
  IxSub,      // args[0] - args[1]
  IxMul,      // args[0] * dim
  IxFloorDiv, // args[0] floordiv dim, dim > 0
  IxMod,      // args[0] mod dim, dim > 0
  IxMin,
  IxMax,
  IxSelect, // args[0] guard, args[1], args[2] indices
  IxRead,   // source at args: the element of an integer tensor, as an index (saturating)
  IxPlace,  // args[0] a Best: the flat place of the winner, or -1 for an empty set

  // Guards (sort Pred).
  PTrue,
  PCmp,    // args[0] cmp args[1], two indices
  PScalar, // args[0] a Bool scalar
  PNot,
  PAnd, // left to right: the right side may rely on the left
  POr,

  // Scalars (sort Val), each with a dtype.
  VConst,     // bits: the value as double in `real` for floats, `number` for integers and bools
  VCast,      // args[0] a scalar, to `type`
  VBits,      // args[0] a scalar, its bits as `type` of the same size in memory
  VFromIx,    // args[0] an index, to `type`
  VFromPred,  // args[0] a guard, to Bool
  VRead,      // source at args
  VApply,     // fn over args
  VSelect,    // args[0] guard, args[1], args[2] scalars of one type
  VReduce,    // red over vars < extents where args[0] : args[1]; accumulates in `accumulator`
  VBest,      // best over vars < extents where args[0] : args[1]; the value, or the identity
  VDetach,    // args[0], with derivative zero
};

constexpr bool isIndex(TermKind k) { return k <= TermKind::IxPlace; }
constexpr bool isGuard(TermKind k) { return k >= TermKind::PTrue && k <= TermKind::POr; }
constexpr bool isScalar(TermKind k) { return k >= TermKind::VConst; }

/// One term. Plain data: walkers switch over `kind`. Which members are meant stands beside each kind above.
struct Node {
  TermKind kind;
  DType type = DType::Invalid; // scalars
  std::vector<const Node *> args = {};
  DimExpr dim = 0;
  int64_t number = 0;
  double real = 0;
  FnId fn = FnId::Neg;
  Cmp cmp = Cmp::Eq;
  Source source = {};
  // VReduce and VBest
  Red red = Red::Sum;
  Best best = Best::Max;
  Tie tie = Tie::First;
  DType accumulator = DType::Invalid;
  std::vector<const Node *> vars = {}; // IxVar
  std::vector<DimExpr> extents = {};   // of vars
};

} // namespace imbrex::opmeaning
