// A tensor dimension: an integer expression over named symbols, kept in one canonical form, so that
// two dimensions are equal when their forms are.
//
//   8        n        2*n+1        n*m        (n+3) floordiv 2        min(n, 4)        n mod 8
//   bcast(n, m)        the size to which n and m broadcast: m where n is 1, else n
//
// Canonical form: a sum of products of atoms with integer coefficients, sorted; an atom is a symbol
// or floordiv/mod/min/max/bcast of two canonical expressions. Arithmetic is over the mathematical
// integers; a coefficient that leaves int64 makes the expression invalid (valid() is false, and
// stays so).
#pragma once

#include "support/Result.h"

#include <compare>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace imbrex {

/// The text form's words, which no symbol may be called: floordiv, mod, min, max, bcast.
bool isReservedDimWord(std::string_view word);

class DimExpr {
public:
  DimExpr(int64_t value = 0); // NOLINT: implicit on purpose
  /// Names match [A-Za-z_$][A-Za-z0-9_.$]* and are no reserved word; "$N" are sizes opened at run
  /// time.
  static DimExpr symbol(std::string_view name);
  /// Reads what str() prints, and any expression with + - * floordiv mod min() max() bcast()
  /// and parentheses.
  static Result<DimExpr> parse(std::string_view text);

  bool valid() const;
  std::optional<int64_t> constant() const;
  bool isConstant(int64_t v) const { return constant() == v; }
  /// The symbol's name when the expression is one symbol and nothing else.
  std::optional<std::string_view> asSymbol() const;
  std::string str() const;

  friend DimExpr operator+(const DimExpr &a, const DimExpr &b);
  friend DimExpr operator-(const DimExpr &a, const DimExpr &b);
  friend DimExpr operator*(const DimExpr &a, const DimExpr &b);
  /// Rounds towards minus infinity. The divisor must be proven > 0 by the caller.
  friend DimExpr floorDiv(const DimExpr &a, const DimExpr &b);
  friend DimExpr mod(const DimExpr &a, const DimExpr &b);
  friend DimExpr min(const DimExpr &a, const DimExpr &b);
  friend DimExpr max(const DimExpr &a, const DimExpr &b);
  friend DimExpr ceilDiv(const DimExpr &a, const DimExpr &b); // (a + b - 1) floordiv b
  /// b where a is 1, else a. Says what it should only of sizes that do broadcast: equal, or one of
  /// them 1, which whoever writes it has to require. It is then associative and commutative, and
  /// its canonical form lists each part once, but no 1.
  friend DimExpr broadcast(const DimExpr &a, const DimExpr &b);
  /// The sizes that broadcast to this one: itself, or the parts of a broadcast.
  std::vector<DimExpr> broadcastParts() const;

  friend bool operator==(const DimExpr &a, const DimExpr &b);
  friend bool operator<(const DimExpr &a,
                        const DimExpr &b); // a total order for sorting; no size order

  /// Equal expressions have equal hashes; constant time.
  size_t hash() const;

  /// Every symbol in it, sorted, once.
  std::vector<std::string> symbols() const;
  DimExpr substitute(const std::function<std::optional<DimExpr>(std::string_view)> &value) const;
  /// The number, when every symbol has one; an Error on a missing symbol, overflow or division by
  /// <= 0.
  Result<int64_t> evaluate(const std::map<std::string, int64_t, std::less<>> &values) const;

  /// The structure, for those who emit code: a sum of terms, each coefficient * product of atoms.
  struct Atom;
  struct Term {
    int64_t coefficient;
    std::vector<std::shared_ptr<const Atom>>
        factors; // sorted, may repeat; empty for the constant term
  };
  enum class AtomKind : uint8_t { Symbol, FloorDiv, Mod, Min, Max, Broadcast };
  const std::vector<Term> &terms() const; // empty for 0

private:
  struct Poly;
  std::shared_ptr<const Poly> poly;
  explicit DimExpr(std::shared_ptr<const Poly> p);
  friend struct DimBuilder;
};

DimExpr broadcast(const DimExpr &a,
                  const DimExpr &b); // by its full name, for scopes with a broadcast of their own

struct DimExpr::Atom {
  AtomKind kind;
  std::string name;         // Symbol
  DimExpr lhs = 0, rhs = 0; // the others
  uint32_t depth = 1;
  size_t hash = 0;
};

/// What is known of a symbol: lo <= s <= hi, s a multiple of `divisor`.
struct SymbolFacts {
  int64_t lo = 0;
  int64_t hi = INT64_MAX;
  int64_t divisor = 1;
  friend bool operator==(const SymbolFacts &, const SymbolFacts &) = default;
};

/// What is known of all symbols in scope, and what follows from it.
class DimFacts {
public:
  /// Adds facts of a symbol; they intersect with those known and with what equalities say. An Error
  /// (E0501) names the contradiction, and nothing changes.
  Status add(std::string_view symbol, SymbolFacts facts);
  /// Records a == b for later proofs (a symbol solved where one side is linear in it). E0502 when
  /// it contradicts.
  Status addEquality(const DimExpr &a, const DimExpr &b);
  SymbolFacts of(std::string_view symbol) const;

  /// Conservative bounds; nothing when unbounded or unknown.
  std::optional<int64_t> lowerBound(const DimExpr &e) const;
  std::optional<int64_t> upperBound(const DimExpr &e) const;
  bool provenEqual(const DimExpr &a, const DimExpr &b) const;
  bool provenUnequal(const DimExpr &a, const DimExpr &b) const;
  bool provenAtLeast(const DimExpr &e, int64_t bound) const;
  /// e is a multiple of d in every case.
  bool provenMultiple(const DimExpr &e, int64_t d) const;
  /// Rewrites by the recorded equalities.
  DimExpr simplify(const DimExpr &e) const;

private:
  Status narrow(const DimExpr &value, SymbolFacts facts);
  void solve(const std::string &symbol, const DimExpr &value);
  bool contradicts() const;

  std::map<std::string, SymbolFacts, std::less<>> bySymbol;
  std::map<std::string, DimExpr, std::less<>> solved;
  std::vector<DimExpr> zeros; // equalities that no symbol could be solved from: each is 0
};

} // namespace imbrex
