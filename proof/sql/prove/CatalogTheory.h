// Constraints of tables as facts about single rows and pairs of rows.
#pragma once

#include "proof/algebra/GuardSolver.h"
#include "proof/sql/prove/Translate.h"

namespace imbrex::sql {

/// For each row at hand: values are normal, CHECKs are not FALSE, foreign keys have their target
/// (one step per question and round, so cycles end). For two rows: unique keys.
class CatalogTheory : public algebra::Theory {
public:
  CatalogTheory(Pool &pool, const Catalog &catalog, Translator &translator);

  void factsOf(Id application, std::vector<Id> &out) override;
  void factsOfPair(Id a, Id b, std::vector<Id> &out) override;
  void factsOfCollection(Id collection, std::vector<Id> &out) override;
  bool isCount(algebra::Symbol function) const override;

private:
  struct Source {
    uint32_t table;
    bool counts; // the application is a multiplicity
  };
  Id present(Id application);
  void checks(uint32_t table, const SymbolicRow &row, Id here, std::vector<Id> &out);
  void foreignKeys(uint32_t table, const SymbolicRow &row, Id here, std::vector<Id> &out);

  Pool &pool;
  const Catalog &catalog;
  Translator &translator;
  std::unordered_map<algebra::Symbol, Source> sources;
};

} // namespace imbrex::sql
