// Random small databases that satisfy the catalog's constraints by construction.
#pragma once

#include "proof/sql/evaluate/Evaluator.h"
#include "proof/sql/refute/Domains.h"

namespace imbrex::sql {

/// A fast generator of good quality (splitmix64); the same seed gives the same databases.
class Random {
public:
  explicit Random(uint64_t seed) : state(seed) {}
  uint64_t next();
  uint32_t below(uint32_t bound) { return uint32_t((next() >> 32) * bound >> 32); }
  bool oneIn(uint32_t n) { return below(n) == 0; }

private:
  uint64_t state;
};

class DatabaseGenerator {
public:
  /// The queries say which constants and tables matter. E1120: a CHECK that is not evaluated.
  static Result<DatabaseGenerator> make(const Query &first, const Query &second,
                                        const Catalog &catalog, const Semantics &semantics,
                                        TextPool &pool);

  /// Table sizes are drawn from {0,1,1,2,2,3,4} one by one; now and then one table has about as
  /// many rows as a constant of the queries says. Values are from a few that all columns of a type
  /// share; rows are repeated, whole or but for one column, on purpose.
  void generate(Random &random, Instance &instance, Meaning &meaning);

  enum class Beside : uint8_t { Nothing, Rows };
  /// The rows of `start` that satisfy the constraints, with random ones beside them.
  void generateFrom(const Instance &start, Beside beside, Random &random, Instance &instance,
                    Meaning &meaning);

  /// Do all constraints hold?
  bool isValid(const Instance &instance, const Meaning &meaning);

private:
  DatabaseGenerator(const Catalog &catalog, Domains domains, std::vector<bool> used)
      : catalog(&catalog), domains(std::move(domains)), used(std::move(used)) {}

  void begin(Random &random, Instance &instance, Meaning &meaning);
  void chooseActive(Random &random);
  uint32_t chooseSize(Random &random);
  void fillTable(size_t table, bool large, Instance &instance, Meaning &meaning, Random &random);
  void makeKeysFresh(size_t table, uint32_t number, std::vector<Cell> &row);
  void fillRow(size_t table, const Instance &instance, Random &random, std::vector<Cell> &row);
  void followForeignKeys(size_t table, const Instance &instance, Random &random,
                         std::vector<Cell> &row);
  bool fits(size_t table, const Relation &rows, uint32_t count, const Cell *row,
            const Instance &instance, const Meaning &meaning);
  bool foreignKeysHold(size_t table, const Cell *row, const Instance &instance) const;
  void dropDangling(Instance &instance);

  const Catalog *catalog;
  Domains domains;
  std::vector<bool> used;
  std::vector<size_t> order; // of filling: targets of foreign keys first where possible
  std::vector<std::vector<RowCondition>> checks;
  std::array<std::vector<Cell>, BaseTypes> active;
  TextPool *pool = nullptr;
};

} // namespace imbrex::sql
