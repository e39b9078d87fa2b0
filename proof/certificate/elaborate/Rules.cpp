#include "proof/certificate/elaborate/Rules.h"

namespace imbrex::certificate {

Id Rules::exists(const Variables &names, Id guard) {
  if (names.empty())
    return guard;
  Id id = terms.binder(Op::Exists, 0, terms.boolSort, names, {guard});
  proof.remember(id, names, {guard});
  return id;
}

Id Rules::sumOf(const Variables &names, Id guard, Id value) {
  if (names.empty())
    return terms.choose(guard, value, terms.number(0));
  Id id = terms.binder(Op::Sum, 0, terms.intSort, names, {guard, value});
  proof.remember(id, names, {guard, value});
  return id;
}

Id Rules::collection(Id like, const Variables &names, const std::vector<Id> &kids) {
  Node node = terms[like];
  Id id = terms.binder(Op::Collect, node.symbol, node.sort, names, kids);
  proof.remember(id, names, kids);
  return id;
}

Id Rules::equations(const Variable &variable, const std::vector<Id> &values) {
  std::vector<Id> own = terms.components(variable), all;
  if (own.size() != values.size())
    throw Rejection{"a value for each component is expected"};
  for (size_t i = 0; i < own.size(); ++i)
    all.push_back(terms.equal(own[i], values[i]));
  return terms.conjunction(all);
}

Values Rules::itself(const Variables &names) {
  Values all;
  for (const Variable &v : names)
    all[v.name] = terms.components(v);
  return all;
}

Tokens &Rules::values(Tokens &line, const Variables &names, const Values &values) {
  for (const Variable &v : names)
    line.list(values.at(v.name));
  return line;
}

Theorem Rules::axiom(const Variables &names, Id formula) {
  return proof.add("axiom", formula, Tokens().variables(terms, names).term(formula));
}

Theorem Rules::count(Id application) {
  Id formula = terms.negation(terms.less(application, terms.number(0)));
  return proof.add("count", formula, Tokens().term(application));
}

Theorem Rules::instance(Theorem theorem, const Variables &names, const Values &map) {
  Id formula = terms.substitute(proof.formula(theorem), map);
  Tokens line;
  line.theorem(theorem).variables(terms, names);
  return proof.add("instance", formula, values(line, names, map));
}

Theorem Rules::introduce(const Variables &names, Id guard, const Values &map) {
  Id formula = implies(terms.substitute(guard, map), exists(names, guard));
  Tokens line;
  line.variables(terms, names).term(guard);
  return proof.add("introduce", formula, values(line, names, map));
}

Theorem Rules::eliminate(const Variables &names, Id guard, Id result, Theorem theorem) {
  if (names.empty())
    return theorem;
  Tokens line;
  line.variables(terms, names).term(guard).term(result).theorem(theorem);
  return proof.add("eliminate", implies(exists(names, guard), result), line);
}

Theorem Rules::add(const Variables &names, Id given, Theorem theorem,
                   const std::vector<Weighted> &items) {
  Tokens line;
  line.variables(terms, names).term(given).theorem(theorem).number(items.size());
  std::vector<std::pair<Rational, Id>> sums;
  for (const Weighted &item : items) {
    line.text(item.factor.str()).term(item.guard).term(item.value);
    sums.emplace_back(item.factor, sumOf(names, item.guard, item.value));
  }
  return proof.add("add", implies(given, terms.zero(terms.linear(0, sums))), line);
}

Theorem Rules::nest(const Variables &outer, Id guard, Id value, const Variables &inner,
                    Id innerGuard, Id innerValue) {
  Variables both = outer;
  both.insert(both.end(), inner.begin(), inner.end());
  Id nested = terms.product({value, sumOf(inner, innerGuard, innerValue)});
  Id flat = sumOf(both, terms.conjunction({guard, innerGuard}), terms.product({value, innerValue}));
  Tokens line;
  line.variables(terms, outer).term(guard).term(value).variables(terms, inner);
  line.term(innerGuard).term(innerValue);
  return proof.add("nest", terms.equal(sumOf(outer, guard, nested), flat), line);
}

Theorem Rules::point(const Variables &names, const Variable &own, const std::vector<Id> &values,
                     Id guard, Id value) {
  Variables both = names;
  both.push_back(own);
  Id known = terms.conjunction({equations(own, values), guard});
  Tokens line;
  line.variables(terms, names).variable(terms, own).list(values).term(guard).term(value);
  return proof.add("point", terms.equal(sumOf(both, known, value), sumOf(names, guard, value)),
                   line);
}

Theorem Rules::rename(const Variables &names, Id guard, Id value, const Variables &others) {
  Values map;
  for (size_t i = 0; i < names.size(); ++i)
    map[names[i].name] = terms.components(others[i]);
  Id after = sumOf(others, terms.substitute(guard, map), terms.substitute(value, map));
  Tokens line;
  line.variables(terms, names).term(guard).term(value).variables(terms, others);
  return proof.add("rename", terms.equal(sumOf(names, guard, value), after), line);
}

Theorem Rules::positive(const Variables &names, Id given, Id guard, Id value, Theorem theorem) {
  Id sum = sumOf(names, guard, value), none = terms.number(0);
  Id some = terms.equal(terms.less(none, sum), exists(names, guard));
  Tokens line;
  line.variables(terms, names).term(given).term(guard).term(value).theorem(theorem);
  return proof.add("positive",
                   implies(given, terms.conjunction({some, terms.negation(terms.less(sum, none))})),
                   line);
}

Tokens Rules::function(Id collection) const {
  const Node &node = terms[collection];
  Tokens line;
  line.text(sortText(terms.text(node.sort)));
  return line.text(quotedName(terms.text(node.symbol)));
}

Theorem Rules::collect(Id like, const Variables &names, Id given, Theorem theorem,
                       const std::vector<Id> &first, const std::vector<Id> &second) {
  Tokens line = function(like);
  line.variables(terms, names).term(given).theorem(theorem).number(first.size());
  for (size_t i = 0; i < first.size(); ++i)
    line.term(first[i]).term(second[i]);
  return proof.add(
      "collect",
      implies(given, terms.equal(collection(like, names, first), collection(like, names, second))),
      line);
}

Theorem Rules::member(Id own, const Variables &names, const std::vector<Id> &kids) {
  Id formula = implies(exists(names, kids[0]), terms.substitute(kids[0], {{names[0].name, {own}}}));
  return proof.add("member", formula, function(own).variables(terms, names).list(kids));
}

Theorem Rules::extreme(Id own, const Variables &names, const std::vector<Id> &kids) {
  bool isLeast = terms.text(terms[own].symbol).starts_with("\"min ");
  Id value = terms.components(names[0])[0];
  Id beyond = isLeast ? terms.less(value, own) : terms.less(own, value);
  return proof.add("extreme", implies(kids[0], terms.negation(beyond)),
                   function(own).variables(terms, names).list(kids));
}

} // namespace imbrex::certificate
