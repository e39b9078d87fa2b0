// What fusion has to know of one operator, derived from its Program.
#pragma once

#include "compiler/ir/relay/Relay.h"

namespace imbrex::relay {

enum class FusionKind : uint8_t {
  Opaque, // runs alone and stays a bare relay.apply: by a host operator, on sizes, or opens sizes
          // itself
  Alone,  // one kernel of its own: random, collective, or with a size that is an element of an
          // operand
  Elementwise, // each element from the elements at the same place, or broadcast
  Reindex,     // each element from at most one element of each operand, anywhere
  Reduction,
  Contraction,
};

constexpr bool isInjective(FusionKind kind) {
  return kind == FusionKind::Elementwise || kind == FusionKind::Reindex;
}
constexpr bool isAnchor(FusionKind kind) {
  return kind == FusionKind::Reduction || kind == FusionKind::Contraction;
}

/// How an operator reads one operand.
struct OperandUse {
  uint32_t reads = 0; // reads in the text of all definitions
  bool eachOnce =
      true; // every read is at distinct plain variables, so an element is read once a read
};

struct FusionClass {
  FusionKind kind = FusionKind::Opaque;
  bool cheap = true;                // no element function that costs more than a few cycles
  bool movesOnly = false;           // one affine read, cast at most: a view
  uint32_t nodes = 0;               // of the terms: what a kernel's code grows by
  uint32_t expensive = 0;           // element functions that cost more than a few cycles
  std::vector<OperandUse> operands; // in the operator's order
};

/// Cost: one derivation of the Program.
FusionClass classifyForFusion(ApplyOp apply, const DimFacts &facts);

} // namespace imbrex::relay
