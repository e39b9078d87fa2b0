// The checker's terms: hash-consed, so that equal ids mean terms equal up to the order of what
// commutes, the names of bound variables, and the order in which a binder lists them (as far as
// their use tells them apart). Sums of sums are flat, numbers collected, double negations gone;
// every other simplification is for a certificate to justify.
//
// Free variables have names; bound ones count binders (0: the innermost). A variable is a bundle of
// components with sorts.
#pragma once

#include "proof/certificate/check/Rational.h"

#include <cstdint>
#include <deque>
#include <map>
#include <unordered_map>
#include <vector>

namespace imbrex::check {

using Id = uint32_t;
using Name = uint32_t; // of symbols, texts and variables
using Sort = Name;     // "bool", "int", "real", or an ordered sort without arithmetic

enum class Op : uint8_t {
  True,
  Number,
  Text,
  Variable,
  Bound,
  Apply,
  Linear,
  Product,
  Choose,
  And,
  Or,
  Not,
  Zero,
  Positive,
  Equal,
  Less,
  Exists,
  Sum,
  Collect
};

struct Variable {
  Name name = 0;
  std::vector<Sort> shape;
};

struct Node {
  Op op;
  Sort sort = 0;
  Name symbol = 0;               // of Text, Variable, Apply, Collect
  uint32_t index = 0, depth = 0; // component; of Bound: also the binder and its variable
  uint32_t variable = 0;
  Rational value;
  std::vector<Id> kids;
  std::vector<Rational> factors; // of Linear
  std::vector<std::vector<Sort>> shapes;
  std::vector<Name> free; // derived, sorted
  uint32_t height = 0;    // derived
  uint32_t dangling = 0;  // derived: bound variables whose binder is this far outside
  bool isBinder() const { return op == Op::Exists || op == Op::Sum || op == Op::Collect; }
};

class Terms {
public:
  Terms();
  const Node &operator[](Id id) const { return nodes[id]; }
  size_t size() const { return nodes.size(); }
  Name name(const std::string &text);
  const std::string &text(Name name) const { return names[name]; }
  bool isNumeric(Id id) const { return nodes[id].sort == intSort || nodes[id].sort == realSort; }

  Id boolean(bool value) { return value ? trueId : falseId; }
  Id number(Rational value);
  Id literal(const std::string &text, Sort sort);
  Id variable(Name name, uint32_t index, Sort sort);
  Id apply(Name symbol, std::vector<Id> kids, Sort sort);
  Id linear(const Rational &constant, const std::vector<std::pair<Rational, Id>> &parts);
  Id difference(Id a, Id b) { return linear(0, {{1, a}, {-1, b}}); }
  Id product(const std::vector<Id> &parts);
  Id choose(Id condition, Id then, Id otherwise);
  Id conjunction(std::vector<Id> parts) { return connect(Op::And, std::move(parts)); }
  Id disjunction(std::vector<Id> parts) { return connect(Op::Or, std::move(parts)); }
  Id negation(Id formula);
  Id zero(Id number);
  Id positive(Id number);
  Id equal(Id a, Id b); // of any sort
  Id less(Id a, Id b);
  /// Closes free variables. Of a sum: the guard first, then factors.
  Id binder(Op op, Name symbol, Sort sort, const std::vector<Variable> &variables,
            std::vector<Id> kids);
  /// The parts of a binder, its variables named. The names are new to it.
  std::vector<Id> open(Id binder, const std::vector<Variable> &variables);
  /// Names for a binder's variables that nothing has.
  std::vector<Variable> fresh(Id binder);
  /// The variables' components become terms, all at once.
  Id substitute(Id term, const std::map<Name, std::vector<Id>> &values);

  /// Of the last binder that was made: its variables in the order that it lists them in.
  const std::vector<Variable> &lastOrder() const { return order; }
  /// A function, product or choice of other parts; of a collection, its arguments are.
  Id replaced(Id term, const std::vector<Id> &kids);

  bool mentions(Id term, Name name) const;
  std::vector<Id> components(const Variable &variable);
  /// The linear form of a number: constant, and terms that are not linear.
  std::pair<Rational, std::vector<std::pair<Rational, Id>>> parts(Id number) const;

  Sort boolSort = 0, intSort = 0, realSort = 0;

private:
  struct Colours; // of variables by use
  Id intern(Node node);
  Id connect(Op op, std::vector<Id> parts);
  Id rebuild(const Node &node, std::vector<Id> kids);
  Id bind(Id id, const std::map<Name, uint32_t> &places,
          const std::vector<std::vector<Sort>> &shapes, uint32_t depth,
          std::map<std::pair<Id, uint32_t>, Id> &memo);
  Id unbind(Id id, const std::vector<Variable> &variables, uint32_t depth,
            std::map<std::pair<Id, uint32_t>, Id> &memo);
  std::vector<Variable> ordered(const std::vector<Variable> &variables,
                                const std::vector<Id> &kids);
  void require(bool condition, const char *what) const;

  std::deque<Node> nodes;
  std::unordered_multimap<uint64_t, Id> index;
  std::vector<std::string> names;
  std::unordered_map<std::string, Name> known;
  Id trueId = 0, falseId = 0;
  uint32_t freshNames = 0;
  std::vector<Variable> order;
};

inline uint64_t mix(uint64_t a, uint64_t b) {
  a ^= b + 0x9e3779b97f4a7c15ULL + (a << 12) + (a >> 4);
  a *= 0xff51afd7ed558ccdULL;
  return a ^ (a >> 32);
}

} // namespace imbrex::check
