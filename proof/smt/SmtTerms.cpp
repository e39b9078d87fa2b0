// Terms of the core as terms of the solver.
#include "proof/smt/SmtGuardSolver.h"

namespace imbrex::algebra {

// An opaque ordered sort becomes the reals without arithmetic: every finite part of a total order
// fits into them, and questions without quantifiers only see finite parts. The integers would not
// do, since they know gaps.
smt::Sort SmtGuardSolver::sortOf(Sort sort) {
  if (sort == boolSort)
    return context.boolSort();
  return sort == intSort ? context.intSort() : context.realSort();
}

smt::Term SmtGuardSolver::term(Id id) {
  if (auto it = terms.find(id); it != terms.end())
    return it->second;
  smt::Term result = build(id);
  terms.emplace(id, result);
  return result;
}

smt::Term SmtGuardSolver::numeric(Id id, Sort sort) {
  smt::Term result = term(id);
  bool widen = sort == realSort && pool[id].sort == intSort;
  return widen ? context.toReal(result) : result;
}

smt::Term SmtGuardSolver::build(Id id) {
  const Node &node = pool[id];
  std::vector<smt::Term> parts;
  auto children = [&](Sort sort) -> std::vector<smt::Term> & {
    for (Id child : node.children)
      parts.push_back(numeric(child, sort));
    return parts;
  };
  switch (node.kind) {
  case Kind::Constant:
    if (node.sort == boolSort)
      return context.boolean(!node.value.isZero());
    if (node.sort == intSort)
      return context.numeral(node.value.str(), context.intSort());
    if (node.sort == realSort)
      return context.numeral(node.value.str(), context.realSort());
    {
      // Texts that differ are values that differ; their order is left open.
      smt::Term constant = context.constant("k" + std::to_string(id), context.realSort());
      for (smt::Term other : opaqueConstants[node.sort]) {
        background.push_back(context.negation(context.equal(constant, other)));
        solver->add(background.back());
      }
      opaqueConstants[node.sort].push_back(constant);
      return constant;
    }
  case Kind::Component:
    return context.constant("x" + std::to_string(node.symbol) + "_" + std::to_string(node.index),
                            sortOf(node.sort));
  case Kind::Apply:
  case Kind::Product: {
    std::string name = node.kind == Kind::Product ? "product" : pool.name(node.symbol);
    std::vector<smt::Sort> sorts;
    for (Id child : node.children) {
      parts.push_back(term(child));
      sorts.push_back(sortOf(pool[child].sort));
      name += "|" + std::to_string(pool[child].sort);
    }
    name += ":" + std::to_string(node.sort);
    if (parts.empty())
      return context.constant(name, sortOf(node.sort));
    return context.apply(context.function(name, sorts, sortOf(node.sort)), parts);
  }
  case Kind::Linear: {
    for (size_t i = 0; i < node.children.size(); ++i) {
      Number c = node.coefficients[i];
      smt::Term factor = context.numeral(c.str(), sortOf(node.sort));
      parts.push_back(context.product(std::vector{factor, numeric(node.children[i], node.sort)}));
    }
    parts.push_back(context.numeral(node.value.str(), sortOf(node.sort)));
    return context.sum(parts);
  }
  case Kind::Choose:
    return context.choose(term(node.children[0]), numeric(node.children[1], node.sort),
                          numeric(node.children[2], node.sort));
  case Kind::And:
    return context.conjunction(children(boolSort));
  case Kind::Or:
    return context.disjunction(children(boolSort));
  case Kind::Not:
    return context.negation(term(node.children[0]));
  case Kind::Zero:
  case Kind::Positive: {
    bool whole = pool[node.children[0]].sort == intSort;
    smt::Term zero = whole ? context.integer(0) : context.rational(0, 1);
    smt::Term value = term(node.children[0]);
    return node.kind == Kind::Zero ? context.equal(value, zero) : context.less(zero, value);
  }
  case Kind::Equal:
    return context.equal(term(node.children[0]), term(node.children[1]));
  case Kind::Less:
    return context.less(term(node.children[0]), term(node.children[1]));
  case Kind::Exists:
  case Kind::Sum:
  case Kind::Collect:
    return context.constant("n" + std::to_string(id), sortOf(node.sort));
  }
  return context.boolean(true);
}

/// A constant that switches a formula on.
smt::Term SmtGuardSolver::literal(Id formula) {
  if (auto it = literals.find(formula); it != literals.end())
    return it->second;
  smt::Term name = context.constant("l" + std::to_string(formula), context.boolSort());
  solver->add(context.implies(name, term(formula)));
  literals.emplace(formula, name);
  return name;
}

} // namespace imbrex::algebra
