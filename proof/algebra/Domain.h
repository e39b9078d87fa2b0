// What the values of sums are: everything that differs between multiplicities of rows and elements
// of tensors.
#pragma once

namespace imbrex::algebra {

struct Domain {
  bool hasNegation = true;     // a - b exists
  bool idempotentPlus = false; // x + x = x (sets, max)
  bool hasSquash = true;       // Exists and guards built from it
  bool finiteIndices = false;  // a sum over an unused index is the index's size times the rest

  /// Multiplicities of rows, and sums of their values.
  static constexpr Domain multiplicities() { return {}; }
  static constexpr Domain sets() { return {.hasNegation = false, .idempotentPlus = true}; }
  static constexpr Domain tensors() { return {.hasSquash = false, .finiteIndices = true}; }
};

} // namespace imbrex::algebra
