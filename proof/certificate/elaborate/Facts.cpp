// Refutations, and the facts that they may assume.
#include "proof/certificate/elaborate/Elaborator.h"

#include <algorithm>

namespace imbrex::certificate {

void Elaborator::readAxiom(Line &line) {
  uint32_t number = line.count();
  Variables names = variables(line);
  Id formula = term(line);
  axioms[number] = {names, rules.axiom(names, formula)};
}

void Elaborator::readFact(Line &line) {
  uint32_t number = line.count();
  FactEntry fact;
  fact.formula = term(line);
  Id about = term(line);
  uint32_t aboutNumber = lastTerm;
  std::string kind = line.next();
  if (kind == "instance" || kind == "member") {
    fact.theorem = instanceFact(kind, line, about, aboutNumber, fact.formula);
  } else if (kind == "witness") {
    fact.names = variables(line);
    fact.about = about;
    fact.body = open(aboutNumber, fact.names)[0];
    Id witness = implies(about, fact.body);
    fact.theorem = prove(0, {witness}, fact.formula);
  } else {
    fact.theorem = factFrom(kind, line, about, aboutNumber, fact.formula);
  }
  facts[number] = fact;
}

/// By a value for each variable, as the hypothesis has them: what holds of the values holds of
/// something; MIN, MAX and the only value are members of their set, if it has any.
Theorem Elaborator::instanceFact(const std::string &kind, Line &line, Id about,
                                 uint32_t aboutNumber, Id formula) {
  Variables names = variables(line);
  uint32_t under = line.count();
  Id given = at(hypotheses, under);
  std::vector<Id> kids = open(aboutNumber, names);
  Values values = rules.itself(names);
  for (const auto &[a, b] : hypothesisPairs[under])
    for (const Variable &v : names)
      for (size_t i = 0; i < v.shape.size(); ++i)
        if (terms.components(v)[i] == a)
          values[v.name][i] = b;
  Id known = about;
  Theorems all;
  if (kind == "member") {
    uint32_t by = line.count();
    Id result = 0;
    all.push_back(lemmaFor(by, names, kids[0], result));
    all.push_back(rules.member(about, names, kids));
    known = implies(result, kids[0]);
  } else {
    all.push_back(rules.introduce(names, kids[0], values));
    known = implies(kids[0], about);
  }
  Theorem general = prove(under, {given, known}, formula);
  all.push_back(rules.instance(general, names, values));
  return combine(all, formula);
}

Theorem Elaborator::factFrom(const std::string &kind, Line &line, Id about, uint32_t aboutNumber,
                             Id formula) {
  if (kind == "axiom") {
    const auto &[names, general] = entry(axioms, line);
    std::vector<Id> list = this->list(line);
    Values values;
    must(list.size() == names.size(), "a value for each variable is expected");
    for (size_t i = 0; i < names.size(); ++i)
      values[names[i].name] = {list[i]};
    return prove(0, {}, formula, {rules.instance(general, names, values)});
  }
  Variables names = variables(line);
  std::vector<Id> kids = open(aboutNumber, names);
  if (kind == "extreme") {
    // Nothing in the set is beyond MIN or MAX.
    line.count();
    const Lemma &lemma = entry(lemmas, line);
    Theorem none = rules.extreme(about, names, kids);
    Id no = terms.boolean(false);
    Theorem empty = rules.eliminate(names, lemma.guard, no, prove(0, {lemma.guard}, no, {none}));
    return prove(0, {}, formula, {empty, lemma.theorem});
  }
  uint32_t by = line.count();
  if (kind != "sum-empty")
    return combine({countFact(about, names, kids, at(lemmas, by))}, formula);
  Id result = 0, some = rules.exists(names, kids[0]);
  Theorem row = rules.introduce(names, kids[0], rules.itself(names));
  Theorem known = lemmaFor(by, names, kids[0], result);
  Theorem empty = pointwise(0, {terms.negation(some)}, names, {{1, kids[0], kids[1]}}, {row});
  return prove(0, {}, formula, {empty, known});
}

/// A sum of products of multiplicities is positive when all of them are, for some row.
Theorem Elaborator::countFact(Id sum, const Variables &names, const std::vector<Id> &kids,
                              const Lemma &lemma) {
  Id yes = terms.boolean(true), none = terms.number(0);
  std::vector<Id> positive{kids[0]}, parts{kids[1]};
  Theorems counts;
  if (terms[kids[1]].op == Op::Product)
    parts = terms[kids[1]].kids;
  for (Id factor : parts)
    if (terms[factor].op == Op::Apply) {
      positive.push_back(terms.less(none, factor));
      counts.push_back(rules.count(factor));
    }
  Id guard = terms.conjunction(positive);
  Theorem fewer = pointwise(0, {}, names, {{1, kids[0], kids[1]}, {-1, guard, kids[1]}}, counts);
  Theorem each = prove(0, {guard}, terms.less(none, kids[1]), counts);
  Theorems all{rules.positive(names, yes, guard, kids[1], each),
               equalQuantifiers(0, yes, names, guard, lemma.guard), lemma.theorem};
  if (fewer != 0)
    all.push_back(fewer);
  Id some = same(lemma.result, terms.less(none, sum));
  return combine(all, terms.conjunction({some, terms.negation(terms.less(sum, none))}));
}

/// Refuted with witnesses by new names, which go one by one, those first that others do not need.
void Elaborator::readRefutation(Line &line) {
  uint32_t number = line.count();
  std::vector<Id> formulas = list(line);
  std::vector<FactEntry> used, open;
  Theorems premises;
  for (uint32_t i = line.count(); i > 0; --i) {
    used.push_back(entry(facts, line));
    premises.push_back(used.back().theorem);
    if (used.back().about != 0)
      open.push_back(used.back());
  }
  for (uint32_t i = line.count(); i > 0; --i)
    premises.push_back(entry(learned, line));
  std::vector<Id> clause{terms.negation(all(formulas))}, seen = formulas;
  for (const FactEntry &fact : used)
    seen.push_back(fact.formula);
  for (Theorem premise : premises)
    seen.push_back(rules.formula(premise));
  auto witness = [&](const FactEntry &fact) { return implies(fact.about, fact.body); };
  auto goal = [&] {
    std::vector<Id> parts = clause;
    for (const FactEntry &fact : open)
      parts.push_back(terms.negation(witness(fact)));
    return terms.disjunction(parts);
  };
  Theorems more = related(0, seen);
  premises.insert(premises.end(), more.begin(), more.end());
  auto found = search(goal(), premises, "refutation", Ground::Products::AsTheyAre);
  must(found.has_value(), "a question of the log is not answered");
  while (!open.empty()) {
    auto isFree = [&](const FactEntry &fact) {
      return std::none_of(open.begin(), open.end(), [&](const FactEntry &other) {
        return std::any_of(fact.names.begin(), fact.names.end(), [&](const Variable &v) {
          return terms.mentions(other.about, v.name) ||
                 (other.about != fact.about && terms.mentions(other.body, v.name));
        });
      });
    };
    auto it = std::find_if(open.begin(), open.end(), isFree);
    must(it != open.end(), "witnesses speak of each other");
    FactEntry fact = *it;
    open.erase(it);
    Id rest = goal();
    Theorem each = combine({*found}, implies(fact.body, rest));
    Theorem some = rules.eliminate(fact.names, fact.body, rest, each);
    found = combine({*found, some}, rest);
  }
  refutations[number] = {formulas, *found};
}

Theorem Elaborator::refuted(const std::vector<Id> &formulas, uint32_t hypothesis, uint32_t number,
                            Theorems premises) {
  premises.push_back(at(refutations, number).second);
  return prove(hypothesis, formulas, terms.boolean(false), premises);
}

void Elaborator::readLearned(Line &line) {
  uint32_t number = line.count();
  Id first = term(line), second = term(line);
  const Equal &equal = entry(equalities, line);
  learned[number] = prove(0, {}, implies(all(equal.given), same(first, second)), {equal.theorem});
}

/// Equal collections: one function, and parts that are equal for all values of the variables.
void Elaborator::readCollected(Line &line) {
  uint32_t number = line.count();
  Id first = term(line);
  uint32_t firstNumber = lastTerm;
  term(line);
  uint32_t secondNumber = lastTerm;
  Variables names = variables(line), others = variables(line);
  uint32_t under = line.count();
  std::vector<Id> x = open(firstNumber, names), y = open(secondNumber, others), equal, assumed,
                  parts;
  Values map;
  for (size_t i = 0; i < names.size(); ++i) {
    map[others[i].name] = terms.components(names[i]);
    equal.push_back(rules.equations(others[i], map[others[i].name]));
  }
  must(line.count() == x.size(), "the collections have another number of parts");
  Theorems all;
  for (size_t i = 0; i < x.size(); ++i) {
    Id p = term(line), q = term(line);
    uint32_t equality = line.count(), refutation = line.count();
    all.push_back(rules.instance(prove(under, equal, same(x[i], p)), others, map));
    all.push_back(rules.instance(prove(under, equal, same(y[i], q)), others, map));
    y[i] = terms.substitute(y[i], map);
    parts.push_back(same(x[i], y[i]));
    std::vector<Id> given;
    if (equality != 0) {
      given = at(equalities, equality).given;
      all.push_back(at(equalities, equality).theorem);
    } else if (refutation != 0) {
      // What was refuted beside "they differ" is assumed.
      for (Id formula : at(refutations, refutation).first)
        if (!std::any_of(names.begin(), names.end(),
                         [&](const Variable &v) { return terms.mentions(formula, v.name); }))
          given.push_back(formula);
      std::vector<Id> differ = given;
      differ.push_back(terms.negation(same(p, q)));
      all.push_back(refuted(differ, 0, refutation));
    } else {
      all.push_back(prove(0, {}, same(p, q)));
    }
    assumed.insert(assumed.end(), given.begin(), given.end());
  }
  Id given = terms.conjunction(assumed);
  Theorem equals = combine(all, implies(given, terms.conjunction(parts)));
  learned[number] = rules.collect(first, names, given, equals, x, y);
}

} // namespace imbrex::certificate
