// Inside of the evaluator: compiled expressions and operators, and the state of a run.
#pragma once

#include "proof/sql/evaluate/Evaluator.h"

namespace imbrex::sql::evaluate {

struct CompiledQuery;

/// Functions whose meaning is known; all others are drawn.
enum class Builtin : uint8_t {
  None,
  Upper,
  Lower,
  Abs,
  Length,
  Trim,
  TrimStart,
  TrimEnd,
  Substring,
  CutText, // CAST TO VARCHAR(n); n is in `literal`
  Extract,
  BitAnd,
  BitOr,
  BitXor,
  ThrowUnless,
  Random
};

/// Aggregates that the algebra does not know, but the evaluator does.
enum class KnownAggregate : uint8_t {
  None,
  VarPop,
  VarSamp,
  StddevPop,
  StddevSamp,
  BitAnd,
  BitOr,
  BitXor
};
KnownAggregate knownAggregate(const Aggregate &aggregate);

struct CompiledExpr {
  ExprKind kind = ExprKind::Literal;
  Op op = Op::And;
  Quantifier quantifier = Quantifier::Any;
  Builtin builtin = Builtin::None;
  bool truncating = false; // of Divide: over integers
  uint32_t depth = 0;
  uint32_t index = 0;
  uint64_t name = 0; // hash
  Cell literal;
  Type type;
  std::string text; // the name, of Parameter and Function
  std::vector<CompiledExpr> operands;
  std::unique_ptr<CompiledQuery> query;
};

struct CompiledAggregate {
  AggregateKind kind = AggregateKind::CountRows;
  KnownAggregate known = KnownAggregate::None; // of Uninterpreted
  bool distinct = false;
  bool truncating = false; // of Avg: to an integer
  uint64_t name = 0;
  Type type;
  std::vector<CompiledExpr> arguments;
  std::optional<CompiledExpr> filter;
  // Of a run: the arguments of each input row, and whether the filter keeps it.
  std::vector<Cell> values;
  std::vector<char> kept;
};

struct CompiledKey {
  CompiledExpr expr;
  Direction direction = Direction::Ascending;
  NullOrder nulls = NullOrder::Last;
};

struct CompiledBound {
  BoundKind kind = BoundKind::CurrentRow;
  std::optional<CompiledExpr> offset;
};

struct CompiledWindow {
  WindowKind kind = WindowKind::Aggregate;
  CompiledAggregate aggregate; // of the other kinds: arguments and type
  std::vector<CompiledExpr> partition;
  std::vector<CompiledKey> order;
  FrameUnit unit = FrameUnit::Range;
  CompiledBound from, to;
  // The input's columns that it or the operator above reads; empty: all of them. Tied rows that
  // agree in these are no choice.
  std::vector<bool> read;
};

struct CompiledQuery {
  QueryKind kind = QueryKind::Values;
  uint32_t width = 0;
  std::vector<std::unique_ptr<CompiledQuery>> inputs;
  uint32_t table = 0;
  std::vector<std::vector<CompiledExpr>> rows;
  std::optional<CompiledExpr> condition; // none: TRUE
  std::vector<CompiledExpr> exprs;
  JoinKind join = JoinKind::Inner;
  bool lateral = false;
  SetKind set = SetKind::Union;
  bool all = false;
  std::vector<std::vector<uint32_t>> groupingSets;
  std::vector<std::vector<uint32_t>> groupingCalls;
  std::vector<CompiledAggregate> aggregates;
  std::vector<CompiledWindow> windows;
  std::vector<CompiledKey> order;
  std::optional<CompiledExpr> limit, offset;
  bool onlyExistence = false; // of Sort below EXISTS: which rows it chooses does not matter
  // Of a run.
  Relation result;
  std::vector<uint32_t> ties; // of Sort
  std::vector<Cell> scratch;
  std::vector<Cell> keys;
  std::vector<uint32_t> permutation;
  std::vector<char> flags;
};

struct Run {
  explicit Run(TextPool &pool) : pool(pool) {}

  TextPool &pool;
  Semantics semantics;
  const Instance *instance = nullptr;
  const Meaning *meaning = nullptr;
  std::vector<const Cell *> rows; // of the enclosing queries, the row at hand last
  Fault fault = Fault::None;
  const char *why = "";

  /// The first fault stays.
  void fail(Fault kind, const char *reason) {
    if (fault == Fault::None) {
      fault = kind;
      why = reason;
    }
  }
  bool failed() const { return fault != Fault::None; }
};

/// Makes `row` the row at hand.
class RowScope {
public:
  RowScope(Run &run, const Cell *row) : run(run) { run.rows.push_back(row); }
  ~RowScope() { run.rows.pop_back(); }
  RowScope(const RowScope &) = delete;
  void set(const Cell *row) { run.rows.back() = row; }

private:
  Run &run;
};

Result<std::unique_ptr<CompiledQuery>> compileQuery(const Query &query, const Semantics &semantics,
                                                    TextPool &pool);
Result<CompiledExpr> compileExpr(const Expr &expr, const Semantics &semantics, TextPool &pool);

Cell evaluate(const CompiledExpr &expr, Run &run);
const Relation &evaluate(CompiledQuery &query, Run &run);

Cell callBuiltin(const CompiledExpr &expr, const std::vector<Cell> &arguments, Run &run);
Cell castCell(const CompiledExpr &expr, const Cell &cell, Run &run);
bool matchesLike(std::string_view text, std::string_view pattern);
Cell compareCells(Op op, const Cell &a, const Cell &b, const TextPool &pool);

/// Over the values that count; the first fault goes to `run`.
Cell knownAggregateOver(KnownAggregate known, const std::vector<Cell> &values, Run &run);

/// Evaluates arguments and filters for each row of the input.
void prepareAggregate(CompiledAggregate &aggregate, const Relation &input, Run &run);
/// Over the listed rows of that input.
Cell aggregateOver(const CompiledAggregate &aggregate, const uint32_t *rows, size_t count,
                   Run &run);

void evaluateGroup(CompiledQuery &query, const Relation &input, Run &run);
void evaluateWindows(CompiledQuery &query, const Relation &input, Run &run);
void evaluateSort(CompiledQuery &query, const Relation &input, Run &run);

/// Keys of all rows, one row's after the other.
void evaluateKeys(const std::vector<CompiledKey> &order, const Relation &input,
                  std::vector<Cell> &keys, Run &run);
/// Before, tied or after.
int compareKeys(const std::vector<CompiledKey> &order, const Cell *a, const Cell *b,
                const TextPool &pool);

} // namespace imbrex::sql::evaluate
