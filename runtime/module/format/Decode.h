// Walks the operands of bytecode instructions: the one place that knows how they are laid out.
#pragma once

#include "runtime/abi/bytecode.h"

#include <cstddef>
#include <span>

namespace imbrex::bytecode {

/// A size operand as its two words.
struct SizeWords {
  uint32_t low = 0;
  uint32_t high = 0;
  bool isSlot() const { return (high & sizeIsSlot) != 0; }
  int64_t literal() const { return static_cast<int64_t>(uint64_t{high} << 32 | low); }
};

/// Calls `visit(kind, SizeWords)` for each operand of the instruction at `at`, lists as ('*',
/// count) and then their elements, and moves `at` behind it. False when the code is cut off, the
/// opcode is unknown, a list is longer than maxListLength or `visit` returns false; `at` is then
/// unchanged.
template <class Visit>
bool walkInstruction(std::span<const uint32_t> code, size_t &at, Visit &&visit) {
  size_t p = at;
  if (p >= code.size())
    return false;
  const char *kinds = operandKinds(code[p++]);
  if (!kinds)
    return false;
  for (; *kinds; ++kinds) {
    uint32_t count = 1;
    if (*kinds == '*') {
      if (p >= code.size() || code[p] > maxListLength)
        return false;
      count = code[p++];
      if (!visit('*', SizeWords{count, 0}))
        return false;
      ++kinds;
    }
    size_t words = *kinds == 's' ? 2 : 1;
    if (code.size() - p < count * words)
      return false;
    for (; count; --count, p += words)
      if (!visit(*kinds, SizeWords{code[p], words == 2 ? code[p + 1] : 0}))
        return false;
  }
  at = p;
  return true;
}

} // namespace imbrex::bytecode
