// Can formulas not hold all at once? Quantifiers, sums and functions are unknown values here, equal
// when their parts are. Case analysis with learning, over two theories: congruence of equal terms
// (texts differ, TRUE is not FALSE), and linear arithmetic (Fourier-Motzkin, integers tightened).
//
// "true" is a proof; "false" says nothing: satisfiable, or too hard. No clock: the same question
// has the same answer everywhere.
#pragma once

#include "proof/certificate/check/Terms.h"

#include <set>

namespace imbrex::check {

using Reason = std::vector<int>; // sorted literals that imply something

Reason joined(const Reason &a, const Reason &b);

/// Do literals contradict each other? One object for one set of literals.
class Theory {
public:
  Theory(Terms &terms, const std::vector<Id> &atoms, const std::vector<int8_t> &values);

  /// A contradictory subset of the literals (atom * 2 + 1 when false); empty: none found.
  Reason conflict();

private:
  struct Edge {
    Id to = 0;
    Reason reason;
    std::vector<std::pair<Id, Id>> pairs; // of parts, for functions of equal parts
  };
  struct Row {
    Rational constant;
    std::map<Id, Rational> terms;
    Reason reason;
    bool strict = false;
  };

  // Congruence.
  void addTerm(Id id);
  Id find(Id id);
  void merge(Id a, Id b, Edge edge);
  void close();
  std::vector<std::pair<Id, Id>> pairsOf(const Node &a, const Node &b);
  void explain(Id a, Id b, std::set<std::pair<Id, Id>> &seen, Reason &reason);
  Reason explained(Id a, Id b);
  Reason congruenceConflict();

  // Arithmetic.
  Row rowOf(Id number);
  Row normal(Row row);
  void addScaled(Row &row, const Rational &factor, const Row &other);
  bool addEquation(Row row, Reason &conflict);
  Reason collectEquations();
  bool propagateEqualities();
  void addProducts();
  Reason inequalities();
  Reason eliminate(std::vector<Row> rows);
  bool tighten(Row &row) const;
  bool isWhole(const Row &row) const;

  Terms &terms;
  const std::vector<Id> &atoms;
  const std::vector<int8_t> &values;
  std::vector<Id> nodes; // of congruence
  std::set<Id> known;
  std::unordered_map<Id, Id> parent;
  std::unordered_map<Id, std::vector<Id>> members;
  std::unordered_map<Id, Edge> forest;
  std::map<Id, Row> solved; // variable = row
  std::vector<Row> equations;
  bool merged = false;
};

class Ground {
public:
  /// `work` grows with what is done; past MaxWork the certificate is refused.
  Ground(Terms &terms, uint64_t &work) : terms(terms), work(work) {}
  bool refute(const std::vector<Id> &formulas);

private:
  int literal(Id formula);
  void define(Id formula, int variable);
  void defineValues(Id id);
  void addClause(std::vector<int> clause);
  void spend(uint64_t amount);
  bool propagate();
  bool assign(int literal, int reasonClause);
  void undo(size_t size);
  bool learn(std::vector<int> clause);
  bool decide();
  bool split();
  bool theoryHolds(std::vector<int> &conflict);

  Terms &terms;
  uint64_t &work;
  std::unordered_map<Id, int> variables;
  std::vector<Id> atoms;       // of variables; of theories or not
  std::vector<Id> theoryAtoms; // by variable, 0 where it is none
  std::vector<std::vector<int>> clauses;
  std::vector<int8_t> values; // -1 open
  std::vector<int> trail, levels, reasons;
  std::vector<size_t> marks;
  std::set<Id> defined;
  std::set<Id> splitAtoms;
  int checks = 0;
};

} // namespace imbrex::check
