// ORDER BY, LIMIT and OFFSET. Without a limit, order only matters to the outermost operator. With
// one, the result is a function of the whole bag, its keys, limit and offset, of which only this is
// used: equal bags give equal results, and every row of the result is a row of the input.
//
// Where ties leave the choice open, the function stands for the choice that was made. Choices of
// different operators are different functions, and an operator that runs once per outer row makes a
// choice per row, which no function of the bag describes: that is refused.
#include "proof/sql/prove/Translate.h"

#include "proof/sql/query/Builders.h"

#include <algorithm>

namespace imbrex::sql {

namespace {

std::string directions(const Query &q) {
  std::string text;
  for (const SortKey &key : q.order) {
    text += key.direction == Direction::Ascending ? "a" : "d";
    text += key.nulls == NullOrder::First ? "f" : "l";
  }
  return text;
}

const int64_t *constant(const ExprPtr &expr) {
  if (!expr || expr->kind != ExprKind::Literal)
    return nullptr;
  return std::get_if<int64_t>(&expr->value);
}

} // namespace

/// The rows with their sort keys appended, cut to the limit.
SymbolicBag Translator::sorted(const Query &q, const Rows &outer) {
  SymbolicBag bag = query(*q.inputs[0], outer);
  for (BagTerm &term : bag) {
    SymbolicRow row = term.row;
    Rows rows = outer;
    rows.push_back(&term.row);
    for (const SortKey &key : q.order)
      row.push_back(cellOfType(*key.expr, key.expr->type, rows));
    term.row = std::move(row);
  }
  bool skips = q.offset && !(constant(q.offset) && *constant(q.offset) == 0);
  if (!q.limit && !skips)
    return bag;
  if (const int64_t *limit = constant(q.limit)) {
    if (*limit == 0)
      return {};
    bool oneRow = bag.size() == 1 && bag[0].variables.empty() && pool.isConstant(bag[0].factor);
    if (*limit > 0 && !skips && (bag.empty() || oneRow))
      return bag;
  }
  return bag.empty() ? bag : top(q, outer, bag);
}

SymbolicBag Translator::sort(const Query &q, const Rows &outer) {
  SymbolicBag bag = sorted(q, outer);
  for (BagTerm &term : bag)
    term.row.resize(q.columns.size());
  return bag;
}

/// Do rows with equal keys not differ? Then no choice is left to the limit.
bool Translator::ordersTotally(const Query &q, const SymbolicBag &bag) {
  size_t width = q.columns.size();
  for (const BagTerm &term : bag) {
    auto isKey = [&](Id value) {
      return std::any_of(term.row.begin() + long(width), term.row.end(),
                         [&](const SymbolicCell &key) { return key.value == value; });
    };
    bool columns = std::all_of(
        term.row.begin(), term.row.begin() + long(width),
        [&](const SymbolicCell &cell) { return pool.isConstant(cell.value) || isKey(cell.value); });
    bool names = bag.size() == 1 && pool.isConstant(term.factor) &&
                 std::all_of(term.variables.begin(), term.variables.end(), [&](const Variable &v) {
                   return v.shape.size() == 1 && isKey(pool.component(v, 0));
                 });
    if (!columns && !names)
      return false;
  }
  return true;
}

SymbolicBag Translator::top(const Query &q, const Rows &outer, const SymbolicBag &bag) {
  std::string name = "top " + directions(q);
  if (!ordersTotally(q, bag)) {
    if (correlated)
      throw NotCovered{"LIMIT in a subquery whose order leaves a choice"};
    name += " choice " + std::to_string(undetermined++);
  }
  std::vector<Column> columns = q.columns;
  for (const SortKey &key : q.order)
    columns.push_back({"", key.expr->type});
  std::vector<Variable> inner;
  SymbolicRow any = freshRow(columns, inner);
  BagTerm term{{}, yes(), pool.integer(1), {}};
  term.row = freshRow(columns, term.variables);
  SymbolicRow empty;
  Rows rows = outer;
  rows.push_back(&empty);
  std::vector<Id> arguments;
  for (const ExprPtr &bound : {q.limit, q.offset}) {
    SymbolicCell value = bound ? cell(*bound, rows) : SymbolicCell{yes(), pool.integer(0), true};
    // No limit, no offset and NULL are one, as in the engines that allow NULL.
    if (bound == q.offset && (!bound || pool.isTrue(value.null)))
      value = {no(), pool.integer(0), true};
    arguments.push_back(value.null);
    arguments.push_back(normalValue(value));
  }
  for (const Variable &v : term.variables)
    arguments.push_back(pool.component(v, 0));
  name += " " + std::to_string(columns.size());
  term.factor =
      pool.collect(pool.symbol(name), inner, multiplicity(bag, any), arguments, algebra::intSort);
  Id present = someRow(bag, [&](const SymbolicRow &row) {
    std::vector<Id> equal;
    for (size_t i = 0; i < row.size(); ++i)
      equal.push_back(same(term.row[i], row[i]));
    return pool.conjunction(equal);
  });
  term.guard = both(present, pool.positiveTest(term.factor));
  SymbolicBag result{term};
  simplify(result);
  return result;
}

SymbolicBag Translator::list(const Query &q, const Rows &outer, std::string &order) {
  if (q.kind == QueryKind::Sort) {
    order = directions(q);
    return sorted(q, outer);
  }
  const Query &input = *q.inputs[0]; // q is a Project, as outermostSort() promises
  SymbolicBag bag = list(input, outer, order);
  for (BagTerm &term : bag) {
    SymbolicRow inner(term.row.begin(), term.row.begin() + long(input.columns.size())), row;
    Rows rows = outer;
    rows.push_back(&inner);
    for (const ExprPtr &expr : q.exprs)
      row.push_back(cell(*expr, rows));
    row.insert(row.end(), term.row.begin() + long(input.columns.size()), term.row.end());
    term.row = std::move(row);
  }
  return bag;
}

SymbolicBag Translator::translateList(const Query &whole, std::string &order) {
  undetermined = 0;
  return list(whole, {}, order);
}

} // namespace imbrex::sql
