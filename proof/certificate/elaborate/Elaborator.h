// Turns the prover's log (proof/certificate/write) into a certificate: proves each of its entries
// again from the checker's few rules, with every consequence spelled out. Nothing here is trusted.
//
//   Result<std::string> certificate = elaborate(log);
//
// Cost: a search for each question that the log leaves open, bounded by Ground's limits.
#pragma once

#include "proof/certificate/check/Reader.h"
#include "proof/certificate/elaborate/Elaborate.h"
#include "proof/certificate/elaborate/Ground.h"
#include "proof/certificate/elaborate/Rules.h"

namespace imbrex::certificate {

using check::Line;

/// A proven entry about a binder: exists(variables, guard) = result; of sums, the sum of the value;
/// of Collect, guard = result for all variables.
struct Lemma {
  Op op = Op::Exists;
  Variables variables;
  Id guard = 0, value = 0, result = 0;
  Theorem theorem = 0;
};

/// One summand under unbounded sums, or the scope of another binder.
struct Summand {
  Rational coefficient = 1;
  Variables variables;
  std::vector<Id> guard, factors;
};

/// A formula, or for a witness: `about` implies `body` of new names, and that implies the formula.
struct FactEntry {
  Id formula = 0;
  Theorem theorem = 0;
  Id about = 0, body = 0;
  Variables names;
};

struct Map {
  uint32_t hypothesis = 0;
  Values values;
};

struct Part {
  Variables variables;
  std::vector<Id> guard, factors;
};

class Elaborator : public check::Reader {
public:
  std::string run(std::string_view log);

private:
  using Op = check::Op;
  enum class Scope : uint8_t { Quantifier, Sum, Members };

  // Reading.
  void readTerm(Line &line) override;
  /// The parts of a binder that was read; the names are in the order of its line.
  std::vector<Id> open(uint32_t number, const Variables &names);
  void bridge(Id binder, const Variables &names, const std::vector<Id> &kids);
  Variable only(Line &line);
  std::vector<Part> parts(Line &line);
  void event(const std::string &kind, Line &line);
  template <class T> const T &entry(const std::map<uint32_t, T> &all, Line &line) {
    return at(all, line.count());
  }
  template <class T> const T &at(const std::map<uint32_t, T> &all, uint32_t number) const {
    auto it = all.find(number);
    must(it != all.end(), "an entry is used that was not proven before");
    return it->second;
  }

  // Questions.
  using Theorems = std::vector<Theorem>;
  Theorems related(uint32_t hypothesis, const std::vector<Id> &formulas);
  std::optional<Theorem> search(Id formula, Theorems premises, const char *rule,
                                Ground::Products products);
  /// The given formulas imply the goal, by the premises and what is known of the binders at hand.
  Theorem prove(uint32_t hypothesis, const std::vector<Id> &given, Id goal, Theorems premises = {},
                Ground::Products products = Ground::Products::AsTheyAre);
  /// The formula, by the premises alone.
  Theorem combine(const Theorems &premises, Id formula);
  Id all(const std::vector<Id> &formulas) { return terms.conjunction(formulas); }
  Id implies(Id from, Id to) { return rules.implies(from, to); }
  Id same(Id a, Id b) { return terms.equal(a, b); }
  Id productOf(const std::vector<Id> &factors) { return terms.product(factors); }
  Id total(const std::vector<Id> &values);
  Id valueOf(const Summand &summand) {
    return rules.sumOf(summand.variables, all(summand.guard), productOf(summand.factors));
  }

  // Quantifiers.
  Theorem into(uint32_t hypothesis, Id given, const Variables &from, Id guard, const Variables &to,
               Id target, const Values &values, const Theorems &premises = {});
  Theorem equalQuantifiers(uint32_t hypothesis, Id given, const Variables &names, Id before,
                           Id after, const Theorems &premises = {});
  Theorem opened(const Variables &names, Id before, Id quantified, const Variables &inner, Id body,
                 Id after);
  Theorem inParts(const Variables &names, Id guard, const std::vector<Part> &parts,
                  std::vector<Id> &closed);
  Theorem inBranches(const Variables &names, Id guard, const std::vector<Id> &branches);
  Theorem lemmaFor(uint32_t by, const Variables &names, Id guard, Id &result);

