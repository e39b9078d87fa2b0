// Lists of summands: each event is an equation between sums, and the equations add up to the whole.
#include "proof/certificate/elaborate/Elaborator.h"

#include <algorithm>
#include <utility>

namespace imbrex::certificate {

Id Elaborator::total(const std::vector<Id> &values) {
  std::vector<std::pair<Rational, Id>> all;
  for (Id value : values)
    all.emplace_back(1, value);
  return terms.linear(0, all);
}

/// Under `given` the items add up to zero for all values of the names, and so do their sums. None
/// (0): they do so as terms.
Theorem Elaborator::pointwise(uint32_t hypothesis, const std::vector<Id> &given,
                              const Variables &names, const std::vector<Weighted> &items,
                              const Theorems &premises, Ground::Products products) {
  std::vector<std::pair<Rational, Id>> each, sums;
  for (const Weighted &item : items) {
    each.emplace_back(item.factor, rules.sumOf({}, item.guard, item.value));
    sums.emplace_back(item.factor, rules.sumOf(names, item.guard, item.value));
  }
  if (terms.linear(0, sums) == terms.number(0))
    return 0;
  Id zero = terms.zero(terms.linear(0, each));
  Theorem known = prove(hypothesis, given, zero, premises, products);
  return names.empty() ? known : rules.add(names, all(given), known, items);
}

void Elaborator::linkScope(uint32_t hypothesis, const Summand &before, const Summand &after,
                           const Theorems &premises) {
  link(pointwise(hypothesis, {}, before.variables,
                 {{before.coefficient, all(before.guard), productOf(before.factors)},
                  {-after.coefficient, all(after.guard), productOf(after.factors)}},
                 premises));
}

/// Products are flat; numbers wait for fold(), since a sum may have become one.
void Elaborator::addFactor(Summand &summand, Id factor) {
  if (terms[factor].op == Op::Product)
    summand.factors.insert(summand.factors.end(), terms[factor].kids.begin(),
                           terms[factor].kids.end());
  else
    summand.factors.push_back(factor);
}

void Elaborator::fold(Summand &summand) {
  Summand next = summand;
  next.factors.clear();
  for (Id factor : summand.factors)
    if (terms[factor].op == Op::Number)
      next.coefficient = next.coefficient * terms[factor].value;
    else
      addFactor(next, factor);
  if (!(next.coefficient == summand.coefficient))
    linkScope(0, summand, next);
  summand = next;
}

Summand &Elaborator::taken(uint32_t handle) {
  auto it = live->find(handle);
  must(it != live->end(), "there is no such summand");
  return it->second;
}

/// The summand is the sum of those after it, each over the same variables.
void Elaborator::becomes(const Summand &before,
                         const std::vector<std::pair<uint32_t, Summand>> &after,
                         Ground::Products products) {
  std::vector<Weighted> items{{before.coefficient, all(before.guard), productOf(before.factors)}};
  for (const auto &[handle, summand] : after)
    items.push_back({-summand.coefficient, all(summand.guard), productOf(summand.factors)});
  link(pointwise(0, {}, before.variables, items, {}, products));
  live->erase(now.handles[0]);
  for (const auto &[handle, summand] : after)
    (*live)[handle] = summand;
}

/// Two summands, by a condition: that of a choice among the factors, or any (a case).
void Elaborator::choose(const Summand &before, bool isCase) {
  Summand rest = before;
  std::vector<Id> values(2, terms.number(1));
  Id condition = now.term;
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
  // The prover may have asked for the negation.
  Id first = implies(terms.conjunction({all(rest.guard), condition}), now.guards[0]);
  Theorems more = related(0, {first});
  if (!isCase && !search(first, more, "ground", Ground::Products::AsTheyAre))
    std::swap(values[0], values[1]);
  std::vector<std::pair<uint32_t, Summand>> after;
  for (size_t i = 0; i < 2; ++i) {
    if (now.results[i] == 0)
      continue;
    Summand next = rest;
    next.guard = {now.guards[i]};
    addFactor(next, values[i]);
    after.emplace_back(now.results[i], next);
  }
  becomes(before, after);
}

/// A linear factor, term by term, as its line lists them.
void Elaborator::split(const Summand &before) {
  Summand rest = before;
  auto it = std::find(rest.factors.begin(), rest.factors.end(), now.term);
  const std::vector<std::pair<Rational, Id>> &parts = linearParts[now.number];
  must(it != rest.factors.end() && parts.size() == now.results.size(),
       "the sum is no factor of the summand");
  rest.factors.erase(it);
  std::vector<std::pair<uint32_t, Summand>> after;
  for (size_t i = 0; i < parts.size(); ++i) {
    Summand next = rest;
    next.coefficient = next.coefficient * parts[i].first;
    addFactor(next, parts[i].second);
    after.emplace_back(now.results[i], next);
  }
  becomes(before, after, Ground::Products::Distributed);
}

void Elaborator::openSum(const Summand &before) {
  Summand flat = before;
  auto it = std::find(flat.factors.begin(), flat.factors.end(), now.term);
  must(it != flat.factors.end() && terms[now.term].op == Op::Sum && now.results.size() == 1 &&
           now.guards.size() == 1 && !now.terms.empty(),
       "the sum is no factor of the summand");
  flat.factors.erase(it);
  std::vector<Id> kids = open(now.number, now.names);
  link(rules.nest(before.variables, all(before.guard), productOf(flat.factors), now.names, kids[0],
                  kids[1]));
  flat.guard.push_back(kids[0]);
  flat.variables.insert(flat.variables.end(), now.names.begin(), now.names.end());
  Summand next = flat;
  flat.factors.push_back(kids[1]);
  next.guard = {now.guards[0]};
  for (size_t i = 1; i < now.terms.size(); ++i)
    addFactor(next, now.terms[i]);
  becomes(flat, {{now.results[0], next}});
}

/// What a summand is as one term: zero, the result of a lemma, or a product of independent sums.
void Elaborator::close(const Summand &before) {
  Id guard = all(before.guard), value = productOf(before.factors);
  Id own = terms.linear(0, {{before.coefficient, valueOf(before)}}), goal = same(own, now.term);
  Theorems known;
  if (now.lemma != 0) {
    const Lemma &lemma = at(lemmas, now.lemma);
    Theorem equal =
        pointwise(0, {}, before.variables, {{1, guard, value}, {-1, lemma.guard, lemma.value}});
    if (equal != 0)
      known.push_back(equal);
    known.push_back(lemma.theorem);
  } else if (!now.parts.empty()) {
    return closeParts(before);
  } else if (!before.variables.empty()) {
    Theorem none = prove(0, {guard}, terms.boolean(false));
    known.push_back(pointwise(0, {}, before.variables, {{1, guard, value}}, {none}));
  }
  link(prove(0, {}, goal, known));
}

/// In a product, one factor becomes another: equal numbers, by the theorem.
Theorem Elaborator::replaceFactor(Id product, Id factor, Id by, Theorem equal) {
  const std::vector<std::pair<Rational, Id>> parts = terms.parts(product).second;
  must(parts.size() == 1, "a product is expected");
  Id core = parts[0].second;
  if (core == factor)
    return equal;
  std::vector<Id> kids = terms[core].kids, next = kids;
  auto it = std::find(next.begin(), next.end(), factor);
  must(terms[core].op == Op::Product && it != next.end(), "the product has no such factor");
  *it = by;
  Tokens line, last, result;
  Id formula = same(core, terms.replaced(core, next));
  if (formula == terms.boolean(true))
    return combine({}, formula);
  line.text("same").term(core).number(kids.size());
  for (size_t i = 0; i < kids.size(); ++i)
    line.term(kids[i]).term(next[i]);
  last.text("rup").number(0).number(3).number(0).number(1).number(2);
  result.term(formula).number(1).theorem(equal);
  return rules.proof.add("ground", formula, result, {line, last});
}

/// The sum over all parts' variables is the product of their sums.
Theorem Elaborator::factored(const std::vector<Part> &parts, std::vector<Id> &sums, Id &whole) {
  Id yes = terms.boolean(true);
  Variables names;
  Id guard = yes, value = terms.number(1);
  Theorem known = 0;
  for (size_t i = parts.size(); i-- > 0;) {
    const Part &part = parts[i];
    Id own = terms.conjunction(part.guard), factor = productOf(part.factors);
    Id sum = rules.sumOf(part.variables, own, factor);
    if (!names.empty()) {
      // The rest is a constant for this part's variables, in two ways.
      Id rest = rules.sumOf(names, guard, value), product = terms.product({rest, sum});
      Theorem inside = rules.nest(part.variables, own, factor, names, guard, value);
      Theorem outside = rules.nest({}, yes, rest, part.variables, own, factor);
      names.insert(names.end(), part.variables.begin(), part.variables.end());
      guard = terms.conjunction({guard, own});
      value = terms.product({value, factor});
      whole = rules.sumOf(names, guard, value);
      std::vector<Id> list = sums;
      list.push_back(sum);
      Theorems all{inside, outside};
      if (known != 0)
        all.push_back(replaceFactor(product, rest, productOf(sums), known));
      known = combine(all, same(whole, productOf(list)));
    } else {
      names = part.variables;
      guard = own;
      value = factor;
      whole = sum;
    }
    sums.push_back(sum);
  }
  return known;
}

void Elaborator::closeParts(const Summand &before) {
  size_t start = links.size();
  std::vector<Part> bound;
  std::vector<Id> guards, factors, free, freeFactors, sums;
  for (const Part &part : now.parts) {
    guards.insert(guards.end(), part.guard.begin(), part.guard.end());
    factors.insert(factors.end(), part.factors.begin(), part.factors.end());
    if (!part.variables.empty()) {
      bound.push_back(part);
      continue;
    }
    free = part.guard;
    freeFactors.insert(freeFactors.end(), part.factors.begin(), part.factors.end());
  }
  Summand next = before;
  next.guard = guards;
  next.factors = factors;
  linkScope(0, before, next);
  Id whole = terms.number(1), outer = productOf(freeFactors);
  Theorems known;
  if (Theorem equal = factored(bound, sums, whole); equal != 0)
    known.push_back(equal);
  if (!bound.empty()) {
    // The free part is a constant for all of them.
    Variables names;
    std::vector<Id> inner, values;
    for (const Part &part : bound) {
      names.insert(names.end(), part.variables.begin(), part.variables.end());
      inner.insert(inner.end(), part.guard.begin(), part.guard.end());
      values.insert(values.end(), part.factors.begin(), part.factors.end());
    }
    link(rules.nest({}, terms.conjunction(free), outer, names, terms.conjunction(inner),
                    productOf(values)));
    Id product = terms.product({outer, whole});
    if (!known.empty() && terms[product].op != Op::Number)
      known = {replaceFactor(product, whole, productOf(sums), known[0])};
  }
  std::vector<Id> all{outer};
  all.insert(all.end(), sums.begin(), sums.end());
  Id end = rules.sumOf({}, terms.conjunction(free),
                       terms.linear(0, {{before.coefficient, productOf(all)}}));
  // From the summand to that choice; then to the term, by what is known of its binders.
  Theorems steps(links.begin() + long(start), links.end());
  steps.insert(steps.end(), known.begin(), known.end());
  Id own = terms.linear(0, {{before.coefficient, valueOf(before)}});
  link(combine(steps, same(own, end)));
  link(prove(0, {}, same(end, now.term)));
}

/// The guard gives a variable a value, by a refutation of anything else.
void Elaborator::determine(Summand &state, Line step) {
  Line peek = step;
  must(peek.next() == "eliminate", "one elimination is expected");
  peek.count();
  Variable v = only(peek);
  Id equal = rules.equations(v, list(peek));
  std::vector<Id> formulas = context;
  formulas.push_back(all(state.guard));
  formulas.push_back(terms.negation(equal));
  Theorem fixed = refuted(formulas, 0, now.refutation);
  // Where the value is another one the summand is zero; then the elimination is as usual.
  Summand next = state;
  next.guard.push_back(equal);
  link(pointwise(0, context, state.variables,
                 {{1, all(state.guard), productOf(state.factors)},
                  {-1, all(next.guard), productOf(next.factors)}},
                 {fixed}));
  state = next;
  std::string rule = step.next();
  this->step(rule, step, state, Scope::Sum);
}

void Elaborator::drop(const Summand &before) {
  std::vector<Id> formulas = context;
  formulas.push_back(all(before.guard));
  Theorem none = refuted(formulas, 0, now.refutation);
  link(pointwise(0, context, before.variables, {{1, all(before.guard), productOf(before.factors)}},
                 {none}));
  live->erase(now.handles[0]);
}

Id Elaborator::equationsOf(const Map &map, const Summand &from) {
  std::vector<Id> all;
  for (const Variable &v : from.variables) {
    auto values = map.values.find(v.name);
    must(values != map.values.end(), "a variable is not mapped");
    all.push_back(rules.equations(v, values->second));
  }
  return terms.conjunction(all);
}

/// The summand with the other one's variables, one to one.
Summand Elaborator::renamed(const Map &map, const Summand &from, const Summand &to) {
  Summand next = from;
  next.variables.clear();
  equationsOf(map, from);
  for (const Variable &v : from.variables)
    for (const Variable &w : to.variables)
      if (w.shape == v.shape && terms.components(w) == map.values.at(v.name)) {
        next.variables.push_back(w);
        break;
      }
  must(next.variables.size() == from.variables.size(), "variables are not mapped one to one");
  for (Id &id : next.guard)
    id = terms.substitute(id, map.values);
  for (Id &id : next.factors)
    id = terms.substitute(id, map.values);
  if (!from.variables.empty() && valueOf(from) != valueOf(next))
    link(rules.rename(from.variables, all(from.guard), productOf(from.factors), next.variables));
  return next;
}

/// One summand is another one with other names: one is left, with both coefficients.
void Elaborator::combineTwo() {
  must(now.handles.size() == 2 && now.maps.size() == 1, "two summands are combined");
  Summand &a = taken(now.handles[0]), &b = taken(now.handles[1]);
  fold(b);
  Summand other = renamed(now.maps[0], b, a);
  other.coefficient = a.coefficient;
  linkScope(0, other, a);
  a.coefficient = a.coefficient + b.coefficient;
  live->erase(now.handles[1]);
  if (a.coefficient.sign() == 0)
    live->erase(now.handles[0]);
}

void Elaborator::cancel() {
  must(now.handles.size() == 2 && now.maps.size() == 1, "two summands cancel");
  Summand &a = taken(now.handles[0]), &b = taken(now.handles[1]);
  fold(b);
  std::vector<Id> formulas = context;
  formulas.push_back(equationsOf(now.maps[0], b));
  Id x = all(a.guard), y = all(b.guard);
  formulas.push_back(terms.disjunction({x, y}));
  formulas.push_back(
      terms.negation(terms.conjunction({x, y, same(productOf(a.factors), productOf(b.factors))})));
  Theorem equal = refuted(formulas, now.maps[0].hypothesis, now.refutation);
  if (!b.variables.empty())
    equal = rules.instance(equal, b.variables, now.maps[0].values);
  Summand other = renamed(now.maps[0], b, a);
  link(pointwise(0, context, a.variables,
                 {{1, x, productOf(a.factors)}, {-1, all(other.guard), productOf(other.factors)}},
                 {equal}));
  live->erase(now.handles[0]);
  live->erase(now.handles[1]);
}

/// Summands over as many variables vanish when their values add up to zero everywhere.
void Elaborator::group() {
  size_t count = now.handles.size();
  must(now.maps.size() == count, "a map for each summand is expected");
  const Summand first = taken(now.handles[0]);
  std::vector<Id> formulas = context, values;
  std::vector<Weighted> items;
  Variables others;
  Values map;
  for (size_t i = 0; i < count; ++i) {
    fold(taken(now.handles[i]));
    Summand s = taken(now.handles[i]);
    values.push_back(
        rules.sumOf({}, all(s.guard), terms.linear(0, {{s.coefficient, productOf(s.factors)}})));
    if (i > 0) {
      formulas.push_back(equationsOf(now.maps[i], s));
      others.insert(others.end(), s.variables.begin(), s.variables.end());
      map.insert(now.maps[i].values.begin(), now.maps[i].values.end());
      s = renamed(now.maps[i], s, first);
    }
    items.push_back({s.coefficient, all(s.guard), productOf(s.factors)});
  }
  formulas.push_back(terms.negation(terms.zero(total(values))));
  Theorems more;
  for (const Map &own : now.maps) {
    Theorems each = related(own.hypothesis, formulas);
    more.insert(more.end(), each.begin(), each.end());
  }
  Theorem zero = refuted(formulas, count > 1 ? now.maps[1].hypothesis : 0, now.refutation, more);
  if (!others.empty())
    zero = rules.instance(zero, others, map);
  link(pointwise(0, context, first.variables, items, {zero}));
  for (uint32_t handle : now.handles)
    live->erase(handle);
}

/// The same after adding up over renamings of the variables in all given ways.
void Elaborator::mean() {
  size_t count = now.handles.size();
  must(now.maps.size() > count && now.terms.size() >= count, "a renaming is expected");
  const Summand first = taken(now.handles[0]);
  std::vector<Id> values, parts;
  std::vector<Weighted> items;
  Id yes = terms.boolean(true);
  for (size_t i = 0; i < count; ++i) {
    fold(taken(now.handles[i]));
    Summand s = taken(now.handles[i]);
    Id value =
        rules.sumOf({}, all(s.guard), terms.linear(0, {{s.coefficient, productOf(s.factors)}}));
    std::vector<Id> given = context;
    if (i > 0)
      given.push_back(equationsOf(now.maps[i], s));
    Theorem equal = prove(now.maps[i].hypothesis, given, same(value, now.terms[i]));
    if (i > 0 && !s.variables.empty())
      equal = rules.instance(equal, s.variables, now.maps[i].values);
    if (i > 0)
      s = renamed(now.maps[i], s, first);
    values.push_back(now.terms[i]);
    link(pointwise(0, context, first.variables,
                   {{s.coefficient, all(s.guard), productOf(s.factors)}, {-1, yes, values.back()}},
                   {equal}));
  }
  for (size_t k = count; k < now.maps.size(); ++k)
    for (Id value : values) {
      Summand plain{1, first.variables, {}, {value}};
      Summand other = renamed(now.maps[k], plain, first);
      parts.push_back(other.factors[0]);
      items.push_back({1, yes, parts.back()});
    }
  std::vector<Id> formulas = context;
  formulas.push_back(terms.negation(terms.zero(total(parts))));
  Theorem zero = refuted(formulas, 0, now.refutation);
  link(pointwise(0, context, first.variables, items, {zero}));
  for (uint32_t handle : now.handles)
    live->erase(handle);
}

} // namespace imbrex::certificate
