#include "proof/algebra/Equality.h"

#include "proof/algebra/Alignment.h"
#include "proof/algebra/Internal.h"

#include <algorithm>
#include <utility>

namespace imbrex::algebra {

namespace {

constexpr int maxDepth = 4;
constexpr size_t maxPairs = 24; // nested pairs compared for one question

Shape scopeOf(const Summand &term) {
  std::vector<Shape> shapes;
  for (const Variable &v : term.variables)
    shapes.push_back(v.shape);
  std::sort(shapes.begin(), shapes.end());
  Shape all;
  for (const Shape &shape : shapes) {
    all.insert(all.end(), shape.begin(), shape.end());
    all.push_back(UINT32_MAX);
  }
  return all;
}

Substitution valuesOf(Pool &pool, const std::vector<Variable> &from,
                      const std::vector<Variable> &to) {
  Substitution map;
  for (size_t i = 0; i < from.size(); ++i)
    for (uint32_t c = 0; c < from[i].shape.size(); ++c)
      map[from[i].key].push_back(pool.component(to[i], c));
  return map;
}

} // namespace

void Equality::note(SumEvent event) {
  if (events)
    events->push_back(std::move(event));
}

void Equality::noteRefuted(SumEvent event) {
  event.refutation = pool.recorder ? pool.recorder->lastRefutation : 0;
  note(std::move(event));
}

/// The product under the term's variables and guard, its own factors replaced.
std::vector<Summand> Equality::split(Summand term, Id product) {
  term.factors.clear();
  return summands(pool, product, std::move(term), events);
}

std::vector<Summand> Equality::normalized(std::vector<Summand> todo) {
  std::vector<Summand> done;
  while (!todo.empty()) {
    Summand term = std::move(todo.back());
    todo.pop_back();
    Scope scope{term.variables, term.guard, term.factors};
    SumEvent event{.kind = SumEvent::Kind::Simplify, .handles = {term.handle}};
    simplify(pool, scope, Eliminate::Yes, events ? &event.chain : nullptr);
    event.guards = {scope.guard};
    note(std::move(event));
    if (pool.isFalse(scope.guard))
      continue;
    Id product = pool.product(scope.payload);
    bool stays = product == pool.product(term.factors);
    term.variables = scope.variables;
    term.guard = scope.guard;
    if (stays) {
      done.push_back(std::move(term));
      continue;
    }
    // The factors changed: split them again.
    for (Summand &part : split(term, product))
      todo.push_back(std::move(part));
  }
  return done;
}

void Equality::cancelIdentical(std::vector<Summand> &terms) {
  std::map<Id, std::pair<Number, size_t>> byForm;
  std::vector<Summand> kept;
  auto ordered = [&](const Summand &term) {
    std::vector<Id> children{term.guard};
    children.insert(children.end(), term.factors.begin(), term.factors.end());
    return pool.canonicalOrder(term.variables, children);
  };
  for (Summand &term : terms) {
    std::vector<Id> children{term.guard};
    children.insert(children.end(), term.factors.begin(), term.factors.end());
    Id form = pool.close(Kind::Sum, 0, realSort, term.variables, children);
    auto [it, isNew] = byForm.try_emplace(form, Number{}, kept.size());
    if (isNew) {
      kept.push_back(term);
    } else if (events) {
      const Summand &first = kept[it->second.second];
      SumEvent event{.kind = SumEvent::Kind::Combine, .handles = {first.handle, term.handle}};
      event.maps = {valuesOf(pool, ordered(term), ordered(first))};
      note(std::move(event));
    }
    it->second.first = add(it->second.first, term.coefficient, pool.overflowed);
  }
  terms.clear();
  for (auto &[form, entry] : byForm)
    if (!entry.first.isZero()) {
      kept[entry.second].coefficient = entry.first;
      terms.push_back(kept[entry.second]);
    }
}

void Equality::dropEmpty(std::vector<Summand> &terms, const std::vector<Id> &context) {
  std::erase_if(terms, [&](const Summand &term) {
    std::vector<Id> all = context;
    all.push_back(term.guard);
    if (!refute(all))
      return false;
    noteRefuted({.kind = SumEvent::Kind::Drop, .handles = {term.handle}});
    return true;
  });
}

bool Equality::equal(Id a, Id b, const std::vector<Id> &context) {
  Recorder *recorder = pool.recorder;
  if (recorder)
    recorder->lastEquality = 0;
  if (a == b)
    return true;
  EqualityProof proof{.first = a, .second = b, .context = context};
  proof.difference = pool.subtract(a, b);
  Summand start{.guard = pool.boolean(true), .handle = recorder ? ++recorder->handles : 0};
  proof.handle = start.handle;
  std::vector<SumEvent> *outer = std::exchange(events, recorder ? &proof.events : nullptr);
  bool same = vanish(normalized(summands(pool, proof.difference, start, events)), context);
  events = outer;
  if (!same && depth == 0) {
    proof.events.clear();
    std::vector<Id> all = context;
    all.push_back(pool.negation(pool.zeroTest(proof.difference)));
    same = refute(all);
    if (same && recorder)
      proof.refutation = recorder->lastRefutation;
  }
  if (same && recorder) {
    recorder->equalities.push_back(std::move(proof));
    recorder->lastEquality = Entry(recorder->equalities.size() - 1);
  }
  return same;
}

/// [a or b] = [a] + [not a and b], alternatives without variables first: the other one may then
/// determine a variable.
bool Equality::splitCases(std::vector<Summand> &terms) {
  constexpr size_t mostTerms = 24;
  std::vector<Summand> next;
  bool changed = false;
  for (Summand &term : terms) {
    Id chosen = 0;
    bool found = false;
    for (Id conjunct : pool.conjuncts(term.guard)) {
      if (pool[conjunct].kind != Kind::Or || !pool.mentionsAny(conjunct, term.variables))
        continue;
      const std::vector<Id> &alternatives = pool[conjunct].children;
      auto free = std::find_if(alternatives.begin(), alternatives.end(), [&](Id alternative) {
        return !pool.mentionsAny(alternative, term.variables);
      });
      chosen = free == alternatives.end() ? alternatives[0] : *free;
      found = true;
      break;
    }
    if (!found || terms.size() + next.size() > mostTerms) {
      next.push_back(term);
      continue;
    }
    changed = true;
    SumEvent event{.kind = SumEvent::Kind::Case, .handles = {term.handle}, .term = chosen};
    std::vector<Summand> parts;
    for (Id condition : {chosen, pool.negation(chosen)}) {
      Summand part = term;
      part.guard = pool.conjunction({term.guard, condition});
      bool isEmpty = pool.isFalse(part.guard);
      part.handle = events && !isEmpty ? ++pool.recorder->handles : 0;
      event.results.push_back(part.handle);
      event.guards.push_back(part.guard);
      if (!isEmpty)
        parts.push_back(std::move(part));
    }
    note(std::move(event));
    for (const Summand &part : parts)
      for (Summand &done : normalized({part}))
        next.push_back(std::move(done));
  }
  terms = std::move(next);
  return changed;
}

bool Equality::vanish(std::vector<Summand> terms, const std::vector<Id> &context) {
  cancelIdentical(terms);
  if (terms.empty())
    return true;
  if (groupsVanish(terms, context))
    return true;
  dropEmpty(terms, context);
  if (determine(terms, context)) {
    cancelIdentical(terms);
    if (groupsVanish(terms, context))
      return true;
  }
  std::vector<Summand> open = terms;
  for (int round = 0; round < 2 && !terms.empty() && depth < 2; ++round) {
    if (!splitCases(terms))
      break;
    cancelIdentical(terms);
    dropEmpty(terms, context);
    if (groupsVanish(terms, context))
      return true;
  }
  if (terms.empty())
    return true;
  terms = std::move(open);
  if (residualText.empty() || depth == 0) {
    residualText.clear();
    for (const Summand &term : terms)
      residualText += (residualText.empty() ? "" : "  +  ") + term.coefficient.str() +
                      " * sum of " + std::to_string(term.variables.size()) + " [" +
                      pool.text(term.guard) + "]" +
                      (term.factors.empty() ? "" : " * " + pool.text(pool.product(term.factors)));
  }
  return false;
}

/// Removes what vanishes; true when nothing is left.
bool Equality::groupsVanish(std::vector<Summand> &terms, const std::vector<Id> &context) {
  std::map<Shape, Group> groups;
  for (Summand &term : terms)
    groups[scopeOf(term)].push_back(std::move(term));
  terms.clear();
  for (auto &[shape, group] : groups) {
    cancelPairs(group, context);
    if (!group.empty() && !sumVanishes(group, context))
      terms.insert(terms.end(), group.begin(), group.end());
  }
  return terms.empty();
}

void Equality::cancelPairs(Group &group, const std::vector<Id> &context) {
  for (size_t i = 0; i < group.size(); ++i)
    for (size_t j = i + 1; j < group.size(); ++j) {
      bool overflow = false;
      Number total = add(group[i].coefficient, group[j].coefficient, overflow);
      if (overflow || !total.isZero() || !cancels(group[i], group[j], context))
        continue;
      group.erase(group.begin() + long(j));
      group.erase(group.begin() + long(i));
      --i;
      break;
    }
}

Id Equality::value(const Summand &term, const Substitution &map) {
  return pool.guarded(pool.substitute(term.guard, map),
                      pool.substitute(pool.product(term.factors), map));
}

bool Equality::cancels(const Summand &a, const Summand &b, const std::vector<Id> &context) {
  for (const Substitution &map : alignments(b, a, depth == 0 ? 12 : 4)) {
    Id guard = pool.substitute(b.guard, map);
    Id factors = pool.substitute(pool.product(b.factors), map);
    Id own = pool.product(a.factors);
    std::vector<Id> all = context;
    // Where neither guard holds both are zero.
    all.push_back(pool.disjunction({a.guard, guard}));
    Id same = pool.conjunction({a.guard, guard, pool.equal(own, factors)});
    all.push_back(pool.negation(same));
    if (!refute(all))
      continue;
    if (events) {
      SumEvent event{.kind = SumEvent::Kind::Cancel, .handles = {a.handle, b.handle}};
      event.hypotheses = {pool.recorder->hypothesis(pool, map)};
      event.maps = {map};
      noteRefuted(std::move(event));
    }
    return true;
  }
  return false;
}

bool Equality::sumVanishes(const Group &group, const std::vector<Id> &context) {
  const Summand &first = group[0];
  std::vector<Id> values, guards;
  SumEvent event{.kind = SumEvent::Kind::Group};
  for (const Summand &term : group) {
    Substitution map = alignments(term, first, 1)[0];
    event.handles.push_back(term.handle);
    event.maps.push_back(map);
    if (events)
      event.hypotheses.push_back(pool.recorder->hypothesis(pool, map));
    values.push_back(pool.scale(term.coefficient, value(term, map)));
    guards.push_back(pool.substitute(term.guard, map));
  }
  std::vector<Id> all = context;
  all.push_back(pool.disjunction(guards));
  all.push_back(pool.negation(pool.zeroTest(pool.sum(values))));
  if (refute(all)) {
    noteRefuted(std::move(event));
    return true;
  }
  // A sum over all rows is also the mean over all ways to name them.
  std::vector<Substitution> names = alignments(first, first, 25);
  if (names.size() < 2 || names.size() > 24 || group.size() * names.size() > 48 || depth > 1)
    return false;
  std::vector<Id> total;
  for (Id value : values)
    for (const Substitution &map : names)
      total.push_back(pool.substitute(value, map));
  all = context;
  all.push_back(pool.negation(pool.zeroTest(pool.sum(total))));
  if (!refute(all))
    return false;
  event.kind = SumEvent::Kind::Mean;
  event.terms = values;
  for (const Substitution &map : names) {
    event.maps.push_back(map);
    if (events)
      event.hypotheses.push_back(pool.recorder->hypothesis(pool, map));
  }
  noteRefuted(std::move(event));
  return true;
}

std::vector<Substitution> Equality::alignments(const Summand &from, const Summand &to,
                                               size_t limit) {
  std::vector<Substitution> result;
  for (const std::vector<Variable> &order : alignVariables(pool, from, to, limit))
    result.push_back(valuesOf(pool, from.variables, order));
  return result;
}

bool Equality::determine(std::vector<Summand> &terms, const std::vector<Id> &context) {
  bool changed = false;
  std::vector<Summand> next;
  for (Summand &term : terms) {
    bool any = false;
    while (!term.variables.empty() && determineOne(term, context))
      any = true;
    changed |= any;
    if (!any) {
      next.push_back(term);
      continue;
    }
    for (Summand &part : split(term, pool.product(term.factors)))
      next.push_back(std::move(part));
  }
  terms = std::move(next);
  return changed;
}

/// A variable of one component whose value the guard implies goes.
bool Equality::determineOne(Summand &term, const std::vector<Id> &context) {
  for (size_t v = 0; v < term.variables.size(); ++v) {
    Variable variable = term.variables[v];
    if (variable.shape.size() != 1)
      continue;
    Id target = pool.component(variable, 0);
    size_t tried = 0;
    for (Id candidate : candidateValues(pool, term.guard, variable)) {
      std::vector<Id> all = context;
      all.push_back(term.guard);
      all.push_back(pool.negation(pool.equal(target, candidate)));
      if (++tried > 6 || !solver.refute(all))
        continue;
      Substitution map{{variable.key, {candidate}}};
      SumEvent event{.kind = SumEvent::Kind::Determine, .handles = {term.handle}};
      if (pool.recorder) {
        pool.recorder->refutations.push_back({all, pool.recorder->lastFacts, {}});
        pool.recorder->lastRefutation = Entry(pool.recorder->refutations.size() - 1);
      }
      term.variables.erase(term.variables.begin() + long(v));
      term.guard = pool.substitute(term.guard, map);
      for (Id &factor : term.factors)
        factor = pool.substitute(factor, map);
      if (events) {
        event.chain.push_back({.rule = ScopeStep::Rule::Eliminate,
                               .hypothesis = pool.recorder->hypothesis(pool, map),
                               .variable = variable,
                               .values = {candidate},
                               .guard = pool.conjuncts(term.guard),
                               .payload = term.factors});
        noteRefuted(std::move(event));
      }
      return true;
    }
  }
  return false;
}

bool Equality::refute(const std::vector<Id> &formulas) {
  std::vector<Learned> learned;
  if (!refuteWith(formulas, learned))
    return false;
  if (Recorder *recorder = pool.recorder) {
    recorder->refutations.push_back({formulas, recorder->lastFacts, std::move(learned)});
    recorder->lastRefutation = Entry(recorder->refutations.size() - 1);
  }
  return true;
}

bool Equality::refuteWith(const std::vector<Id> &formulas, std::vector<Learned> &learned) {
  if (solver.refute(formulas))
    return true;
  if (depth >= maxDepth)
    return false;
  std::vector<Id> unknowns = solver.unknowns();
  std::vector<std::pair<Id, Id>> pairs;
  for (size_t i = 0; i < unknowns.size(); ++i)
    for (size_t j = i + 1; j < unknowns.size(); ++j)
      if (mayBeEqual(pool, unknowns[i], unknowns[j]) &&
          !active.count(std::minmax(unknowns[i], unknowns[j])))
        pairs.push_back(std::minmax(unknowns[i], unknowns[j]));
  std::vector<Id> all = formulas;
  size_t tried = 0;
  for (const auto &[a, b] : pairs) {
    if (++tried > maxPairs)
      break;
    Learned pair{.first = a, .second = b};
    active.insert({a, b});
    ++depth;
    bool same = sameUnknowns(pair, formulas);
    --depth;
    active.erase({a, b});
    if (!same)
      continue;
    learned.push_back(std::move(pair));
    all.push_back(pool.equal(a, b));
  }
  return !learned.empty() && solver.refute(all);
}

/// Two sums, or one function of two collections.
bool Equality::sameUnknowns(Learned &pair, const std::vector<Id> &context) {
  if (pool[pair.first].kind != Kind::Sum)
    return sameParts(pair, context);
  if (!equal(pair.first, pair.second, context))
    return false;
  pair.equality = pool.recorder ? pool.recorder->lastEquality : 0;
  return true;
}

bool Equality::sameParts(Learned &pair, const std::vector<Id> &context) {
  std::vector<Id> x, y;
  pair.names = pool.open(pair.first, x);
  pair.others = pool.open(pair.second, y);
  pair.opened = y;
  Substitution map = valuesOf(pool, pair.others, pair.names);
  if (pool.recorder)
    pair.hypothesis = pool.recorder->hypothesis(pool, map);
  auto proven = [&](Entry equality, Entry refutation) {
    pair.equalities.push_back(equality);
    pair.refutations.push_back(refutation);
  };
  for (size_t i = 0; i < x.size(); ++i) {
    y[i] = pool.substitute(y[i], map);
    pair.pairs.emplace_back(x[i], y[i]);
    if (x[i] == y[i]) {
      proven(0, 0);
      continue;
    }
    if (isNumeric(pool[x[i]].sort) && i == 0) {
      if (!equal(x[i], y[i], context))
        return false;
      proven(pool.recorder ? pool.recorder->lastEquality : 0, 0);
      continue;
    }
    std::vector<Id> all = context;
    all.push_back(pool.negation(pool.equal(x[i], y[i])));
    if (!refute(all))
      return false;
    proven(0, pool.recorder ? pool.recorder->lastRefutation : 0);
  }
  return true;
}

} // namespace imbrex::algebra
