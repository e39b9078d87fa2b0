// Regular expressions in time linear in the text: the states of a non-deterministic automaton are
// followed all at once (Thompson 1968), so no pattern makes a match slow.
//
//   auto r = Regex::parse("[a-z]+@(example|test)\\.com");
//   r->matchesWhole("a@test.com")
//
// The syntax is RE2's: literals, ., [classes] with ranges, ^ and [:names:], \d \s \w and their
// opposites, groups (named and not), |, * + ? {n,m} also with ?, ^ $ \A \z \b \B, escapes, flags
// (?i) and (?s). Not: \p classes, \C. Text is UTF-8. A pattern takes memory in its own size, where
// x{n} counts n times; more than 100,000 instructions are refused.
#pragma once

#include "support/Result.h"

#include <cstdint>
#include <string_view>
#include <vector>

namespace imbrex {

class Regex {
public:
  /// E0242 with the place in the pattern.
  static Result<Regex> parse(std::string_view pattern);
  /// O(length of text * instructions).
  bool matchesWhole(std::string_view text) const;

  /// Code points in none or some ranges.
  struct Set {
    std::vector<std::pair<uint32_t, uint32_t>> ranges;
    bool negated = false;
    bool contains(uint32_t c) const;
  };
  struct Instruction {
    enum class Kind : uint8_t { Set, Split, Jump, Begin, End, WordEdge, NoWordEdge, Match } kind;
    uint32_t a = 0, b = 0; // targets; the set's index
  };

private:
  std::vector<Instruction> code;
  std::vector<Set> sets;
};

} // namespace imbrex
