// Changes of a scope: variables, guard, and factors that matter where the guard holds.
#include "proof/certificate/check/Checker.h"

#include <algorithm>

namespace imbrex::check {

/// Products of equal numbers, as far as the guard goes.
void Checker::mustBeSameFactors(uint32_t hypothesis, std::vector<Id> given,
                                const std::vector<Id> &before, const std::vector<Id> &after) {
  if (before == after)
    return;
  mustEntail(hypothesis, given, same(productOf(before), productOf(after)), "the factors differ");
}

/// False: the line is no step of a scope, only its kind was read.
bool Checker::step(const std::string &kind, Line &line, Summand &state, bool isSum) {
  if (kind == "eliminate" || (kind == "fold" && !isSum))
    eliminate(line, state, isSum, kind == "fold");
  else if (kind == "rewrite")
    rewrite(line, state, isSum);
  else if (kind == "entail")
    entailed(line, state, isSum);
  else if (kind == "open" && !isSum)
    openConjunct(line, state);
  else
    return false;
  return true;
}

/// some x (x = e and p(x)) is p(e), and so for sums. For quantifiers it is enough that the rest of
/// the guard, with the value, gives the guard.
void Checker::eliminate(Line &line, Summand &state, bool isSum, bool isFold) {
  uint32_t under = line.count();
  must(hypotheses.count(under) != 0, "there is no such hypothesis");
  Variable v = only(line);
  std::vector<Id> values = list(line), guard = list(line), factors = list(line);
  Id equal = equations(v, values), before = all(state.guard), after = all(guard);
  auto it = std::find_if(state.variables.begin(), state.variables.end(),
                         [&](const Variable &w) { return w.name == v.name && w.shape == v.shape; });
  must(it != state.variables.end(), "the scope has no such variable");
  state.variables.erase(it);
  must(!freeIn(v, values) && !freeIn(v, guard) && !freeIn(v, factors),
       "the variable is still there");
  mustEntail(under, {before}, after, "the guard does not follow");
  mustEntail(under, {equal, after}, before, "the guard is too weak");
  if (!isFold && isSum)
    mustEntail(under, {before}, equal, "the guard gives the variable no such value");
  if (isSum) {
    mustBeSameFactors(under, {equal, before}, state.factors, factors);
    state.factors = factors;
  }
  state.guard = guard;
}

void Checker::rewrite(Line &line, Summand &state, bool isSum) {
  uint32_t under = line.count();
  must(hypotheses.count(under) != 0, "there is no such hypothesis");
  std::vector<Id> guard = list(line), factors = list(line);
  mustEntail(under, {all(state.guard)}, all(guard), "the guard does not follow");
  mustEntail(under, {all(guard)}, all(state.guard), "the guard is too weak");
  if (isSum) {
    mustBeSameFactors(under, {all(guard)}, state.factors, factors);
    state.factors = factors;
  }
  state.guard = guard;
}

/// A quantified conjunct goes: the others hold of values that make it true.
void Checker::entailed(Line &line, Summand &state, bool isSum) {
  uint32_t under = line.count();
  must(hypotheses.count(under) != 0, "there is no such hypothesis");
  Id quantified = term(line);
  uint32_t number = lastTerm;
  std::vector<Variable> names = variables(line);
  std::vector<Id> values = list(line), guard = list(line), factors = list(line), equal,
                  used = guard;
  size_t at = 0;
  for (const Variable &v : names)
    for (Id component : terms.components(v)) {
      must(at < values.size(), "a value for each component is expected");
      mustBeValue(component, values[at]);
      equal.push_back(same(component, values[at++]));
    }
  used.insert(used.end(), values.begin(), values.end());
  used.push_back(quantified);
  mustBeNew(names, state.variables, used);
  must(terms[quantified].op == Op::Exists, "only quantifiers have instances");
  std::vector<Id> kids = open(number, names);
  equal.push_back(all(guard));
  mustEntail(under, equal, kids[0], "the instance does not follow");
  mustEntail(under, {all(state.guard)}, all(guard), "the guard does not follow");
  mustEntail(0, {all(guard), quantified}, all(state.guard), "the guard is too weak");
  if (isSum)
    mustBeSameFactors(0, {all(guard)}, state.factors, factors);
  state.guard = guard;
}

/// some x (p and some y q) is some x, y (p and q).
void Checker::openConjunct(Line &line, Summand &state) {
  Id quantified = term(line);
  uint32_t number = lastTerm;
  std::vector<Variable> names = variables(line);
  std::vector<Id> guard = list(line);
  list(line);
  std::vector<Id> used = state.guard;
  used.push_back(quantified);
  mustBeNew(names, state.variables, used);
  must(terms[quantified].op == Op::Exists, "only quantifiers are opened");
  Id body = open(number, names)[0], before = all(state.guard), after = all(guard);
  mustEntail(0, {before}, quantified, "the quantifier is no part of the guard");
  mustEntail(0, {before, body}, after, "the guard does not follow");
  mustEntail(0, {after}, body, "the quantifier's body is lost");
  mustEntail(0, {after, quantified}, before, "the guard is too weak");
  state.variables.insert(state.variables.end(), names.begin(), names.end());
  state.guard = guard;
}

} // namespace imbrex::check
