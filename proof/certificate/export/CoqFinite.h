// Proofs that finitely many terms of a sum are not zero, as the checker's Finite.cpp sees it: where
// the guard holds and the value is not zero each variable is one of a list, because it stands in a
// table, is a truth value, or is determined by variables that are.
#pragma once

#include "proof/certificate/export/CoqTerms.h"

namespace imbrex::certificate {

class CoqFinite {
public:
  CoqFinite(Terms &terms, CoqTerms &coq) : terms(terms), coq(coq) {}

  /// The proof of "finite", of the function of these variables that is the value where the guard
  /// holds and zero elsewhere.
  std::string prove(const std::vector<Id> &variables, Id guard, Id value);
  /// That a list has all values of which the guard holds.
  std::string proveMembers(const std::vector<Id> &variables, Id guard);

private:
  enum class Kind : uint8_t { Holds, Fails, NonZero };
  struct Fact {
    Id id = 0;
    Kind kind = Kind::Holds;
    std::string name; // of the hypothesis
  };
  struct Alternative {
    std::string start;                               // of the proof of this case
    std::vector<std::pair<Fact, std::string>> facts; // with proofs
  };
  struct Scope {
    std::set<Id> tracked;            // components
    std::map<Id, std::string> lists; // that have what is known of them
    std::vector<Fact> equations, alternatives;
    std::set<Id> opened;
    std::string script;
    bool isAbsurd = false; // the script shows a contradiction
  };

  std::string finish(const std::vector<Id> &variables, Scope &scope, const std::string &intro);
  void track(Scope &scope, const std::vector<Id> &all);
  void assume(Scope &scope, Id id, Kind kind, const std::string &proof);
  void assumeTerm(Scope &scope, Id guard, Id value, const std::string &hypothesis);
  void decompose(Scope &scope, const Fact &fact);
  void decomposeFormula(Scope &scope, const Fact &fact);
  void decomposeNumber(Scope &scope, const Fact &fact);
  std::string wholeEnd(Id number) const;
  void open(Scope &scope, const Fact &fact);
  void ofTable(Scope &scope, const Fact &fact);
  void run(Scope &scope);
  void solve(Scope &scope, const Fact &fact);
  bool determine(Scope &scope, Id component, Id value, const std::string &why);
  void split(Scope &scope, const Fact &fact);
  std::vector<Alternative> cases(const Fact &fact);
  void add(Scope &scope, Id component, const std::string &list, const std::string &proof);
  bool isBounded(const Scope &scope, Id id);
  std::string statement(Id id, Kind kind);
  std::string fresh(const char *start) { return start + std::to_string(++count); }

  Terms &terms;
  CoqTerms &coq;
  std::string prefix; // the lists
  uint32_t count = 0;
};

} // namespace imbrex::certificate
