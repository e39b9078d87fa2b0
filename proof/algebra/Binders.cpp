// Normal forms of quantifiers, sums and collections.
#include "proof/algebra/Entailment.h"
#include "proof/algebra/Internal.h"
#include "proof/algebra/Recorder.h"
#include "proof/algebra/Scope.h"

#include <algorithm>

namespace imbrex::algebra {

namespace {

/// exists x (p and exists y q) = exists x, y (p and q)
void mergeQuantifiers(Pool &pool, std::vector<Variable> &variables, std::vector<Id> &conjuncts,
                      Chain *record) {
  for (size_t i = 0; i < conjuncts.size();) {
    if (pool[conjuncts[i]].kind != Kind::Exists || !pool.mentionsAny(conjuncts[i], variables)) {
      ++i;
      continue;
    }
    std::vector<Id> body;
    Id quantified = conjuncts[i];
    std::vector<Variable> more = pool.open(quantified, body);
    variables.insert(variables.end(), more.begin(), more.end());
    conjuncts.erase(conjuncts.begin() + long(i));
    std::vector<Id> parts = pool.conjuncts(body[0]);
    conjuncts.insert(conjuncts.end(), parts.begin(), parts.end());
    if (record)
      record->push_back(
          {.rule = ScopeStep::Rule::Open, .term = quantified, .names = more, .guard = conjuncts});
  }
}

} // namespace

namespace {

/// The parts of a quantifier that hang together. Every sort has a value, so a variable that nothing
/// mentions is there.
Id closeParts(Pool &pool, const std::vector<Variable> &variables, const std::vector<Id> &conjuncts,
              std::vector<BinderPart> &parts) {
  std::vector<Id> result;
  for (const Component &part : components(pool, variables, conjuncts, {})) {
    Id formula = pool.conjunction(part.conjuncts);
    bool closed = part.variables.empty() || pool.isConstant(formula);
    result.push_back(closed ? formula
                            : pool.close(Kind::Exists, 0, boolSort, part.variables, {formula}));
    parts.push_back({part.variables, part.conjuncts, {}, result.back()});
  }
  return pool.conjunction(result);
}

struct Quantifier {
  Pool &pool;
  BinderLemma lemma;

  Id goOn(const Scope &scope, Id body) {
    Id result = pool.exists(scope.variables, body);
    if (pool.recorder)
      lemma.lemmas.push_back(pool.recorder->lastLemma);
    return result;
  }

  Id run() {
    Chain *chain = pool.recorder ? &lemma.chain : nullptr;
    Scope scope{lemma.variables, lemma.guard, {}};
    simplify(pool, scope, Eliminate::Yes, chain);
    if (pool[scope.guard].kind == Kind::Or) {
      lemma.branches = pool[scope.guard].children;
      std::vector<Id> results;
      for (Id branch : std::vector<Id>(lemma.branches))
        results.push_back(goOn(scope, branch));
      return pool.disjunction(results);
    }
    std::vector<Id> parts = pool.conjuncts(scope.guard);
    size_t before = scope.variables.size();
    mergeQuantifiers(pool, scope.variables, parts, chain);
    if (scope.variables.size() != before || foldVariable(pool, scope.variables, parts, chain))
      return goOn(scope, pool.conjunction(parts));
    return closeParts(pool, scope.variables, parts, lemma.parts);
  }
};

} // namespace

Id Pool::exists(std::vector<Variable> variables, Id body) {
  if (recorder)
    recorder->lastLemma = 0;
  if (variables.empty())
    return body;
  if (plain)
    return close(Kind::Exists, 0, boolSort, variables, {body});
  Quantifier quantifier{*this, {.kind = Kind::Exists, .variables = variables, .guard = body}};
  Id result = quantifier.run();
  if (recorder) {
    quantifier.lemma.result = result;
    recorder->lastLemma = recorder->begin(std::move(quantifier.lemma));
  }
  return result;
}

namespace {

using Event = SumEvent::Kind;

struct Expander {
  Pool &pool;
  std::vector<SumEvent> *events = nullptr;
  std::vector<Summand> done;

