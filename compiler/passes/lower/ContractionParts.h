// A contraction taken apart: which index belongs to which factor, and in which order.
#pragma once

#include "support/opmeaning/Program.h"

namespace imbrex::lower {

using opmeaning::Node;

struct Axis {
  const Node *var;
  DimExpr extent;
};

struct ContractionParts {
  const Node *left, *right;           // X and Y
  const Node *leftGuard, *rightGuard; // may be null
  /// The result's axes in order: leading ones, then those of X alone, then those of Y alone.
  std::vector<Axis> outer, rows, columns;
  std::vector<size_t> outerOfLeft, outerOfRight; // leading axes that X and Y have
  std::vector<Axis> reduced;
};

/// Nothing when `d` is no sum of products in f32, or a guard speaks of both factors.
std::optional<ContractionParts> contractionParts(opmeaning::Program &p, const opmeaning::Def &d);

/// Why a plain loop is better than a tile kernel; empty when it is not. Unknown sizes are taken for
/// large.
std::string whyPlainLoop(const ContractionParts &parts);

DimExpr extentOf(const std::vector<Axis> &axes);
const Axis *axisOf(const std::vector<Axis> &axes, const Node *var);

/// The conjuncts of a guard, left to right.
void conjuncts(const Node *guard, std::vector<const Node *> &out);

/// constant + sum of numbers times variables.
struct AffineIndex {
  int64_t constant = 0;
  std::vector<std::pair<const Node *, int64_t>> parts;
};
std::optional<AffineIndex> affineOf(const Node *index);

/// index = stride * place + tap + start, of a stride of 1 or 2 and a start that is not negative.
struct Slide {
  int64_t start, stride;
};
std::optional<Slide> slideOf(const Node *index, const Node *place, const Node *tap);

/// Small term-building helpers over one Program.
struct Terms {
  opmeaning::Program &p;
  const Node *make(opmeaning::TermKind k, std::vector<const Node *> args, const DimExpr &dim = 0);
  const Node *size(const DimExpr &d);
  const Node *add(const Node *a, const Node *b) { return make(opmeaning::TermKind::IxAdd, {a, b}); }
  const Node *mul(const Node *a, const DimExpr &d) {
    return make(opmeaning::TermKind::IxMul, {a}, d);
  }
  const Node *div(const Node *a, const DimExpr &d) {
    return make(opmeaning::TermKind::IxFloorDiv, {a}, d);
  }
  const Node *mod(const Node *a, const DimExpr &d) {
    return make(opmeaning::TermKind::IxMod, {a}, d);
  }
  const Node *less(const Node *a, const DimExpr &d);
  const Node *both(const Node *a, const Node *b) {
    return !a ? b : !b ? a : make(opmeaning::TermKind::PAnd, {a, b});
  }
  /// Substitution of each axis's variable so that together they walk `flat` in row-major order.
  void unflatten(const Node *flat, const std::vector<Axis> &axes,
                 std::unordered_map<const Node *, const Node *> &into);
  const Node *flatten(const std::vector<Axis> &axes,
                      const std::unordered_map<const Node *, const Node *> &vars);
  const Node *read(uint32_t def, DType type, std::vector<const Node *> at);
  const Node *cast(const Node *value) { return castTo(value, DType::F32); }
  const Node *castTo(const Node *value, DType type);
  /// condition ? value : 0, in f32.
  const Node *select(const Node *condition, const Node *value);
  const Node *sum(std::vector<const Node *> vars, std::vector<DimExpr> extents, const Node *x,
                  const Node *y);
};

} // namespace imbrex::lower
