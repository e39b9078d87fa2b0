// The term core: hash-consed expressions over Booleans, numbers and opaque ordered values, with
// unbounded sums, existential quantifiers (the squash: "the sum is not zero") and functions of
// whole collections. Equal terms have equal ids, up to the names of bound variables.
//
// Guards are Booleans here, multiplicities are numbers: [b] is choose(b, 1, 0), the squash of a sum
// is Exists over the same variables, `not` is its negation, monus is choose(a > b, a - b, 0).
//
// Variables are bundles of components, each with a sort: a row of a table is one variable. Free
// variables have unique keys; bound ones are numbered by level, counted from the inside (a binder's
// level is one more than the deepest binder within it), so that a closed term means the same
// wherever it stands and nothing is ever shifted.
//
// A pool serves one question; ids are valid in it only. Constructors simplify what needs no search;
// cost is linear in the operands. Not for several threads.
#pragma once

#include "proof/algebra/Domain.h"
#include "proof/algebra/Number.h"

#include <chrono>
#include <deque>
#include <functional>
#include <map>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace imbrex::algebra {

struct Exhausted {};

class Recorder;

using Id = uint32_t;
using VarKey = uint32_t;
using Symbol = uint32_t;

/// Bool, Int and Real have arithmetic; every further sort is opaque and totally ordered.
using Sort = uint32_t;
inline constexpr Sort boolSort = 0, intSort = 1, realSort = 2, firstOpaqueSort = 3;
inline bool isNumeric(Sort sort) { return sort == intSort || sort == realSort; }

enum class Kind : uint8_t {
  Constant,  // number: value; Bool: value 0 or 1; opaque: symbol
  Component, // key, index: one component of a variable
  Apply,     // symbol, children: an uninterpreted function or predicate
  Linear,    // value + sum of coefficients[i] * children[i]
  Product,   // children, at least two, neither Linear nor Constant
  Choose,    // children: condition, then, otherwise; not Bool
  And,
  Or,       // children, sorted, at least two
  Not,      // of Zero, Positive, Equal, Less, Apply, Component, Exists only
  Zero,     // children[0] = 0
  Positive, // children[0] > 0
  Equal,    // of Bool or opaque values
  Less,     // of opaque values
  Exists,   // binders; children[0] a Bool
  Sum,      // binders; children[0] a Bool, then factors: sum of [children[0]] * product of factors
  Collect,  // symbol, binders; children[0] Bool or number, then arguments: a function of the whole
            // collection
};

/// A binder's variable: the sorts of its components.
using Shape = std::vector<Sort>;

struct Node {
  Kind kind;
  Sort sort = boolSort;
  Symbol symbol = 0;  // of Apply, Collect, opaque constants; key of Component
  uint32_t index = 0; // of Component
  Number value;
  std::vector<Id> children;
  std::vector<Number> coefficients;
  std::vector<Shape> binders;

  // Derived.
  uint32_t level = 0;       // of the deepest binder
  uint64_t hash = 0;        // of the structure, names of variables included
  std::vector<VarKey> free; // sorted
};

/// A variable with the sorts of its components.
struct Variable {
  VarKey key = 0;
  Shape shape;
};

/// Values for the components of variables.
using Substitution = std::map<VarKey, std::vector<Id>>;

class Pool {
public:
  Pool();

  const Node &operator[](Id id) const { return nodes[id]; }
  size_t size() const { return nodes.size(); }

  Symbol symbol(std::string_view name);
  const std::string &name(Symbol symbol) const { return names[symbol]; }
  Sort opaqueSort(std::string_view name);
  const std::string &sortName(Sort sort) const { return sortNames[sort]; }

  Variable fresh(Shape shape);
  Id component(const Variable &variable, uint32_t index);

  // Leaves and functions.
  Id boolean(bool value) const { return value ? trueId : falseId; }
  Id number(Number value, Sort sort);
  Id integer(int64_t value) { return number({value, 1}, intSort); }
  Id opaque(std::string_view text, Sort sort);
  Id apply(Symbol function, std::vector<Id> arguments, Sort sort);

  // Booleans, in negation normal form.
  Id conjunction(std::vector<Id> operands);
  Id disjunction(std::vector<Id> operands);
  Id negation(Id operand);
  Id implies(Id from, Id to) { return disjunction({negation(from), to}); }
  Id equal(Id a, Id b); // any sort
  Id less(Id a, Id b);  // numbers or opaque
  Id zeroTest(Id number);
  Id positiveTest(Id number);
  /// number = 0 and number > 0 as they stand, without what is known of counts.
  Id zeroAtom(Id number);
  Id positiveAtom(Id number);
  Id lessEqual(Id a, Id b) { return negation(less(b, a)); }
  Id choose(Id condition, Id then, Id otherwise);

