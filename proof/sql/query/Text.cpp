#include "proof/sql/query/Query.h"
#include "proof/sql/query/Types.h"

namespace imbrex::sql {
namespace {

/// Subqueries of expressions are written `{1}`, and stand below their operator as `1: ...`.
class Printer {
public:
  explicit Printer(const Catalog &catalog) : catalog(catalog) {}

  void query(const Query &query, unsigned indent, std::string prefix = {}) {
    out += std::string(indent * 2, ' ') + prefix + head(query) + "\n";
    auto subqueries = std::move(pending);
    pending.clear();
    for (auto &[number, subquery] : subqueries)
      this->query(*subquery, indent + 2, std::to_string(number) + ": ");
    for (const QueryPtr &input : query.inputs)
      this->query(*input, indent + 1);
  }

  std::string expr(const Expr &e) {
    switch (e.kind) {
    case ExprKind::Column:
      return std::string(e.depth, '^') + "#" + std::to_string(e.index);
    case ExprKind::Literal:
      return toSql(e.value);
    case ExprKind::Parameter:
      return ":" + e.name;
    case ExprKind::Call:
      return call(e);
    case ExprKind::Exists:
      return "EXISTS " + subquery(e.query);
    case ExprKind::In:
      return (e.operands.size() == 1 ? expr(*e.operands[0]) : "(" + list(e.operands) + ")") +
             " IN " + subquery(e.query);
    case ExprKind::Quantified:
      return expr(*e.operands[0]) + " " + opName(e.op) +
             (e.quantifier == Quantifier::Any ? " ANY " : " ALL ") + subquery(e.query);
    case ExprKind::Scalar:
      return "SCALAR " + subquery(e.query);
    }
    return {};
  }

  std::string out;
  std::vector<std::pair<unsigned, QueryPtr>> pending;

private:
  std::string subquery(const QueryPtr &query) {
    pending.emplace_back(++subqueries, query);
    return "{" + std::to_string(subqueries) + "}";
  }

  std::string list(const std::vector<ExprPtr> &exprs) {
    std::string text;
    for (const ExprPtr &e : exprs)
      text += (text.empty() ? "" : ", ") + expr(*e);
    return text;
  }

  std::string call(const Expr &e) {
    switch (e.op) {
    case Op::IsNull:
    case Op::IsNotNull:
    case Op::IsTrue:
    case Op::IsNotTrue:
    case Op::IsFalse:
    case Op::IsNotFalse:
      return "(" + expr(*e.operands[0]) + " " + opName(e.op) + ")";
    case Op::Not:
      return "NOT " + expr(*e.operands[0]);
    case Op::Negate:
      return "-" + expr(*e.operands[0]);
    case Op::Case: {
      std::string text = "CASE";
      for (size_t i = 0; i + 1 < e.operands.size(); i += 2)
        text += " WHEN " + expr(*e.operands[i]) + " THEN " + expr(*e.operands[i + 1]);
      return text + " ELSE " + expr(*e.operands.back()) + " END";
    }
    case Op::Cast:
      return "CAST(" + expr(*e.operands[0]) + " AS " + typeName(e.type) + ")";
    case Op::Coalesce:
      return "COALESCE(" + list(e.operands) + ")";
    case Op::Function:
      return e.name + "(" + list(e.operands) + ")";
    default: {
      std::string text;
      for (const ExprPtr &operand : e.operands)
        text += (text.empty() ? "" : std::string(" ") + opName(e.op) + " ") + expr(*operand);
      return "(" + text + ")";
    }
    }
  }

  std::string aggregate(const Aggregate &a) {
    static const char *const names[] = {"COUNT", "COUNT", "SUM",  "AVG",          "MIN",
                                        "MAX",   "EVERY", "SOME", "SINGLE_VALUE", "ANY_VALUE"};
    std::string text = a.kind == AggregateKind::Uninterpreted ? a.name : names[size_t(a.kind)];
    text += a.kind == AggregateKind::CountRows
                ? "(*)"
                : std::string("(") + (a.distinct ? "DISTINCT " : "") + list(a.arguments) + ")";
    if (a.filter)
      text += " FILTER (WHERE " + expr(*a.filter) + ")";
    return text;
  }

  std::string order(const std::vector<SortKey> &keys) {
    std::string text;
    for (const SortKey &key : keys)
      text += (text.empty() ? "" : ", ") + expr(*key.expr) +
              (key.direction == Direction::Descending ? " DESC" : "") +
              (key.nulls == NullOrder::First ? " NULLS FIRST" : " NULLS LAST");
    return text;
  }

