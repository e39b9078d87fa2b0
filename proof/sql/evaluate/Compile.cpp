#include "proof/sql/evaluate/Program.h"

#include <charconv>
#include <map>

namespace imbrex::sql::evaluate {

namespace {

constexpr int DeepestLevel = 3000;

const std::map<std::string, Builtin> Builtins = {
    {"UPPER", Builtin::Upper},
    {"LOWER", Builtin::Lower},
    {"ABS", Builtin::Abs},
    {"LENGTH", Builtin::Length},
    {"CHAR_LENGTH", Builtin::Length},
    {"CHARACTER_LENGTH", Builtin::Length},
    {"TRIM", Builtin::Trim},
    {"LTRIM", Builtin::TrimStart},
    {"RTRIM", Builtin::TrimEnd},
    {"EXTRACT", Builtin::Extract},
    {"BITAND", Builtin::BitAnd},
    {"BITOR", Builtin::BitOr},
    {"BITXOR", Builtin::BitXor},
    {"$THROW_UNLESS", Builtin::ThrowUnless},
    {"SUBSTRING", Builtin::Substring},
    {"SUBSTR", Builtin::Substring},
    {"RANDOM", Builtin::Random},
    {"RAND", Builtin::Random},
    {"GEN_RANDOM_UUID", Builtin::Random},
    {"NEXTVAL", Builtin::Random},
};

/// Is the meaning known for operands of these types?
bool fits(Builtin builtin, const Expr &call) {
  auto is = [&](size_t i, BaseType base) { return call.operands[i]->type.base == base; };
  size_t count = call.operands.size();
  switch (builtin) {
  case Builtin::Trim:
  case Builtin::TrimStart:
  case Builtin::TrimEnd:
    return (count == 1 || (count == 2 && is(1, BaseType::Text))) && is(0, BaseType::Text) &&
           call.type.base == BaseType::Text;
  case Builtin::CutText:
    return count == 1 && is(0, BaseType::Text);
  case Builtin::Extract: {
    if (count != 2 || call.operands[0]->kind != ExprKind::Literal)
      return false;
    const auto *unit = std::get_if<std::string>(&call.operands[0]->value);
    return unit && (*unit == "YEAR" || *unit == "MONTH" || *unit == "DAY") && is(1, BaseType::Date);
  }
  case Builtin::BitAnd:
  case Builtin::BitOr:
  case Builtin::BitXor:
    return count == 2 && is(0, BaseType::Int) && is(1, BaseType::Int) &&
           call.type.base == BaseType::Int;
  case Builtin::ThrowUnless:
    return count == 2 && is(0, BaseType::Bool) && call.type.base == BaseType::Bool;
  case Builtin::Upper:
  case Builtin::Lower:
    return count == 1 && is(0, BaseType::Text) && call.type.base == BaseType::Text;
  case Builtin::Length:
    return count == 1 && is(0, BaseType::Text) && call.type.base == BaseType::Int;
  case Builtin::Abs:
    return count == 1 && (is(0, BaseType::Int) || is(0, BaseType::Number)) &&
           call.type.base == call.operands[0]->type.base;
  case Builtin::Substring:
    return (count == 2 || count == 3) && is(0, BaseType::Text) && is(1, BaseType::Int) &&
           is(count - 1, BaseType::Int) && call.type.base == BaseType::Text;
  case Builtin::Random:
    return true;
  case Builtin::None:
    return false;
  }
  return false;
}

/// The n of CAST TO VARCHAR(n), which cuts what is longer.
std::optional<int64_t> lengthOfCut(const std::string &name) {
  constexpr std::string_view prefix = "CAST TO VARCHAR(";
  int64_t length = 0;
  if (!name.starts_with(prefix))
    return std::nullopt;
  const char *start = name.data() + prefix.size();
  auto [end, error] = std::from_chars(start, name.data() + name.size(), length);
  return error == std::errc() && *end == ')' && length > 0 ? std::optional(length) : std::nullopt;
}

/// Compiles the parts of one query; the first error stays.
class Compiler {
public:
  Compiler(const Semantics &semantics, TextPool &pool) : semantics(semantics), pool(pool) {}

