// Scripts for the rules of certificates: each theorem becomes a lemma.
#pragma once

#include "proof/certificate/check/Check.h"
#include "proof/certificate/export/CoqRefutation.h"
#include "proof/certificate/export/CoqTerms.h"

#include <memory>

namespace imbrex::certificate {

class CoqGround {
public:
  explicit CoqGround(Terms &terms) : coq(terms), terms(terms) {}

  void read(const std::map<uint32_t, Id> &numbers) { ids = &numbers; }
  Id term(check::Line &line) const { return ids->at(line.count()); }

  void ground(uint32_t number, check::Line line, const std::vector<check::Line> &steps);
  void hypothesis(uint32_t number, Id formula, check::Line line);
  void instance(uint32_t number, Id formula, check::Line line);
  void introduce(uint32_t number, Id formula, check::Line line);
  void eliminate(uint32_t number, Id formula, check::Line line);
  void add(uint32_t number, Id formula, check::Line line);
  void nest(uint32_t number, Id formula, check::Line line);
  void point(uint32_t number, Id formula, check::Line line);
  void rename(uint32_t number, Id formula, check::Line line);
  void positive(uint32_t number, Id formula, check::Line line);
  void collect(uint32_t number, Id formula, check::Line line);
  void member(uint32_t number, Id formula, check::Line line);
  void extreme(uint32_t number, Id formula, check::Line line);

  Id formula(uint32_t theorem) const { return theorems.at(theorem); }
  /// The theorem, of the variables that are called like its own.
  std::string use(uint32_t theorem, const CoqTerms::Values &values = {});
  /// Turns a fact at hand into a relation.
  std::string opened(Id atom, const std::string &hypothesis);
  std::string text() const { return coq.declarations + all + coq.definitions; }

  CoqTerms coq;

private:
  using Clause = std::vector<Id>;
  using Map = std::map<Name, std::vector<Id>>;

  // Clauses.
  struct Fact {
    Clause clause;
    std::string proof;
    std::vector<Id> terms; // that the proof speaks of, too
  };
  struct Same {
    Clause clause;
    Id before = 0;
    std::vector<Id> old, next;
    std::vector<Id> terms() const;
  };
  Fact factOf(const std::string &kind, check::Line line);
  std::string factLemma(const Fact &fact, CoqTerms::Components &used);
  void readDerived(check::Line &line, CoqRefutation &proof);
  Clause linear(check::Line &line);
  Same same(check::Line &line);
  std::string proveLinear(const Clause &clause);
  std::string related(const std::vector<Id> &values, const std::string &where);
  std::string proveOrder(const Clause &clause);
  std::string proveSame(const Same &own);
  std::string proveChosen(const Clause &clause, Id choice);
  std::string conclude(Id formula);
  std::string statement(const Clause &clause);
  /// Goes on where the literal does not hold; what it is then is called NAME.
  std::string open(const Clause &clause, size_t i, const std::string &name);

  // Formulas.
  std::vector<Id> parts(Id formula) const;
  std::string asTrue(Id formula, const std::string &hypothesis) const;
  std::string literalOf(Id formula, const std::string &isTrue) const;
  std::string inject(Id formula, Id part, const std::string &hypothesis);
  std::string path(const char *left, const char *right, size_t i, size_t count,
                   const std::string &inner) const;
  std::string projected(const char *left, const char *right, size_t i, size_t count,
                        const std::string &hypothesis) const;
  std::string falsified(Id formula, const std::string &isTrue, Id given, const std::string &holds);

  // Terms with values for variables.
  std::string bridge(Id term, const Map &map);
  std::string bridgeScript(Id term, Id result, const Map &map);
  std::string bridgeBinder(Id term, Id result, const Map &map);
  std::string bridgeTruth(Id term, Id result, const Map &map);
  std::string bridgeConnective(Id term, Id result, const Map &map);
  std::string bridgeNegation(Id term, const Map &map);
  std::string regrouped(Op op, const std::vector<Id> &groups, Id result);
  void reveal(Id term, std::set<std::string> &names);
  CoqTerms::Values textsOf(const Map &map);
  Map read(const std::vector<Variable> &names, check::Line &line);
  Sort sortOf(check::Line &line) const;
  std::vector<Variable> variables(check::Line &line);
  std::vector<Variable> variables(check::Line &line, uint32_t count);

  // Sums over variables as they are called here, not as their binder has them (CoqSums.cpp).
  struct Form {
    Id id = 0;
    Sort sort = 0;
    std::vector<Id> variables;
    std::string function;      // of the variables
    std::string sum;           // of the function
    std::string equal, finite; // proofs: the term is the sum; the function is finite
  };
  struct Collected {
    Sort sort = 0;
    Name symbol = 0;
    std::vector<Variable> names;
  };
  struct Choice {
    Collected of;
    std::vector<Id> kids, variables;
    Id id = 0;
  };
  Collected collected(check::Line &line);
  Choice choice(check::Line &line);
  std::vector<std::string> partsOf(Id own, const std::vector<Variable> &names,
                                   const std::vector<Id> &kids);
  std::string asFunctions(const Collected &own, Id id, const std::vector<Id> &kids,
                          std::string &arguments);
  Form form(const std::vector<Variable> &names, Id guard, Id value);
  std::string asChoice(Id choice, Id guard, Id value);
  std::string asExists(const std::vector<Variable> &names, Id guard);
  std::string asConjunction(Id whole, Id a, Id b, const std::string &name);
  std::string unfoldProducts(const std::vector<Id> &numbers);
  static std::string asSums(const Form &first, const Form &second);
  std::string atPoint(const std::vector<Id> &point, const std::vector<Id> &equations, Id known,
                      const std::vector<std::string> &texts);
  std::string equate(Id formula, Id first, Id second, const std::string &proof);
  std::string positiveValues(Id given, Id guard, Id value, uint32_t theorem, const Form &sum);
  std::string signs(Id some, Id less, Id more, Id exists, Id result);
  std::string assume(Id given, Id formula);
  std::string detach(uint32_t theorem, Id premise, const std::string &holds, Id result);
  void conclude(uint32_t number, Id formula, const std::string &script,
                const CoqTerms::Components &used);

  void lemma(const std::string &name, const CoqTerms::Components &free, const std::string &claim,
             const std::string &proof);

  Terms &terms;
  const std::map<uint32_t, Id> *ids = nullptr;
  std::map<uint32_t, Id> theorems;
  std::map<std::pair<Id, std::vector<std::pair<Id, Id>>>, std::string> bridges;
  std::map<std::string, std::string> forms, facts, shapes;
  std::string all;
  uint32_t bridgeCount = 0;
};

} // namespace imbrex::certificate
