// A model of the solver as rows of tables. Opaque values are numbers there; they become texts that
// are ordered alike and match the patterns that the model says they match.
#pragma once

#include "proof/smt/SmtGuardSolver.h"
#include "proof/sql/Verdict.h"
#include "proof/sql/prove/Translate.h"

namespace imbrex::sql {

class ModelReader {
public:
  ModelReader(const Catalog &catalog, Pool &pool, Translator &translator,
              algebra::SmtGuardSolver &solver)
      : catalog(catalog), pool(pool), translator(translator), solver(solver) {}

  /// The rows that the solver's last counterexample says are there.
  Database read();
  /// That literals are ordered as their texts: models should know it.
  std::vector<Id> literalOrder();

private:
  using Sorted = std::map<Rational, std::string>; // number in the model: text

  std::vector<Value> rowOf(uint32_t table, const std::vector<Id> &arguments);
  Value valueOf(Id id, const Type &type);
  std::string textOf(Id id, const Type &type);
  std::string freshText(const Sorted &known, const Rational &at, const Type &type) const;
  std::string matchingText(Id id);
  void collectLiterals();
  std::string literalText(Id id) const;
  bool isPresent(Id application);

  const Catalog &catalog;
  Pool &pool;
  Translator &translator;
  algebra::SmtGuardSolver &solver;
  std::map<algebra::Sort, Sorted> texts; // of the model at hand
};

} // namespace imbrex::sql
