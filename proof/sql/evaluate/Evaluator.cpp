#include "proof/sql/evaluate/Evaluator.h"

#include "proof/sql/Verdict.h"
#include "proof/sql/evaluate/Program.h"
#include "proof/sql/query/Builders.h"

namespace imbrex::sql {

using namespace evaluate;

namespace {

bool drawsMeaning(const CompiledQuery &query);

bool drawsMeaning(const CompiledExpr &expr) {
  if (expr.kind == ExprKind::Parameter ||
      (expr.kind == ExprKind::Call && expr.op == Op::Function && expr.builtin == Builtin::None) ||
      (expr.query && drawsMeaning(*expr.query)))
    return true;
  for (const CompiledExpr &operand : expr.operands)
    if (drawsMeaning(operand))
      return true;
  if (expr.kind != ExprKind::Call || expr.op != Op::Cast)
    return false;
  // Casts whose result engines spell differently; the others are exact.
  BaseType from = expr.operands[0].type.base, to = expr.type.base;
  bool numbers = (from == BaseType::Int || from == BaseType::Number || from == BaseType::Bool) &&
                 (to == BaseType::Int || to == BaseType::Number || to == BaseType::Bool);
  bool text = (from == BaseType::Int && to == BaseType::Text) ||
              (from == BaseType::Text && (to == BaseType::Int || to == BaseType::Number));
  return from != to && from != BaseType::Unknown && !numbers && !text;
}

bool drawsMeaning(const std::vector<CompiledExpr> &exprs) {
  for (const CompiledExpr &expr : exprs)
    if (drawsMeaning(expr))
      return true;
  return false;
}

bool drawsMeaning(const CompiledAggregate &aggregate) {
  bool drawn =
      aggregate.kind == AggregateKind::Uninterpreted && aggregate.known == KnownAggregate::None;
  return drawn || drawsMeaning(aggregate.arguments) ||
         (aggregate.filter && drawsMeaning(*aggregate.filter));
}

bool drawsMeaning(const CompiledQuery &query) {
  for (const auto &input : query.inputs)
    if (drawsMeaning(*input))
      return true;
  for (const auto &row : query.rows)
    if (drawsMeaning(row))
      return true;
  for (const CompiledAggregate &aggregate : query.aggregates)
    if (drawsMeaning(aggregate))
      return true;
  for (const CompiledWindow &window : query.windows) {
    if (drawsMeaning(window.aggregate) || drawsMeaning(window.partition))
      return true;
    for (const CompiledKey &key : window.order)
      if (drawsMeaning(key.expr))
        return true;
  }
  for (const CompiledKey &key : query.order)
    if (drawsMeaning(key.expr))
      return true;
  return drawsMeaning(query.exprs) || (query.condition && drawsMeaning(*query.condition)) ||
         (query.limit && drawsMeaning(*query.limit)) ||
         (query.offset && drawsMeaning(*query.offset));
}

} // namespace

struct Evaluator::Program {
  std::unique_ptr<CompiledQuery> query;
  CompiledQuery *sort = nullptr; // that makes the result a list
  Run run;

  explicit Program(TextPool &pool) : run(pool) {}
};

Evaluator::Evaluator(std::unique_ptr<Program> program) : program(std::move(program)) {}
Evaluator::Evaluator(Evaluator &&) = default;
Evaluator &Evaluator::operator=(Evaluator &&) = default;
Evaluator::~Evaluator() = default;

Result<Evaluator> Evaluator::compile(const Query &query, const Catalog &catalog,
                                     const Semantics &semantics, TextPool &pool) {
  Result<std::unique_ptr<CompiledQuery>> compiled = compileQuery(query, semantics, pool);
  if (!compiled)
    return compiled.takeError();
  auto program = std::make_unique<Program>(pool);
  program->query = compiled.take();
  program->run.semantics = semantics;
  if (outermostSort(query)) {
    program->sort = program->query.get();
    while (program->sort->kind == QueryKind::Project)
      program->sort = program->sort->inputs[0].get();
  }
  return Evaluator(std::move(program));
}

RunResult Evaluator::run(const Instance &instance, const Meaning &meaning) {
  Run &run = program->run;
  run.instance = &instance;
  run.meaning = &meaning;
  run.rows.clear();
  run.fault = Fault::None;
  run.why = "";
  const Relation &rows = evaluate::evaluate(*program->query, run);
  RunResult result{run.fault, run.why, &rows, nullptr};
  if (program->sort && run.fault == Fault::None)
    result.ties = &program->sort->ties;
  return result;
}

bool Evaluator::usesMeaning() const { return drawsMeaning(*program->query); }

Database toDatabase(const Instance &instance, const Catalog &catalog, const TextPool &pool) {
  Database database;
  for (size_t t = 0; t < instance.tables.size(); ++t) {
    const Relation &table = instance.tables[t];
    auto &rows = database.tables.emplace_back();
    for (uint32_t i = 0; i < table.count; ++i) {
      auto &row = rows.emplace_back();
      for (uint32_t c = 0; c < table.width; ++c)
        row.push_back(toValue(table.row(i)[c], catalog.tables[t].columns[c].type, pool));
    }
  }
  return database;
}

std::optional<Instance> toInstance(const Database &database, const Catalog &catalog,
                                   TextPool &pool) {
  Instance instance;
  for (size_t t = 0; t < database.tables.size(); ++t) {
    Relation &table = instance.tables.emplace_back();
    table.clear(uint32_t(catalog.tables[t].columns.size()));
    for (const auto &row : database.tables[t]) {
      for (const Value &value : row) {
        std::optional<Cell> cell = toCell(value, pool);
        if (!cell)
          return std::nullopt;
        table.cells.push_back(*cell);
      }
      ++table.count;
    }
  }
  return instance;
}

struct RowCondition::Program {
  CompiledExpr condition;
  Run run;
};

RowCondition::RowCondition(std::unique_ptr<Program> program) : program(std::move(program)) {}
RowCondition::RowCondition(RowCondition &&) = default;
RowCondition &RowCondition::operator=(RowCondition &&) = default;
RowCondition::~RowCondition() = default;

Result<RowCondition> RowCondition::compile(const Expr &condition, const Semantics &semantics,
                                           TextPool &pool) {
  Result<CompiledExpr> compiled = compileExpr(condition, semantics, pool);
  if (!compiled)
    return compiled.takeError();
  auto program = std::make_unique<Program>(Program{compiled.take(), Run(pool)});
  program->run.semantics = semantics;
  return RowCondition(std::move(program));
}

std::optional<Cell> RowCondition::evaluate(const Cell *row, const Instance &instance,
                                           const Meaning &meaning) {
  Run &run = program->run;
  run.instance = &instance;
  run.meaning = &meaning;
  run.rows.assign(1, row);
  run.fault = Fault::None;
  Cell cell = evaluate::evaluate(program->condition, run);
  if (run.failed())
    return std::nullopt;
  return cell;
}

} // namespace imbrex::sql
