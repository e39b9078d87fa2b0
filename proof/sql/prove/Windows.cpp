// Window functions as correlated aggregates: the frame of a row is a group of its own. Covered are
// aggregates over the whole partition, those up to the current row and its peers, and RANK.
#include "proof/sql/prove/Translate.h"

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

SymbolicCell Translator::windowCell(const WindowFunction &w, const BagTerm &term,
                                    const SymbolicBag &input, const Rows &outer) {
  Frame frame = frameOf(w);
  bool rank = w.kind == WindowKind::Rank;
  if (!rank && (w.kind != WindowKind::Aggregate || frame == Frame::Other))
    throw NotCovered{"a window function or frame of this kind"};
  Rows here = outer;
  here.push_back(&term.row);
  std::vector<Member> members;
  for (const BagTerm &other : input) {
    Rows there = outer;
    there.push_back(&other.row);
    std::vector<Id> guard{other.guard};
    for (const ExprPtr &expr : w.partition)
      guard.push_back(same(cell(*expr, here), cell(*expr, there)));
    if (rank)
      guard.push_back(before(w.order, there, here));
    else if (frame == Frame::UpToPeers)
      guard.push_back(invert(before(w.order, here, there)));
    members.push_back({other.variables, pool.conjunction(guard), other.factor, &other.row});
  }
  if (!rank)
    return aggregate(w.aggregate, members, outer);
  SymbolicCell count = aggregate(Aggregate{}, members, outer);
  return {no(), pool.sum({count.value, pool.integer(1)}), true};
}

SymbolicBag Translator::window(const Query &q, const Rows &outer) {
  SymbolicBag input = query(*q.inputs[0], outer), result;
  for (const BagTerm &term : input) {
    BagTerm extended = term;
    for (const WindowFunction &w : q.windows) {
      SymbolicBag others;
      for (const BagTerm &other : input)
        others.push_back(renamed(other));
      extended.row.push_back(windowCell(w, term, others, outer));
    }
    result.push_back(std::move(extended));
  }
  simplify(result);
  return result;
}

} // namespace imbrex::sql
