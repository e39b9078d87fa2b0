#include "stats/select/SelectionSolver.h"

#include <algorithm>

namespace imbrex::stats {

Selection::Solver::Solver(const std::vector<PropertyInstance> &properties,
                          const std::vector<ProcedureVerdict> &procedures)
    : properties(properties), solver(context), known(properties.size()) {
  for (size_t i = 0; i < properties.size(); ++i)
    holds.push_back(context.constant("property" + std::to_string(i), context.boolSort()));
  for (size_t i = 0; i < procedures.size(); ++i) {
    valid.push_back(context.constant("procedure" + std::to_string(i), context.boolSort()));
    std::vector<smt::Term> all;
    for (size_t r : procedures[i].requirements)
      all.push_back(holds[r]);
    formulas.push_back(context.equal(valid[i], context.conjunction(all)));
  }
  addImplications();
  for (smt::Term formula : formulas)
    solver.add(formula);
}

void Selection::Solver::addImplications() {
  for (size_t i = 0; i < properties.size(); ++i) {
    const Property *from = properties[i].property;
    if (!from || from->variadic())
      continue;
    for (const Implication &implication : from->implications) {
      std::vector<std::string> variables;
      for (const std::string &parameter : implication.parameters) {
        auto at = std::find(from->parameters.begin(), from->parameters.end(), parameter);
        if (at != from->parameters.end())
          variables.push_back(
              properties[i].variables[static_cast<size_t>(at - from->parameters.begin())]);
      }
      for (size_t k = 0; k < properties.size(); ++k)
        if (properties[k].property && properties[k].property->id == implication.property &&
            properties[k].variables == variables)
          formulas.push_back(
              context.implies(holds[i], implication.holds ? holds[k] : context.negation(holds[k])));
    }
  }
}

smt::Term Selection::Solver::literal(size_t index) const {
  return properties[index].answer == Answer::Holds ? holds[index] : context.negation(holds[index]);
}

void Selection::Solver::learn(size_t index) {
  known[index] = properties[index].answer != Answer::Open;
}

/// What the declaration refutes is said by the declaration alone, whatever was measured for other
/// procedures.
std::optional<std::vector<size_t>> Selection::Solver::refute(size_t procedure) {
  auto declared =
      refute(procedure, [](const PropertyInstance &p) { return p.source == Source::Declaration; });
  return declared ? declared : refute(procedure, [](const PropertyInstance &) { return true; });
}

template <class Use>
std::optional<std::vector<size_t>> Selection::Solver::refute(size_t procedure, Use use) {
  std::vector<smt::Term> literals{valid[procedure]};
  std::vector<size_t> owner{SIZE_MAX};
  for (size_t i = 0; i < properties.size(); ++i)
    if (known[i] && use(properties[i])) {
      literals.push_back(literal(i));
      owner.push_back(i);
    }
  if (solver.check(literals) != smt::Outcome::Unsat)
    return std::nullopt;
  std::vector<size_t> reasons;
  for (smt::Term term : solver.core())
    for (size_t k = 1; k < literals.size(); ++k)
      if (literals[k] == term)
        reasons.push_back(owner[k]);
  std::sort(reasons.begin(), reasons.end());
  return reasons;
}

/// Keeps as many answers as possible; the procedure and the implications are hard.
std::optional<std::vector<size_t>> Selection::Solver::leastChange(size_t procedure) {
  smt::Optimizer optimizer(context);
  for (smt::Term formula : formulas)
    optimizer.add(formula);
  optimizer.add(valid[procedure]);
  for (size_t i = 0; i < properties.size(); ++i)
    if (properties[i].answer != Answer::Open)
      optimizer.addSoft(literal(i), 1);
  if (optimizer.check() != smt::Outcome::Sat)
    return std::nullopt;
  smt::Model model = optimizer.model();
  std::vector<size_t> changed;
  for (size_t i = 0; i < properties.size(); ++i)
    if (properties[i].answer != Answer::Open &&
        model.holds(holds[i]) != (properties[i].answer == Answer::Holds))
      changed.push_back(i);
  return changed;
}

void Selection::Solver::suppose(size_t index, Answer answer) {
  solver.add(answer == Answer::Holds ? holds[index] : context.negation(holds[index]));
}

std::vector<smt::Term> Selection::Solver::facts() const {
  std::vector<smt::Term> literals;
  for (size_t i = 0; i < properties.size(); ++i)
    if (known[i])
      literals.push_back(literal(i));
  return literals;
}

bool Selection::Solver::possible(size_t procedure) {
  std::vector<smt::Term> literals = facts();
  literals.push_back(valid[procedure]);
  return solver.check(literals) != smt::Outcome::Unsat;
}

bool Selection::Solver::certain(size_t procedure) {
  std::vector<smt::Term> literals = facts();
  literals.push_back(context.negation(valid[procedure]));
  return solver.check(literals) == smt::Outcome::Unsat;
}

} // namespace imbrex::stats
