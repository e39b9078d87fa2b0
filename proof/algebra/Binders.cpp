// Normal forms of quantifiers, sums and collections.
#include "proof/algebra/Entailment.h"
#include "proof/algebra/Internal.h"
#include "proof/algebra/Scope.h"

#include <algorithm>

namespace imbrex::algebra {

namespace {

/// exists x (p and exists y q) = exists x, y (p and q)
void mergeQuantifiers(Pool &pool, std::vector<Variable> &variables, std::vector<Id> &conjuncts) {
  for (size_t i = 0; i < conjuncts.size();) {
    if (pool[conjuncts[i]].kind != Kind::Exists || !pool.mentionsAny(conjuncts[i], variables)) {
      ++i;
      continue;
    }
    std::vector<Id> body;
    std::vector<Variable> more = pool.open(conjuncts[i], body);
    variables.insert(variables.end(), more.begin(), more.end());
    conjuncts.erase(conjuncts.begin() + long(i));
    std::vector<Id> parts = pool.conjuncts(body[0]);
    conjuncts.insert(conjuncts.end(), parts.begin(), parts.end());
  }
}

} // namespace

Id Pool::exists(std::vector<Variable> variables, Id body) {
  if (variables.empty())
    return body;
  Scope scope{std::move(variables), body, {}};
  simplify(*this, scope, Eliminate::Yes);
  if (nodes[scope.guard].kind == Kind::Or) {
    std::vector<Id> branches;
    for (Id branch : std::vector<Id>(nodes[scope.guard].children))
      branches.push_back(exists(scope.variables, branch));
    return disjunction(branches);
  }
  std::vector<Id> parts = conjuncts(scope.guard);
  size_t before = scope.variables.size();
  mergeQuantifiers(*this, scope.variables, parts);
  if (scope.variables.size() != before)
    return exists(scope.variables, conjunction(parts));
  if (foldVariable(*this, scope.variables, parts))
    return exists(scope.variables, conjunction(parts));
  std::vector<Id> result;
  for (const Component &part : components(*this, scope.variables, parts, {})) {
    // Every sort has a value, so a variable that nothing mentions is there.
    Id formula = conjunction(part.conjuncts);
    bool closed = part.variables.empty() || isConstant(formula);
    result.push_back(closed ? formula
                            : close(Kind::Exists, 0, boolSort, part.variables, {formula}));
  }
  return conjunction(result);
}

namespace {

struct Expander {
  Pool &pool;
  std::vector<Summand> done;

  /// Splits the first factor that is not one; `rest` waits behind it.
  void expand(Summand term, std::vector<Id> todo) {
    while (!todo.empty()) {
      if (done.size() > 200)
        throw Exhausted{};
      Id factor = todo.back();
      todo.pop_back();
      const Node &node = pool[factor];
      if (node.kind == Kind::Constant) {
        term.coefficient = multiply(term.coefficient, node.value, pool.overflowed);
        if (term.coefficient.isZero())
          return;
      } else if (node.kind == Kind::Product) {
        todo.insert(todo.end(), node.children.begin(), node.children.end());
      } else if (node.kind == Kind::Choose) {
        branch(term, todo, node.children[0], node.children[1]);
        branch(std::move(term), std::move(todo), pool.negation(node.children[0]), node.children[2]);
        return;
      } else if (node.kind == Kind::Linear) {
        split(term, todo, factor);
        return;
      } else if (node.kind == Kind::Sum) {
        merge(term, todo, factor);
      } else {
        term.factors.push_back(factor);
      }
    }
    done.push_back(std::move(term));
  }

  void branch(Summand term, std::vector<Id> todo, Id condition, Id value) {
    term.guard = pool.conjunction({term.guard, condition});
    if (pool.isFalse(term.guard))
      return;
    todo.push_back(value);
    expand(std::move(term), std::move(todo));
  }

  void split(const Summand &term, const std::vector<Id> &todo, Id linear) {
    Pool::Parts all = pool.parts(linear);
    for (const auto &[coefficient, part] : all.parts) {
      Summand next = term;
      next.coefficient = multiply(next.coefficient, coefficient, pool.overflowed);
      std::vector<Id> rest = todo;
      rest.push_back(part);
      expand(std::move(next), std::move(rest));
    }
    if (!all.constant.isZero()) {
      Summand next = term;
      next.coefficient = multiply(next.coefficient, all.constant, pool.overflowed);
      expand(std::move(next), todo);
    }
  }

  void merge(Summand &term, std::vector<Id> &todo, Id sum) {
    std::vector<Id> children;
    std::vector<Variable> more = pool.open(sum, children);
    term.variables.insert(term.variables.end(), more.begin(), more.end());
    term.guard = pool.conjunction({term.guard, children[0]});
    todo.insert(todo.end(), children.begin() + 1, children.end());
  }
};

/// One summand in normal form: equated variables gone, independent parts apart.
Id closeSummand(Pool &pool, Summand term) {
  Scope scope{term.variables, term.guard, term.factors};
  simplify(pool, scope, Eliminate::Yes);
  Sort sort = intSort;
  if (pool.isFalse(scope.guard))
    return pool.zero(sort);
  bool again = std::any_of(scope.payload.begin(), scope.payload.end(), [&](Id factor) {
    Kind kind = pool[factor].kind;
    return kind == Kind::Constant || kind == Kind::Choose || kind == Kind::Linear ||
           kind == Kind::Product || kind == Kind::Sum;
  });
  if (again)
    return pool.scale(term.coefficient,
                      pool.sumOver(scope.variables, scope.guard, pool.product(scope.payload)));
  Id free = pool.boolean(true);
  std::vector<Id> product;
  for (Component &part :
       components(pool, scope.variables, pool.conjuncts(scope.guard), scope.payload)) {
    Id guard = pool.conjunction(part.conjuncts);
    if (part.variables.empty()) {
      free = guard;
      product.insert(product.end(), part.factors.begin(), part.factors.end());
      continue;
    }
    Sort inner = intSort;
    for (Id factor : part.factors)
      if (pool[factor].sort == realSort)
        inner = realSort;
    std::vector<Id> children{guard};
    children.insert(children.end(), part.factors.begin(), part.factors.end());
    product.push_back(pool.close(Kind::Sum, 0, inner, part.variables, children));
  }
  return pool.guarded(free, pool.scale(term.coefficient, pool.product(product)));
}

} // namespace

std::vector<Summand> summands(Pool &pool, Id number) {
  Expander expander{pool, {}};
  expander.expand({.guard = pool.boolean(true)}, {number});
  return std::move(expander.done);
}

Id Pool::sumOver(std::vector<Variable> variables, Id guard, Id value) {
  if (isFalse(guard))
    return zero(nodes[value].sort);
  if (variables.empty())
    return guarded(guard, value);
  Expander expander{*this, {}};
  expander.expand({.variables = variables, .guard = guard}, {value});
  std::vector<Id> terms{zero(nodes[value].sort)};
  for (Summand &term : expander.done)
    terms.push_back(closeSummand(*this, std::move(term)));
  return sum(terms);
}

Id Pool::collect(Symbol function, std::vector<Variable> variables, Id body,
                 std::vector<Id> arguments, Sort sort) {
  if (nodes[body].sort == boolSort) {
    Scope scope{variables, body, {}};
    simplify(*this, scope, Eliminate::No);
    body = scope.guard;
  }
  arguments.insert(arguments.begin(), body);
  return close(Kind::Collect, function, sort, variables, std::move(arguments));
}

} // namespace imbrex::algebra
