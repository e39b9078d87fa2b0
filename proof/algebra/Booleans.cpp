// Booleans in negation normal form, comparisons, choices.
#include "proof/algebra/Internal.h"

#include <algorithm>
#include <optional>

namespace imbrex::algebra {

namespace {

void flatten(const Pool &pool, Kind kind, std::span<const Id> operands, std::vector<Id> &out) {
  for (Id operand : operands) {
    if (pool[operand].kind == kind)
      out.insert(out.end(), pool[operand].children.begin(), pool[operand].children.end());
    else
      out.push_back(operand);
  }
  std::sort(out.begin(), out.end());
  out.erase(std::unique(out.begin(), out.end()), out.end());
}

/// The parts of an operand of the other kind whose negation is not among `all`; nothing when one of
/// its parts is itself there, which absorbs the operand.
std::optional<std::vector<Id>> withoutNegated(Pool &pool, Id operand, const std::vector<Id> &all) {
  auto stands = [&](Id part) { return std::binary_search(all.begin(), all.end(), part); };
  std::vector<Id> rest;
  bool absorbed = false;
  pool.spend(pool[operand].children.size());
  for (Id part : std::vector<Id>(pool[operand].children)) {
    absorbed |= stands(part);
    if (!stands(pool.negation(part)))
      rest.push_back(part);
  }
  if (absorbed)
    return std::nullopt;
  return rest;
}

} // namespace

Id Pool::conjunction(std::vector<Id> operands) {
  std::vector<Id> all;
  flatten(*this, Kind::And, operands, all);
  std::erase(all, trueId);
  for (Id operand : all)
    if (operand == falseId)
      return falseId;
  if (all.empty())
    return trueId;
  if (all.size() == 1)
    return all[0];
  if (plain)
    return intern({.kind = Kind::And, .sort = boolSort, .children = all});
  std::vector<Id> kept;
  for (Id operand : all) {
    // a and (not a) = false; a and (a or b) = a; a and (not a or b) = a and b.
    if (nodes[operand].kind == Kind::Or) {
      auto rest = withoutNegated(*this, operand, all);
      if (!rest)
        continue;
      if (rest->size() < nodes[operand].children.size()) {
        std::vector<Id> again = all;
        std::erase(again, operand);
        again.push_back(disjunction(*rest));
        return conjunction(again);
      }
    } else if (nodes[operand].kind != Kind::And &&
               std::binary_search(all.begin(), all.end(), negation(operand))) {
      return falseId;
    }
    kept.push_back(operand);
  }
  if (kept.size() == 1)
    return kept[0];
  return intern({.kind = Kind::And, .sort = boolSort, .children = kept});
}

Id Pool::disjunction(std::vector<Id> operands) {
  std::vector<Id> all;
  flatten(*this, Kind::Or, operands, all);
  std::erase(all, falseId);
  for (Id operand : all)
    if (operand == trueId)
      return trueId;
  if (all.empty())
    return falseId;
  if (all.size() == 1)
    return all[0];
  if (plain)
    return intern({.kind = Kind::Or, .sort = boolSort, .children = all});
  std::vector<Id> kept;
  for (Id operand : all) {
    if (nodes[operand].kind == Kind::And) {
      auto rest = withoutNegated(*this, operand, all);
      if (!rest)
        continue;
      if (rest->size() < nodes[operand].children.size()) {
        std::vector<Id> again = all;
        std::erase(again, operand);
        again.push_back(conjunction(*rest));
        return disjunction(again);
      }
    } else if (std::binary_search(all.begin(), all.end(), negation(operand))) {
      return trueId;
    }
    kept.push_back(operand);
  }
  if (kept.size() == 1)
    return kept[0];
  // (a and b) or (a and c) = a and (b or c)
  std::vector<Id> common = conjuncts(kept[0]);
  for (Id operand : kept) {
    std::vector<Id> parts = conjuncts(operand), both;
    std::set_intersection(common.begin(), common.end(), parts.begin(), parts.end(),
                          std::back_inserter(both));
    common = std::move(both);
  }
  if (!common.empty()) {
    std::vector<Id> rests;
    for (Id operand : kept) {
      std::vector<Id> parts = conjuncts(operand), rest;
      std::set_difference(parts.begin(), parts.end(), common.begin(), common.end(),
                          std::back_inserter(rest));
      rests.push_back(conjunction(rest));
    }
    common.push_back(disjunction(rests));
    return conjunction(common);
  }
  return intern({.kind = Kind::Or, .sort = boolSort, .children = kept});
}

Id Pool::negation(Id operand) {
  if (operand == trueId)
    return falseId;
  if (operand == falseId)
    return trueId;
  const Node &node = nodes[operand];
  if (node.kind == Kind::Not)
    return node.children[0];
  if (node.kind == Kind::And || node.kind == Kind::Or) {
    bool wasAnd = node.kind == Kind::And;
    spend(node.children.size());
    std::vector<Id> negated;
    for (Id child : std::vector<Id>(node.children))
      negated.push_back(negation(child));
    return wasAnd ? disjunction(negated) : conjunction(negated);
  }
  // Over integers: not (x > 0) is 1 - x > 0.
  if (node.kind == Kind::Positive && nodes[node.children[0]].sort == intSort) {
    Id number = node.children[0];
    return less(number, integer(1));
  }
  return intern({.kind = Kind::Not, .sort = boolSort, .children = {operand}});
}

Id Pool::choose(Id condition, Id then, Id otherwise) {
  if (condition == trueId || then == otherwise)
    return then;
  if (condition == falseId)
    return otherwise;
  if (nodes[then].sort == boolSort)
    return disjunction(
        {conjunction({condition, then}), conjunction({negation(condition), otherwise})});
  if (plain) {
    Sort sort = nodes[then].sort == realSort ? realSort : nodes[otherwise].sort;
    return intern({.kind = Kind::Choose, .sort = sort, .children = {condition, then, otherwise}});
  }
  if (nodes[condition].kind == Kind::Not || nodes[condition].kind == Kind::Or) {
    condition = negation(condition);
    std::swap(then, otherwise);
  }
  // choose(c, choose(c, a, b), d) = choose(c, a, d), and in the other branch.
  while (nodes[then].kind == Kind::Choose && nodes[then].children[0] == condition)
    then = nodes[then].children[1];
  while (nodes[otherwise].kind == Kind::Choose && nodes[otherwise].children[0] == condition)
    otherwise = nodes[otherwise].children[2];
  // choose(c, choose(d, a, b), b) = choose(c and d, a, b)
  if (nodes[then].kind == Kind::Choose && nodes[then].children[2] == otherwise) {
    Id inner = nodes[then].children[0], value = nodes[then].children[1];
    return choose(conjunction({condition, inner}), value, otherwise);
  }
  if (then == otherwise)
    return then;
  // A sum over no rows is zero anyway.
  if (isNumeric(nodes[then].sort)) {
    if (isZero(otherwise) && vanishesUnless(*this, then, condition))
      return then;
    if (isZero(then) && vanishesUnless(*this, otherwise, negation(condition)))
      return otherwise;
  }
  Sort sort = nodes[then].sort == realSort ? realSort : nodes[otherwise].sort;
  return intern({.kind = Kind::Choose, .sort = sort, .children = {condition, then, otherwise}});
}

// Constants and complements decide; otherwise both sides stay.
static Id equalBooleans(Pool &pool, Id a, Id b) {
  if (pool.isConstant(a))
    std::swap(a, b);
  if (pool.isConstant(b))
    return pool.isTrue(b) ? a : pool.negation(a);
  if (a == pool.negation(b))
    return pool.boolean(false);
  // Not stands outside, so that p = not q and not p = q are one term.
  bool flip = false;
  for (Id *side : {&a, &b})
    if (pool[*side].kind == Kind::Not) {
      *side = pool[*side].children[0];
      flip = !flip;
    }
  std::vector<Id> sides{std::min(a, b), std::max(a, b)};
  Id result = pool.intern({.kind = Kind::Equal, .sort = boolSort, .children = sides});
  return flip ? pool.negation(result) : result;
}

Id Pool::equal(Id a, Id b) {
  if (a == b)
    return trueId;
  Sort sort = nodes[a].sort;
  if (sort == boolSort)
    return equalBooleans(*this, a, b);
  if (isNumeric(sort)) {
    Id difference = subtract(a, b);
    return zeroTest(difference);
  }
  if (isConstant(a) && isConstant(b))
    return falseId;
  if (isConstant(a))
    std::swap(a, b);
  if (plain)
    return intern(
        {.kind = Kind::Equal, .sort = boolSort, .children = {std::min(a, b), std::max(a, b)}});
  // A choice compared with a constant, or two choices by one condition, compare branch by branch.
  if (nodes[a].kind == Kind::Choose && isConstant(b)) {
    std::vector<Id> branch = nodes[a].children;
    return choose(branch[0], equal(branch[1], b), equal(branch[2], b));
  }
  if (nodes[a].kind == Kind::Choose && nodes[b].kind == Kind::Choose &&
      nodes[a].children[0] == nodes[b].children[0]) {
    std::vector<Id> x = nodes[a].children, y = nodes[b].children;
    return choose(x[0], equal(x[1], y[1]), equal(x[2], y[2]));
  }
  return intern(
      {.kind = Kind::Equal, .sort = boolSort, .children = {std::min(a, b), std::max(a, b)}});
}

Id Pool::less(Id a, Id b) {
  if (a == b)
    return falseId;
  if (isNumeric(nodes[a].sort))
    return positiveTest(subtract(b, a));
  return intern({.kind = Kind::Less, .sort = boolSort, .children = {a, b}});
}

} // namespace imbrex::algebra
