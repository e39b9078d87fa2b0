// Finds out whether formulas cannot hold all at once, and writes a proof of it in the checker's
// steps. Quantifiers, sums and functions are unknown values here, equal when their parts are. Case
// analysis with learning, over two theories: congruence of equal terms (texts differ, TRUE is not
// FALSE), and linear arithmetic (Fourier-Motzkin, integers tightened).
//
// "false" says nothing: satisfiable, or too hard. No clock: the same question has the same answer
// everywhere.
#pragma once

#include "proof/certificate/elaborate/Proof.h"

#include <optional>
#include <set>

namespace imbrex::certificate {

class Ground;

/// Relations that rows are made of, each with a factor.
using Mixture = std::map<int, Rational>;

/// Do literals contradict each other? One object for one set of literals.
class Theory {
public:
  Theory(Ground &ground, const std::vector<Id> &atoms, const std::vector<int8_t> &values);

  /// Contradictory literals (atom * 2 + 1 when false), and by which of the ground's steps; nothing:
  /// no contradiction found.
  std::optional<std::pair<std::vector<int>, int>> conflict();

private:
  /// A relation B - A = 0 ("="), > 0 ("<"), >= 0 ("<="), or not 0 ("!="), and why it holds: a
  /// literal, equal parts of A, or a mixture of relations.
  struct Item {
    const char *kind;
    Id a = 0, b = 0;
    int literal = -1;
    std::vector<std::pair<Id, Id>> parts;
    Mixture from;
  };
  struct Edge {
    Id to = 0;
    int item = 0;
  };
  struct Row {
    Rational constant;
    std::map<Id, Rational> terms;
    Mixture mixture;
    bool strict = false;
  };
  using Clash = std::optional<Mixture>;

  // Congruence.
  void addTerm(Id id);
  Id find(Id id);
  void merge(Id a, Id b, int item);
  void close();
  std::vector<std::pair<Id, Id>> pairsOf(const Node &a, const Node &b);
  Mixture path(Id a, Id b);
  Clash congruenceConflict();
  void start();

  // Arithmetic.
  Row rowOf(Id number);
  Row normal(Row row);
  void addScaled(Row &row, const Rational &factor, const Row &other);
  Clash addEquation(Row row);
  Clash collectEquations();
  bool propagateEqualities();
  void addProducts();
  Clash inequalities();
  Clash eliminate(std::vector<Row> rows);
  void shrink(Row &row);
  bool tighten(Row &row) const;
  bool isWhole(const Row &row) const;
  Id termOf(const Row &row);

  // Proofs.
  int add(Item item);
  int literal(const char *kind, Id a, Id b, int literal) {
    return add({kind, a, b, literal, {}, {}});
  }
  Clash search();
  Id formulaOf(const Item &item);
  void derive(int item, std::vector<int> &hints);
  void deriveEqual(Id a, Id b, std::vector<int> &hints);
  int linearStep(const Mixture &mixture, const Item *goal);

  Ground &ground;
  Terms &terms;
  const std::vector<Id> &atoms;
  const std::vector<int8_t> &values;
  std::vector<Item> items;
  std::vector<Id> nodes; // of congruence
  std::set<Id> known;
  std::unordered_map<Id, Id> parent;
  std::unordered_map<Id, std::vector<Id>> members;
  std::unordered_map<Id, Edge> forest;
  std::map<Id, Row> solved; // variable = row
  std::vector<Row> equations;
  std::set<int> derived, used; // items; literals
  std::set<Id> derivedPairs;
  std::map<std::pair<Id, Id>, int> pairs; // of equal numbers
  bool merged = false;
};

class Ground {
public:
  enum class Products : uint8_t { AsTheyAre, Distributed };

  /// `work` grows with what is done; past MaxWork the proof is given up.
  Ground(Terms &terms, uint64_t &work, Products products = Products::AsTheyAre)
      : terms(terms), work(work), products(products) {}
  bool refute(const std::vector<Id> &formulas);

  /// After a refutation: which formulas it needs, by place, and the lines of the proof, where
  /// clauses count from the needed formulas in order; `last` is one of them and is always kept.
  std::pair<std::vector<size_t>, std::vector<Tokens>> lines(size_t last);

private:
  friend class Theory;
  struct Step {
    Tokens line;            // without hints
    std::vector<int> hints; // of a derived clause
    int input = -1;         // a formula's place
  };
  int step(Tokens line, std::vector<int> hints = {});
  int derivedStep(const std::vector<int> &literals, std::vector<int> hints);
  Id formulaOf(int literal) const;

  int literal(Id formula);
  void define(Id formula, int variable);
  void defineValues(Id id);
  void defineProduct(Id id);
  void addClause(std::vector<int> clause, int step);
  void addRule(Tokens line, const std::vector<Id> &formulas);
  void spend(uint64_t amount);
  bool propagate();
  bool assign(int literal, int reasonClause);
  void undo(size_t size);
  bool learn(const std::vector<int> &clause, int step);
  std::vector<int> hintsOf(const std::vector<int> &conflict, int step,
                           const std::vector<int> &result) const;
  bool decide();
  bool split();
  bool theoryHolds(std::vector<int> &conflict, int &step);

  struct Clause {
    std::vector<int> literals;
    int step;
  };
  Terms &terms;
  uint64_t &work;
  Products products;
  std::vector<Step> steps;
  std::unordered_map<Id, int> variables;
  std::vector<Id> atoms;       // of variables; of theories or not
  std::vector<Id> theoryAtoms; // by variable, 0 where it is none
  std::vector<Clause> clauses;
  std::vector<int8_t> values; // -1 open
  std::vector<int> trail, levels, reasons;
  std::vector<size_t> marks;
  std::set<Id> defined;
  std::set<Id> splitAtoms;
  int checks = 0, truthStep = 0, last = -1;
};

} // namespace imbrex::certificate
