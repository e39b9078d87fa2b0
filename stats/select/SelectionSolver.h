// The formulas of a selection in the solver.
#pragma once

#include "stats/select/Selection.h"
#include "support/smt/Smt.h"

namespace imbrex::stats {

struct Selection::Solver {
  Solver(const std::vector<PropertyInstance> &properties,
         const std::vector<ProcedureVerdict> &procedures);

  /// Takes over what is known about a property; open ones stay open.
  void learn(size_t index);
  /// What refutes the procedure: instances that do not hold. Nothing when it is possible.
  std::optional<std::vector<size_t>> refute(size_t procedure);
  std::optional<std::vector<size_t>> leastChange(size_t procedure);

  // For planning: what would follow from an answer.
  void push() { solver.push(); }
  void pop() { solver.pop(); }
  void suppose(size_t index, Answer answer);
  bool possible(size_t procedure);
  bool certain(size_t procedure);

private:
  void addImplications();
  template <class Use> std::optional<std::vector<size_t>> refute(size_t procedure, Use use);
  smt::Term literal(size_t index) const;
  std::vector<smt::Term> facts() const;

  const std::vector<PropertyInstance> &properties;
  mutable smt::Context context; // terms are made on demand
  smt::Solver solver;
  std::vector<smt::Term> holds, valid;
  std::vector<smt::Term> formulas; // for leastChange
  std::vector<bool> known;
};

} // namespace imbrex::stats
