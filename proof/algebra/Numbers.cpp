// Linear forms over products, and tests of their sign.
#include "proof/algebra/Internal.h"

#include <algorithm>

namespace imbrex::algebra {

Pool::Parts Pool::parts(Id number) const {
  const Node &node = nodes[number];
  if (node.kind == Kind::Constant)
    return {node.value, {}};
  Parts result;
  if (node.kind != Kind::Linear) {
    result.parts.push_back({{1, 1}, number});
    return result;
  }
  result.constant = node.value;
  for (size_t i = 0; i < node.children.size(); ++i)
    result.parts.push_back({node.coefficients[i], node.children[i]});
  return result;
}

Id Pool::assemble(const Parts &parts, Sort sort) {
  Node node{.kind = Kind::Linear, .sort = sort, .value = parts.constant};
  for (const auto &[coefficient, term] : parts.parts) {
    node.coefficients.push_back(coefficient);
    node.children.push_back(term);
  }
  if (node.children.empty())
    return number(parts.constant, sort);
  if (node.children.size() == 1 && node.coefficients[0].isOne() && node.value.isZero() &&
      nodes[node.children[0]].sort == sort)
    return node.children[0];
  return intern(std::move(node));
}

Id Pool::sum(std::span<const Id> operands) {
  Parts total;
  std::map<Id, Number> terms;
  Sort sort = intSort;
  for (Id operand : operands) {
    if (nodes[operand].sort == realSort)
      sort = realSort;
    Parts more = parts(operand);
    total.constant = add(total.constant, more.constant, overflowed);
    for (const auto &[coefficient, term] : more.parts) {
      Number &entry = terms[term];
      entry = add(entry, coefficient, overflowed);
    }
  }
  for (const auto &[term, coefficient] : terms)
    if (!coefficient.isZero())
      total.parts.push_back({coefficient, term});
  return assemble(total, sort);
}

Id Pool::scale(Number factor, Id operand) {
  Sort sort = factor.isInteger() ? nodes[operand].sort : realSort;
  if (factor.isZero())
    return zero(sort);
  Parts all = parts(operand);
  all.constant = multiply(all.constant, factor, overflowed);
  for (auto &[coefficient, term] : all.parts)
    coefficient = multiply(coefficient, factor, overflowed);
  return assemble(all, sort);
}

Id Pool::product(std::span<const Id> operands) {
  Number factor{1, 1};
  std::vector<Id> atoms;
  Sort sort = intSort;
  for (size_t i = 0; i < operands.size(); ++i) {
    const Node &node = nodes[operands[i]];
    if (node.sort == realSort)
      sort = realSort;
    if (node.kind == Kind::Constant) {
      factor = multiply(factor, node.value, overflowed);
    } else if (node.kind == Kind::Product) {
      atoms.insert(atoms.end(), node.children.begin(), node.children.end());
    } else if (node.kind == Kind::Linear) {
      // (a + b) * rest = a * rest + b * rest
      std::vector<Id> rest(operands.begin(), operands.end());
      rest.erase(rest.begin() + long(i));
      Parts split = parts(operands[i]);
      std::vector<Id> terms;
      for (const auto &[coefficient, term] : split.parts) {
        rest.push_back(term);
        terms.push_back(scale(coefficient, product(rest)));
        rest.pop_back();
      }
      terms.push_back(scale(split.constant, product(rest)));
      return sum(terms);
    } else {
      atoms.push_back(operands[i]);
    }
  }
  if (factor.isZero() || atoms.empty())
    return number(factor, sort);
  std::sort(atoms.begin(), atoms.end());
  Id result = atoms[0];
  if (atoms.size() > 1) {
    Sort inner = intSort;
    for (Id atom : atoms)
      if (nodes[atom].sort == realSort)
        inner = realSort;
    result = intern({.kind = Kind::Product, .sort = inner, .children = atoms});
  }
  return scale(factor, result);
}

namespace {

/// Divides by the greatest common divisor of the coefficients, after clearing denominators.
Pool::Parts primitive(const Pool::Parts &parts, bool &overflow) {
  Integer common = 1;
  for (const auto &[coefficient, term] : parts.parts)
    common = multiplied(common / greatestCommonDivisor(common, coefficient.denominator),
                        coefficient.denominator, overflow);
  if (overflow)
    return parts;
  Integer divisor = 0;
  for (const auto &[coefficient, term] : parts.parts)
    divisor =
        greatestCommonDivisor(divisor, multiply(coefficient, {common, 1}, overflow).numerator);
  Number factor = makeNumber(common, divisor ? divisor : 1);
  Pool::Parts result = parts;
  result.constant = multiply(result.constant, factor, overflow);
  for (auto &[coefficient, term] : result.parts)
    coefficient = multiply(coefficient, factor, overflow);
  return result;
}

} // namespace

Id Pool::zeroAtom(Id number) {
  return intern({.kind = Kind::Zero, .sort = boolSort, .children = {number}});
}

Id Pool::positiveAtom(Id number) {
  return intern({.kind = Kind::Positive, .sort = boolSort, .children = {number}});
}

Id Pool::zeroTest(Id number) {
  Sort sort = nodes[number].sort;
  if (isConstant(number))
    return boolean(nodes[number].value.isZero());
  if (plain)
    return zeroAtom(number);
  Parts all = parts(number);
  // A single choice compares branch by branch.
  if (all.parts.size() == 1 && nodes[all.parts[0].second].kind == Kind::Choose) {
    std::vector<Id> branch = nodes[all.parts[0].second].children;
    Parts rest{all.constant, {}};
    Id offset = assemble(rest, sort);
    Number factor = all.parts[0].first;
    Id then = zeroTest(sum({scale(factor, branch[1]), offset}));
    Id otherwise = zeroTest(sum({scale(factor, branch[2]), offset}));
    return choose(branch[0], then, otherwise);
  }
  // A product is zero when a factor is.
  if (all.parts.size() == 1 && all.constant.isZero() &&
      nodes[all.parts[0].second].kind == Kind::Product) {
    std::vector<Id> zeros;
    for (Id factor : nodes[all.parts[0].second].children)
      zeros.push_back(zeroTest(factor));
    return disjunction(zeros);
  }
  if (std::optional<SignedCount> count = signedCount(*this, all)) {
    if (all.constant.isZero())
      return negation(count->some);
    if ((all.constant.numerator < 0) == count->negative)
      return falseId;
  }
  all = primitive(all, overflowed);
  if (all.parts[0].first.numerator < 0) {
    all.constant = multiply(all.constant, {-1, 1}, overflowed);
    for (auto &[coefficient, term] : all.parts)
      coefficient = multiply(coefficient, {-1, 1}, overflowed);
  }
  if (sort == intSort && !all.constant.isInteger())
    return falseId;
  return intern({.kind = Kind::Zero, .sort = boolSort, .children = {assemble(all, sort)}});
}

Id Pool::positiveTest(Id number) {
  Sort sort = nodes[number].sort;
  if (isConstant(number))
    return boolean(nodes[number].value.numerator > 0);
  if (plain)
    return positiveAtom(number);
  Parts all = parts(number);
  if (all.parts.size() == 1 && nodes[all.parts[0].second].kind == Kind::Choose) {
    std::vector<Id> branch = nodes[all.parts[0].second].children;
    Id offset = this->number(all.constant, sort);
    Number factor = all.parts[0].first;
    Id then = positiveTest(sum({scale(factor, branch[1]), offset}));
    Id otherwise = positiveTest(sum({scale(factor, branch[2]), offset}));
    return choose(branch[0], then, otherwise);
  }
  if (std::optional<SignedCount> count = signedCount(*this, all)) {
    if (all.constant.isZero())
      return count->negative ? falseId : count->some;
    if (all.constant.numerator > 0 && !count->negative)
      return trueId;
    if (all.constant.isOne() && count->negative && sort == intSort)
      return negation(count->some);
  }
  all = primitive(all, overflowed);
  // Over integers the bound is tightened: 2x + 1 > 0 is x + 1 > 0.
  if (sort == intSort)
    all.constant = {-floorOf({-all.constant.numerator, all.constant.denominator}), 1};
  return intern({.kind = Kind::Positive, .sort = boolSort, .children = {assemble(all, sort)}});
}

} // namespace imbrex::algebra
