// The state of a check: what has been read and proven so far.
#pragma once

#include "proof/certificate/check/Check.h"
#include "proof/certificate/check/Ground.h"

namespace imbrex::check {

/// One line of a certificate, read token by token.
class Line {
public:
  Line(std::string_view text, size_t number);
  std::string next();
  uint32_t count(); // a number below a million
  bool atEnd() const { return at == tokens.size(); }
  void restart() { at = 0; }
  size_t number;

private:
  std::vector<std::string> tokens;
  size_t at = 0;
};

/// Of quantifiers: whether the guard holds for some values. Of sums: guard and product.
struct Lemma {
  Op op = Op::Exists; // Sum; of Collect, that two formulas are the same for all members

  std::vector<Variable> variables;
  Id guard = 0, value = 0, result = 0;
};

/// One summand under unbounded sums.
struct Summand {
  Rational coefficient = 1;
  std::vector<Variable> variables;
  std::vector<Id> guard, factors;
};

/// A proven statement that formulas cannot hold together.
struct Refuted {
  std::vector<Id> formulas;
};

struct FactEntry {
  Id formula = 0;
  Id quantified = 0; // of a witness
  std::vector<Variable> names;
};

struct Map {
  uint32_t hypothesis = 0;
  std::map<Name, std::vector<Id>> values;
};

struct Part {
  std::vector<Variable> variables;
  std::vector<Id> guard, factors;
};

class Checker {
public:
  explicit Checker(Leaves leaves) : leaves(leaves) {}
  void run(std::string_view text, std::string_view statement, Outcome &outcome);

private:
  // Reading.
  Line line();
  Id term(Line &line);
  /// The parts of a binder that was read; the names are in the order of its line.
  std::vector<Id> open(uint32_t number, const std::vector<Variable> &names);
  std::vector<Id> list(Line &line);
  Sort sort(Line &line);
  Variable variable(Line &line);
  std::vector<Variable> variables(Line &line);
  Variable only(Line &line);
  void readTerm(Line &line);
  Id termOf(const std::string &op, Line &line);
  template <class T> const T &entry(const std::map<uint32_t, T> &all, Line &line) {
    auto it = all.find(line.count());
    must(it != all.end(), "an entry is used that was not proven before");
    return it->second;
  }

  // Questions.
  [[noreturn]] void reject(const std::string &why) const;
  void must(bool condition, const char *why) const {
    if (!condition)
      reject(why);
  }
  bool entails(uint32_t hypothesis, std::vector<Id> given, Id goal);
  void mustEntail(uint32_t hypothesis, const std::vector<Id> &given, Id goal, const char *why) {
    must(entails(hypothesis, given, goal), why);
  }
  std::vector<Id> related(uint32_t hypothesis, const std::vector<Id> &formulas);
  void mustBeValue(Id component, Id value);
  Id equations(const Variable &variable, const std::vector<Id> &values);
  Id all(const std::vector<Id> &formulas) { return terms.conjunction(formulas); }
  Id implies(Id from, Id to) { return terms.disjunction({terms.negation(from), to}); }
  Id same(Id a, Id b) { return terms.equal(a, b); }
  Id productOf(const std::vector<Id> &factors) { return terms.product(factors); }
  bool freeIn(const Variable &variable, const std::vector<Id> &all) const;
  void mustBeNew(const std::vector<Variable> &names, const std::vector<Variable> &taken,
                 const std::vector<Id> &terms) const;
  static bool sameNames(const std::vector<Variable> &a, const std::vector<Variable> &b);

  // Entries.
  void entry(const std::string &kind, Line &line);
  void readHypothesis(Line &line);
  void readRewriting(Line &line);
  void readSumFact(Line &line);
  void readQuantifier(Line &line) { readFormula(line, Op::Exists); }
  void readMembers(Line &line) { readFormula(line, Op::Collect); }
  void readFormula(Line &line, Op op);
  void readSum(Line &line);
  void readEquality(Line &line);
  void readRefutation(Line &line);
  void readFact(Line &line);
  void readAxiom(Line &line);
  void readLearned(Line &line);
  void readCollected(Line &line);
  void readClaim(Line &line);
  void mustBeStated(std::string_view statement);
  void factOf(const std::string &kind, Line &line, Id about, uint32_t aboutNumber, FactEntry &fact);
  void mustBeValues(uint32_t hypothesis, const std::vector<Variable> &names);
  void mustBeWitnesses(const std::vector<FactEntry> &used, const std::vector<Id> &formulas);

