// The rules of tile-verify by name, so that a test can take one away and see that it was needed.
#pragma once

#include <cstdint>
#include <optional>

namespace imbrex::tile {

enum class Rule : uint8_t {
  PiecesOnce,   // stores meet each piece once
  Extents,      // a variable has as many values as its axis has pieces
  Rotation,     // a rotation's modulus is the number of pieces
  Conditions,   // a store under a condition is no store for sure
  Joining,      // stores that are joined follow on one another
  LowerBound,   // an index is not negative
  UpperBound,   // an index is below the number of tiles or elements
  WholeTiles,   // a whole tile ends within the view
  UnravelRange, // a number that is taken apart is in range
  Wrapping,     // index arithmetic stays within its type
  Premises,     // divisors are positive, unsigned operands not negative
  Strides,      // an output's indices have an address each
  OwnPiece,     // a view that is updated is loaded where it is stored
  StoreByData   // data does not choose where a block stores
};
inline constexpr int kRuleCount = 14;

constexpr const char *ruleName(Rule rule) {
  constexpr const char *names[kRuleCount] = {
      "pieces once", "extents",     "rotation",    "conditions",    "joining",
      "lower bound", "upper bound", "whole tiles", "unravel range", "wrapping",
      "premises",    "strides",     "own piece",   "store by data"};
  return names[static_cast<int>(rule)];
}

struct VerifyOptions {
  /// For tests only: a rule that is taken to hold.
  std::optional<Rule> without = std::nullopt;
};

} // namespace imbrex::tile
