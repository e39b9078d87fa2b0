// Refutations, and the facts that they may assume.
#include "proof/certificate/check/Checker.h"

#include <algorithm>

namespace imbrex::check {

/// A property of the tables, as the header's schema has it: for all values of its variables.
void Checker::readAxiom(Line &line) {
  uint32_t number = line.count();
  std::vector<Variable> names = variables(line);
  must(axioms.emplace(number, std::pair(names, term(line))).second,
       "an axiom has the number of another one");
}

void Checker::readFact(Line &line) {
  uint32_t number = line.count();
  FactEntry fact;
  fact.formula = term(line);
  Id about = term(line);
  uint32_t aboutNumber = lastTerm;
  std::string kind = line.next();
  if (kind == "instance" || kind == "member") {
    // By a value for each variable: what holds of the values holds of something.
    std::vector<Variable> names = variables(line);
    uint32_t under = line.count();
    must(hypotheses.count(under) != 0, "there is no such hypothesis");
    mustBeNew(names, {}, {fact.formula, about});
    std::vector<Id> kids = open(aboutNumber, names);
    std::vector<Id> given{hypotheses[under], terms.negation(fact.formula)};
    if (kind == "instance") {
      must(terms[about].op == Op::Exists, "only quantifiers have instances");
      given.push_back(implies(kids[0], about));
      mustBeValues(under, names);
    } else {
      // The collection itself is a member, if there is one.
      const Lemma &lemma = entry(lemmas, line);
      const std::string &name = terms.text(terms[about].symbol);
      bool chosen =
          name.starts_with("\"min ") || name.starts_with("\"max ") || name.starts_with("\"single ");
      must(terms[about].op == Op::Collect && chosen && names.size() == 1 &&
               lemma.op == Op::Exists && sameNames(lemma.variables, names),
           "the fact is about MIN, MAX or the only value");
      mustEntail(0, {}, same(kids[0], lemma.guard), "the lemma has another guard");
      given.push_back(implies(lemma.result, kids[0]));
      mustBeValue(terms.components(names[0])[0], about);
      must(hypotheses[under] == same(terms.components(names[0])[0], about),
           "the value is the collection itself");
    }
    mustEntail(under, given, terms.boolean(false), "the fact does not follow");
  } else {
    factOf(kind, line, about, aboutNumber, fact);
  }
  must(facts.emplace(number, fact).second, "a fact has the number of another one");
}

/// The hypothesis gives each variable a value that is free of all of them.
void Checker::mustBeValues(uint32_t hypothesis, const std::vector<Variable> &names) {
  std::vector<Id> open;
  for (const Variable &v : names)
    for (Id component : terms.components(v))
      open.push_back(component);
  for (const auto &[a, b] : hypothesisPairs[hypothesis]) {
    auto it = std::find(open.begin(), open.end(), a);
    must(it != open.end(), "a hypothesis gives values to its own variables, one to each");
    open.erase(it);
    mustBeValue(a, b);
    for (const Variable &v : names)
      must(!terms.mentions(b, v.name), "a value speaks of the variables");
  }
}

void Checker::factOf(const std::string &kind, Line &line, Id about, uint32_t aboutNumber,
                     FactEntry &fact) {
  Id formula = fact.formula;
  if (kind == "axiom") {
    const auto &[names, general] = entry(axioms, line);
    std::vector<Id> values = list(line);
    std::map<Name, std::vector<Id>> map;
    must(values.size() == names.size(), "a value for each variable is expected");
    for (size_t i = 0; i < names.size(); ++i)
      map[names[i].name] = {values[i]};
    mustEntail(0, {terms.substitute(general, map)}, formula, "the axiom says something else");
    return;
  }
  std::vector<Variable> names = variables(line);
  mustBeNew(names, {}, {about});
  std::vector<Id> kids = open(aboutNumber, names);
  if (kind == "witness") {
    must(terms[about].op == Op::Exists, "only quantifiers have witnesses");
    mustEntail(0, {implies(about, kids[0])}, formula, "the witness says something else");
    fact.quantified = about;
    fact.names = names;
    return;
  }
  mustBeNew(names, {}, {formula});
  if (kind == "extreme") {
    // Nothing in the set is beyond MIN or MAX.
    line.count();
    const Lemma &lemma = entry(lemmas, line);
    const std::string &name = terms.text(terms[about].symbol);
    bool least = name.starts_with("\"min ");
    must(terms[about].op == Op::Collect && (least || name.starts_with("\"max ")) &&
             names.size() == 1 && sameNames(lemma.variables, names) && lemma.op == Op::Exists,
         "the fact is about MIN or MAX");
    Id value = terms.components(names[0])[0];
    Id beyond = least ? terms.less(value, about) : terms.less(about, value);
    mustEntail(0, {lemma.guard}, terms.conjunction({kids[0], beyond}),
               "the lemma has another guard");
    mustEntail(0, {terms.negation(lemma.result)}, formula, "the fact does not follow");
    return;
  }
  const Lemma &lemma = entry(lemmas, line);
  must(terms[about].op == Op::Sum && lemma.op == Op::Exists && sameNames(lemma.variables, names),
       "the lemma speaks of another binder");
  if (kind == "sum-empty") {
    mustEntail(0, {}, same(kids[0], lemma.guard), "the lemma has another guard");
    mustEntail(0, {terms.disjunction({lemma.result, terms.zero(about)})}, formula,
               "the fact does not follow");
    return;
  }
  must(kind == "sum-count" || kind == "sum-signed", "there is no such fact");
  std::vector<Id> positive{kids[0]};
  Id product = kids[1];
  for (Id factor :
       terms[product].op == Op::Product ? terms[product].kids : std::vector<Id>{product})
    if (terms[factor].op != Op::Number) {
      must(terms[factor].op == Op::Apply && counts.count(terms[factor].symbol) != 0,
           "only multiplicities of tables are known not to be negative");
      positive.push_back(terms.positive(factor));
    } else {
      must(terms[factor].value.sign() > 0, "a factor is not positive");
    }
  mustEntail(0, {}, same(lemma.guard, terms.conjunction(positive)), "the lemma has another guard");
  Id some = same(lemma.result, terms.positive(about));
  Id signedSum = terms.negation(terms.positive(terms.linear(0, {{-1, about}})));
  mustEntail(0, {some, signedSum}, formula, "the fact does not follow");
}

/// Witnesses have names that nothing assumed before them speaks of.
void Checker::mustBeWitnesses(const std::vector<FactEntry> &used, const std::vector<Id> &formulas) {
  std::vector<const FactEntry *> open;
  std::vector<Variable> names;
  for (const FactEntry &fact : used)
    if (fact.quantified != 0) {
      open.push_back(&fact);
      mustBeNew(fact.names, names, formulas);
      names.insert(names.end(), fact.names.begin(), fact.names.end());
    }
  // Each round takes those whose formula speaks of no name that is still to come.
  while (!open.empty()) {
    size_t before = open.size();
    std::vector<const FactEntry *> later;
    for (const FactEntry *fact : open) {
      bool waits = std::any_of(open.begin(), open.end(), [&](const FactEntry *other) {
        return std::any_of(other->names.begin(), other->names.end(), [&](const Variable &v) {
          return terms.mentions(fact->quantified, v.name);
        });
      });
      if (waits)
        later.push_back(fact);
    }
    open = std::move(later);
    must(open.size() < before, "witnesses speak of each other");
  }
}

void Checker::readRefutation(Line &line) {
  uint32_t number = line.count();
  std::vector<Id> formulas = list(line), all = formulas;
  std::vector<FactEntry> used;
  for (uint32_t i = line.count(); i > 0; --i) {
    used.push_back(entry(facts, line));
    all.push_back(used.back().formula);
  }
  mustBeWitnesses(used, formulas);
  for (uint32_t i = line.count(); i > 0; --i)
    all.push_back(entry(learned, line));
  std::vector<Id> more = related(0, all);
  all.insert(all.end(), more.begin(), more.end());
  ++outcome->questions;
  if (!Ground(terms, work).refute(all)) {
    must(leaves != Leaves::Refuse, "a question is left to a solver");
    outcome->leaves.push_back(script(all));
  }
  if (leaves == Leaves::Export)
    outcome->refutations.push_back(script(all));
  must(refutations.emplace(number, Refuted{formulas}).second,
       "a refutation has the number of another one");
}

void Checker::mustRefute(const std::vector<Id> &formulas, uint32_t hypothesis,
                         uint32_t refutation) {
  auto it = refutations.find(refutation);
  must(it != refutations.end(), "there is no such refutation");
  mustEntail(hypothesis, formulas, terms.conjunction(it->second.formulas),
             "the refutation speaks of other formulas");
}

void Checker::readLearned(Line &line) {
  uint32_t number = line.count();
  Id first = term(line), second = term(line);
  const auto &[given, formula] = entry(equalities, line);
  mustEntail(0, {formula}, same(first, second), "the equality speaks of other terms");
  must(learned.emplace(number, implies(terms.conjunction(given), same(first, second))).second,
       "a pair has the number of another one");
}

/// Equal collections: one function, and parts that are equal for all values of the variables.
void Checker::readCollected(Line &line) {
  uint32_t number = line.count();
  Id first = term(line);
  uint32_t firstNumber = lastTerm;
  Id second = term(line);
  uint32_t secondNumber = lastTerm;
  std::vector<Variable> names = variables(line), others = variables(line);
  uint32_t under = line.count();
  const Node &a = terms[first], &b = terms[second];
  must(a.op == Op::Collect && b.op == Op::Collect && a.symbol == b.symbol && a.sort == b.sort &&
           a.kids.size() == b.kids.size() && names.size() == others.size(),
       "the collections are by different functions");
  std::vector<Id> x = open(firstNumber, names), y = open(secondNumber, others), equal, assumed;
  std::map<Name, std::vector<Id>> map;
  mustBeNew(others, names, {first, second});
  mustBeNew(names, {}, {first, second});
  for (size_t i = 0; i < names.size(); ++i) {
    map[others[i].name] = terms.components(names[i]);
    equal.push_back(equations(others[i], map[others[i].name]));
  }
  must(line.count() == x.size(), "the collections have another number of parts");
  for (size_t i = 0; i < x.size(); ++i) {
    Id p = term(line), q = term(line);
    uint32_t equality = line.count(), refutation = line.count();
    mustEntail(under, equal, same(x[i], p), "a part of a collection is another one");
    mustEntail(under, equal, same(y[i], q), "a part of a collection is another one");
    mustBeNew(others, {}, {p, q});
    if (equality != 0) {
      must(equalities.count(equality) != 0, "there is no such equality");
      const auto &[given, formula] = equalities[equality];
      mustBeNew(names, {}, given);
      assumed.insert(assumed.end(), given.begin(), given.end());
      mustEntail(0, {formula}, same(p, q), "the equality speaks of other terms");
    } else if (refutation != 0) {
      must(refutations.count(refutation) != 0, "there is no such refutation");
      // What was refuted beside "they differ" is assumed.
      Id differ = terms.negation(same(p, q));
      std::vector<Id> given;
      for (Id formula : refutations[refutation].formulas)
        if (!freeIn(names[0], {formula}) && !entails(0, {differ}, formula))
          given.push_back(formula);
      mustBeNew(names, {}, given);
      assumed.insert(assumed.end(), given.begin(), given.end());
      given.push_back(differ);
      mustRefute(given, 0, refutation);
    } else {
      mustEntail(0, {}, same(p, q), "parts of the collections differ");
    }
  }
  must(learned.emplace(number, implies(terms.conjunction(assumed), same(first, second))).second,
       "a pair has the number of another one");
}

} // namespace imbrex::check
