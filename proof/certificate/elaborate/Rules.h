// The checker's rules as functions: each adds a theorem to the proof. What a rule demands is not
// checked here; the checker will.
#pragma once

#include "proof/certificate/elaborate/Proof.h"

namespace imbrex::certificate {

/// F [G] P: a factor, a guard, a value.
struct Weighted {
  Rational factor;
  Id guard, value;
};

class Rules {
public:
  explicit Rules(Terms &terms) : terms(terms), proof(terms) {}

  Id formula(Theorem theorem) const { return proof.formula(theorem); }
  Id all(const std::vector<Id> &formulas) { return terms.conjunction(formulas); }
  Id implies(Id from, Id to) { return terms.disjunction({terms.negation(from), to}); }
  Id exists(const Variables &names, Id guard);
  Id sumOf(const Variables &names, Id guard, Id value);
  Id equations(const Variable &variable, const std::vector<Id> &values);
  Values itself(const Variables &names);

  Theorem axiom(const Variables &names, Id formula);
  Theorem count(Id application);
  Theorem instance(Theorem theorem, const Variables &names, const Values &values);
  Theorem introduce(const Variables &names, Id guard, const Values &values);
  Theorem eliminate(const Variables &names, Id guard, Id result, Theorem theorem);
  Theorem add(const Variables &names, Id given, Theorem theorem,
              const std::vector<Weighted> &items);
  Theorem nest(const Variables &outer, Id guard, Id value, const Variables &inner, Id innerGuard,
               Id innerValue);
  Theorem point(const Variables &names, const Variable &own, const std::vector<Id> &values,
                Id guard, Id value);
  Theorem rename(const Variables &names, Id guard, Id value, const Variables &others);
  Theorem positive(const Variables &names, Id given, Id guard, Id value, Theorem theorem);
  Theorem collect(Id like, const Variables &names, Id given, Theorem theorem,
                  const std::vector<Id> &first, const std::vector<Id> &second);
  Theorem member(Id collection, const Variables &names, const std::vector<Id> &kids);
  Theorem extreme(Id collection, const Variables &names, const std::vector<Id> &kids);

  Terms &terms;
  Proof proof;

private:
  Tokens &values(Tokens &line, const Variables &names, const Values &values);
  Id collection(Id like, const Variables &names, const std::vector<Id> &kids);
  Tokens function(Id collection) const;
};

} // namespace imbrex::certificate