  std::string bound(const FrameBound &b) {
    switch (b.kind) {
    case BoundKind::UnboundedPreceding:
      return "UNBOUNDED PRECEDING";
    case BoundKind::Preceding:
      return (b.offset ? expr(*b.offset) : "?") + " PRECEDING";
    case BoundKind::CurrentRow:
      return "CURRENT ROW";
    case BoundKind::Following:
      return (b.offset ? expr(*b.offset) : "?") + " FOLLOWING";
    case BoundKind::UnboundedFollowing:
      return "UNBOUNDED FOLLOWING";
    }
    return {};
  }

  std::string window(const WindowFunction &w) {
    static const char *const names[] = {"",     "ROW_NUMBER",  "RANK",       "DENSE_RANK", "LAG",
                                        "LEAD", "FIRST_VALUE", "LAST_VALUE", "NTILE"};
    std::string text = w.kind == WindowKind::Aggregate
                           ? aggregate(w.aggregate)
                           : (w.kind == WindowKind::Other ? w.name : names[size_t(w.kind)]) + "(" +
                                 list(w.aggregate.arguments) + ")";
    text += " OVER (";
    if (!w.partition.empty())
      text += "PARTITION BY " + list(w.partition) + " ";
    if (!w.order.empty())
      text += "ORDER BY " + order(w.order) + " ";
    return text + (w.unit == FrameUnit::Rows ? "ROWS" : "RANGE") + " BETWEEN " + bound(w.from) +
           " AND " + bound(w.to) + ")";
  }

  static std::string indices(const std::vector<std::vector<uint32_t>> &sets) {
    std::string text;
    for (const auto &set : sets) {
      text += text.empty() ? "{" : " {";
      for (size_t i = 0; i < set.size(); ++i)
        text += (i ? "," : "") + std::to_string(set[i]);
      text += "}";
    }
    return text;
  }

  std::string group(const Query &q) {
    std::string text = "Group " + list(q.exprs);
    for (size_t i = 0; i < q.aggregates.size(); ++i)
      text += (i ? ", " : "; ") + aggregate(q.aggregates[i]);
    std::vector<uint32_t> all;
    for (uint32_t i = 0; i < q.exprs.size(); ++i)
      all.push_back(i);
    if (q.groupingSets.size() != 1 || q.groupingSets[0] != all)
      text += " sets " + indices(q.groupingSets);
    if (!q.groupingCalls.empty())
      text += " grouping " + indices(q.groupingCalls);
    return text;
  }

  std::string head(const Query &q) {
    switch (q.kind) {
    case QueryKind::Scan:
      return "Scan " + (q.table < catalog.tables.size() ? catalog.tables[q.table].name : "?");
    case QueryKind::Values: {
      std::string text = "Values";
      for (const auto &row : q.rows)
        text += " (" + list(row) + ")";
      return q.rows.empty() ? "Empty" : text;
    }
    case QueryKind::Filter:
      return "Filter " + expr(*q.condition);
    case QueryKind::Project:
      return "Project " + list(q.exprs);
    case QueryKind::Join: {
      static const char *const names[] = {"Inner", "Left", "Right", "Full", "Semi", "Anti"};
      return std::string(names[size_t(q.join)]) + "Join " + (q.lateral ? "lateral " : "") +
             expr(*q.condition);
    }
    case QueryKind::SetOp: {
      static const char *const names[] = {"Union", "Intersect", "Except"};
      return std::string(names[size_t(q.set)]) + (q.all ? " all" : "");
    }
    case QueryKind::Distinct:
      return "Distinct";
    case QueryKind::Group:
      return group(q);
    case QueryKind::Window: {
      std::string text = "Window ";
      for (size_t i = 0; i < q.windows.size(); ++i)
        text += (i ? ", " : "") + window(q.windows[i]);
      return text;
    }
    case QueryKind::Sort:
      return "Sort " + order(q.order) + (q.limit ? " limit " + expr(*q.limit) : "") +
             (q.offset ? " offset " + expr(*q.offset) : "");
    }
    return {};
  }

  const Catalog &catalog;
  unsigned subqueries = 0;
};

} // namespace

std::string toText(const Query &query, const Catalog &catalog) {
  Printer printer(catalog);
  printer.query(query, 0);
  return printer.out;
}

std::string toText(const Expr &expr, const Catalog &catalog) {
  Printer printer(catalog);
  std::string text = printer.expr(expr);
  auto subqueries = std::move(printer.pending);
  printer.pending.clear();
  printer.out = "\n";
  for (auto &[number, subquery] : subqueries)
    printer.query(*subquery, 1, std::to_string(number) + ": ");
  return subqueries.empty() ? text : text + printer.out;
}

} // namespace imbrex::sql
