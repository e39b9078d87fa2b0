// Terms as definitions for Coq: int is Z, bool is bool, other sorts are types with a decided
// equality and order. Each compound term is a definition with its free variables as parameters.
#pragma once

#include "proof/certificate/check/Reader.h"

#include <set>

namespace imbrex::certificate {

using check::Id;
using check::Name;
using check::Node;
using check::Op;
using check::Rational;
using check::Rejection;
using check::Sort;
using check::Terms;
using check::Variable;

/// An atom that is true or false.
struct Literal {
  Id atom = 0;
  bool isTrue = true;
};

class CoqTerms {
public:
  explicit CoqTerms(Terms &terms) : terms(terms) {}

  using Components = std::set<Id>;
  using Values = std::map<Id, std::string>; // what stands for a component

  Literal literal(Id formula) const;
  /// "A = true", as a proposition.
  std::string fact(Id formula);
  /// The term, its definition written before.
  std::string call(Id id, const Values &values = {});
  const Components &free(Id id);
  /// A name of its own for each variable, component and sort.
  std::string component(Id id) const;
  std::string type(Sort sort);
  /// A number where one of that sort is expected.
  std::string callAs(Id id, Sort sort);
  bool isReal(Id number) const;    // has a part that is
  std::string fallback(Sort sort); // some value
  std::string binders(const Components &all);
  std::string arguments(const Components &all, const Values &values = {}) const;
  std::string nameOf(Id id) const { return "t" + std::to_string(id); }
  bool isInline(Id id) const;
  /// The binder's variables, called as in its definition, and its parts.
  const std::pair<std::vector<Variable>, std::vector<Id>> &opened(Id binder);
  /// The function of a collection; what holds of it is declared with its first use.
  std::string collector(Id id);
  std::string collection(Id id);
  std::string applied(Id id, const std::vector<Id> &kids);
  /// Variables as one value: its type, the function of it, itself, and a pattern that splits it.
  std::string tupleType(const std::vector<Id> &all);
  std::string lambda(const std::vector<Id> &all, const std::string &body) const;
  std::string tuple(const std::vector<std::string> &all) const;
  std::string tuple(const std::vector<Id> &all) const;
  std::string pattern(const std::vector<Id> &all) const;
  std::vector<Id> componentsOf(const std::vector<Variable> &names);
  /// A function that stands for a table is one of finitely many rows, in a list.
  std::string rows(Id application);
  std::string functionOf(Id application); // its name
  std::string sumName(Sort sort) const { return sort == terms.realSort ? "R_Sum" : "Sum"; }
  std::string zero(Sort sort) const { return sort == terms.realSort ? "0%R" : "0%Z"; }
  /// A tactic that refutes relations between values of an ordered sort; declared with its laws.
  std::string orderOf(Sort sort);
  std::string equalName(Sort sort) { return type(sort) + "_eqb"; }

  std::string declarations, definitions;
  bool hasReals = false;

private:
  void define(Id id);
  std::string body(Id id);
  std::string linear(Id number, const Values &values, bool isScaled);
  std::string infix(const std::vector<Id> &kids, const char *op);
  std::string function(const std::string &key, const std::string &type);

  Terms &terms;
  std::set<Id> defined;
  std::map<Id, Components> components;
  std::map<Id, std::pair<std::vector<Variable>, std::vector<Id>>> openings;
  std::map<std::string, std::string> functions;
  std::set<std::string> finite, collectors, orders;
  std::map<Sort, std::string> types;
  std::map<Sort, std::vector<std::string>> texts;
  std::map<Id, std::string> textNames;
};

} // namespace imbrex::certificate
