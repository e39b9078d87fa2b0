// What quantified formulas imply each other.
#include "proof/certificate/elaborate/Elaborator.h"

#include <algorithm>

namespace imbrex::certificate {

/// Where the guard holds under `given`, so does the target for the values; hence
/// exists from (guard) implies, under `given`, exists to (target).
Theorem Elaborator::into(uint32_t hypothesis, Id given, const Variables &from, Id guard,
                         const Variables &to, Id target, const Values &values,
                         const Theorems &premises) {
  Theorems both{prove(hypothesis, {guard, given}, terms.substitute(target, values), premises)};
  if (!to.empty())
    both.push_back(rules.introduce(to, target, values));
  Id result = implies(given, rules.exists(to, target));
  return rules.eliminate(from, guard, result, combine(both, implies(guard, result)));
}

/// Guards that are equivalent under `given`, which does not speak of the names.
Theorem Elaborator::equalQuantifiers(uint32_t hypothesis, Id given, const Variables &names,
                                     Id before, Id after, const Theorems &premises) {
  Id formula = implies(given, same(rules.exists(names, before), rules.exists(names, after)));
  if (before == after)
    return combine({}, formula);
  Values own = rules.itself(names);
  return combine({into(hypothesis, given, names, before, names, after, own, premises),
                  into(hypothesis, given, names, after, names, before, own, premises)},
                 formula);
}

/// some x (p and some y q) is some x, y (p and q).
Theorem Elaborator::opened(const Variables &names, Id before, Id quantified, const Variables &inner,
                           Id body, Id after) {
  Variables both = names;
  both.insert(both.end(), inner.begin(), inner.end());
  Id target = rules.exists(both, after), yes = terms.boolean(true);
  Id result = implies(before, target);
  Theorem step =
      combine({prove(0, {before, body}, after), rules.introduce(both, after, rules.itself(both))},
              implies(body, result));
  step = rules.eliminate(inner, body, result, step);
  step = combine({step, prove(0, {before}, quantified)}, result);
  Theorem onward = rules.eliminate(names, before, target, step);
  Theorem some = rules.introduce(inner, body, rules.itself(inner));
  Theorem back = into(0, yes, both, after, names, before, rules.itself(names),
                      {some, prove(0, {after}, body)});
  return combine({onward, back}, same(rules.exists(names, before), target));
}

/// A conjunction of parts without common variables: each is quantified by itself.
Theorem Elaborator::inParts(const Variables &names, Id guard, const std::vector<Part> &parts,
                            std::vector<Id> &closed) {
  Id whole = rules.exists(names, guard);
  std::vector<Id> open;
  Theorems all;
  for (const Part &part : parts) {
    open.push_back(terms.conjunction(part.guard));
    closed.push_back(rules.exists(part.variables, open.back()));
    all.push_back(into(0, terms.boolean(true), names, guard, part.variables, open.back(),
                       rules.itself(part.variables)));
  }
  Theorems back{prove(0, {terms.conjunction(open)}, guard)};
  if (!names.empty())
    back.push_back(rules.introduce(names, guard, rules.itself(names)));
  for (size_t i = 0; i < parts.size(); ++i) {
    std::vector<Id> rest{whole};
    for (size_t j = 0; j < parts.size(); ++j)
      if (j != i)
        rest.push_back(terms.negation(j < i ? closed[j] : open[j]));
    Id result = terms.disjunction(rest);
    back = {rules.eliminate(parts[i].variables, open[i], result,
                            combine(back, implies(open[i], result)))};
  }
  all.insert(all.end(), back.begin(), back.end());
  return combine(all, same(whole, terms.conjunction(closed)));
}

Theorem Elaborator::inBranches(const Variables &names, Id guard, const std::vector<Id> &branches) {
  Id whole = rules.exists(names, guard), yes = terms.boolean(true);
  Values own = rules.itself(names);
  std::vector<Id> closed;
  Theorems all, some{prove(0, {guard}, terms.disjunction(branches))};
  for (Id branch : branches) {
    closed.push_back(rules.exists(names, branch));
    all.push_back(into(0, yes, names, branch, names, guard, own));
    if (!names.empty())
      some.push_back(rules.introduce(names, branch, own));
  }
  Id result = terms.disjunction(closed);
  all.push_back(rules.eliminate(names, guard, result, combine(some, implies(guard, result))));
  return combine(all, same(whole, result));
}

/// What a lemma says of the guard, whose names are the lemma's.
Theorem Elaborator::lemmaFor(uint32_t by, const Variables &names, Id guard, Id &result) {
  const Lemma &lemma = at(lemmas, by);
  must(lemma.op == Op::Exists, "the lemma speaks of another binder");
  result = lemma.result;
  return combine(
      {equalQuantifiers(0, terms.boolean(true), names, guard, lemma.guard), lemma.theorem},
      same(rules.exists(names, guard), result));
}

} // namespace imbrex::certificate
