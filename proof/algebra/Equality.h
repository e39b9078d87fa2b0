// Are two numbers, given by sums of products, equal for all values of their free variables? A
// portfolio, cheapest first; every step is sound, and "no" only means "not proven":
//   1. equal terms (normal forms and canonical names do most of the work);
//   2. summands of opposite sign that cancel: the same canonical form, or equal guards under some
//      map of variables, tried in the order that colours suggest and never more than a few;
//   3. per group of summands over the same variables: the sum of guarded coefficients is zero
//      everywhere (this decides unions of conjunctive queries over keyed tables), if need be after
//      summing over all permutations of the variables;
//   4. variables that the guard determines semantically are replaced, then 2 and 3 again;
//   5. guards that are alternatives are split into disjoint cases, and 2 to 4 again;
//   6. the numbers as they stand, with sums as unknowns, by linear arithmetic;
//   7. where a guard holds sums or collections of its own, these are compared first, under the
//      assumption that the guards of interest hold.
#pragma once

#include "proof/algebra/GuardSolver.h"
#include "proof/algebra/Recorder.h"
#include "proof/algebra/Scope.h"

#include <set>

namespace imbrex::algebra {

class Equality {
public:
  Equality(Pool &pool, GuardSolver &solver) : pool(pool), solver(solver) {}

  /// Does `context` imply a = b?
  bool equal(Id a, Id b, const std::vector<Id> &context);
  /// Can all formulas not hold at once? Compares nested sums and collections on the way.
  bool refute(const std::vector<Id> &formulas);

  /// The largest goal that was left over, as text.
  const std::string &residual() const { return residualText; }

private:
  using Group = std::vector<Summand>;
  std::vector<Summand> normalized(std::vector<Summand> todo);
  std::vector<Summand> split(Summand term, Id product);
  bool refuteWith(const std::vector<Id> &formulas, std::vector<Learned> &learned);
  void note(SumEvent event);
  void noteRefuted(SumEvent event);
  void cancelIdentical(std::vector<Summand> &terms);
  void dropEmpty(std::vector<Summand> &terms, const std::vector<Id> &context);
  bool vanish(std::vector<Summand> terms, const std::vector<Id> &context);
  bool groupsVanish(std::vector<Summand> &terms, const std::vector<Id> &context);
  void cancelPairs(Group &group, const std::vector<Id> &context);
  bool cancels(const Summand &a, const Summand &b, const std::vector<Id> &context);
  bool sumVanishes(const Group &group, const std::vector<Id> &context);
  bool splitCases(std::vector<Summand> &terms);
  bool determine(std::vector<Summand> &terms, const std::vector<Id> &context);
  bool determineOne(Summand &term, const std::vector<Id> &context);
  std::vector<Substitution> alignments(const Summand &from, const Summand &to, size_t limit);
  Id value(const Summand &term, const Substitution &map);
  bool sameUnknowns(Learned &pair, const std::vector<Id> &context);
  bool sameParts(Learned &pair, const std::vector<Id> &context);

  Pool &pool;
  GuardSolver &solver;
  std::string residualText;
  int depth = 0;
  std::set<std::pair<Id, Id>> active;
  std::vector<SumEvent> *events = nullptr; // of the equality at hand, when steps are recorded
};

} // namespace imbrex::algebra
