// A GuardSolver over Z3. Guards go over without quantifiers: each quantified part becomes a
// Boolean constant, and is instantiated by hand,
//   e  implies  body(witness),            with new constants for the witness,
//   body(t)  implies  e,                  for rows t at hand that match its atoms,
// in a bounded number of rounds. Sums and collections become constants, equal when their terms are,
// and tied to the existence of their rows. Facts of a Theory are added for applications at hand.
// All of these hold in every model, so answers are independent of the order of questions.
#pragma once

#include "proof/algebra/GuardSolver.h"
#include "proof/algebra/Recorder.h"
#include "support/smt/Smt.h"

#include <map>
#include <memory>
#include <set>

namespace imbrex::algebra {

class SmtGuardSolver : public GuardSolver {
public:
  SmtGuardSolver(Pool &pool, Theory &theory, std::chrono::steady_clock::time_point deadline);
  ~SmtGuardSolver() override;

  bool refute(std::span<const Id> formulas) override;
  std::vector<Id> unknowns() override { return lastUnknowns; }
  bool agreeInModel(Id a, Id b) override;

  // Of the last refute() that said false: is there a counterexample, was a term part of the
  // question and its facts, and what is its value, as text?
  bool hasModel() const { return model.has_value(); }
  bool wasAsked(Id id) const { return lastSeen.contains(id); }
  std::string valueInModel(Id id) { return model ? model->text(term(id)) : std::string(); }

  uint32_t checks = 0;

private:
  struct Relevant; // what one question has looked at
  smt::Outcome check(std::span<const Id> formulas);
  bool grow(Relevant &relevant);
  void visit(Relevant &relevant, Id id);
  void addFact(Relevant &relevant, Id fact);
  void witness(Relevant &relevant, Id quantified);
  void instantiate(Relevant &relevant, Id quantified, std::vector<Id> &out);
  void matchAtoms(Relevant &relevant, std::span<const Id> patterns, size_t at,
                  const std::vector<Variable> &variables, Substitution &bound,
                  std::vector<Substitution> &found);
  bool matchAtom(Id pattern, Id ground, const std::vector<Variable> &variables,
                 Substitution &bound);
  void tieSum(Relevant &relevant, Id sum);

  void note(const Fact &fact);
  void noteAll(Fact::Kind kind, Id term, Id other, const std::vector<Id> &facts);
  void noteRefutation(std::span<const Id> formulas);
  Entry lastLemma() const;

  smt::Term term(Id id);
  smt::Term build(Id id);
  smt::Term numeric(Id id, Sort sort);
  smt::Sort sortOf(Sort sort);
  smt::Term literal(Id formula);

  Pool &pool;
  Theory &theory;
  std::chrono::steady_clock::time_point deadline;
  smt::Context context;
  std::unique_ptr<smt::Solver> solver;
  std::unordered_map<Id, smt::Term> terms;
  std::unordered_map<Id, smt::Term> literals;
  std::map<Sort, std::vector<smt::Term>> opaqueConstants;
  std::unordered_map<Id, std::pair<std::vector<Variable>, std::vector<Id>>> opened;
  std::unordered_map<Id, Id> witnesses; // quantified -> its fact
  std::unordered_map<Id, std::vector<Id>> sumFacts, applicationFacts;
  std::set<Id> asserted;
  std::vector<smt::Term> background; // that texts differ
  std::vector<Id> lastUnknowns;
  std::set<Id> lastSeen;
  std::optional<smt::Model> model;
};

} // namespace imbrex::algebra
