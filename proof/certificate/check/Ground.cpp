// Consequences of theorems, with binders as unknown values: a list of clauses, formulas of which
// one holds. Each is true of all values (of connectives, choices, products, functions of equal
// values, linear arithmetic), or follows from clauses before it by unit propagation in the stated
// order.
#include "proof/certificate/check/Checker.h"

#include <algorithm>

namespace imbrex::check {

/// ground G n T...: G, if its negation contradicts the theorems: the steps that follow end with a
/// clause that no formula can fulfil.
Id Checker::ground(Line &line, uint32_t) {
  Id goal = term(line);
  std::vector<Clause> clauses;
  for (uint32_t i = line.count(); i > 0; --i)
    clauses.push_back({theorem(line)});
  clauses.push_back({terms.negation(goal)});
  while (true) {
    Line next = this->line();
    Line seen = next;
    clauses.push_back(step(next.next(), next, clauses));
    must(next.atEnd(), "the step's line is too long");
    if (observer)
      observer->step(terms, ids, seen, Observer::NoTheorem);
    if (clauses.back().empty())
      return goal;
  }
}

Checker::Clause Checker::step(const std::string &kind, Line &line,
                              const std::vector<Clause> &clauses) {
  if (kind == "part")
    return part(line);
  if (kind == "whole")
    return whole(line);
  if (kind == "chosen")
    return chosen(line);
  if (kind == "zero" || kind == "sign")
    return ofProduct(kind, line);
  if (kind == "distribute")
    return distributed(line);
  if (kind == "same")
    return same(line);
  if (kind == "linear")
    return linear(line);
  if (kind == "order") {
    Id a = term(line), b = term(line);
    return {terms.equal(a, b), terms.less(a, b), terms.less(b, a)};
  }
  must(kind == "rup", "there is no such step");
  return resolved(line, clauses);
}

/// part F K: a conjunction implies its part; an alternative implies the disjunction.
Checker::Clause Checker::part(Line &line) {
  Id whole = term(line), part = term(line);
  const Node &node = terms[whole];
  bool isAnd = node.op == Op::And;
  must(isAnd || node.op == Op::Or, "a formula of parts is expected");
  must(std::count(node.kids.begin(), node.kids.end(), part) > 0, "the formula has no such part");
  return isAnd ? Clause{terms.negation(whole), part} : Clause{whole, terms.negation(part)};
}

/// whole F: all parts imply a conjunction; a disjunction implies one of its parts.
Checker::Clause Checker::whole(Line &line) {
  Id whole = term(line);
  Node node = terms[whole];
  bool isAnd = node.op == Op::And;
  must(isAnd || node.op == Op::Or, "a formula of parts is expected");
  Clause clause{isAnd ? whole : terms.negation(whole)};
  for (Id part : node.kids)
    clause.push_back(isAnd ? terms.negation(part) : part);
  return clause;
}

/// chosen C then/else: a choice is its first value where the condition holds, else the second.
Checker::Clause Checker::chosen(Line &line) {
  Id choice = term(line);
  bool isThen = line.next() == "then";
  Node node = terms[choice];
  must(node.op == Op::Choose, "a choice is expected");
  Id condition = node.kids[0];
  return {isThen ? terms.negation(condition) : condition,
          terms.equal(choice, node.kids[isThen ? 1 : 2])};
}

/// zero P: a product that is zero has a factor that is. sign P: a negative one has a negative one.
Checker::Clause Checker::ofProduct(const std::string &kind, Line &line) {
  Id product = term(line), none = terms.number(0);
  Node node = terms[product];
  must(node.op == Op::Product, "a product is expected");
  auto test = [&](Id id) { return kind == "zero" ? terms.equal(id, none) : terms.less(id, none); };
  Clause clause{terms.negation(test(product))};
  for (Id factor : node.kids)
    clause.push_back(test(factor));
  return clause;
}

/// distribute P K: a product with a sum among its factors is a sum of products.
Checker::Clause Checker::distributed(Line &line) {
  Id product = term(line), factor = term(line);
  Node node = terms[product];
  auto it = std::find(node.kids.begin(), node.kids.end(), factor);
  must(node.op == Op::Product && it != node.kids.end(), "the product has no such factor");
  node.kids.erase(it);
  auto [constant, parts] = terms.parts(factor);
  std::vector<std::pair<Rational, Id>> sum{{constant, terms.product(node.kids)}};
  for (const auto &[scale, part] : parts) {
    std::vector<Id> factors = node.kids;
    factors.push_back(part);
    sum.emplace_back(scale, terms.product(factors));
  }
  return {terms.equal(product, terms.linear(0, sum))};
}

/// same A n (OLD NEW)...: equal parts make equal terms. The parts are those of A, factors in any
/// order; of a collection its arguments.
Checker::Clause Checker::same(Line &line) {
  Id before = term(line);
  Node node = terms[before];
  bool isCollect = node.op == Op::Collect;
  must(isCollect || node.op == Op::Apply || node.op == Op::Product || node.op == Op::Choose,
       "a function is expected");
  std::vector<Id> old, next;
  Clause clause;
  for (uint32_t i = line.count(); i > 0; --i) {
    old.push_back(term(line));
    next.push_back(term(line));
    if (old.back() != next.back())
      clause.push_back(terms.negation(terms.equal(old.back(), next.back())));
  }
  std::vector<Id> parts(node.kids.begin() + (isCollect ? 1 : 0), node.kids.end()), listed = old;
  if (node.op == Op::Product)
    std::sort(listed.begin(), listed.end());
  must(listed == parts, "the term has other parts");
  clause.push_back(terms.equal(before, terms.replaced(before, next)));
  return clause;
}

/// Numbers as they are; truth values as 0 and 1; other values as numbers of which only the order
/// is known.
void Checker::addTo(Row &row, const Rational &factor, Id term) const {
  const Node &node = terms[term];
  if (terms.isNumeric(term)) {
    auto [constant, parts] = terms.parts(term);
    row.constant = row.constant + factor * constant;
    for (const auto &[scale, part] : parts)
      row.terms[part] = row.terms[part] + factor * scale;
  } else if (node.op == Op::True) {
    row.constant = row.constant + factor;
  } else if (node.op == Op::Not) {
    row.constant = row.constant + factor;
    addTo(row, -factor, node.kids[0]);
  } else {
    row.terms[term] = row.terms[term] + factor;
  }
}

/// Between whole numbers a difference is a multiple of what its factors have in common.
void Checker::tighten(Row &row, bool &isStrict) const {
  __int128 under = 1, common = 0;
  for (const auto &[id, factor] : row.terms) {
    if (terms[id].sort != terms.intSort)
      return;
    under = (Rational(under / gcd(under, factor.under)) * Rational(factor.under)).over;
  }
  for (const auto &[id, factor] : row.terms)
    common = gcd(common, (factor * Rational(under)).over);
  if (common == 0)
    return;
  Rational scale(under, common), constant = row.constant * scale;
  constant = isStrict && constant.isInteger() ? constant - 1 : constant.floor();
  row.constant = constant / scale;
  isStrict = false;
}

/// linear n (KIND A B F)...: B - A is zero (=), positive (<), not negative (<=) or not zero (!=);
/// these cannot hold together, as their multiples by F show, added up.
Checker::Clause Checker::linear(Line &line) {
  Row total;
  Clause clause;
  bool isStrict = false, isOrder = false, isApart = false, isFractional = false;
  uint32_t count = line.count();
  for (uint32_t i = 0; i < count; ++i) {
    std::string kind = line.next();
    Id a = term(line), b = term(line);
    Rational factor = Rational::of(line.next());
    Row row;
    addTo(row, 1, b);
    addTo(row, -1, a);
    std::erase_if(row.terms, [](const auto &entry) { return entry.second.sign() == 0; });
    if (kind == "=") {
      Row whole = row;
      bool rounded = false;
      tighten(whole, rounded);
      isFractional = count == 1 && !(whole.constant == row.constant);
      clause.push_back(terms.negation(terms.equal(a, b)));
    } else if (kind == "!=") {
      must(!isApart && factor.sign() != 0, "one difference is expected");
      isApart = true;
      clause.push_back(terms.equal(a, b));
    } else {
      must((kind == "<" || kind == "<=") && factor.sign() > 0, "there is no such relation");
      bool strict = kind == "<";
      isOrder = true;
      clause.push_back(strict ? terms.negation(terms.less(a, b)) : terms.less(b, a));
      tighten(row, strict);
      isStrict |= strict;
    }
    total.constant = total.constant + factor * row.constant;
    for (const auto &[id, scale] : row.terms)
      total.terms[id] = total.terms[id] + factor * scale;
  }
  if (isFractional)
    return clause;
  for (const auto &[id, scale] : total.terms)
    must(scale.sign() == 0, "the relations do not add up");
  int sign = total.constant.sign();
  must(isApart    ? !isOrder && sign == 0
       : isStrict ? sign <= 0
       : isOrder  ? sign < 0
                  : sign != 0,
       "the relations can hold together");
  return clause;
}

/// rup n F... n C...: if none of the formulas holds, the clauses give one formula each, in this
/// order, until one of them is contradicted.
Checker::Clause Checker::resolved(Line &line, const std::vector<Clause> &clauses) {
  Clause clause = list(line);
  std::set<Id> holds;
  for (Id formula : clause)
    holds.insert(terms.negation(formula));
  uint32_t count = line.count();
  bool isContradicted = false;
  for (uint32_t i = 0; i < count; ++i) {
    uint32_t hint = line.count();
    must(hint < clauses.size(), "there is no such clause");
    if (isContradicted)
      continue;
    std::set<Id> open;
    for (Id formula : clauses[hint])
      if (!holds.count(terms.negation(formula)))
        open.insert(formula);
    must(open.size() <= 1, "a clause leaves a choice");
    isContradicted = open.empty();
    holds.insert(open.begin(), open.end());
  }
  must(isContradicted, "the clauses do not contradict each other");
  return clause;
}

} // namespace imbrex::check
