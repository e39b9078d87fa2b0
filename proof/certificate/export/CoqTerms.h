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
  std::string applied(Id id, const std::vector<Id> &kids);
  std::string equalName(Sort sort) { return type(sort) + "_eqb"; }

  std::string declarations, definitions;
  bool hasReals = false;

private:
  void define(Id id);
  std::string body(Id id);
  std::string linear(Id number, const Values &values, bool isScaled);
  std::string infix(const std::vector<Id> &kids, const char *op);
  std::string function(const std::string &key, const std::string &type);
  std::string quantified(const std::string &word, const std::vector<Variable> &names,
                         const std::string &body);
  std::string collection(Id id);

  Terms &terms;
  std::set<Id> defined;
  std::map<Id, Components> components;
  std::map<Id, std::pair<std::vector<Variable>, std::vector<Id>>> openings;
  std::map<std::string, std::string> functions;
  std::map<Sort, std::string> types;
  std::map<Sort, std::vector<std::string>> texts;
  std::map<Id, std::string> textNames;
};

} // namespace imbrex::certificate
