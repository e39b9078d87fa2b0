// Window functions. Aggregates over the whole partition, those up to the current row and its peers,
// and RANK are correlated aggregates: the frame of a row is a group of its own. Of every other
// function only this is used:
//  - where no rows tie, or ties do not matter, the value is a function of the keys and arguments of
//    the partition and of the current row;
//  - else the rows with their values are a function of the whole input: which of the tied rows is
//    first is one choice, and each such operator makes one of its own (as in Sort.cpp).
#include "proof/sql/prove/Translate.h"

#include <algorithm>

namespace imbrex::sql {

namespace {

enum class Frame : uint8_t { Partition, UpToPeers, Other };

Frame frameOf(const WindowFunction &w) {
  bool fromStart = w.from.kind == BoundKind::UnboundedPreceding;
  if (fromStart && w.to.kind == BoundKind::UnboundedFollowing)
    return Frame::Partition;
  if (!fromStart || w.to.kind != BoundKind::CurrentRow || w.unit != FrameUnit::Range)
    return Frame::Other;
  return w.order.empty() ? Frame::Partition : Frame::UpToPeers;
}

} // namespace

BagTerm Translator::renamed(const BagTerm &term) {
  BagTerm copy = term;
  algebra::Substitution map;
  for (Variable &v : copy.variables) {
    Variable next = pool.fresh(v.shape);
    for (uint32_t c = 0; c < v.shape.size(); ++c)
      map[v.key].push_back(pool.component(next, c));
    v = next;
  }
  copy.guard = pool.substitute(term.guard, map);
  copy.factor = pool.substitute(term.factor, map);
  for (SymbolicCell &cell : copy.row) {
    cell.null = pool.substitute(cell.null, map);
    cell.value = pool.substitute(cell.value, map);
  }
  return copy;
}

/// Does row `a` come strictly before row `b`?
Id Translator::before(const std::vector<SortKey> &order, const Rows &a, const Rows &b) {
  std::vector<Id> cases, tied;
  for (const SortKey &key : order) {
    SymbolicCell x = cell(*key.expr, a), y = cell(*key.expr, b);
    Op op = key.direction == Direction::Ascending ? Op::Less : Op::Greater;
    Id less = compare(op, x, y).yes;
    Id nulls =
        key.nulls == NullOrder::First ? both(x.null, invert(y.null)) : both(invert(x.null), y.null);
    std::vector<Id> all = tied;
    all.push_back(either(less, nulls));
    cases.push_back(pool.conjunction(all));
    tied.push_back(same(x, y));
  }
  return pool.disjunction(cases);
}

namespace {

bool isRank(const WindowFunction &w) { return w.kind == WindowKind::Rank; }

/// Is the value an aggregate over a group that can be written down?
bool isGroup(const WindowFunction &w) {
  return isRank(w) || (w.kind == WindowKind::Aggregate && frameOf(w) != Frame::Other);
}

/// Do tied rows have the same value, and the same part in the values of others?
bool ignoresTies(const WindowFunction &w) {
  return w.kind == WindowKind::DenseRank || w.kind == WindowKind::PercentRank ||
         w.kind == WindowKind::CumeDist ||
         (w.kind == WindowKind::Aggregate && w.unit == FrameUnit::Range);
}

/// The kind and the frame, without the expressions in them.
std::string nameOf(const WindowFunction &w) {
  std::string name = "window " + std::to_string(int(w.kind)) + " " + w.name;
  if (w.kind == WindowKind::Aggregate)
    name += std::to_string(int(w.aggregate.kind)) + w.aggregate.name +
            (w.aggregate.distinct ? " distinct" : "") + (w.aggregate.filter ? " filter" : "");
  name += w.unit == FrameUnit::Rows ? " rows" : " range";
  name += std::to_string(int(w.from.kind)) + std::to_string(int(w.to.kind));
  for (const SortKey &key : w.order)
    name += std::string(key.direction == Direction::Ascending ? " a" : " d") +
            (key.nulls == NullOrder::First ? "f" : "l");
  return name;
}

/// What the value depends on beyond the keys.
std::vector<ExprPtr> argumentsOf(const WindowFunction &w) {
  std::vector<ExprPtr> result = w.aggregate.arguments;
  for (const ExprPtr &part : {w.aggregate.filter, w.from.offset, w.to.offset})
    if (part)
      result.push_back(part);
  return result;
}

} // namespace

/// The rank of a row is one more than how many come before it.
SymbolicCell Translator::groupCell(const WindowFunction &w, const BagTerm &term,
                                   const SymbolicBag &input, const Rows &outer) {
  Rows here = outer;
  here.push_back(&term.row);
  std::vector<Member> members;
  for (const BagTerm &other : input) {
    Rows there = outer;
    there.push_back(&other.row);
    std::vector<Id> guard{other.guard};
    for (const ExprPtr &expr : w.partition)
      guard.push_back(same(cell(*expr, here), cell(*expr, there)));
    if (isRank(w))
      guard.push_back(before(w.order, there, here));
    else if (frameOf(w) == Frame::UpToPeers)
      guard.push_back(invert(before(w.order, here, there)));
    members.push_back({other.variables, pool.conjunction(guard), other.factor, &other.row});
  }
  if (!isRank(w))
    return aggregate(w.aggregate, members, outer);
  SymbolicCell count = aggregate(Aggregate{}, members, outer);
  return {no(), pool.sum({count.value, pool.integer(1)}), true};
}

/// A function of the bag of all (keys, arguments, keys of this row) of the partition, which holds
/// this row itself.
SymbolicCell Translator::determinedCell(const WindowFunction &w, const BagTerm &term,
                                        const SymbolicBag &input, const Rows &outer) {
  Aggregate function;
  function.kind = AggregateKind::Uninterpreted;
  function.name = nameOf(w);
  function.type = w.aggregate.type;
  for (const SortKey &key : w.order)
    function.arguments.push_back(key.expr);
  for (const ExprPtr &argument : argumentsOf(w))
    function.arguments.push_back(argument);
  size_t own = function.arguments.size();
  for (size_t i = 0; i < own; ++i)
    function.arguments.push_back(ExprPtr(function.arguments[i]));
  Rows here = outer;
  here.push_back(&term.row);
  std::vector<Member> members;
  std::vector<SymbolicRow> arguments;
  for (const BagTerm &other : input) {
    Rows there = outer;
    there.push_back(&other.row);
    std::vector<Id> guard{other.guard};
    for (const ExprPtr &expr : w.partition)
      guard.push_back(same(cell(*expr, here), cell(*expr, there)));
    SymbolicRow row;
    for (size_t i = 0; i < function.arguments.size(); ++i) {
      const Expr &argument = *function.arguments[i];
      row.push_back(cellOfType(argument, argument.type, i < own ? there : here));
    }
    members.push_back({other.variables, pool.conjunction(guard), other.factor, &other.row});
    arguments.push_back(std::move(row));
  }
  return ofBag(function, members, arguments);
}

/// May rows of a partition have equal keys? Not when the keys hold all that names a row; rows that
/// repeat tie with themselves, so it does not help when they are equal in all columns.
bool Translator::hasTies(const WindowFunction &w, const SymbolicBag &input, const Rows &outer) {
  if (input.size() != 1 || input[0].factor != pool.integer(1))
    return true;
  Rows rows = outer;
  rows.push_back(&input[0].row);
  std::vector<SymbolicCell> keys;
  for (const ExprPtr &expr : w.partition)
    keys.push_back(cellOfType(*expr, expr->type, rows));
  for (const SortKey &key : w.order)
    keys.push_back(cellOfType(*key.expr, key.expr->type, rows));
  return !std::all_of(input[0].variables.begin(), input[0].variables.end(), [&](const Variable &v) {
    return v.shape.size() == 1 &&
           std::any_of(keys.begin(), keys.end(), [&](const SymbolicCell &key) {
             return pool.isFalse(key.null) && key.value == pool.component(v, 0);
           });
  });
}

/// All rows with their values: a function of the bag of rows, each with what its value depends on.
SymbolicBag Translator::chosenWindow(const WindowFunction &w, const SymbolicBag &input,
                                     std::vector<Column> columns, const Rows &outer) {
  if (correlated || !outer.empty())
    throw NotCovered{"a window function in a subquery whose order leaves a choice"};
  size_t width = columns.size();
  std::vector<ExprPtr> parts = w.partition;
  for (const SortKey &key : w.order)
    parts.push_back(key.expr);
  for (const ExprPtr &argument : argumentsOf(w))
    parts.push_back(argument);
  SymbolicBag extended = input;
  for (BagTerm &term : extended) {
    SymbolicRow row = term.row;
    Rows rows = outer;
    rows.push_back(&term.row);
    for (const ExprPtr &part : parts)
      row.push_back(cellOfType(*part, part->type, rows));
    term.row = std::move(row);
  }
  std::vector<Column> all = columns;
  for (const ExprPtr &part : parts)
    all.push_back({"", part->type});
  std::vector<Variable> inner;
  SymbolicRow any = freshRow(all, inner);
  columns.push_back({"", w.aggregate.type});
  BagTerm term{{}, yes(), pool.integer(1), {}};
  term.row = freshRow(columns, term.variables);
  std::vector<Id> arguments;
  for (const Variable &v : term.variables)
    arguments.push_back(pool.component(v, 0));
  std::string name = nameOf(w) + " choice " + std::to_string(undetermined++) + " of " +
                     std::to_string(width) + " and " + std::to_string(w.partition.size()) +
                     " and " + std::to_string(parts.size());
  term.factor = pool.collect(pool.symbol(name), inner, multiplicity(extended, any), arguments,
                             algebra::intSort);
  Id present = someRow(input, [&](const SymbolicRow &row) {
    std::vector<Id> equal;
    for (size_t i = 0; i < width; ++i)
      equal.push_back(same(term.row[i], row[i]));
    return pool.conjunction(equal);
  });
  term.guard = both(present, pool.positiveTest(term.factor));
  return {term};
}

namespace {

/// The same function where no rows tie, as a group if it can be one: then a row's place is its
/// rank, and the rows up to it are those up to its peers.
WindowFunction withoutTies(WindowFunction w) {
  if (w.kind == WindowKind::RowNumber || w.kind == WindowKind::DenseRank)
    w.kind = WindowKind::Rank;
  bool upToRow = w.from.kind == BoundKind::UnboundedPreceding && w.to.kind == BoundKind::CurrentRow;
  if (w.kind == WindowKind::Aggregate && upToRow)
    w.unit = FrameUnit::Range;
  return w;
}

} // namespace

SymbolicBag Translator::window(const Query &q, const Rows &outer) {
  SymbolicBag bag = query(*q.inputs[0], outer);
  std::vector<Column> columns = q.inputs[0]->columns;
  for (const WindowFunction &written : q.windows) {
    bool total = !bag.empty() && !written.order.empty() && !hasTies(written, bag, outer);
    const WindowFunction w = total ? withoutTies(written) : written;
    bool determined = ignoresTies(w) || isGroup(w) || bag.empty() || !hasTies(w, bag, outer);
    if (!determined) {
      bag = chosenWindow(w, coerced(bag, columns), columns, outer);
    } else {
      SymbolicBag result;
      for (const BagTerm &term : bag) {
        SymbolicBag others;
        for (const BagTerm &other : bag)
          others.push_back(renamed(other));
        BagTerm extended = term;
        extended.row.push_back(isGroup(w) ? groupCell(w, term, others, outer)
                                          : determinedCell(w, term, others, outer));
        result.push_back(std::move(extended));
      }
      bag = std::move(result);
    }
    columns.push_back({"", w.aggregate.type});
  }
  simplify(bag);
  return bag;
}

} // namespace imbrex::sql