  // Numbers.
  Id sum(std::span<const Id> operands);
  Id sum(std::initializer_list<Id> operands) {
    return sum(std::span<const Id>(operands.begin(), operands.size()));
  }
  Id scale(Number factor, Id operand);
  Id subtract(Id a, Id b) { return sum({a, scale({-1, 1}, b)}); }
  Id product(std::span<const Id> operands);
  Id product(std::initializer_list<Id> operands) {
    return product(std::span<const Id>(operands.begin(), operands.size()));
  }
  /// [condition] * value.
  Id guarded(Id condition, Id value) { return choose(condition, value, zero(nodes[value].sort)); }
  Id zero(Sort sort) { return number({0, 1}, sort); }

  // Binders: normalise the body (Normalize.cpp), then close it.
  Id exists(std::vector<Variable> variables, Id body);
  Id sumOver(std::vector<Variable> variables, Id guard, Id value);
  Id collect(Symbol function, std::vector<Variable> variables, Id body, std::vector<Id> arguments,
             Sort sort);

  /// The variables in an order that does not depend on their names, as far as use in `terms` tells
  /// them apart.
  std::vector<Variable> canonicalOrder(const std::vector<Variable> &variables,
                                       const std::vector<Id> &terms) const;
  /// Replaces bound variables by new free ones. Returns them; `children` gets the opened parts.
  std::vector<Variable> open(Id binder, std::vector<Id> &children);
  /// Values for components, everywhere; what changes is simplified again.
  Id substitute(Id term, const Substitution &values);
  /// Replaces whole subterms, below binders too.
  Id replace(Id term, const std::unordered_map<Id, Id> &map);

  bool mentions(Id term, VarKey key) const;
  bool mentionsAny(Id term, std::span<const Variable> variables) const;
  /// The same term, built again with every simplification: what terms made by a plain pool need.
  Id normalized(Id term);
  /// The operands of a conjunction; none of `true`.
  std::vector<Id> conjuncts(Id formula) const;
  bool isTrue(Id id) const { return id == trueId; }
  bool isFalse(Id id) const { return id == falseId; }
  bool isZero(Id id) const { return isConstant(id) && nodes[id].value.isZero(); }
  bool isConstant(Id id) const { return nodes[id].kind == Kind::Constant; }

  /// The terms of a number as coefficient and rest: value + sum of c * t. A Linear is split, any
  /// other term is one part, constants are in `constant`.
  struct Parts {
    Number constant;
    std::vector<std::pair<Number, Id>> parts;
  };
  Parts parts(Id number) const;
  Id assemble(const Parts &parts, Sort sort);

  std::string text(Id id) const;

  /// A coefficient did not fit; nothing derived from this pool may be believed.
  bool overflowed = false;
  /// Past it, or with too many terms, constructors throw Exhausted; whoever owns the pool catches
  /// it.
  std::chrono::steady_clock::time_point deadline = std::chrono::steady_clock::time_point::max();

  /// While set, binders are only closed, and constructors only drop constants: terms stay as they
  /// were read.
  bool plain = false;
  /// Gets every step, if there is one (proof/algebra/Recorder.h).
  Recorder *recorder = nullptr;

  // For the files of this folder.
  Id intern(Node node);
  /// Counts what was done since the last look at the clock.
  void spend(size_t steps) {
    if ((spent += steps) >= StepsPerLook)
      lookAtClock();
  }
  Id rename(Id term, const Substitution &values);
  Id close(Kind kind, Symbol symbol, Sort sort, const std::vector<Variable> &variables,
           std::vector<Id> children);
  Id rebuild(Id term, std::vector<Id> children);
  /// A sum over the value's own binders kept: what a plain pool makes of sumOver().
  Id plainSum(const std::vector<Variable> &variables, Id guard, Id value);

private:
  void lookAtClock();

  static constexpr size_t maxWeight = 400000;
  size_t weight = 0; // of all nodes: the short ones count 1
  static constexpr size_t StepsPerLook = 4096;
  size_t spent = 0;
  std::deque<Node> nodes; // references stay valid
  std::unordered_multimap<uint64_t, Id> index;
  std::vector<std::string> names;
  std::unordered_map<std::string, Symbol> symbols;
  std::vector<std::string> sortNames;
  VarKey nextKey = 1;
  Id trueId = 0, falseId = 0;
};

} // namespace imbrex::algebra
