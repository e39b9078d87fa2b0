// Operators as transformations of symbolic bags.
#include "proof/sql/prove/Translate.h"

#include "proof/sql/query/Builders.h"

#include <algorithm>

namespace imbrex::sql {

SymbolicBag Translator::translate(const Query &whole) {
  undetermined = 0;
  return query(whole, {});
}

SymbolicBag Translator::query(const Query &q, const Rows &outer) {
  switch (q.kind) {
  case QueryKind::Scan:
    return scan(q.table);
  case QueryKind::Values:
    return values(q, outer);
  case QueryKind::Filter:
    return filter(q, outer);
  case QueryKind::Project:
    return project(q, outer);
  case QueryKind::Join:
    return join(q, outer);
  case QueryKind::SetOp:
    return setOp(q, outer);
  case QueryKind::Distinct:
    return distinct(query(*q.inputs[0], outer), q.columns);
  case QueryKind::Group:
    return group(q, outer);
  case QueryKind::Window:
    return window(q, outer);
  case QueryKind::Sort:
    return sort(q, outer);
  }
  return {};
}

/// Uses each guard on its row and removes equated variables; terms that are empty go.
void Translator::simplify(SymbolicBag &bag) {
  SymbolicBag kept;
  for (BagTerm &term : bag) {
    algebra::Scope scope{term.variables, term.guard, {term.factor}};
    for (const SymbolicCell &cell : term.row) {
      scope.payload.push_back(cell.null);
      scope.payload.push_back(cell.value);
    }
    algebra::simplify(pool, scope, algebra::Eliminate::Yes);
    if (pool.isFalse(scope.guard))
      continue;
    term.variables = scope.variables;
    term.guard = scope.guard;
    term.factor = scope.payload[0];
    for (size_t i = 0; i < term.row.size(); ++i) {
      term.row[i].null = scope.payload[1 + 2 * i];
      term.row[i].value = scope.payload[2 + 2 * i];
    }
    kept.push_back(std::move(term));
    if (kept.size() > 100)
      throw algebra::Exhausted{};
  }
  bag = std::move(kept);
  if (pool.plain)
    return;
  for (size_t i = 0; i < bag.size(); ++i)
    for (size_t j = i + 1; j < bag.size(); ++j)
      if (merge(bag[i], bag[j])) {
        bag.erase(bag.begin() + long(j));
        j = i;
      }
}

/// Two terms over the same variables whose guards differ in one condition and its negation are one
/// term with a choice in its cells: so an outer join to a key keeps one term per row of the left.
bool Translator::merge(BagTerm &a, const BagTerm &b) {
  if (a.factor != b.factor || a.variables.size() != b.variables.size())
    return false;
  for (size_t i = 0; i < a.variables.size(); ++i)
    if (a.variables[i].key != b.variables[i].key)
      return false;
  std::vector<Id> x = pool.conjuncts(a.guard), y = pool.conjuncts(b.guard), common, onlyA, onlyB;
  std::set_intersection(x.begin(), x.end(), y.begin(), y.end(), std::back_inserter(common));
  std::set_difference(x.begin(), x.end(), y.begin(), y.end(), std::back_inserter(onlyA));
  std::set_difference(y.begin(), y.end(), x.begin(), x.end(), std::back_inserter(onlyB));
  Id condition = pool.conjunction(onlyA);
  if (pool.conjunction(onlyB) != pool.negation(condition))
    return false;
  SymbolicRow row;
  for (size_t i = 0; i < a.row.size(); ++i) {
    SymbolicCell then = a.row[i], other = b.row[i];
    if (pool.isTrue(then.null))
      then = convert(then, pool[other.value].sort);
    other = convert(other, pool[then.value].sort);
    row.push_back({pool.choose(condition, then.null, other.null),
                   pool.choose(condition, then.value, other.value), then.normal && other.normal});
  }
  a.row = std::move(row);
  a.guard = pool.conjunction(common);
  return true;
}

SymbolicBag Translator::coerced(SymbolicBag bag, const std::vector<Column> &columns) {
  for (BagTerm &term : bag)
    for (size_t i = 0; i < columns.size(); ++i)
      if (columns[i].type.base != BaseType::Unknown)
        term.row[i] = convert(term.row[i], sortOf(columns[i].type));
  return bag;
}

SymbolicBag Translator::values(const Query &q, const Rows &outer) {
  SymbolicBag bag;
  SymbolicRow empty;
  Rows rows = outer;
  rows.push_back(&empty);
  for (const std::vector<ExprPtr> &exprs : q.rows) {
    BagTerm term{{}, yes(), pool.integer(1), {}};
    for (size_t i = 0; i < exprs.size(); ++i)
      term.row.push_back(cellOfType(*exprs[i], q.columns[i].type, rows));
    bag.push_back(std::move(term));
  }
  return bag;
}

SymbolicBag Translator::filter(const Query &q, const Rows &outer) {
  SymbolicBag bag = query(*q.inputs[0], outer);
  for (BagTerm &term : bag) {
    Rows rows = outer;
    rows.push_back(&term.row);
    term.guard = both(term.guard, truth(*q.condition, rows).yes);
  }
  simplify(bag);
  return bag;
}

SymbolicBag Translator::project(const Query &q, const Rows &outer) {
  SymbolicBag bag = query(*q.inputs[0], outer);
  for (BagTerm &term : bag) {
    Rows rows = outer;
    rows.push_back(&term.row);
    SymbolicRow row;
    for (const ExprPtr &expr : q.exprs)
      row.push_back(cell(*expr, rows));
    term.row = std::move(row);
  }
  return bag;
}

/// The right input, for one row of the left when it is lateral. New variables at each call.
SymbolicBag Translator::sideOfJoin(const Query &q, const Rows &outer, const BagTerm *left) {
  Rows rows = outer;
  if (q.lateral) {
    rows.push_back(&left->row);
    ++correlated;
  }
  SymbolicBag bag = query(*q.inputs[1], rows);
  if (q.lateral)
    --correlated;
  return bag;
}

namespace {

SymbolicRow concatenated(const SymbolicRow &a, const SymbolicRow &b) {
  SymbolicRow row = a;
  row.insert(row.end(), b.begin(), b.end());
  return row;
}

} // namespace

SymbolicBag Translator::join(const Query &q, const Rows &outer) {
  SymbolicBag left = query(*q.inputs[0], outer), right, result;
  if (!q.lateral)
    right = sideOfJoin(q, outer, nullptr);
  auto condition = [&](const SymbolicRow &a, const SymbolicRow &b) {
    SymbolicRow row = concatenated(a, b);
    Rows rows = outer;
    rows.push_back(&row);
    return truth(*q.condition, rows).yes;
  };
  auto padded = [&](const Query &side) {
    SymbolicRow row;
    for (const Column &column : side.columns)
      row.push_back(nullCell(column.type));
    return row;
  };
  bool pairs = q.join != JoinKind::Semi && q.join != JoinKind::Anti;
  for (const BagTerm &l : left) {
    if (q.lateral)
      right = sideOfJoin(q, outer, &l);
    // Bound variables of one translation may be used once freely and any number of times in
    // quantifiers, which rename them.
    if (pairs)
      for (const BagTerm &r : right) {
        BagTerm term{l.variables, pool.conjunction({l.guard, r.guard, condition(l.row, r.row)}),
                     pool.product({l.factor, r.factor}), concatenated(l.row, r.row)};
        term.variables.insert(term.variables.end(), r.variables.begin(), r.variables.end());
        result.push_back(std::move(term));
      }
    if (q.join == JoinKind::Inner || q.join == JoinKind::Right)
      continue;
    Id matched = someRow(right, [&](const SymbolicRow &row) { return condition(l.row, row); });
    if (q.join == JoinKind::Semi)
      result.push_back({l.variables, both(l.guard, matched), l.factor, l.row});
    else if (q.join == JoinKind::Anti)
      result.push_back({l.variables, both(l.guard, invert(matched)), l.factor, l.row});
    else
      result.push_back({l.variables, both(l.guard, invert(matched)), l.factor,
                        concatenated(l.row, padded(*q.inputs[1]))});
  }
  if (q.join == JoinKind::Right || q.join == JoinKind::Full) {
    if (q.lateral)
      throw NotCovered{"a lateral join that keeps rows of the right side"};
    for (const BagTerm &r : right) {
      Id matched = someRow(left, [&](const SymbolicRow &row) { return condition(row, r.row); });
      result.push_back({r.variables, both(r.guard, invert(matched)), r.factor,
                        concatenated(padded(*q.inputs[0]), r.row)});
    }
  }
  simplify(result);
  return result;
}

SymbolicBag Translator::distinct(const SymbolicBag &bag, const std::vector<Column> &columns) {
  BagTerm term{{}, yes(), pool.integer(1), {}};
  SymbolicBag input = coerced(bag, columns);
  term.row = freshRow(columns, term.variables);
  term.guard = someRow(input, [&](const SymbolicRow &row) {
    std::vector<Id> equal;
    for (size_t i = 0; i < row.size(); ++i)
      equal.push_back(same(term.row[i], row[i]));
    return pool.conjunction(equal);
  });
  SymbolicBag result{term};
  simplify(result);
  return result;
}

SymbolicBag Translator::setOp(const Query &q, const Rows &outer) {
  std::vector<SymbolicBag> inputs;
  for (const QueryPtr &input : q.inputs)
    inputs.push_back(coerced(query(*input, outer), q.columns));
  if (q.set == SetKind::Union) {
    SymbolicBag all;
    for (SymbolicBag &input : inputs)
      all.insert(all.end(), input.begin(), input.end());
    return q.all ? all : distinct(all, q.columns);
  }
  // Rows of the left side, whatever may be NULL there.
  std::vector<Column> columns = q.columns;
  for (size_t i = 0; i < columns.size(); ++i)
    columns[i].type.nullable |= q.inputs[0]->columns[i].type.nullable;
  if (q.all)
    return setOpAll(q.set, columns, inputs[0], inputs[1]);
  SymbolicBag result = distinct(inputs[0], columns);
  for (BagTerm &term : result) {
    Id found = someRow(inputs[1], [&](const SymbolicRow &row) {
      std::vector<Id> equal;
      for (size_t i = 0; i < row.size(); ++i)
        equal.push_back(same(term.row[i], row[i]));
      return pool.conjunction(equal);
    });
    term.guard = both(term.guard, q.set == SetKind::Intersect ? found : invert(found));
  }
  simplify(result);
  return result;
}

/// Multiplicities a and b give max(a - b, 0) or min(a, b).
SymbolicBag Translator::setOpAll(SetKind set, const std::vector<Column> &columns,
                                 const SymbolicBag &left, const SymbolicBag &right) {
  BagTerm term{{}, yes(), pool.integer(1), {}};
  term.row = freshRow(columns, term.variables);
  Id a = multiplicity(left, term.row), b = multiplicity(right, term.row);
  Id more = pool.less(b, a);
  term.factor =
      set == SetKind::Except ? pool.guarded(more, pool.subtract(a, b)) : pool.choose(more, b, a);
  term.guard = pool.conjunction({pool.positiveTest(a), pool.positiveTest(term.factor)});
  SymbolicBag result{term};
  simplify(result);
  return result;
}

} // namespace imbrex::sql
