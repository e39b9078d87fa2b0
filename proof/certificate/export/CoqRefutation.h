// A ground proof for Coq: a lemma about truth values, proven by computation (CoqRefutations.cpp),
// and what it is applied to, which is a term for each truth value and a proof of each clause that
// is given. Clauses are counted from 0, in the order in which they come.
#pragma once

#include "proof/certificate/export/CoqTerms.h"

#include <optional>

namespace imbrex::certificate {

/// The truth values a1, a2, … as a tree for the checkers there.
std::string truthTree(size_t count);

class CoqRefutation {
public:
  using Clause = std::vector<Id>; // formulas, of which one holds

  CoqRefutation(Terms &terms, CoqTerms &coq) : terms(terms), coq(coq) {}

  void given(const Clause &clause, const std::string &proof);
  /// The formula's negation is the next clause.
  void deny(Id formula);
  /// What a conjunction or disjunction says of one of its parts, or of all.
  void part(Id whole, Id part);
  void whole(Id whole);
  void derived(const Clause &clause, const std::vector<uint32_t> &hints);

  /// The lemma. All clauses are there.
  std::string lemma(const std::string &name);
  /// A proof of the formula that was denied, by the lemma.
  std::string use(const std::string &name);
  const std::vector<Id> &atoms() const { return order; }

private:
  struct Step {
    std::string text; // but for hints
    std::vector<uint32_t> hints;
    bool isDerived = false;
  };
  struct Place {
    uint32_t index;
    bool isStep;
  };
  uint32_t atom(Id formula);
  std::string literal(Id formula);
  std::string clauseText(const Clause &clause);
  std::string statement(const Clause &clause);
  uint32_t gate(Id whole);
  std::string gateText(Id whole);
  std::string gateStatement(Id whole);
  std::string stepText(const Step &step);
  uint32_t key(const Place &place) const;
  void giveTruth();

  Terms &terms;
  CoqTerms &coq;
  std::map<Id, uint32_t> numbers, gateNumbers; // from 1
  std::vector<Id> order, gates;
  std::vector<Place> places;
  std::vector<Clause> clauses; // that are given
  std::vector<std::string> proofs;
  std::vector<Step> steps;
  std::optional<Place> truth; // the clause that says so of "true", where that occurs
  Id denied = 0;
  uint32_t deniedAt = 0;
};

} // namespace imbrex::certificate
