// Predicates as pairs of formulas: when TRUE, when FALSE.
#include "proof/sql/prove/Translate.h"

#include <algorithm>
#include <optional>

namespace imbrex::sql {

Truth Translator::truth(const Expr &expr, const SymbolicRow &row) {
  return truth(expr, Rows{&row});
}

Truth Translator::compare(Op op, const SymbolicCell &a, const SymbolicCell &other) {
  if (pool.isTrue(a.null) || pool.isTrue(other.null))
    return {no(), no()};
  SymbolicCell b = convert(other, pool[a.value].sort);
  Id known = both(invert(a.null), invert(b.null));
  Id holds = no();
  bool boolean = pool[a.value].sort == algebra::boolSort;
  auto less = [&](Id x, Id y) { return boolean ? both(invert(x), y) : pool.less(x, y); };
  switch (op) {
  case Op::Equal:
    holds = pool.equal(a.value, b.value);
    break;
  case Op::NotEqual:
    holds = invert(pool.equal(a.value, b.value));
    break;
  case Op::Less:
    holds = less(a.value, b.value);
    break;
  case Op::Greater:
    holds = less(b.value, a.value);
    break;
  case Op::LessEqual:
    holds = invert(less(b.value, a.value));
    break;
  default:
    holds = invert(less(a.value, b.value));
    break;
  }
  return {both(known, holds), both(known, invert(holds))};
}

Truth Translator::truth(const Expr &expr, const Rows &rows) {
  if (expr.kind == ExprKind::In)
    return in(expr, rows);
  if (expr.kind == ExprKind::Quantified)
    return quantified(expr, rows);
  if (expr.kind == ExprKind::Exists) {
    ++correlated;
    const Query *inner = expr.query.get();
    // A limit of at least one row does not matter to EXISTS.
    while (inner->kind == QueryKind::Sort && !inner->offset) {
      const Expr *limit = inner->limit.get();
      const int64_t *count =
          limit && limit->kind == ExprKind::Literal ? std::get_if<int64_t>(&limit->value) : nullptr;
      if (limit && (!count || *count < 1))
        break;
      inner = inner->inputs[0].get();
    }
    Id found = someRow(query(*inner, rows), [&](const SymbolicRow &) { return yes(); });
    --correlated;
    return {found, invert(found)};
  }
  if (expr.kind != ExprKind::Call)
    return truthOf(cell(expr, rows));
  auto operand = [&](size_t i) { return cell(*expr.operands[i], rows); };
  auto inner = [&](size_t i) { return truth(*expr.operands[i], rows); };
  auto notDistinct = [&](const SymbolicCell &a, const SymbolicCell &b) {
    bool literal = pool.isTrue(a.null) || pool.isTrue(b.null);
    return literal ? both(a.null, b.null) : same(a, b);
  };
  auto total = [&](Id formula) { return Truth{formula, invert(formula)}; };
  switch (expr.op) {
  case Op::And:
  case Op::Or: {
    std::vector<Id> yes, no;
    for (const ExprPtr &part : expr.operands) {
      Truth t = truth(*part, rows);
      yes.push_back(t.yes);
      no.push_back(t.no);
    }
    return expr.op == Op::And ? Truth{pool.conjunction(yes), pool.disjunction(no)}
                              : Truth{pool.disjunction(yes), pool.conjunction(no)};
  }
  case Op::Not: {
    Truth t = inner(0);
    return {t.no, t.yes};
  }
  case Op::Equal:
  case Op::NotEqual:
  case Op::Less:
  case Op::LessEqual:
  case Op::Greater:
  case Op::GreaterEqual:
    return compare(expr.op, operand(0), operand(1));
  case Op::IsNull:
    return total(operand(0).null);
  case Op::IsNotNull:
    return total(invert(operand(0).null));
  case Op::IsTrue:
    return total(inner(0).yes);
  case Op::IsNotTrue:
    return total(invert(inner(0).yes));
  case Op::IsFalse:
    return total(inner(0).no);
  case Op::IsNotFalse:
    return total(invert(inner(0).no));
  case Op::IsDistinct:
    return total(invert(notDistinct(operand(0), operand(1))));
  case Op::IsNotDistinct:
    return total(notDistinct(operand(0), operand(1)));
  case Op::Like: {
    SymbolicCell a = operand(0), b = operand(1);
    Id known = both(invert(a.null), invert(b.null));
    Id like = likeOf(a.value, b.value);
    return {both(known, like), both(known, invert(like))};
  }
  default:
    return truthOf(cell(expr, rows));
  }
}

namespace {

/// `%` any text, `_` one character. Exponential only in the number of `%`, which is bounded here.
bool matches(std::string_view text, std::string_view pattern) {
  if (pattern.empty())
    return text.empty();
  if (pattern[0] == '%')
    return matches(text, pattern.substr(1)) || (!text.empty() && matches(text.substr(1), pattern));
  return !text.empty() && (pattern[0] == '_' || pattern[0] == text[0]) &&
         matches(text.substr(1), pattern.substr(1));
}

} // namespace

/// Decided for short literals of plain characters; else a predicate of the two.
Id Translator::likeOf(Id text, Id pattern) {
  // The value that stands under a NULL is a constant, too, but no literal.
  auto literal = [&](Id id) -> std::optional<std::string> {
    if (!pool.isConstant(id) || !pool.name(pool[id].symbol).starts_with("'"))
      return std::nullopt;
    return pool.name(pool[id].symbol).substr(1);
  };
  std::optional<std::string> value = literal(text), like = literal(pattern);
  if (like && !like->empty() && like->find_first_not_of('%') == std::string::npos)
    return yes();
  if (like && semantics.dialect == Dialect::Postgres &&
      like->find_first_of("%_\\") == std::string::npos)
    return pool.equal(text, pattern);
  auto plain = [](const std::string &s) {
    return s.size() < 64 &&
           std::all_of(
               s.begin(), s.end(),
               [](char c) { return static_cast<unsigned char>(c) < 128 && c != '\\'; });
  };
  if (value && like && plain(*value) && plain(*like) &&
      std::count(like->begin(), like->end(), '%') <= 3) {
    // Some engines ignore the case of letters here: only what they agree on is decided.
    auto lower = [](std::string s) {
      for (char &c : s)
        c = c >= 'A' && c <= 'Z' ? char(c + 32) : c;
      return s;
    };
    bool exact = matches(*value, *like);
    if (exact == matches(lower(*value), lower(*like)))
      return pool.boolean(exact);
  }
  return pool.apply(pool.symbol("like"), {text, pattern}, algebra::boolSort);
}

Id Translator::occurs(const BagTerm &term, Id condition) {
  std::vector<Id> all{term.guard, condition};
  // A product of multiplicities is positive when each is.
  const algebra::Node &factor = pool[term.factor];
  std::vector<Id> factors{term.factor};
  if (factor.kind == algebra::Kind::Product)
    factors = factor.children;
  for (Id part : factors)
    all.push_back(pool.positiveTest(part));
  return pool.exists(term.variables, pool.conjunction(all));
}

Id Translator::someRow(const SymbolicBag &bag,
                       const std::function<Id(const SymbolicRow &)> &condition) {
  std::vector<Id> found;
  for (const BagTerm &term : bag)
    found.push_back(occurs(term, condition(term.row)));
  return pool.disjunction(found);
}

/// e IN Q is TRUE when some row equals e, FALSE when every row differs for certain.
Truth Translator::in(const Expr &expr, const Rows &rows) {
  SymbolicRow left;
  for (const ExprPtr &operand : expr.operands)
    left.push_back(cell(*operand, rows));
  ++correlated;
  SymbolicBag bag = query(*expr.query, rows);
  --correlated;
  auto equal = [&](const SymbolicRow &row) {
    std::vector<Id> yes, no;
    for (size_t i = 0; i < left.size(); ++i) {
      Truth t = compare(Op::Equal, left[i], row[i]);
      yes.push_back(t.yes);
      no.push_back(t.no);
    }
    return Truth{pool.conjunction(yes), pool.disjunction(no)};
  };
  Id yes = someRow(bag, [&](const SymbolicRow &row) { return equal(row).yes; });
  Id maybe = someRow(bag, [&](const SymbolicRow &row) { return invert(equal(row).no); });
  return {yes, invert(maybe)};
}

Truth Translator::quantified(const Expr &expr, const Rows &rows) {
  SymbolicCell left = cell(*expr.operands[0], rows);
  ++correlated;
  SymbolicBag bag = query(*expr.query, rows);
  --correlated;
  auto holds = [&](const SymbolicRow &row) { return compare(expr.op, left, row[0]); };
  if (expr.quantifier == Quantifier::Any)
    return {someRow(bag, [&](const SymbolicRow &row) { return holds(row).yes; }),
            invert(someRow(bag, [&](const SymbolicRow &row) { return invert(holds(row).no); }))};
  return {invert(someRow(bag, [&](const SymbolicRow &row) { return invert(holds(row).yes); })),
          someRow(bag, [&](const SymbolicRow &row) { return holds(row).no; })};
}

} // namespace imbrex::sql
