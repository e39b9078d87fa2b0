#include "proof/sql/query/Query.h"
#include "proof/sql/query/Types.h"

namespace imbrex::sql {
namespace {

/// Deeper trees than front ends may build (their limit is on the depth of the text).
constexpr unsigned MaxHeight = 20000;

/// The rows around an expression, innermost first.
struct Scope {
  const std::vector<Column> *row;
  const Scope *outer;
};

const char *kindName(QueryKind kind) {
  static const char *const names[] = {"Scan",  "Values",   "Filter", "Project", "Join",
                                      "SetOp", "Distinct", "Group",  "Window",  "Sort"};
  return names[size_t(kind)];
}

/// The first rule that is broken, or empty.
class Verifier {
public:
  explicit Verifier(const Catalog &catalog) : catalog(catalog) {}

  std::string query(const Query &q, const Scope *outer) {
    Height guard(*this);
    std::string fault = height > MaxHeight ? "nested too deeply" : checkQuery(q, outer);
    if (!fault.empty() && fault.find(" in ") == std::string::npos)
      fault += std::string(" in ") + kindName(q.kind);
    return fault;
  }

  /// `type` of an expression over `row`; null allowed where the algebra allows it.
  std::string expr(const ExprPtr &e, const Scope &row) {
    Height guard(*this);
    if (!e)
      return "a missing expression";
    return height > MaxHeight ? "nested too deeply" : checkExpr(*e, row);
  }

private:
  struct Height {
    explicit Height(Verifier &v) : v(v) { ++v.height; }
    ~Height() { --v.height; }
    Verifier &v;
  };

  static size_t inputCount(const Query &q) {
    switch (q.kind) {
    case QueryKind::Scan:
    case QueryKind::Values:
      return 0;
    case QueryKind::Join:
      return 2;
    case QueryKind::SetOp:
      return q.inputs.size();
    default:
      return 1;
    }
  }

  std::string checkQuery(const Query &q, const Scope *outer) {
    if (q.inputs.size() != inputCount(q) || (q.kind == QueryKind::SetOp && q.inputs.size() < 2))
      return "a wrong number of inputs";
    for (size_t i = 0; i < q.inputs.size(); ++i) {
      if (!q.inputs[i])
        return "a missing input";
      Scope left{&q.inputs[0]->columns, outer};
      bool lateral = q.kind == QueryKind::Join && i == 1 && q.lateral;
      if (std::string fault = query(*q.inputs[i], lateral ? &left : outer); !fault.empty())
        return fault;
    }
    if (std::string fault = checkParts(q, outer); !fault.empty())
      return fault;
    return checkColumns(q);
  }

  std::string checkColumns(const Query &q) {
    Result<std::vector<Column>> derived = derivedColumns(q, catalog);
    if (!derived)
      return derived.error().what;
    if (derived->size() != q.columns.size())
      return std::to_string(q.columns.size()) + " columns instead of " +
             std::to_string(derived->size());
    for (size_t i = 0; i < derived->size(); ++i) {
      const Type &has = q.columns[i].type, &needs = (*derived)[i].type;
      if (!agree(has, needs))
        return "column " + std::to_string(i) + " is " + typeName(needs) + ", not " + typeName(has);
      if (needs.nullable && !has.nullable)
        return "column " + std::to_string(i) + " may be NULL";
    }
    return {};
  }

  std::string checkParts(const Query &q, const Scope *outer) {
    std::vector<Column> row;
    if (q.kind != QueryKind::SetOp)
      for (const QueryPtr &input : q.inputs)
        row.insert(row.end(), input->columns.begin(), input->columns.end());
    Scope scope{&row, outer};
    std::vector<Column> none;
    Scope empty{&none, outer};
    std::string fault;
    auto check = [&](const ExprPtr &e, const Scope &s) {
      if (fault.empty())
        fault = expr(e, s);
    };
    for (const auto &values : q.rows)
      for (const ExprPtr &e : values)
        check(e, empty);
    if (q.kind == QueryKind::Filter || q.kind == QueryKind::Join) {
      check(q.condition, scope);
      if (fault.empty() && !agree(q.condition->type, {BaseType::Bool}))
        fault = "a condition that is no BOOLEAN";
    }
    for (const ExprPtr &e : q.exprs)
      check(e, scope);
    for (const Aggregate &a : q.aggregates)
      checkAggregate(a, check, scope);
    for (const WindowFunction &w : q.windows)
      checkWindow(w, check, scope);
    for (const SortKey &key : q.order)
      check(key.expr, scope);
    for (const ExprPtr &bound : {q.limit, q.offset})
      if (bound)
        check(bound, empty);
    for (const auto *sets : {&q.groupingSets, &q.groupingCalls})
      for (const auto &set : *sets)
        for (uint32_t key : set)
          if (key >= q.exprs.size())
            fault = "a grouping key out of range";
    if (q.kind == QueryKind::Group && q.groupingSets.empty())
      fault = "no grouping set";
    return fault;
  }

  template <class Check>
  void checkAggregate(const Aggregate &a, const Check &check, const Scope &scope) {
    for (const ExprPtr &e : a.arguments)
      check(e, scope);
    if (a.filter)
      check(a.filter, scope);
  }