  std::unique_ptr<CompiledQuery> query(const Query &source);
  CompiledExpr expr(const Expr &source);
  const std::optional<Error> &error() const { return failure; }

private:
  void refuse(const std::string &what) {
    if (!failure)
      failure = unsupported(1100, what, "the evaluator cannot run it");
  }
  std::vector<CompiledExpr> exprs(const std::vector<ExprPtr> &sources);
  std::optional<CompiledExpr> optional(const ExprPtr &source);
  CompiledAggregate aggregate(const Aggregate &source);
  CompiledWindow window(const WindowFunction &source);
  std::vector<CompiledKey> keys(const std::vector<SortKey> &sources);

  /// Counts how deep the compiler, and later the evaluator, recurses.
  struct Level {
    explicit Level(Compiler &compiler) : compiler(compiler) { ++compiler.level; }
    ~Level() { --compiler.level; }
    Compiler &compiler;
  };
  bool tooDeep() {
    if (level > DeepestLevel)
      refuse("a query that nests too deeply");
    return level > DeepestLevel;
  }

  const Semantics &semantics;
  TextPool &pool;
  std::optional<Error> failure;
  int level = 0;
};

std::vector<CompiledExpr> Compiler::exprs(const std::vector<ExprPtr> &sources) {
  std::vector<CompiledExpr> result;
  for (const ExprPtr &source : sources)
    result.push_back(expr(*source));
  return result;
}

std::optional<CompiledExpr> Compiler::optional(const ExprPtr &source) {
  if (!source)
    return std::nullopt;
  return expr(*source);
}

void ignoreChoice(CompiledQuery &query) {
  CompiledQuery *current = &query;
  while (current->kind == QueryKind::Project)
    current = current->inputs[0].get();
  current->onlyExistence = true;
}

CompiledExpr Compiler::expr(const Expr &source) {
  Level guard(*this);
  CompiledExpr result;
  if (tooDeep())
    return result;
  result.kind = source.kind;
  result.op = source.op;
  result.quantifier = source.quantifier;
  result.depth = source.depth;
  result.index = source.index;
  result.type = source.type;
  result.operands = exprs(source.operands);
  result.name = hashName(source.name);
  result.text = source.name;
  if (source.kind == ExprKind::Literal) {
    std::optional<Cell> cell = toCell(source.value, pool);
    if (!cell)
      refuse("the number " + toSql(source.value));
    result.literal = cell.value_or(Cell{});
  }
  if (source.query) {
    result.query = query(*source.query);
    if (source.kind == ExprKind::Exists)
      ignoreChoice(*result.query);
  }
  if (source.kind == ExprKind::Call && source.op == Op::Divide)
    result.truncating = source.operands[0]->type.base == BaseType::Int &&
                        source.operands[1]->type.base == BaseType::Int;
  if (source.kind == ExprKind::Call && source.op == Op::Function) {
    auto found = Builtins.find(source.name);
    if (found != Builtins.end() && fits(found->second, source))
      result.builtin = found->second;
    std::optional<int64_t> length = lengthOfCut(source.name);
    // SQLite reads the length and ignores it.
    if (length && semantics.dialect != Dialect::Sqlite && fits(Builtin::CutText, source)) {
      result.builtin = Builtin::CutText;
      result.literal = Cell::ofInt(*length);
    }
  }
  return result;
}

CompiledAggregate Compiler::aggregate(const Aggregate &source) {
  CompiledAggregate result;
  result.kind = source.kind;
  result.known = knownAggregate(source);
  result.distinct = source.distinct;
  result.type = source.type;
  result.truncating = source.kind == AggregateKind::Avg && source.type.base == BaseType::Int;
  result.name = hashName(source.name);
  result.arguments = exprs(source.arguments);
  result.filter = optional(source.filter);
  return result;
}

std::vector<CompiledKey> Compiler::keys(const std::vector<SortKey> &sources) {
  std::vector<CompiledKey> result;
  for (const SortKey &source : sources)
    result.push_back({expr(*source.expr), source.direction, source.nulls});
  return result;
}

CompiledWindow Compiler::window(const WindowFunction &source) {
  if (source.kind == WindowKind::Other)
    refuse("the window function " + source.name);
  CompiledWindow result;
  result.kind = source.kind;
  result.aggregate = aggregate(source.aggregate);
  result.partition = exprs(source.partition);
  result.order = keys(source.order);
  result.unit = source.unit;
  result.from = {source.from.kind, optional(source.from.offset)};
  result.to = {source.to.kind, optional(source.to.offset)};
  if (source.unit == FrameUnit::Range && (source.from.offset || source.to.offset) &&
      (source.order.size() != 1 || (source.order[0].expr->type.base != BaseType::Int &&
                                    source.order[0].expr->type.base != BaseType::Number)))
    refuse("a RANGE frame with an offset over something that is no number");
  return result;
}

/// Marks the columns of the row at hand that the expressions read. False: there is a query in one,
/// which may read any.
bool markRead(const std::vector<ExprPtr> &all, std::vector<bool> &read) {
  for (const ExprPtr &expr : all) {
    if (!expr)
      continue;
    if (expr->query)
      return false;
    if (expr->kind == ExprKind::Column && expr->depth == 0 && expr->index < read.size())
      read[expr->index] = true;
    if (!markRead(expr->operands, read))
      return false;
  }
  return true;
}

/// Of a projection of one window function's results: which of the input's columns are read at all.
/// Two functions may order tied rows in two ways, so that more than their columns matters.
void markReadBelow(const Query &project, CompiledQuery &below) {
  const Query &source = *project.inputs[0];
  if (project.kind != QueryKind::Project || source.kind != QueryKind::Window ||
      source.windows.size() != 1)
    return;
  const WindowFunction &window = source.windows[0];
  std::vector<bool> read(source.inputs[0]->columns.size());
  std::vector<ExprPtr> all = window.partition;
  for (const SortKey &key : window.order)
    all.push_back(key.expr);
  all.insert(all.end(), window.aggregate.arguments.begin(), window.aggregate.arguments.end());
  all.insert(all.end(), {window.aggregate.filter, window.from.offset, window.to.offset});
  if (markRead(project.exprs, read) && markRead(all, read))
    below.windows[0].read = read;
}

std::unique_ptr<CompiledQuery> Compiler::query(const Query &source) {
  Level guard(*this);
  auto result = std::make_unique<CompiledQuery>();
  if (tooDeep())
    return result;
  result->kind = source.kind;
  result->width = uint32_t(source.columns.size());
  for (const QueryPtr &input : source.inputs)
    result->inputs.push_back(query(*input));
  result->table = source.table;
  for (const auto &row : source.rows)
    result->rows.push_back(exprs(row));
  bool always = source.condition && source.condition->kind == ExprKind::Literal &&
                source.condition->value == Value(true);
  if (!always)
    result->condition = optional(source.condition);
  result->exprs = exprs(source.exprs);
  result->join = source.join;
  result->lateral = source.lateral;
  result->set = source.set;
  result->all = source.all;
  result->groupingSets = source.groupingSets;
  result->groupingCalls = source.groupingCalls;
  for (const Aggregate &item : source.aggregates)
    result->aggregates.push_back(aggregate(item));
  for (const WindowFunction &item : source.windows)
    result->windows.push_back(window(item));
  if (source.inputs.size() == 1 && result->inputs[0]->windows.size() == 1)
    markReadBelow(source, *result->inputs[0]);
  result->order = keys(source.order);
  result->limit = optional(source.limit);
  result->offset = optional(source.offset);
  return result;
}

} // namespace

Result<std::unique_ptr<CompiledQuery>> compileQuery(const Query &query, const Semantics &semantics,
                                                    TextPool &pool) {
  Compiler compiler(semantics, pool);
  std::unique_ptr<CompiledQuery> result = compiler.query(query);
  if (compiler.error())
    return *compiler.error();
  return result;
}

Result<CompiledExpr> compileExpr(const Expr &expr, const Semantics &semantics, TextPool &pool) {
  Compiler compiler(semantics, pool);
  CompiledExpr result = compiler.expr(expr);
  if (compiler.error())
    return *compiler.error();
  return result;
}

} // namespace imbrex::sql::evaluate
