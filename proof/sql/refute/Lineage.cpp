#include "proof/sql/refute/Lineage.h"

#include "proof/sql/query/Types.h"

#include <algorithm>
#include <optional>

namespace imbrex::sql {

namespace {

struct Origin {
  uint32_t table = 0, column = 0;
};
using Origins = std::vector<std::optional<Origin>>; // of the columns of a row

class Collector {
public:
  Collector(const Catalog &catalog, TextPool &pool, ColumnConstants &constants)
      : catalog(catalog), pool(pool), constants(constants) {}

  Origins query(const Query &source);

private:
  std::optional<Origin> originOf(const Expr &expr) const;
  void expr(const ExprPtr &source);
  void exprs(const std::vector<ExprPtr> &sources);
  void exprOver(const ExprPtr &source, const Origins &row);
  void comparison(const Expr &left, const Expr &right);
  Origins project(const Query &source, const Origins &input);

  const Catalog &catalog;
  TextPool &pool;
  ColumnConstants &constants;
  std::vector<Origins> scopes;
};

std::optional<Origin> Collector::originOf(const Expr &expr) const {
  if (expr.kind == ExprKind::Call && expr.op == Op::Cast)
    return originOf(*expr.operands[0]);
  if (expr.kind != ExprKind::Column || expr.depth >= scopes.size())
    return std::nullopt;
  const Origins &row = scopes[scopes.size() - 1 - expr.depth];
  return expr.index < row.size() ? row[expr.index] : std::nullopt;
}

void Collector::comparison(const Expr &left, const Expr &right) {
  const Expr *literal = &right;
  while (literal->kind == ExprKind::Call && literal->op == Op::Cast)
    literal = literal->operands[0].get();
  std::optional<Origin> origin = originOf(left);
  if (!origin || literal->kind != ExprKind::Literal || isNull(literal->value))
    return;
  std::optional<Cell> cell = toCell(literal->value, pool);
  const Type &type = catalog.tables[origin->table].columns[origin->column].type;
  bool fits = cell && (sameBase(type, literal->type) ||
                       (isNumeric(type) && isNumeric(literal->type) &&
                        (type.base == BaseType::Number || cell->denominator == 1)));
  if (!fits)
    return;
  auto &values = constants[origin->table][origin->column];
  for (const Cell &near : withNeighbours(*cell, pool))
    if (std::find(values.begin(), values.end(), near) == values.end())
      values.push_back(near);
}

void Collector::expr(const ExprPtr &source) {
  if (!source)
    return;
  if (source->kind == ExprKind::Call && (isComparison(source->op) || source->op == Op::Like)) {
    comparison(*source->operands[0], *source->operands[1]);
    comparison(*source->operands[1], *source->operands[0]);
  }
  exprs(source->operands);
  if (source->query)
    query(*source->query);
}

void Collector::exprs(const std::vector<ExprPtr> &sources) {
  for (const ExprPtr &source : sources)
    expr(source);
}

void Collector::exprOver(const ExprPtr &source, const Origins &row) {
  scopes.push_back(row);
  expr(source);
  scopes.pop_back();
}

/// The origins of expressions that are columns.
Origins Collector::project(const Query &source, const Origins &input) {
  scopes.push_back(input);
  Origins result;
  for (const ExprPtr &item : source.exprs) {
    expr(item);
    result.push_back(originOf(*item));
  }
  for (const Aggregate &aggregate : source.aggregates) {
    exprs(aggregate.arguments);
    expr(aggregate.filter);
    bool passes = aggregate.kind == AggregateKind::Min || aggregate.kind == AggregateKind::Max ||
                  aggregate.kind == AggregateKind::AnyValue || aggregate.kind == AggregateKind::Sum;
    result.push_back(passes ? originOf(*aggregate.arguments[0]) : std::nullopt);
  }
  scopes.pop_back();
  result.resize(source.columns.size());
  return result;
}

Origins Collector::query(const Query &source) {
  Origins row;
  switch (source.kind) {
  case QueryKind::Scan:
    for (uint32_t c = 0; c < source.columns.size(); ++c)
      row.push_back(Origin{source.table, c});
    return row;
  case QueryKind::Values:
    scopes.emplace_back();
    for (const auto &values : source.rows)
      exprs(values);
    scopes.pop_back();
    row.resize(source.columns.size());
    return row;
  case QueryKind::Join: {
    row = query(*source.inputs[0]);
    if (source.lateral)
      scopes.push_back(row);
    Origins right = query(*source.inputs[1]);
    if (source.lateral)
      scopes.pop_back();
    row.insert(row.end(), right.begin(), right.end());
    exprOver(source.condition, row);
    row.resize(source.columns.size());
    return row;
  }
  case QueryKind::SetOp:
    for (const QueryPtr &input : source.inputs) {
      Origins next = query(*input);
      if (row.empty())
        row = next;
    }
    return row;
  case QueryKind::Project:
  case QueryKind::Group:
    return project(source, query(*source.inputs[0]));
  default:
    row = query(*source.inputs[0]);
    exprOver(source.condition, row);
    row.resize(source.columns.size());
    return row;
  }
}

} // namespace

/// 2020-12-31 and 2020-12-31 12:30:59 with the year before and after, and another day.
static std::vector<std::string> neighboursOfDate(const std::string &text) {
  bool isDate = (text.size() == 10 || text.size() == 19) && text[4] == '-' && text[7] == '-';
  int year = isDate ? std::atoi(text.substr(0, 4).c_str()) : 0;
  if (year < 1001 || year > 9998)
    return {};
  std::vector<std::string> result;
  bool leap = text.substr(5, 5) == "02-29";
  for (int next : {year - 1, year + 1})
    result.push_back(std::to_string(next) + (leap ? "-02-28" + text.substr(10) : text.substr(4)));
  result.push_back(text.substr(0, 8) + (text.substr(8, 2) == "02" ? "03" : "02") + text.substr(10));
  return result;
}

std::vector<Cell> withNeighbours(const Cell &cell, TextPool &pool) {
  std::vector<Cell> result = {cell};
  auto addNext = [&](const std::optional<Cell> &next) {
    if (next)
      result.push_back(*next);
  };
  if (cell.tag == CellTag::Number) {
    addNext(add(cell, Cell::ofInt(1)));
    addNext(subtract(cell, Cell::ofInt(1)));
  }
  if (cell.tag == CellTag::Text) {
    std::string text = pool.text(cell.number), matching = text;
    // What a text must be to match a pattern of LIKE, more or less.
    matching.erase(std::remove(matching.begin(), matching.end(), '%'), matching.end());
    std::replace(matching.begin(), matching.end(), '_', 'x');
    std::string before = text;
    if (!before.empty() && before.back() > ' ')
      --before.back();
    for (const std::string &near : {matching, text + "x", before})
      result.push_back({pool.intern(near), 1, CellTag::Text});
  }
  if (cell.tag == CellTag::Opaque)
    for (const std::string &near : neighboursOfDate(pool.text(cell.number)))
      result.push_back({pool.intern(near), 1, CellTag::Opaque, cell.base});
  return result;
}

void collectColumnConstants(const Query &query, const Catalog &catalog, TextPool &pool,
                            ColumnConstants &constants) {
  constants.resize(catalog.tables.size());
  for (size_t t = 0; t < constants.size(); ++t)
    constants[t].resize(catalog.tables[t].columns.size());
  Collector(catalog, pool, constants).query(query);
}

} // namespace imbrex::sql