  template <class Check>
  void checkWindow(const WindowFunction &w, const Check &check, const Scope &scope) {
    checkAggregate(w.aggregate, check, scope);
    for (const ExprPtr &e : w.partition)
      check(e, scope);
    for (const SortKey &key : w.order)
      check(key.expr, scope);
    for (const FrameBound *bound : {&w.from, &w.to})
      if (bound->kind == BoundKind::Preceding || bound->kind == BoundKind::Following)
        check(bound->offset, scope);
  }

  std::string checkColumn(const Expr &e, const Scope &row) {
    const Scope *scope = &row;
    for (uint32_t i = 0; i < e.depth && scope; ++i)
      scope = scope->outer;
    std::string name = std::string(e.depth, '^') + "#" + std::to_string(e.index);
    if (!scope || e.index >= scope->row->size())
      return "column " + name + " out of range";
    const Type &type = (*scope->row)[e.index].type;
    if (!agree(type, e.type))
      return "column " + name + " is " + typeName(type) + ", not " + typeName(e.type);
    return type.nullable && !e.type.nullable ? "column " + name + " may be NULL" : "";
  }

  static bool fits(const Value &value, BaseType base) {
    static constexpr size_t Index[] = {1, 2, 3, 4, 5, 5, 5, 5, 0, 5};
    return isNull(value) || value.index() == Index[size_t(base)];
  }

  std::string checkExpr(const Expr &e, const Scope &row) {
    for (const ExprPtr &operand : e.operands)
      if (std::string fault = expr(operand, row); !fault.empty())
        return fault;
    bool hasQuery = e.kind >= ExprKind::Exists;
    if (hasQuery && !e.query)
      return "a missing subquery";
    if (hasQuery)
      if (std::string fault = query(*e.query, &row); !fault.empty())
        return fault;
    switch (e.kind) {
    case ExprKind::Column:
      return checkColumn(e, row);
    case ExprKind::Literal:
      if (!fits(e.value, e.type.base))
        return toSql(e.value) + " is no " + typeName(e.type);
      return isNull(e.value) && !e.type.nullable ? "NULL of a type that is not nullable" : "";
    case ExprKind::Parameter:
      return e.name.empty() ? "a parameter without a name" : "";
    case ExprKind::Call:
      return checkCall(e);
    default:
      return checkSubquery(e);
    }
  }

  static std::string declared(const Expr &e, const Type &derived, const char *what) {
    if (!agree(e.type, derived))
      return std::string(what) + " has type " + typeName(derived) + ", not " + typeName(e.type);
    return derived.nullable && !e.type.nullable ? std::string(what) + " may be NULL" : "";
  }

  std::string checkCall(const Expr &e) {
    if (e.op == Op::Function)
      return e.name.empty() ? "a function without a name" : "";
    if (e.op == Op::Cast)
      return e.operands.size() == 1 ? "" : "CAST needs one operand";
    Result<Type> type = callType(e.op, e.operands);
    return type ? declared(e, *type, opName(e.op)) : type.error().what;
  }

  std::string checkSubquery(const Expr &e) {
    const std::vector<Column> &columns = e.query->columns;
    switch (e.kind) {
    case ExprKind::Exists:
      return e.operands.empty() ? declared(e, {BaseType::Bool, {}, false}, "EXISTS")
                                : "EXISTS with operands";
    case ExprKind::Scalar: {
      if (columns.size() != 1)
        return "a scalar subquery with " + std::to_string(columns.size()) + " columns";
      Type type = columns[0].type;
      type.nullable |= !hasExactlyOneRow(*e.query);
      return declared(e, type, "a scalar subquery");
    }
    default:
      break;
    }
    bool quantified = e.kind == ExprKind::Quantified;
    if (quantified && (!isComparison(e.op) || e.operands.size() != 1))
      return "ANY or ALL without a comparison";
    if (e.operands.size() != columns.size() || columns.empty())
      return "IN with different numbers of columns";
    for (size_t i = 0; i < columns.size(); ++i)
      if (!agree(e.operands[i]->type, columns[i].type))
        return "IN compares " + typeName(e.operands[i]->type) + " and " + typeName(columns[i].type);
    return declared(e, {BaseType::Bool, {}, membershipNullable(e.operands, *e.query)},
                    quantified ? "ANY or ALL" : "IN");
  }

  const Catalog &catalog;
  unsigned height = 0;
};

std::string verifyTable(const Table &table, const Catalog &catalog) {
  auto inRange = [](const std::vector<uint32_t> &columns, const Table &of) {
    for (uint32_t column : columns)
      if (column >= of.columns.size())
        return false;
    return true;
  };
  for (const Key &key : table.keys)
    if (!inRange(key.columns, table))
      return "a key of columns out of range";
  for (const ForeignKey &key : table.foreignKeys)
    if (key.table >= catalog.tables.size() || !inRange(key.columns, table) ||
        !inRange(key.target, catalog.tables[key.table]) || key.columns.size() != key.target.size())
      return "a foreign key out of range";
  for (const ExprPtr &check : table.checks) {
    Scope row{&table.columns, nullptr};
    if (std::string fault = Verifier(catalog).expr(check, row); !fault.empty())
      return fault;
  }
  return {};
}

} // namespace

Status verify(const Query &query, const Catalog &catalog) {
  for (const Table &table : catalog.tables)
    if (std::string fault = verifyTable(table, catalog); !fault.empty())
      return internalError(1090, "the table " + table.name + " is not well formed: " + fault);
  if (std::string fault = Verifier(catalog).query(query, nullptr); !fault.empty())
    return internalError(1090, "a query is not well formed: " + fault);
  return {};
}

} // namespace imbrex::sql
