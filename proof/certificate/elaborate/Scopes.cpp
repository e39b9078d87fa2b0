// Changes of a scope: variables, guard, and factors that matter where the guard holds.
#include "proof/certificate/elaborate/Elaborator.h"

#include <algorithm>

namespace imbrex::certificate {

/// False: the line is no step of a scope, only its kind was read.
bool Elaborator::step(const std::string &kind, Line &line, Summand &state, Scope scope) {
  if (kind == "eliminate" || (kind == "fold" && scope == Scope::Quantifier))
    eliminate(line, state, scope);
  else if (kind == "rewrite")
    rewrite(line, state, scope);
  else if (kind == "entail")
    entailed(line, state, scope);
  else if (kind == "open" && scope == Scope::Quantifier)
    openConjunct(line, state);
  else
    return false;
  return true;
}

/// Another guard, and other factors, that are the same for all values of the variables.
void Elaborator::change(uint32_t hypothesis, Summand &state, Summand next, Scope scope,
                        const Theorems &premises) {
  Id before = all(state.guard), after = all(next.guard), yes = terms.boolean(true);
  if (scope == Scope::Sum)
    linkScope(hypothesis, state, next, premises);
  else if (scope == Scope::Quantifier)
    link(equalQuantifiers(hypothesis, yes, state.variables, before, after, premises));
  else
    link(combine({prove(hypothesis, {before}, after, premises),
                  prove(hypothesis, {after}, before, premises)},
                 same(before, after)));
  state = next;
}

/// some x (x = e and p(x)) is p(e), and so for sums. For quantifiers it is enough that the rest of
/// the guard, with the value, gives the guard.
void Elaborator::eliminate(Line &line, Summand &state, Scope scope) {
  uint32_t under = line.count();
  Variable v = only(line);
  std::vector<Id> values = list(line);
  Summand next = state;
  next.guard = list(line);
  next.factors = scope == Scope::Sum ? list(line) : std::vector<Id>{};
  std::erase_if(next.variables, [&](const Variable &w) { return w.name == v.name; });
  Id equal = rules.equations(v, values), after = all(next.guard);
  if (scope == Scope::Sum) {
    Summand fixed = next;
    fixed.variables = state.variables;
    fixed.guard.push_back(equal);
    linkScope(under, state, fixed);
    link(rules.point(next.variables, v, values, after, productOf(next.factors)));
  } else {
    must(scope == Scope::Quantifier, "a member's variable is lost");
    Id before = all(state.guard), yes = terms.boolean(true);
    Theorem onward = into(under, yes, state.variables, before, next.variables, after,
                          rules.itself(next.variables));
    Theorem instance =
        rules.instance(prove(under, {equal, after}, before), {v}, {{v.name, values}});
    Values map = rules.itself(state.variables);
    map[v.name] = values;
    Theorem back = into(0, yes, next.variables, after, state.variables, before, map, {instance});
    link(combine({onward, back},
                 same(rules.exists(state.variables, before), rules.exists(next.variables, after))));
  }
  state = next;
}

void Elaborator::rewrite(Line &line, Summand &state, Scope scope) {
  uint32_t under = line.count();
  Summand next = state;
  next.guard = list(line);
  next.factors = scope == Scope::Sum ? list(line) : std::vector<Id>{};
  change(under, state, next, scope);
}

/// A quantified conjunct goes: the others hold of values that make it true.
void Elaborator::entailed(Line &line, Summand &state, Scope scope) {
  uint32_t under = line.count();
  Id quantified = term(line);
  uint32_t number = lastTerm;
  Variables names = variables(line);
  std::vector<Id> values = list(line), equal;
  Summand next = state;
  next.guard = list(line);
  next.factors = scope == Scope::Sum ? list(line) : std::vector<Id>{};
  Values map;
  size_t at = 0;
  for (const Variable &v : names) {
    for (size_t i = 0; i < v.shape.size(); ++i, ++at) {
      must(at < values.size(), "a value for each component is expected");
      map[v.name].push_back(values[at]);
    }
    equal.push_back(rules.equations(v, map[v.name]));
  }
  Id body = open(number, names)[0], after = all(next.guard);
  equal.push_back(after);
  Theorem instance = rules.instance(prove(under, equal, body), names, map);
  Theorem some = combine({instance, rules.introduce(names, body, map)}, implies(after, quantified));
  change(under, state, next, scope, {some});
}

void Elaborator::openConjunct(Line &line, Summand &state) {
  Id quantified = term(line);
  uint32_t number = lastTerm;
  Variables names = variables(line);
  std::vector<Id> guard = list(line);
  Id body = open(number, names)[0];
  link(opened(state.variables, all(state.guard), quantified, names, body, all(guard)));
  state.variables.insert(state.variables.end(), names.begin(), names.end());
  state.guard = guard;
}

std::vector<Part> Elaborator::parts(Line &line) {
  std::vector<Part> all;
  for (uint32_t i = line.count(); i > 0; --i) {
    Part part;
    part.variables = variables(line);
    part.guard = list(line);
    part.factors = list(line);
    line.count();
    all.push_back(std::move(part));
  }
  return all;
}

void Elaborator::endQuantifier(const std::string &kind, Line &line, const Summand &state,
                               Id result) {
  Id guard = all(state.guard), own = rules.exists(state.variables, guard);
  auto onward = [&](Id branch, uint32_t by) {
    Id after = branch;
    if (by != 0)
      link(lemmaFor(by, state.variables, branch, after));
    return after;
  };
  std::vector<Id> before, after;
  Id end = 0;
  if (kind == "branches") {
    for (uint32_t i = line.count(); i > 0; --i) {
      before.push_back(term(line));
      after.push_back(onward(before.back(), line.count()));
    }
    link(inBranches(state.variables, guard, before));
    end = terms.disjunction(after);
  } else if (kind == "next") {
    end = onward(guard, line.count());
  } else {
    must(kind == "parts", "there is no such step");
    link(inParts(state.variables, guard, parts(line), after));
    end = terms.conjunction(after);
  }
  link(prove(0, {}, same(result, end)));
  link(combine(links, same(own, result)));
}

} // namespace imbrex::certificate
