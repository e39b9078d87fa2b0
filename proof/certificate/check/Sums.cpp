// Lists of summands: what a number is as a sum of products, and why it vanishes.
#include "proof/certificate/check/Checker.h"

#include <algorithm>
#include <utility>

namespace imbrex::check {

/// Products are flat; numbers wait for fold(), since a sum may have become one.
void Checker::addFactor(Summand &summand, Id factor) {
  if (terms[factor].op == Op::Product)
    summand.factors.insert(summand.factors.end(), terms[factor].kids.begin(),
                           terms[factor].kids.end());
  else
    summand.factors.push_back(factor);
}

void Checker::fold(Summand &summand) {
  for (Id factor : std::exchange(summand.factors, {}))
    if (terms[factor].op == Op::Number)
      summand.coefficient = summand.coefficient * terms[factor].value;
    else
      addFactor(summand, factor);
}

Summand &Checker::taken(uint32_t handle) {
  auto it = live->find(handle);
  must(it != live->end(), "there is no such summand");
  return it->second;
}

Summand &Checker::added(uint32_t handle, Summand summand) {
  auto [it, isNew] = live->emplace(handle, std::move(summand));
  must(isNew, "a summand has the number of another one");
  return it->second;
}

/// [guard] * product of factors, times the coefficient.
Id Checker::valueOf(const Summand &s) {
  Id product = terms.linear(0, {{s.coefficient, productOf(s.factors)}});
  return terms.choose(all(s.guard), product, terms.number(0));
}

/// Two summands, by a condition: that of a choice among the factors, or any (a case).
void Checker::choose(const Summand &before, bool isCase) {
  Summand rest = before;
  Id condition = now.term;
  std::vector<Id> values(2, terms.number(1));
  if (!isCase) {
    auto it = std::find(rest.factors.begin(), rest.factors.end(), now.term);
    must(it != rest.factors.end() && terms[now.term].op == Op::Choose,
         "the choice is no factor of the summand");
    rest.factors.erase(it);
    const Node &node = terms[now.term];
    condition = node.kids[0];
    values = {node.kids[1], node.kids[2]};
  }
  must(now.results.size() == 2 && now.guards.size() == 2, "a choice has two branches");
  live->erase(now.handles[0]);
  // The prover may have asked for the negation.
  if (!isCase && !entails(0, {all(rest.guard), condition}, now.guards[0])) {
    condition = terms.negation(condition);
    std::swap(values[0], values[1]);
  }
  for (size_t i = 0; i < 2; ++i) {
    std::vector<Id> guard = rest.guard;
    guard.push_back(i == 0 ? condition : terms.negation(condition));
    if (now.results[i] == 0) {
      mustEntail(0, guard, terms.boolean(false), "a branch that can be taken is missing");
      continue;
    }
    mustEntail(0, {}, same(all(guard), now.guards[i]), "a branch has another guard");
    Summand next = rest;
    next.guard = {now.guards[i]};
    addFactor(next, values[i]);
    added(now.results[i], next);
  }
}

/// A linear factor, term by term, as its line lists them.
void Checker::split(const Summand &before) {
  Summand rest = before;
  auto it = std::find(rest.factors.begin(), rest.factors.end(), now.term);
  const std::vector<std::pair<Rational, Id>> &parts = linearParts[now.number];
  must(it != rest.factors.end() && parts.size() == now.results.size(),
       "the sum is no factor of the summand");
  rest.factors.erase(it);
  live->erase(now.handles[0]);
  for (size_t i = 0; i < parts.size(); ++i) {
    Summand next = rest;
    next.coefficient = next.coefficient * parts[i].first;
    addFactor(next, parts[i].second);
    added(now.results[i], next);
  }
}

void Checker::openSum(const Summand &before) {
  Summand next = before;
  auto it = std::find(next.factors.begin(), next.factors.end(), now.term);
  must(it != next.factors.end() && terms[now.term].op == Op::Sum && now.results.size() == 1 &&
           now.guards.size() == 1 && !now.terms.empty(),
       "the sum is no factor of the summand");
  next.factors.erase(it);
  std::vector<Id> used = next.factors;
  used.insert(used.end(), next.guard.begin(), next.guard.end());
  used.insert(used.end(), outside.begin(), outside.end());
  mustBeNew(now.names, next.variables, used);
  std::vector<Id> kids = open(now.number, now.names), given = next.guard;
  given.push_back(kids[0]);
  mustEntail(0, {}, same(all(given), now.guards[0]), "the opened sum has another guard");
  std::vector<Id> factors(now.terms.begin() + 1, now.terms.end());
  mustEntail(0, given, same(kids[1], productOf(factors)), "the opened sum has other factors");
  next.guard = {now.guards[0]};
  for (Id factor : factors)
    addFactor(next, factor);
  next.variables.insert(next.variables.end(), now.names.begin(), now.names.end());
  live->erase(now.handles[0]);
  added(now.results[0], next);
}

/// What a summand is as one term: zero, the result of a lemma, or a product of independent sums.
Id Checker::closed(const Summand &s, const std::vector<Part> &parts) {
  Id guard = all(s.guard), zero = terms.number(0);
  auto scaled = [&](Id value) { return terms.linear(0, {{s.coefficient, value}}); };
  if (now.lemma != 0) {
    must(lemmas.count(now.lemma) != 0, "there is no such lemma");
    const Lemma &lemma = lemmas[now.lemma];
    must(lemma.op == Op::Sum && sameNames(lemma.variables, s.variables),
         "the lemma speaks of another binder");
    mustEntail(0, {}, same(guard, lemma.guard), "the lemma has another guard");
    mustEntail(0, {guard}, same(productOf(s.factors), lemma.value), "the lemma has another value");
    return scaled(lemma.result);
  }
  if (parts.empty()) {
    if (s.variables.empty())
      return valueOf(s);
    mustEntail(0, {guard}, terms.boolean(false), "a sum is dropped whose guard can hold");
    return zero;
  }
  mustBeApart(parts, s, true);
  std::vector<Id> guards, factors, product, free;
  for (const Part &part : parts) {
    guards.insert(guards.end(), part.guard.begin(), part.guard.end());
    factors.insert(factors.end(), part.factors.begin(), part.factors.end());
    if (part.variables.empty()) {
      free = part.guard;
      product.insert(product.end(), part.factors.begin(), part.factors.end());
      continue;
    }
    std::vector<Id> kids{all(part.guard)};
    kids.insert(kids.end(), part.factors.begin(), part.factors.end());
    product.push_back(terms.binder(Op::Sum, 0, terms.intSort, part.variables, kids));
  }
  mustEntail(0, {}, same(guard, all(guards)), "the parts have another guard");
  mustBeSameFactors(0, {guard}, s.factors, factors);
  return terms.choose(all(free), scaled(productOf(product)), zero);
}

Id Checker::equationsOf(const Map &map, const Summand &from, const Summand &to) {
  must(from.variables.size() == to.variables.size(), "summands have other variables");
  std::vector<Id> all;
  std::vector<Variable> left = to.variables;
  for (const Variable &v : from.variables) {
    auto values = map.values.find(v.name);
    must(values != map.values.end(), "a variable is not mapped");
    auto it = std::find_if(left.begin(), left.end(), [&](const Variable &w) {
      return w.shape == v.shape && terms.components(w) == values->second;
    });
    must(it != left.end(), "variables are not mapped one to one");
    left.erase(it);
    all.push_back(equations(v, values->second));
  }
  return terms.conjunction(all);
}

/// One summand is another one with other names: one is left, with both coefficients.
void Checker::combine() {
  must(now.handles.size() == 2 && now.handles[0] != now.handles[1] && now.maps.size() == 1,
       "two summands are combined");
  Summand &a = taken(now.handles[0]), &b = taken(now.handles[1]);
  fold(b);
  equationsOf(now.maps[0], b, a);
  std::vector<Id> guard, factors;
  for (Id id : b.guard)
    guard.push_back(terms.substitute(id, now.maps[0].values));
  for (Id id : b.factors)
    factors.push_back(terms.substitute(id, now.maps[0].values));
  mustEntail(0, {}, same(all(guard), all(a.guard)), "the guards differ");
  mustBeSameFactors(0, {all(guard)}, factors, a.factors);
  a.coefficient = a.coefficient + b.coefficient;
  live->erase(now.handles[1]);
  if (a.coefficient.sign() == 0)
    live->erase(now.handles[0]);
}

void Checker::cancel() {
  must(now.handles.size() == 2 && now.handles[0] != now.handles[1] && now.maps.size() == 1,
       "two summands cancel");
  Summand &a = taken(now.handles[0]), &b = taken(now.handles[1]);
  fold(b);
  must((a.coefficient + b.coefficient).sign() == 0, "the coefficients do not cancel");
  std::vector<Id> formulas = context;
  mustBeNew(b.variables, a.variables, formulas);
  formulas.push_back(equationsOf(now.maps[0], b, a));
  Id x = all(a.guard), y = all(b.guard);
  formulas.push_back(terms.disjunction({x, y}));
  formulas.push_back(
      terms.negation(terms.conjunction({x, y, same(productOf(a.factors), productOf(b.factors))})));
  mustRefute(formulas, now.maps[0].hypothesis, now.refutation);
  live->erase(now.handles[0]);
  live->erase(now.handles[1]);
}

/// Summands over as many variables vanish when their values add up to zero everywhere, or do so
/// after renaming the variables in all given ways and adding up.
void Checker::group(bool isMean) {
  size_t count = now.handles.size();
  must(count > 0 && now.maps.size() >= count && (isMean || now.maps.size() == count),
       "a map for each summand is expected");
  const Summand first = taken(now.handles[0]);
  std::vector<Id> formulas = context, values;
  std::set<Name> bound;
  for (size_t i = 0; i < count; ++i) {
    fold(taken(now.handles[i]));
    const Summand &s = taken(now.handles[i]);
    if (i > 0)
      mustBeNew(s.variables, first.variables, context);
    for (const Variable &v : s.variables)
      must(bound.insert(v.name).second, "summands share variables");
    Id equal = equationsOf(now.maps[i], s, first);
    if (isMean) {
      must(i < now.terms.size(), "a value for each summand is expected");
      std::vector<Id> given = context;
      given.push_back(i == 0 ? terms.boolean(true) : equal);
      mustEntail(now.maps[i].hypothesis, given, same(valueOf(s), now.terms[i]),
                 "a summand has another value");
      for (const Variable &v : s.variables)
        must(i == 0 || !freeIn(v, {now.terms[i]}), "a value speaks of other variables");
      values.push_back(now.terms[i]);
    } else {
      formulas.push_back(i == 0 ? terms.boolean(true) : equal);
      values.push_back(valueOf(s));
    }
  }
  uint32_t under = count > 1 ? now.maps[1].hypothesis : 0;
  std::vector<Id> total = values;
  if (isMean) {
    total.clear();
    for (size_t k = count; k < now.maps.size(); ++k) {
      equationsOf(now.maps[k], first, first);
      for (Id value : values)
        total.push_back(terms.substitute(value, now.maps[k].values));
    }
    must(!total.empty(), "a renaming is expected");
    under = 0;
  }
  formulas.push_back(terms.negation(terms.zero(terms.sum(total))));
  must(refutations.count(now.refutation) != 0, "there is no such refutation");
  std::vector<Id> given = formulas;
  for (size_t i = 0; i < count && !isMean; ++i) {
    std::vector<Id> more = related(now.maps[i].hypothesis, formulas);
    given.insert(given.end(), more.begin(), more.end());
  }
  mustRefute(given, under, now.refutation);
  for (uint32_t handle : now.handles)
    live->erase(handle);
}

void Checker::event(const std::string &kind, Line &line) {
  auto numbers = [&] {
    std::vector<uint32_t> all;
    for (uint32_t i = line.count(); i > 0; --i)
      all.push_back(line.count());
    return all;
  };
  now = {};
  now.handles = numbers();
  now.results = numbers();
  now.guards = list(line);
  uint32_t number = line.count();
  must(number == 0 || ids.count(number) != 0, "there is no term of this number");
  now.number = number;
  now.term = number == 0 ? 0 : ids[number];
  now.terms = list(line);
  now.names = variables(line);
  now.lemma = line.count();
  now.refutation = line.count();
  for (uint32_t i = line.count(); i > 0; --i) {
    Map map;
    map.hypothesis = line.count();
    must(hypotheses.count(map.hypothesis) != 0, "there is no such hypothesis");
    for (uint32_t j = line.count(); j > 0; --j) {
      Name name = terms.name(line.next());
      map.values[name] = list(line);
    }
    now.maps.push_back(std::move(map));
  }
  if (kind == "close") {
    must(line.next() == "parts", "parts are expected");
    now.parts = parts(line);
  }
  must(!now.handles.empty(), "a summand is expected");
}

void Checker::events(std::map<uint32_t, Summand> &summands, const std::vector<Id> &given,
                     const std::vector<Id> &elsewhere, const std::string &end, Id &total) {
  live = &summands;
  context = given;
  outside = elsewhere;
  outside.insert(outside.end(), context.begin(), context.end());
  std::vector<Id> closedTerms;
  std::vector<Line> steps;
  Line next = line();
  for (std::string kind = next.next(); kind != end; kind = next.next()) {
    if (kind == "eliminate" || kind == "rewrite" || kind == "entail") {
      steps.push_back(next);
      steps.back().restart();
      next = line();
      continue;
    }
    event(kind, next);
    Summand &state = taken(now.handles[0]);
    must(steps.empty() || kind == "simplify" || kind == "close" || kind == "determine",
         "steps belong to a simplification");
    if (kind != "split")
      fold(state);
    if (kind == "determine")
      determine(steps, state);
    else
      for (Line &own : steps) {
        std::string rule = own.next();
        step(rule, own, state, true);
      }
    steps.clear();
    if (kind != "split")
      fold(state);
    const Summand before = state;
    if (kind == "choose" || kind == "case") {
      choose(before, kind == "case");
    } else if (kind == "split") {
      split(before);
    } else if (kind == "opened") {
      openSum(before);
    } else if (kind == "simplify") {
      must(now.guards.size() == 1, "a guard is expected");
      mustEntail(0, {}, same(all(before.guard), now.guards[0]), "the guard is another one");
      state.guard = {now.guards[0]};
      if (now.guards[0] == terms.boolean(false))
        live->erase(now.handles[0]);
    } else if (kind == "close") {
      mustEntail(0, {}, same(closed(before, now.parts), now.term), "the sum is another term");
      closedTerms.push_back(now.term);
      live->erase(now.handles[0]);
    } else if (kind == "drop") {
      std::vector<Id> formulas = context;
      formulas.push_back(all(before.guard));
      mustRefute(formulas, 0, now.refutation);
      live->erase(now.handles[0]);
    } else if (kind == "combine") {
      combine();
    } else if (kind == "cancel") {
      cancel();
    } else if (kind == "group" || kind == "mean") {
      group(kind == "mean");
    } else {
      must(kind == "determine", "there is no such step");
    }
    next = line();
  }
  total = terms.sum(closedTerms);
  ending = next;
}

/// The guard gives a variable a value, by a refutation of anything else.
void Checker::determine(std::vector<Line> &steps, Summand &state) {
  must(steps.size() == 1, "one elimination is expected");
  Line peek = steps[0];
  must(peek.next() == "eliminate", "one elimination is expected");
  peek.count();
  Variable v = only(peek);
  Id equal = equations(v, list(peek));
  std::vector<Id> formulas = context;
  formulas.push_back(all(state.guard));
  formulas.push_back(terms.negation(equal));
  mustRefute(formulas, 0, now.refutation);
  // Where the value is another one the summand is zero; then the elimination is as usual.
  state.guard.push_back(equal);
  std::string rule = steps[0].next();
  step(rule, steps[0], state, true);
}

void Checker::mustBeEmpty(std::map<uint32_t, Summand> &summands) {
  for (auto &[handle, summand] : summands) {
    fold(summand);
    must(summand.coefficient.sign() == 0, "a summand is left over");
  }
}

void Checker::readSum(Line &first) {
  uint32_t number = first.count();
  Lemma lemma{.op = Op::Sum, .variables = variables(first)};
  lemma.guard = term(first);
  lemma.value = term(first);
  Summand start{1, lemma.variables, {lemma.guard}, {}};
  addFactor(start, lemma.value);
  std::map<uint32_t, Summand> summands{{first.count(), start}};
  Id total = 0;
  events(summands, {}, {}, "result", total);
  mustBeEmpty(summands);
  lemma.result = term(ending);
  mustBeNew(lemma.variables, {}, {lemma.result});
  mustEntail(0, {}, same(lemma.result, total), "the result is another term");
  must(lemmas.emplace(number, lemma).second, "a lemma has the number of another one");
}

void Checker::readEquality(Line &first) {
  uint32_t number = first.count();
  Id a = term(first), b = term(first);
  std::vector<Id> given = list(first);
  Id difference = term(first);
  uint32_t handle = first.count(), refutation = first.count();
  mustEntail(0, {}, same(difference, terms.difference(a, b)), "the difference is another term");
  if (refutation != 0) {
    std::vector<Id> formulas = given;
    formulas.push_back(terms.negation(terms.zero(difference)));
    mustRefute(formulas, 0, refutation);
    Line end = line();
    must(end.next() == "proven", "an equality ends with 'proven'");
  } else {
    Summand start;
    addFactor(start, difference);
    std::map<uint32_t, Summand> summands{{handle, start}};
    Id total = 0;
    events(summands, given, {difference}, "proven", total);
    must(total == terms.number(0), "an equality closes no sums");
    mustBeEmpty(summands);
  }
  must(equalities.emplace(number, std::pair(given, same(a, b))).second,
       "an equality has the number of another one");
}

} // namespace imbrex::check