  uint32_t handle() { return events ? ++pool.recorder->handles : 0; }

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
        choose(term, todo, factor);
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

  void choose(const Summand &term, const std::vector<Id> &todo, Id choice) {
    std::vector<Id> parts = pool[choice].children;
    std::vector<Summand> next;
    for (Id condition : {parts[0], pool.negation(parts[0])}) {
      next.push_back(term);
      next.back().guard = pool.conjunction({term.guard, condition});
      next.back().handle = pool.isFalse(next.back().guard) ? 0 : handle();
    }
    if (events)
      events->push_back({.kind = Event::Choose,
                         .handles = {term.handle},
                         .results = {next[0].handle, next[1].handle},
                         .guards = {next[0].guard, next[1].guard},
                         .term = choice});
    for (size_t i = 0; i < 2; ++i) {
      if (pool.isFalse(next[i].guard))
        continue;
      std::vector<Id> rest = todo;
      rest.push_back(parts[i + 1]);
      expand(std::move(next[i]), std::move(rest));
    }
  }

  void split(const Summand &term, const std::vector<Id> &todo, Id linear) {
    Pool::Parts all = pool.parts(linear);
    if (!all.constant.isZero())
      all.parts.push_back({{1, 1}, pool.number(all.constant, pool[linear].sort)});
    SumEvent event{.kind = Event::Split, .handles = {term.handle}, .term = linear};
    std::vector<Summand> next;
    for (const auto &[coefficient, part] : all.parts) {
      next.push_back(term);
      next.back().handle = handle();
      event.results.push_back(next.back().handle);
      event.terms.push_back(part);
    }
    if (events)
      events->push_back(std::move(event));
    for (size_t i = 0; i < next.size(); ++i) {
      next[i].coefficient = multiply(next[i].coefficient, all.parts[i].first, pool.overflowed);
      std::vector<Id> rest = todo;
      rest.push_back(all.parts[i].second);
      expand(std::move(next[i]), std::move(rest));
    }
  }

  void merge(Summand &term, std::vector<Id> &todo, Id sum) {
    std::vector<Id> children;
    std::vector<Variable> more = pool.open(sum, children);
    term.variables.insert(term.variables.end(), more.begin(), more.end());
    term.guard = pool.conjunction({term.guard, children[0]});
    todo.insert(todo.end(), children.begin() + 1, children.end());
    if (!events)
      return;
    uint32_t next = handle();
    events->push_back({.kind = Event::Open,
                       .handles = {term.handle},
                       .results = {next},
                       .guards = {term.guard},
                       .term = sum,
                       .terms = children,
                       .names = more});
    term.handle = next;
  }
};

/// One summand in normal form: equated variables gone, independent parts apart.
struct Closer {
  Pool &pool;
  std::vector<SumEvent> *events = nullptr;

  Id run(Summand term) {
    Scope scope{term.variables, term.guard, term.factors};
    SumEvent close{.kind = Event::Close, .handles = {term.handle}};
    simplify(pool, scope, Eliminate::Yes, events ? &close.chain : nullptr);
    close.term = finish(term, scope, close);
    if (events)
      events->push_back(close);
    return close.term;
  }

private:
  Id finish(const Summand &term, const Scope &scope, SumEvent &close) {
    if (pool.isFalse(scope.guard))
      return pool.zero(intSort);
    bool again = std::any_of(scope.payload.begin(), scope.payload.end(), [&](Id factor) {
      Kind kind = pool[factor].kind;
      return kind == Kind::Constant || kind == Kind::Choose || kind == Kind::Linear ||
             kind == Kind::Product || kind == Kind::Sum;
    });
    if (!again)
      return parts(term, scope, close);
    Id value = pool.product(scope.payload);
    if (pool.recorder)
      pool.recorder->lastLemma = 0;
    Id sum = pool.sumOver(scope.variables, scope.guard, value);
    if (events) {
      close.lemma = pool.recorder->lastLemma;
      close.terms = {scope.guard, value, sum};
    }
    return pool.scale(term.coefficient, sum);
  }

