// What the files of this folder share.
#pragma once

#include "proof/algebra/Pool.h"

#include <optional>

namespace imbrex::algebra {

inline VarKey boundKey(uint32_t level, uint32_t index) {
  return 0x80000000u | (level << 14) | index;
}
inline bool isBound(VarKey key) { return key & 0x80000000u; }

inline uint64_t mix(uint64_t a, uint64_t b) {
  a ^= b + 0x9e3779b97f4a7c15ULL + (a << 12) + (a >> 4);
  a *= 0xff51afd7ed558ccdULL;
  return a ^ (a >> 32);
}

/// Of a node with given hashes of its children; equal for operands that commute.
uint64_t structuralHash(const Node &node, const std::function<uint64_t(Id)> &childHash);

/// A sum of counts of one sign; `some` says when it is not zero.
struct SignedCount {
  bool negative;
  Id some;
};
std::optional<SignedCount> signedCount(Pool &pool, const Pool::Parts &parts);

/// Is the number zero wherever the condition does not hold, because its sums have no rows there?
bool vanishesUnless(Pool &pool, Id number, Id condition);

} // namespace imbrex::algebra
