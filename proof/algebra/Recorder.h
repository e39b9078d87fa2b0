// What a proof did, step by step, for a certificate (proof/certificate). Nothing is recorded unless
// a pool has a recorder; then every change of a binder leaves an entry here, whether the proof will
// need it or not: the writer of the certificate takes what is reachable from the proof's end.
//
// All entries speak of terms of one pool. Equations hold for all values of their free variables.
#pragma once

#include "proof/algebra/Pool.h"

#include <deque>

namespace imbrex::algebra {

/// Of entries of one kind, from 1; 0 is none.
using Entry = uint32_t;

/// One change of a scope: variables, guard and payload.
struct ScopeStep {
  enum class Rule : uint8_t {
    Eliminate, // the guard gives `variable` the values; it goes
    Rewrite,   // equal guard, and equal payload where it holds
    Entail,    // the other conjuncts imply `term`, a quantified formula, by the values for `names`
    Fold,      // (quantifiers) the rest of the guard holds with the values for `variable`
    Open,      // (quantifiers) the conjunct `term` is opened, its variables called `names`
  };
  Rule rule;
  Entry hypothesis = 0; // under which parts of guard and payload were rewritten
  Variable variable;
  std::vector<Id> values;
  Id term = 0;
  std::vector<Variable> names;
  std::vector<Id> opened; // its parts with these names
  std::vector<Id> guard;  // after the step
  std::vector<Id> payload;
};
using Chain = std::vector<ScopeStep>;

/// Under a hypothesis, `from` opened with `names` has parts equal to `children`; the binder over
/// these is `to`, by the lemma (none: only closed).
struct Rewriting {
  Entry hypothesis = 0;
  Id from = 0;
  std::vector<Variable> names;
  std::vector<Id> opened; // its parts with these names
  std::vector<Id> children;
  Entry lemma = 0;
  Id to = 0;
};

/// A part of a product or conjunction that has its variables for itself.
struct BinderPart {
  std::vector<Variable> variables;
  std::vector<Id> guard;
  std::vector<Id> factors;
  Id closed = 0; // the binder over it; unused without variables
};

/// A step on a list of summands, each known by its handle.
struct SumEvent {
  enum class Kind : uint8_t {
    Choose,    // factor `term` is a choice: two summands; a handle 0 has a false guard
    Split,     // factor `term` is linear: one summand per term of `terms`
    Open,      // factor `term` is a sum: opened with `names`, parts `terms`
    Simplify,  // a chain
    Close,     // the summand is `term`: `parts`, or after the lemma its result
    Drop,      // the guard is refuted
    Combine,   // summand 2 is summand 1, variable by variable: coefficients add up
    Cancel,    // summands 1 and 2 cancel under a map of variables
    Group,     // the summands vanish together under maps of variables to the first one's
    Mean,      // ... after adding up over renamings of the first one's variables
    Case,      // one with `term`, one with its negation
    Determine, // the guard implies the value of a variable
  };
  Kind kind;
  std::vector<uint32_t> handles, results;
  std::vector<Id> guards; // of the results, where they have new ones
  Id term = 0;
  std::vector<Id> terms;
  std::vector<Variable> names;
  Chain chain;
  std::vector<BinderPart> parts;
  Entry lemma = 0;
  Entry refutation = 0;
  std::vector<Substitution> maps;
  std::vector<Entry> hypotheses; // one for each map
  Variable variable;
};

/// What Pool::exists or Pool::sumOver made of its operands; Pool::collect, of its formula.
struct BinderLemma {
  Kind kind;
  std::vector<Variable> variables;
  Id guard = 0;
  Id value = 0;              // of sums
  Chain chain;               // of quantifiers; then one of:
  std::vector<Entry> lemmas; // ... the alternatives, or what it went on with
  std::vector<Id> branches;  // ... the alternatives themselves
  std::vector<BinderPart> parts;
  uint32_t handle = 0; // of sums: the first summand
  std::vector<SumEvent> events;
  Id result = 0;
};

/// Where a formula that a refutation assumes comes from.
struct Fact {
  enum class Kind : uint8_t {
    Witness,    // `term` implies its body with `names`
    Instance,   // its body with `values` for `names` implies `term`
    SumEmpty,   // a sum over no rows is zero: lemma says which rows
    SumCount,   // a sum of counts is positive when a term is: lemma
    SumSigned,  // a sum of counts is not negative
    Applied,    // the `index`-th fact of the theory about an application
    Pair,       // ... about two applications, `term` and `other`
    Collection, // ... about a function of a collection
  };
  Kind kind;
  Id formula = 0;
  Id term = 0, other = 0;
  std::vector<Variable> names;
  std::vector<Id> opened; // its parts with these names
  std::vector<Id> values;
  Entry hypothesis = 0, lemma = 0;
  uint32_t index = 0;
};

/// Two sums or collections that the context makes equal.
struct Learned {
  Id first = 0, second = 0;
  Entry equality = 0;          // of sums
  std::vector<Variable> names; // of collections, for both
  Entry hypothesis = 0;        // the second one's variables are the names
  std::vector<Variable> others;
  std::vector<Id> opened;               // the second one's parts with `others`
  std::vector<std::pair<Id, Id>> pairs; // its parts
  std::vector<Entry> equalities;        // per pair: an equality, or
  std::vector<Entry> refutations;       // ... that they differ is refuted; neither: same term
};

/// The formulas cannot all hold.
struct Refutation {
  std::vector<Id> formulas;
  std::vector<Id> facts; // keys of Recorder::facts
  std::vector<Learned> learned;
};

/// Under the context a = b: the summands of their difference vanish, or a refutation.
struct EqualityProof {
  Id first = 0, second = 0;
  std::vector<Id> context;
  Id difference = 0;
  uint32_t handle = 0;
  std::vector<SumEvent> events;
  Entry refutation = 0;
};

/// Positivity of sums that the constructors used: each is an unconditional fact.
struct SumFact {
  Id sum = 0;
  std::vector<Variable> names;
  Entry lemma = 0;
  bool positive = false; // sum > 0 exactly when rows exist; otherwise: no rows, no sum
};

class Recorder {
public:
  Entry hypothesis(Pool &pool, const Substitution &values);
  Entry hypothesis(const std::unordered_map<Id, Id> &map);
  void add(Rewriting rewriting);
  void add(SumFact fact);
  void add(const Fact &fact) { facts.try_emplace(fact.formula, fact); }
  Entry begin(BinderLemma lemma);

  std::deque<std::vector<std::pair<Id, Id>>> hypotheses{{}}; // 0 is the empty one
  std::map<std::pair<Entry, Id>, Rewriting> rewritings;      // by hypothesis and term
  std::map<Id, std::vector<SumFact>> sumFacts;
  std::deque<BinderLemma> lemmas{{}};
  std::unordered_map<Id, Fact> facts;
  std::deque<Refutation> refutations{{}};
  std::deque<EqualityProof> equalities{{}};
  std::unordered_map<VarKey, Shape> shapes; // of all free variables

  Entry lastLemma = 0;      // of the last exists() or sumOver(); none when it had nothing to do
  Entry lastRefutation = 0; // of the last refute() that succeeded
  Entry lastEquality = 0;
  std::vector<Id> lastFacts; // of the guard solver's last success
  uint32_t handles = 0;

private:
  std::map<std::vector<std::pair<Id, Id>>, Entry> known;
};

} // namespace imbrex::algebra
