// What the term core asks of a decision procedure for guards.
#pragma once

#include "proof/algebra/Pool.h"

namespace imbrex::algebra {

class GuardSolver {
public:
  virtual ~GuardSolver() = default;

  /// True only if no values of the free variables and no interpretation of the functions makes all
  /// `formulas` hold. False says nothing.
  virtual bool refute(std::span<const Id> formulas) = 0;

  /// Of the last refute() that said false: the sums and collections that it treated as unknown
  /// values, those within facts it made up along the way included.
  virtual std::vector<Id> unknowns() = 0;

  /// In the counterexample at hand, do both have the same value? True when there is none.
  virtual bool agreeInModel(Id a, Id b) = 0;
};

/// Facts about uninterpreted functions: for a ground application, formulas that hold of it.
class Theory {
public:
  virtual ~Theory() = default;
  virtual void factsOf(Id application, std::vector<Id> &out) = 0;
  /// Facts about two applications of one function (keys).
  virtual void factsOfPair(Id a, Id b, std::vector<Id> &out) = 0;
  /// Facts about a function of a collection.
  virtual void factsOfCollection(Id collection, std::vector<Id> &out) = 0;
  /// Is the function an integer that is never negative?
  virtual bool isCount(Symbol function) const = 0;
};

} // namespace imbrex::algebra