  // Sums.
  Theorem pointwise(uint32_t hypothesis, const std::vector<Id> &given, const Variables &names,
                    const std::vector<Weighted> &items, const Theorems &premises = {},
                    Ground::Products products = Ground::Products::AsTheyAre);
  void link(Theorem theorem) {
    if (theorem != 0)
      links.push_back(theorem);
  }
  void linkScope(uint32_t hypothesis, const Summand &before, const Summand &after,
                 const Theorems &premises = {});
  Theorem factored(const std::vector<Part> &parts, std::vector<Id> &sums, Id &whole);
  Theorem replaceFactor(Id product, Id factor, Id by, Theorem equal);

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
  Theorem factFrom(const std::string &kind, Line &line, Id about, uint32_t aboutNumber, Id formula);
  Theorem instanceFact(const std::string &kind, Line &line, Id about, uint32_t aboutNumber,
                       Id formula);
  Theorem countFact(Id sum, const Variables &names, const std::vector<Id> &kids,
                    const Lemma &lemma);
  void collectedPart(size_t i, const std::vector<Id> &x, const std::vector<Id> &y, Line &line);

  // Scopes.
  bool step(const std::string &kind, Line &line, Summand &state, Scope scope);
  void eliminate(Line &line, Summand &state, Scope scope);
  void rewrite(Line &line, Summand &state, Scope scope);
  void entailed(Line &line, Summand &state, Scope scope);
  void openConjunct(Line &line, Summand &state);
  void change(uint32_t hypothesis, Summand &state, Summand next, Scope scope,
              const Theorems &premises = {});
  void endQuantifier(const std::string &kind, Line &line, const Summand &state, Id result);

  // Events.
  void events(std::map<uint32_t, Summand> &live, const std::vector<Id> &context,
              const std::string &end);
  void simplify(std::vector<Line> &steps, const std::string &kind, Summand &state);
  void choose(const Summand &before, bool isCase);
  void split(const Summand &before);
  void openSum(const Summand &before);
  void close(const Summand &before);
  void closeParts(const Summand &before);
  void determine(Summand &state, Line step);
  void drop(const Summand &before);
  void combineTwo();
  void cancel();
  void group();
  void mean();
  void addFactor(Summand &summand, Id factor);
  void fold(Summand &summand);
  Summand &taken(uint32_t handle);
  void becomes(const Summand &before, const std::vector<std::pair<uint32_t, Summand>> &after,
               Ground::Products products = Ground::Products::AsTheyAre);
  Summand renamed(const Map &map, const Summand &from, const Summand &to);
  Id equationsOf(const Map &map, const Summand &from);
  /// The formulas are refuted, by the refutation with that number.
  Theorem refuted(const std::vector<Id> &formulas, uint32_t hypothesis, uint32_t number,
                  Theorems premises = {});

  Rules rules{terms};
  uint64_t work = 0; // of all questions
  std::map<std::pair<uint32_t, Id>, Theorem> proven;
  std::map<std::pair<Id, Id>, Theorem> bridges;
  std::map<uint32_t, std::vector<size_t>> places; // of a binder's variables in its line
  std::map<uint32_t, std::vector<std::pair<Rational, Id>>> linearParts; // with the constant, last
  std::map<uint32_t, Id> hypotheses{{0, terms.boolean(true)}};          // conjunctions of equations
  std::map<uint32_t, std::vector<std::pair<Id, Id>>> hypothesisPairs;
  std::map<std::pair<uint32_t, Id>, Theorem> rewritings;
  std::map<Id, Theorems> sumFacts;
  std::map<uint32_t, Lemma> lemmas;
  std::map<uint32_t, FactEntry> facts;
  std::map<uint32_t, std::pair<Variables, Theorem>> axioms;
  std::map<uint32_t, std::pair<std::vector<Id>, Theorem>> refutations; // formulas
  struct Equal {
    std::vector<Id> given;
    Id formula = 0;
    Theorem theorem = 0;
  };
  std::map<uint32_t, Equal> equalities;
  std::map<uint32_t, Theorem> learned;
  std::string header, certificate;

  // Of the entry at hand: theorems from which its own follows.
  Theorems links;
  // Of the list of summands at hand.
  struct Event {
    std::vector<uint32_t> handles, results;
    std::vector<Id> guards, terms;
    Id term = 0;
    uint32_t number = 0; // of the term
    Variables names;
    uint32_t lemma = 0, refutation = 0;
    std::vector<Map> maps;
    std::vector<Part> parts;
  } now;
  std::map<uint32_t, Summand> *live = nullptr;
  std::vector<Id> context, closed;
  Line ending{"", 0}; // the line that ended the last list of steps
};

} // namespace imbrex::certificate