  // Scopes.
  bool step(const std::string &kind, Line &line, Summand &state, bool isSum);
  void eliminate(Line &line, Summand &state, bool isSum, bool isFold);
  void rewrite(Line &line, Summand &state, bool isSum);
  void entailed(Line &line, Summand &state, bool isSum);
  void openConjunct(Line &line, Summand &state);
  void mustBeSameFactors(uint32_t hypothesis, std::vector<Id> given, const std::vector<Id> &before,
                         const std::vector<Id> &after);
  std::vector<Part> parts(Line &line);
  void mustBeApart(const std::vector<Part> &parts, const Summand &state, bool isSum);
  void endQuantifier(const std::string &kind, Line &line, const Summand &state, Id result);

  // Sums.
  void events(std::map<uint32_t, Summand> &live, const std::vector<Id> &context,
              const std::vector<Id> &outside, const std::string &end, Id &total);
  void event(const std::string &kind, Line &line);
  void choose(const Summand &before, bool isCase);
  void split(const Summand &before);
  void openSum(const Summand &before);
  Id closed(const Summand &state, const std::vector<Part> &parts);
  void determine(std::vector<Line> &steps, Summand &state);
  void combine();
  void cancel();
  void group(bool isMean);
  void addFactor(Summand &summand, Id factor);
  void fold(Summand &summand);
  void mustBeEmpty(std::map<uint32_t, Summand> &summands);
  Summand &taken(uint32_t handle);
  Summand &added(uint32_t handle, Summand summand);
  Id equationsOf(const Map &map, const Summand &from, const Summand &to);
  Id valueOf(const Summand &summand);
  void mustRefute(const std::vector<Id> &formulas, uint32_t hypothesis, uint32_t refutation);

  std::string script(const std::vector<Id> &formulas);

  Terms terms;
  Leaves leaves;
  Outcome *outcome = nullptr;
  std::string_view rest;
  size_t lineNumber = 0;
  Line ending{"", 0}; // the line that ended the last list of steps
  std::map<uint32_t, Id> ids;
  std::map<uint32_t, std::vector<size_t>> places; // of a binder's variables in its line
  std::map<uint32_t, std::vector<std::pair<Rational, Id>>> linearParts; // with the constant, last
  uint32_t lastTerm = 0, current = 0;                                   // last used, being read
  std::map<uint32_t, Id> hypotheses;                                    // conjunctions of equations
  std::map<uint32_t, std::vector<std::pair<Id, Id>>> hypothesisPairs;
  std::map<std::pair<uint32_t, Id>, Id> rewritings;
  std::map<Id, std::vector<Id>> sumFacts;
  std::map<uint32_t, Lemma> lemmas;
  std::map<uint32_t, FactEntry> facts;
  std::map<uint32_t, std::pair<std::vector<Variable>, Id>> axioms;
  std::map<uint32_t, Refuted> refutations;
  std::map<uint32_t, std::pair<std::vector<Id>, Id>> equalities; // context, formula
  std::map<uint32_t, Id> learned;                                // formulas
  std::set<Name> counts;
  uint64_t work = 0;    // of all questions
  std::string compared; // "bags" or "sets"
  std::pair<Id, Id> claimed;

  // Of the list of summands at hand.
  struct Event {
    std::vector<uint32_t> handles, results;
    std::vector<Id> guards, terms;
    Id term = 0;
    uint32_t number = 0; // of the term
    std::vector<Variable> names;
    uint32_t lemma = 0, refutation = 0;
    std::vector<Map> maps;
    std::vector<Part> parts;
  } now;
  std::map<uint32_t, Summand> *live = nullptr;
  std::vector<Id> context, outside;
};

} // namespace imbrex::check
