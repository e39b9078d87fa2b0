// Which operators of a block become one kernel. Rules:
//
//  1. A group has one sink: all other members' results are used inside the group only. So no cycle
//  can arise: a
//     value from outside that depended on the group would depend on the sink, and could not feed a
//     member.
//  2. A group has at most one anchor (a reduction or a contraction; softmax is one operator and one
//  anchor).
//  3. Epilogue: an anchor takes the elementwise operators that are its only use, if they have its
//  shape: a
//     broadcast would compute the anchor again for each copy.
//  4. Prologue: an injective operator joins the group of its only consumer, if it is not computed
//  much more often
//     there: a contraction takes views only (transpose, slice), a reduction takes cheap arithmetic,
//     or any if it reads each element once; an injective group takes cheap operators, or any of its
//     size.
//
// Epilogues go before prologues: between two convolutions an activation belongs to the first.
#pragma once

#include "compiler/passes/graph/FusionClass.h"

#include "llvm/ADT/DenseMap.h"

namespace imbrex::relay {

struct FusionGroup {
  llvm::SmallVector<unsigned>
      members; // indices of operators in program order; the last is the sink
  std::optional<unsigned> anchor;
  unsigned sink() const { return members.back(); }
};

/// Groups of the relay.apply in one block (nested blocks excluded). Cost: near linear in operators
/// and uses.
class FusionGroups {
public:
  FusionGroups(mlir::Block &block, const DimFacts &facts);
  ApplyOp op(unsigned index) const { return ops[index]; }
  /// All groups but the opaque operators, by their sinks' order.
  std::vector<FusionGroup> groups() const;

private:
  const DimFacts &facts;
  std::vector<ApplyOp> ops;
  std::vector<FusionClass> classes;
  llvm::DenseMap<mlir::Operation *, unsigned> indexOf;
  std::vector<FusionGroup> all; // empty members: merged into another
  std::vector<unsigned> groupOf;

  std::optional<unsigned> onlyConsumer(unsigned group) const;
  bool fitsOneKernel(const FusionGroup &a, const FusionGroup &b) const;
  bool sameShape(unsigned a, unsigned b) const;
  bool canChain(const FusionGroup &producer, const FusionGroup &consumer) const;
  bool canBeEpilogue(const FusionGroup &anchored, const FusionGroup &consumer) const;
  bool canBePrologue(const FusionGroup &producer, const FusionGroup &consumer) const;
  bool memberMayRead(const FusionGroup &producer, unsigned user, const FusionGroup &consumer) const;
  bool isCheap(const FusionGroup &group) const;
  bool movesOnly(const FusionGroup &group) const;
  OperandUse useOf(unsigned user, unsigned producer) const;
  using Rule = bool (FusionGroups::*)(const FusionGroup &, const FusionGroup &) const;
  void mergeWhere(Rule rule);
};

} // namespace imbrex::relay
