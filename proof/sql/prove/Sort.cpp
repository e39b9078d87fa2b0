// ORDER BY, LIMIT and OFFSET. Without a limit, order only matters to the outermost operator. With
// one, the result is a function of the whole bag, its keys, limit and offset, of which only this is
// used: equal bags give equal results, and every row of the result is a row of the input.
//
// Where ties leave the choice open, the function stands for the choice that was made. Choices of
// different operators are different functions, and an operator that runs once per outer row makes a
// choice per row, which no function of the bag describes: that is refused.
#include "proof/sql/prove/Translate.h"

#include "proof/sql/query/Builders.h"
#include "proof/sql/query/Rewrite.h"

#include <algorithm>

namespace imbrex::sql {

namespace {

std::string directions(const std::vector<SortKey> &order) {
  std::string text;
  for (const SortKey &key : order) {
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

namespace {

struct Window {
  int64_t offset = 0;
  int64_t limit = INT64_MAX;
};

/// Constant bounds, not negative.
std::optional<Window> windowOf(const Query &q) {
  Window window;
  if ((q.limit && !constant(q.limit)) || (q.offset && !constant(q.offset)))
    return std::nullopt;
  if (q.limit)
    window.limit = *constant(q.limit);
  if (q.offset)
    window.offset = *constant(q.offset);
  constexpr int64_t most = INT64_MAX / 4;
  bool fits = window.limit >= 0 && window.offset >= 0 && window.offset < most;
  return fits ? std::optional(window) : std::nullopt;
}

/// A column of the outermost projection as the input of the innermost one has it; null: it is none.
const Expr *through(const Expr *expr, const std::vector<const Query *> &projections) {
  for (const Query *projection : projections) {
    if (expr->kind != ExprKind::Column || expr->depth != 0)
      return nullptr;
    expr = projection->exprs[expr->index].get();
  }
  return expr;
}

/// Does `a`, above the projections, order as `b`, below them?
bool sameOrder(const Query &a, const std::vector<const Query *> &between, const Query &b) {
  if (directions(a.order) != directions(b.order))
    return false;
  for (size_t i = 0; i < a.order.size(); ++i) {
    const Expr *key = through(a.order[i].expr.get(), between);
    if (!key || !imbrex::sql::same(*key, *b.order[i].expr))
      return false;
  }
  return true;
}

} // namespace

/// A limit of a limit with the same order is one limit; projections between them do not matter.
/// Null: nothing to merge.
QueryPtr Translator::mergedLimits(const Query &q) {
  const Query *inner = q.inputs[0].get();
  std::vector<const Query *> between;
  while (inner->kind == QueryKind::Project) {
    between.push_back(inner);
    inner = inner->inputs[0].get();
  }
  if (inner->kind != QueryKind::Sort || !sameOrder(q, between, *inner))
    return nullptr;
  std::optional<Window> first = windowOf(*inner), second = windowOf(q);
  if (!first || !second)
    return nullptr;
  int64_t left =
      first->limit == INT64_MAX ? INT64_MAX : std::max<int64_t>(0, first->limit - second->offset);
  int64_t limit = std::min(left, second->limit), offset = first->offset + second->offset;
  QueryPtr input = inner->inputs[0];
  for (size_t i = between.size(); i-- > 0;)
    input = makeProject(input, between[i]->exprs);
  return makeSort(input, q.order, limit == INT64_MAX ? nullptr : makeInt(limit),
                  offset == 0 ? nullptr : makeInt(offset));
}

/// The rows with their sort keys appended, cut to the limit.
SymbolicBag Translator::sorted(const Query &whole, const Rows &outer, std::vector<SortKey> &order) {
  QueryPtr merged = mergedLimits(whole);
  const Query &q = merged ? *merged : whole;
  SymbolicBag bag = query(*q.inputs[0], outer);
  for (BagTerm &term : bag) {
    SymbolicRow row = term.row;
    Rows rows = outer;
    rows.push_back(&term.row);
    for (const SortKey &key : q.order)
      row.push_back(cellOfType(*key.expr, key.expr->type, rows));
    term.row = std::move(row);
  }
  simplify(bag);
  order = q.order;
  dropIdleKeys(bag, q.columns.size(), order);
  bool skips = q.offset && !(constant(q.offset) && *constant(q.offset) == 0);
  const int64_t *limit = constant(q.limit), *offset = constant(q.offset);
  bool oneRow = bag.size() == 1 && bag[0].variables.empty() && pool.isConstant(bag[0].factor);
  if ((limit && *limit == 0) || (oneRow && offset && *offset > 0))
    return {};
  if (bag.empty() || (!q.limit && !skips) || (oneRow && limit && *limit > 0 && !skips))
    return bag;
  return top(q, order, outer, bag);
}

/// Keys that are the same constant in all rows, or repeat an earlier key, order nothing.
void Translator::dropIdleKeys(SymbolicBag &bag, size_t width, std::vector<SortKey> &order) {
  for (size_t k = 0; k < order.size();) {
    size_t at = width + k;
    bool idle = std::all_of(bag.begin(), bag.end(), [&](const BagTerm &term) {
      const SymbolicCell &cell = term.row[at], &first = bag[0].row[at];
      return pool.isConstant(cell.null) && cell.null == first.null &&
             (pool.isTrue(cell.null) || (pool.isConstant(cell.value) && cell.value == first.value));
    });
    for (size_t earlier = width; earlier < at && !idle; ++earlier)
      idle = std::all_of(bag.begin(), bag.end(), [&](const BagTerm &term) {
        return term.row[at].null == term.row[earlier].null &&
               term.row[at].value == term.row[earlier].value;
      });
    if (!idle) {
      ++k;
      continue;
    }
    order.erase(order.begin() + long(k));
    for (BagTerm &term : bag)
      term.row.erase(term.row.begin() + long(at));
  }
}

SymbolicBag Translator::sort(const Query &q, const Rows &outer) {
  std::vector<SortKey> order;
  SymbolicBag bag = sorted(q, outer, order);
  for (BagTerm &term : bag)
    term.row.resize(q.columns.size());
  return bag;
}

/// Do rows with equal keys not differ? Then no choice is left to the limit.
bool Translator::ordersTotally(const Query &q, const SymbolicBag &bag) {
  size_t width = q.columns.size();
  for (const BagTerm &term : bag) {
    auto isKey = [&](Id null, Id value) {
      return std::any_of(
          term.row.begin() + long(width), term.row.end(),
          [&](const SymbolicCell &key) { return key.value == value && key.null == null; });
    };
    bool columns = std::all_of(
        term.row.begin(), term.row.begin() + long(width), [&](const SymbolicCell &cell) {
          return (pool.isConstant(cell.value) && pool.isConstant(cell.null)) ||
                 isKey(cell.null, cell.value);
        });
    bool names = bag.size() == 1 && pool.isConstant(term.factor) &&
                 std::all_of(term.variables.begin(), term.variables.end(), [&](const Variable &v) {
                   return v.shape.size() == 1 && isKey(no(), pool.component(v, 0));
                 });
    if (!columns && !names)
      return false;
  }
  return true;
}

SymbolicBag Translator::top(const Query &q, const std::vector<SortKey> &order, const Rows &outer,
                            const SymbolicBag &bag) {
  std::string name = "top " + directions(order);
  if (!ordersTotally(q, bag)) {
    if (correlated)
      throw NotCovered{"LIMIT in a subquery whose order leaves a choice"};
    name += " choice " + std::to_string(undetermined++);
  }
  SymbolicRow empty;
  Rows rows = outer;
  rows.push_back(&empty);
  std::vector<Id> bounds;
  for (bool isOffset : {false, true}) {
    const ExprPtr &bound = isOffset ? q.offset : q.limit;
    SymbolicCell value = bound ? cell(*bound, rows) : SymbolicCell{yes(), pool.integer(0), true};
    // No offset, NULL and 0 are one; so are no limit and NULL, where engines allow it.
    if (isOffset)
      value = {no(), pool.choose(value.null, pool.integer(0), value.value), true};
    bounds.push_back(value.null);
    bounds.push_back(normalValue(value));
  }
  return bag.size() == 1 ? topOfTerm(name, bounds, q.columns.size(), bag[0])
                         : topOfRows(q, order, name, bounds, bag);
}

/// Rows of one term are named by its variables: the choice is among their values, whatever columns
/// are made of them. So limits commute with projections and with joins that keep each row.
SymbolicBag Translator::topOfTerm(const std::string &name, std::vector<Id> bounds, size_t width,
                                  const BagTerm &term) {
  std::vector<Id> parts{term.guard, term.factor};
  for (size_t k = width; k < term.row.size(); ++k) {
    parts.push_back(term.row[k].null);
    parts.push_back(normalValue(term.row[k]));
  }
  std::vector<Variable> order = pool.canonicalOrder(term.variables, parts), inner;
  algebra::Substitution map;
  for (const Variable &v : order) {
    inner.push_back(pool.fresh(v.shape));
    for (uint32_t c = 0; c < v.shape.size(); ++c) {
      map[v.key].push_back(pool.component(inner.back(), c));
      bounds.push_back(pool.component(v, c));
    }
  }
  std::vector<Id> guard{pool.substitute(term.guard, map)};
  for (size_t k = 2; k < parts.size(); ++k) {
    inner.push_back(pool.fresh({pool[parts[k]].sort}));
    guard.push_back(pool.equal(pool.component(inner.back(), 0), pool.substitute(parts[k], map)));
  }
  Id body = pool.guarded(pool.conjunction(guard), pool.substitute(term.factor, map));
  BagTerm result = term;
  bool single = pool.isConstant(term.factor);
  algebra::Symbol symbol = pool.symbol(name + " of " + std::to_string(order.size()));
  Id chosen =
      pool.collect(symbol, inner, body, bounds, single ? algebra::boolSort : algebra::intSort);
  if (!single)
    result.factor = chosen;
  result.guard = both(term.guard, single ? chosen : pool.positiveTest(chosen));
  SymbolicBag bag{result};
  simplify(bag);
  return bag;
}

/// Rows of several terms are named by their cells.
SymbolicBag Translator::topOfRows(const Query &q, const std::vector<SortKey> &order,
                                  const std::string &name, const std::vector<Id> &bounds,
                                  const SymbolicBag &bag) {
  std::vector<Column> columns = q.columns;
  for (const SortKey &key : order)
    columns.push_back({"", key.expr->type});
  std::vector<Variable> inner;
  SymbolicRow any = freshRow(columns, inner);
  BagTerm term{{}, yes(), pool.integer(1), {}};
  term.row = freshRow(columns, term.variables);
  std::vector<Id> arguments = bounds;
  for (const Variable &v : term.variables)
    arguments.push_back(pool.component(v, 0));
  algebra::Symbol symbol = pool.symbol(name + " of rows " + std::to_string(columns.size()));
  term.factor = pool.collect(symbol, inner, multiplicity(bag, any), arguments, algebra::intSort);
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

SymbolicBag Translator::list(const Query &q, const Rows &outer, std::vector<SortKey> &order) {
  if (q.kind == QueryKind::Sort)
    return sorted(q, outer, order);
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

SymbolicBag Translator::translateList(const Query &whole, std::vector<SortKey> &order) {
  undetermined = 0;
  return list(whole, {}, order);
}

} // namespace imbrex::sql