  Id parts(const Summand &term, const Scope &scope, SumEvent &close) {
    Id free = pool.boolean(true);
    std::vector<Id> product;
    for (Component &part :
         components(pool, scope.variables, pool.conjuncts(scope.guard), scope.payload)) {
      Id guard = pool.conjunction(part.conjuncts);
      if (part.variables.empty()) {
        free = guard;
        product.insert(product.end(), part.factors.begin(), part.factors.end());
        close.parts.push_back({{}, part.conjuncts, part.factors, 0});
        continue;
      }
      Sort inner = intSort;
      for (Id factor : part.factors)
        if (pool[factor].sort == realSort)
          inner = realSort;
      std::vector<Id> children{guard};
      children.insert(children.end(), part.factors.begin(), part.factors.end());
      product.push_back(pool.close(Kind::Sum, 0, inner, part.variables, children));
      close.parts.push_back({part.variables, part.conjuncts, part.factors, product.back()});
    }
    return pool.guarded(free, pool.scale(term.coefficient, pool.product(product)));
  }
};

} // namespace

std::vector<Summand> summands(Pool &pool, Id number, Summand start, std::vector<SumEvent> *events) {
  Expander expander{pool, events, {}};
  expander.expand(std::move(start), {number});
  return std::move(expander.done);
}

Id Pool::plainSum(const std::vector<Variable> &variables, Id guard, Id value) {
  std::vector<Id> children{guard};
  const std::vector<Id> factors =
      nodes[value].kind == Kind::Product ? nodes[value].children : std::vector<Id>{value};
  for (Id factor : factors)
    if (!isConstant(factor) || !nodes[factor].value.isOne())
      children.push_back(factor);
  return close(Kind::Sum, 0, nodes[value].sort, variables, children);
}

Id Pool::sumOver(std::vector<Variable> variables, Id guard, Id value) {
  if (recorder)
    recorder->lastLemma = 0;
  if (isFalse(guard))
    return zero(nodes[value].sort);
  if (variables.empty()) {
    Id result = guarded(guard, value);
    if (recorder)
      recorder->lastLemma = 0;
    return result;
  }
  if (plain)
    return plainSum(variables, guard, value);
  BinderLemma lemma{.kind = Kind::Sum, .variables = variables, .guard = guard, .value = value};
  std::vector<SumEvent> *events = recorder ? &lemma.events : nullptr;
  lemma.handle = recorder ? ++recorder->handles : 0;
  Summand start{.variables = variables, .guard = guard, .handle = lemma.handle};
  std::vector<Id> terms{zero(nodes[value].sort)};
  for (Summand &term : summands(*this, value, std::move(start), events))
    terms.push_back(Closer{*this, events}.run(std::move(term)));
  Id result = sum(terms);
  if (recorder) {
    lemma.result = result;
    recorder->lastLemma = recorder->begin(std::move(lemma));
  }
  return result;
}

Id Pool::collect(Symbol function, std::vector<Variable> variables, Id body,
                 std::vector<Id> arguments, Sort sort) {
  Entry entry = 0;
  if (nodes[body].sort == boolSort && !plain) {
    Scope scope{variables, body, {}};
    BinderLemma lemma{.kind = Kind::Collect, .variables = variables, .guard = body};
    simplify(*this, scope, Eliminate::No, recorder ? &lemma.chain : nullptr);
    body = lemma.result = scope.guard;
    if (recorder)
      entry = recorder->begin(std::move(lemma));
  }
  arguments.insert(arguments.begin(), body);
  Id result = close(Kind::Collect, function, sort, variables, std::move(arguments));
  if (recorder)
    recorder->lastLemma = entry;
  return result;
}

} // namespace imbrex::algebra
