// A certificate in the making: theorems by the checker's rules, each with the formula that the
// checker will compute for it, and with the line that says how. Only what the claim rests on is
// printed. Nothing here is trusted: the checker reads the result.
#pragma once

#include "proof/certificate/check/Terms.h"

#include <deque>

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

/// As a line has the name of a function or text, or of a sort, which the reader has marked.
std::string quotedName(const std::string &name);
std::string sortText(const std::string &name);

using Theorem = uint32_t; // from 1
using Variables = std::vector<Variable>;
using Values = std::map<Name, std::vector<Id>>;

/// A word of a line: a term or theorem, which get their numbers when printed, or text.
struct Token {
  enum class Kind : uint8_t { Text, Term, Theorem } kind;
  std::string text;
  uint32_t reference = 0;
};

class Tokens : public std::vector<Token> {
public:
  Tokens &text(const std::string &word) {
    push_back({Token::Kind::Text, word, 0});
    return *this;
  }
  Tokens &number(size_t value) { return text(std::to_string(value)); }
  Tokens &term(Id id) {
    push_back({Token::Kind::Term, {}, id});
    return *this;
  }
  Tokens &theorem(Theorem theorem) {
    push_back({Token::Kind::Theorem, {}, theorem});
    return *this;
  }
  Tokens &list(const std::vector<Id> &ids) {
    number(ids.size());
    for (Id id : ids)
      term(id);
    return *this;
  }
  Tokens &variables(const Terms &terms, const Variables &all);
  Tokens &variable(const Terms &terms, const Variable &variable);
};

class Proof {
public:
  explicit Proof(Terms &terms) : terms(terms) {}

  /// By a rule; `lines` are the steps of a ground proof.
  Theorem add(const std::string &rule, Id formula, Tokens tokens, std::vector<Tokens> lines = {});
  Id formula(Theorem theorem) const { return steps[theorem].formula; }
  /// A binder with names that it had somewhere, so that it is printed like that.
  void remember(Id binder, const Variables &names, const std::vector<Id> &kids);
  /// Names and parts that make the binder; as remembered, or new.
  struct Named {
    Variables names;
    std::vector<Id> kids;
  };
  const Named &form(Id binder);
  std::string text(const std::string &header, const Tokens &claim);

private:
  struct Step {
    std::string rule;
    Id formula = 0;
    Tokens tokens;
    std::vector<Tokens> lines;
  };
  void mark(const Tokens &tokens, std::vector<bool> &needed) const;
  std::string words(const Tokens &tokens);
  std::string printed(Id id);
  Tokens termLine(Id id);

  Terms &terms;
  std::deque<Step> steps{{}};
  std::map<Id, Named> named;
  std::map<Id, std::string> done;
  std::map<Theorem, std::string> numbers;
  std::string out;
};

} // namespace imbrex::certificate
