// Scripts for the rules of certificates: each theorem becomes a lemma.
#pragma once

#include "proof/certificate/check/Check.h"
#include "proof/certificate/export/CoqTerms.h"

#include <memory>

namespace imbrex::certificate {

class CoqGround {
public:
  explicit CoqGround(Terms &terms) : coq(terms), terms(terms) {}

  void read(const std::map<uint32_t, Id> &numbers) { ids = &numbers; }
  Id term(check::Line &line) const { return ids->at(line.count()); }

  void ground(uint32_t number, check::Line line, const std::vector<check::Line> &steps);
  void hypothesis(uint32_t number, Id formula);
  void instance(uint32_t number, Id formula, check::Line line);
  void introduce(uint32_t number, Id formula, check::Line line);
  void eliminate(uint32_t number, Id formula, check::Line line);

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
  Clause clauseOf(check::Line line, const std::vector<Clause> &clauses);
  Clause whole(Id formula);
  Clause same(check::Line &line, Id &before, std::vector<Id> &old, std::vector<Id> &next);
  std::string prove(check::Line line, const Clause &clause, const std::vector<Clause> &clauses);
  std::string provePart(const Clause &clause, Id whole, Id part);
  std::string proveWhole(const Clause &clause, Id whole);
  std::string proveLinear(const Clause &clause);
  std::string proveSame(check::Line line, const Clause &clause);
  std::string proveChosen(const Clause &clause, Id choice);
  std::string proveRup(check::Line line, const Clause &clause, const std::vector<Clause> &clauses);
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
  CoqTerms::Values textsOf(const Map &map);
  Map read(const std::vector<Variable> &names, check::Line &line);
  std::vector<Variable> variables(check::Line &line);

  void lemma(const std::string &name, const CoqTerms::Components &free, const std::string &claim,
             const std::string &proof);

  Terms &terms;
  const std::map<uint32_t, Id> *ids = nullptr;
  std::map<uint32_t, Id> theorems;
  std::map<std::pair<Id, std::vector<std::pair<Id, Id>>>, std::string> bridges;
  std::string all;
  uint32_t bridgeCount = 0;
};

} // namespace imbrex::certificate
