// The rules about binders: quantifiers, sums, collections.
#include "proof/certificate/check/Checker.h"

#include <algorithm>

namespace imbrex::check {

Id Checker::theorem(Line &line) {
  auto it = theorems.find(line.count());
  must(it != theorems.end(), "a theorem is used that was not proven before");
  return it->second;
}

Id Checker::exists(const std::vector<Variable> &names, Id guard) {
  return names.empty() ? guard : terms.binder(Op::Exists, 0, terms.boolSort, names, {guard});
}

/// The sum of the value over all values of the names where the guard holds.
Id Checker::sumOf(const std::vector<Variable> &names, Id guard, Id value) {
  must(terms.isNumeric(value), "numbers are added");
  if (names.empty())
    return terms.choose(guard, value, terms.number(0));
  Id sum = terms.binder(Op::Sum, 0, terms.intSort, names, {guard, value});
  if (finite.insert(sum).second)
    must(isFinite(names, guard, value), "infinitely many terms of a sum may not be zero");
  return sum;
}

/// A line names the function of a collection and its sort.
Id Checker::collection(Line &line, const std::vector<Variable> &names,
                       const std::vector<Id> &kids) {
  Sort own = sort(line);
  return terms.binder(Op::Collect, quoted(line), own, names, kids);
}

/// A value for each component, of its sort: an integer is none for a text, a fraction none for an
/// integer.
Id Checker::equations(const Variable &variable, const std::vector<Id> &values) {
  std::vector<Id> own = terms.components(variable), all;
  must(own.size() == values.size(), "a value for each component is expected");
  for (size_t i = 0; i < own.size(); ++i) {
    Sort sort = terms[own[i]].sort;
    must(terms[values[i]].sort == sort || (sort == terms.realSort && terms.isNumeric(values[i])),
         "a value has another sort than its variable");
    all.push_back(terms.equal(own[i], values[i]));
  }
  return terms.conjunction(all);
}

std::map<Name, std::vector<Id>> Checker::valuesOf(const std::vector<Variable> &names, Line &line) {
  std::map<Name, std::vector<Id>> all;
  for (const Variable &v : names) {
    std::vector<Id> values = list(line);
    equations(v, values);
    must(all.emplace(v.name, values).second, "variables have different names");
  }
  return all;
}

std::vector<Variable> Checker::joined(std::vector<Variable> a, const std::vector<Variable> &b) {
  a.insert(a.end(), b.begin(), b.end());
  return a;
}

void Checker::mustBeFree(const std::vector<Variable> &names, const std::vector<Id> &all) const {
  for (const Variable &v : names)
    for (Id id : all)
      must(!terms.mentions(id, v.name), "a variable must not occur here");
}

/// A property of the tables, as the schema has it: for all values of its variables.
Id Checker::readAxiom(Line &line, uint32_t number) {
  std::vector<Variable> names = variables(line);
  return axioms[number] = {names, term(line)}, axioms[number].second;
}

/// A multiplicity of a table is not negative.
Id Checker::count(Line &line, uint32_t) {
  Id id = term(line);
  must(terms[id].op == Op::Apply && terms[id].sort == terms.intSort, "a multiplicity is expected");
  counts.insert(terms[id].symbol);
  return terms.negation(terms.less(id, terms.number(0)));
}

/// instance T V VALUES: T holds of the values.
Id Checker::instance(Line &line, uint32_t) {
  Id general = theorem(line);
  std::vector<Variable> names = variables(line);
  return terms.substitute(general, valuesOf(names, line));
}

/// introduce V G VALUES: what G is true of is there.
Id Checker::introduce(Line &line, uint32_t) {
  std::vector<Variable> names = variables(line);
  Id guard = term(line);
  return implies(terms.substitute(guard, valuesOf(names, line)), exists(names, guard));
}

/// eliminate V G K T: T is G -> K, for all V; K does not speak of V.
Id Checker::eliminate(Line &line, uint32_t) {
  std::vector<Variable> names = variables(line);
  Id guard = term(line), result = term(line);
  mustBeFree(names, {result});
  must(theorem(line) == implies(guard, result), "the theorem is no such implication");
  return implies(exists(names, guard), result);
}

/// add V H T n (F G P)...: if under H the terms F [G] P add up to zero, for all V, so do their sums
/// over V. H does not speak of V.
Id Checker::add(Line &line, uint32_t) {
  std::vector<Variable> names = variables(line);
  Id given = term(line), known = theorem(line);
  mustBeFree(names, {given});
  std::vector<std::pair<Rational, Id>> each, sums;
  for (uint32_t i = line.count(); i > 0; --i) {
    Rational factor = Rational::of(line.next());
    Id guard = term(line), value = term(line);
    each.emplace_back(factor, sumOf({}, guard, value));
    sums.emplace_back(factor, sumOf(names, guard, value));
  }
  must(known == implies(given, terms.zero(terms.linear(0, each))), "the terms are others");
  return implies(given, terms.zero(terms.linear(0, sums)));
}

/// nest V G P W K Q: the sum over V of [G] P * (the sum over W of [K] Q) is the sum over both of
/// [G and K] P * Q, where G and P do not speak of W.
Id Checker::nest(Line &line, uint32_t) {
  std::vector<Variable> outer = variables(line);
  Id guard = term(line), value = term(line);
  std::vector<Variable> inner = variables(line);
  Id innerGuard = term(line), innerValue = term(line);
  mustBeFree(inner, {guard, value});
  for (const Variable &v : inner)
    for (const Variable &w : outer)
      must(v.name != w.name, "a variable must not occur here");
  Id nested = terms.product({value, sumOf(inner, innerGuard, innerValue)});
  Id both = sumOf(joined(outer, inner), terms.conjunction({guard, innerGuard}),
                  terms.product({value, innerValue}));
  return terms.equal(sumOf(outer, guard, nested), both);
}

/// point V x VALUES G P: the sum over V and x of [x = VALUES and G] P is that over V of [G] P,
/// where nothing speaks of x.
Id Checker::point(Line &line, uint32_t) {
  std::vector<Variable> names = variables(line);
  Variable own = variable(line);
  std::vector<Id> values = list(line), used = values;
  Id guard = term(line), value = term(line);
  used.insert(used.end(), {guard, value});
  mustBeFree({own}, used);
  Id known = terms.conjunction({equations(own, values), guard});
  return terms.equal(sumOf(joined(names, {own}), known, value), sumOf(names, guard, value));
}

/// rename V G P W: the sum has new names, or the old ones exchanged.
Id Checker::rename(Line &line, uint32_t) {
  std::vector<Variable> names = variables(line);
  Id guard = term(line), value = term(line);
  std::vector<Variable> others = variables(line);
  must(!names.empty() && names.size() == others.size(), "as many names are expected");
  std::map<Name, std::vector<Id>> map;
  for (size_t i = 0; i < names.size(); ++i) {
    must(names[i].shape == others[i].shape, "variables have other sorts");
    map[names[i].name] = terms.components(others[i]);
  }
  Id before = sumOf(names, guard, value);
  mustBeFree(others, {before});
  Id after = sumOf(others, terms.substitute(guard, map), terms.substitute(value, map));
  return terms.equal(before, after);
}

/// positive V H G P T: if under H the guard makes P positive, the sum of P is positive when there
/// is a row, and never negative. H does not speak of V.
Id Checker::positive(Line &line, uint32_t) {
  std::vector<Variable> names = variables(line);
  Id given = term(line), guard = term(line), value = term(line), none = terms.number(0);
  mustBeFree(names, {given});
  Id known = implies(terms.conjunction({given, guard}), terms.less(none, value));
  must(theorem(line) == known, "the theorem is no such implication");
  Id sum = sumOf(names, guard, value);
  Id some = terms.equal(terms.less(none, sum), exists(names, guard));
  return implies(given, terms.conjunction({some, terms.negation(terms.less(sum, none))}));
}

/// collect SORT "F" V H T n (A B)...: collections by one function are equal under H if their parts
/// are, for all V. H does not speak of V.
Id Checker::collect(Line &line, uint32_t) {
  Line again = line;
  sort(line);
  line.next();
  std::vector<Variable> names = variables(line);
  Id given = term(line), known = theorem(line);
  mustBeFree(names, {given});
  std::vector<Id> first, second, equal;
  for (uint32_t i = line.count(); i > 0; --i) {
    first.push_back(term(line));
    second.push_back(term(line));
    equal.push_back(terms.equal(first.back(), second.back()));
  }
  must(known == implies(given, terms.conjunction(equal)), "the theorem is no such implication");
  Line third = again;
  return implies(given,
                 terms.equal(collection(again, names, first), collection(third, names, second)));
}

/// A line has a collection by a function that chooses one of its members, so of their sort.
Checker::Choice Checker::choice(Line &line) {
  Line again = line;
  sort(line);
  std::string function = line.next();
  std::vector<Variable> names = variables(line);
  std::vector<Id> kids = list(line);
  must(names.size() == 1 && !kids.empty(), "one variable and a formula are expected");
  Id own = collection(again, names, kids);
  must(names[0].shape == std::vector<Sort>{terms[own].sort}, "a member has another sort");
  return {function.substr(0, function.find(' ')), names, kids[0], own};
}

/// member SORT "F" V n BODY...: MIN, MAX or the only value of a set that has a member is one.
Id Checker::member(Line &line, uint32_t) {
  auto [function, names, guard, own] = choice(line);
  must(function == "\"min" || function == "\"max" || function == "\"single",
       "MIN, MAX or the only value is expected");
  return implies(exists(names, guard), terms.substitute(guard, {{names[0].name, {own}}}));
}

/// extreme SORT "F" V n BODY...: no member of the set is beyond MIN or MAX. An infinite set need
/// not have either.
Id Checker::extreme(Line &line, uint32_t) {
  auto [function, names, guard, own] = choice(line);
  must(function == "\"min" || function == "\"max", "MIN or MAX is expected");
  must(isFinite(names, guard, terms.number(1)), "the set may have infinitely many members");
  Id value = terms.components(names[0])[0];
  Id beyond = function == "\"min" ? terms.less(value, own) : terms.less(own, value);
  return implies(guard, terms.negation(beyond));
}

} // namespace imbrex::check
