// The rules of certificates. A theorem is a formula that holds for all values of its free
// variables, whatever the functions in it mean, as long as the axioms hold and tables are finite:
// "in:T" and "rows:T" are false or zero but for finitely many arguments. Each rule computes its
// theorem from what its line says and from theorems before it; nothing is searched for.
#pragma once

#include "proof/certificate/check/Check.h"
#include "proof/certificate/check/Reader.h"

#include <set>

namespace imbrex::check {

class Checker : public Reader {
public:
  explicit Checker(Observer *observer) : observer(observer) {}
  void run(std::string_view text, std::string_view statement, Outcome &outcome);

private:
  using Clause = std::vector<Id>; // formulas, of which one holds

  // Formulas.
  Id theorem(Line &line);
  Id implies(Id from, Id to) { return terms.disjunction({terms.negation(from), to}); }
  Id exists(const std::vector<Variable> &names, Id guard);
  Id sumOf(const std::vector<Variable> &names, Id guard, Id value);
  bool isFinite(const std::vector<Variable> &names, Id guard, Id value); // Finite.cpp
  Id collection(Line &line, const std::vector<Variable> &names, const std::vector<Id> &kids);
  Id equations(const Variable &variable, const std::vector<Id> &values);
  std::map<Name, std::vector<Id>> valuesOf(const std::vector<Variable> &names, Line &line);
  std::vector<Variable> joined(std::vector<Variable> a, const std::vector<Variable> &b);
  void mustBeFree(const std::vector<Variable> &names, const std::vector<Id> &all) const;

  // Rules, each with its theorem (Rules.cpp).
  Id readAxiom(Line &line, uint32_t number);
  Id count(Line &line, uint32_t number);
  Id instance(Line &line, uint32_t number);
  Id introduce(Line &line, uint32_t number);
  Id eliminate(Line &line, uint32_t number);
  Id add(Line &line, uint32_t number);
  Id nest(Line &line, uint32_t number);
  Id point(Line &line, uint32_t number);
  Id rename(Line &line, uint32_t number);
  Id positive(Line &line, uint32_t number);
  Id collect(Line &line, uint32_t number);
  struct Choice {
    std::string function;
    std::vector<Variable> names;
    Id guard, own;
  };
  Choice choice(Line &line);
  Id member(Line &line, uint32_t number);
  Id extreme(Line &line, uint32_t number);

  // Consequences without binders (Ground.cpp).
  struct Row {
    Rational constant;
    std::map<Id, Rational> terms;
  };
  Id ground(Line &line, uint32_t number);
  Clause step(const std::string &kind, Line &line, const std::vector<Clause> &clauses);
  Clause part(Line &line);
  Clause whole(Line &line);
  Clause chosen(Line &line);
  Clause ofProduct(const std::string &kind, Line &line);
  Clause distributed(Line &line);
  Clause same(Line &line);
  Clause linear(Line &line);
  Clause resolved(Line &line, const std::vector<Clause> &clauses);
  void addTo(Row &row, const Rational &factor, Id term) const;
  void tighten(Row &row, bool &isStrict) const;

  void entry(const std::string &kind, Line &line, Outcome &outcome);
  void claim(Line &line);
  void mustBeStated(std::string_view statement);

  Observer *observer;
  std::set<Id> finite; // sums
  std::map<uint32_t, Id> theorems;
  std::map<uint32_t, std::pair<std::vector<Variable>, Id>> axioms;
  std::set<Name> counts;
  std::string compared; // "bags" or "sets"
  std::pair<Id, Id> claimed;
  bool isProven = false;
};

} // namespace imbrex::check
