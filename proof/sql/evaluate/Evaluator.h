// Runs a query over a small database held in memory, with the exact meaning of the algebra:
// three-valued logic, bags, every operator. Made for very many runs over very few rows: a query is
// compiled once, and later runs reuse its memory. Joins are nested loops and groups are found by
// search, so a run takes time quadratic in the rows.
//
// A run whose result the semantics leave open or that an engine might stop ends in a Fault:
//  - Error: a division by zero, several rows in a scalar subquery. All operands of AND and OR are
//    evaluated, since engines choose the order; CASE and COALESCE are lazy.
//  - Overflow: a number beyond 64 bits, although integers are unbounded by meaning.
//  - NotDetermined: LIMIT or a window function that chooses among tied rows which differ, or a
//    function like RANDOM. Runs without such a choice are fine.
//  - TooLarge: an intermediate result with more than MostRows rows or MostCells cells.
#pragma once

#include "proof/sql/evaluate/Cell.h"
#include "proof/sql/evaluate/Meaning.h"
#include "proof/sql/query/Query.h"
#include "proof/sql/query/Semantics.h"

#include <memory>

namespace imbrex::sql {

enum class Fault : uint8_t { None, Error, Overflow, NotDetermined, TooLarge };

constexpr uint32_t MostRows = 200'000;
constexpr size_t MostCells = 2'000'000;

/// Valid until the evaluator's next run, and until the pool is released below its texts.
struct RunResult {
  Fault fault = Fault::None;
  const char *why = ""; // of a fault
  const Relation *rows = nullptr;
  /// When the query ends in ORDER BY: for each row the number of its tie, ascending. Rows of one
  /// tie may come in any order. Null when the result is a bag.
  const std::vector<uint32_t> *ties = nullptr;
};

class Evaluator {
public:
  /// The pool is shared by the evaluators whose results are compared, and outlives them. E1100: a
  /// construct that is not evaluated.
  static Result<Evaluator> compile(const Query &query, const Catalog &catalog,
                                   const Semantics &semantics, TextPool &pool);
  Evaluator(Evaluator &&);
  Evaluator &operator=(Evaluator &&);
  ~Evaluator();

  RunResult run(const Instance &instance, const Meaning &meaning);

  /// Does the query have functions, aggregates or parameters whose meaning is drawn?
  bool usesMeaning() const;

private:
  struct Program;
  explicit Evaluator(std::unique_ptr<Program> program);
  std::unique_ptr<Program> program;
};

/// As a database of values, and back. None: a value that no cell holds.
struct Database;
Database toDatabase(const Instance &instance, const Catalog &catalog, const TextPool &pool);
std::optional<Instance> toInstance(const Database &database, const Catalog &catalog,
                                   TextPool &pool);

/// Evaluates a condition over one row (CHECK constraints): TRUE, FALSE or NULL; none on a fault.
class RowCondition {
public:
  static Result<RowCondition> compile(const Expr &condition, const Semantics &semantics,
                                      TextPool &pool);
  RowCondition(RowCondition &&);
  RowCondition &operator=(RowCondition &&);
  ~RowCondition();
  std::optional<Cell> evaluate(const Cell *row, const Instance &instance, const Meaning &meaning);

private:
  struct Program;
  explicit RowCondition(std::unique_ptr<Program> program);
  std::unique_ptr<Program> program;
};

} // namespace imbrex::sql
