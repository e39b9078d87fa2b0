// Entries about binders, and the claim.
#include "proof/certificate/elaborate/Elaborator.h"

#include <algorithm>

namespace imbrex::certificate {

void Elaborator::readHypothesis(Line &line) {
  uint32_t number = line.count();
  std::vector<Id> equations;
  for (uint32_t i = line.count(); i > 0; --i) {
    Id a = term(line), b = term(line);
    equations.push_back(same(a, b));
    hypothesisPairs[number].emplace_back(a, b);
  }
  hypotheses[number] = all(equations);
}

/// A binder under a hypothesis: its parts are what the lemma starts with, its names new to both.
void Elaborator::readRewriting(Line &line) {
  uint32_t under = line.count();
  Id given = at(hypotheses, under), from = term(line);
  uint32_t number = lastTerm;
  Variables names = variables(line);
  uint32_t by = line.count();
  Id to = term(line);
  uint32_t result = lastTerm;
  if (!terms[from].isBinder())
    return;
  std::vector<Id> kids = open(number, names);
  Theorems all;
  if (terms[from].op == Op::Collect) {
    std::vector<Id> after = open(result, names), equal;
    Theorems known;
    if (by != 0)
      known = {at(lemmas, by).theorem};
    for (size_t i = 0; i < kids.size(); ++i) {
      equal.push_back(same(kids[i], after.at(i)));
      all.push_back(prove(under, {given}, equal.back(), known));
    }
    Theorem equals = combine(all, implies(given, terms.conjunction(equal)));
    all = {rules.collect(from, names, given, equals, kids, after)};
  } else if (by == 0) {
    Theorem none = prove(under, {given}, terms.negation(kids[0]));
    all = {pointwise(under, {given}, names, {{1, kids[0], kids[1]}}, {none})};
  } else if (const Lemma &lemma = at(lemmas, by); lemma.op == Op::Sum) {
    all = {
        pointwise(under, {given}, names, {{1, kids[0], kids[1]}, {-1, lemma.guard, lemma.value}}),
        lemma.theorem};
  } else {
    all = {equalQuantifiers(under, given, names, kids[0], lemma.guard), lemma.theorem};
  }
  std::erase(all, Theorem(0));
  rewritings[{under, from}] = combine(all, implies(given, same(from, to)));
}

/// A sum that its guard makes positive is positive when there is a row; no sum is anything but zero
/// without a row.
void Elaborator::readSumFact(Line &line) {
  bool isPositive = line.next() == "positive";
  Id sum = term(line), yes = terms.boolean(true), none = terms.number(0);
  uint32_t number = lastTerm;
  Variables names = variables(line);
  uint32_t by = line.count();
  std::vector<Id> kids = open(number, names);
  Id result = 0, some = rules.exists(names, kids[0]);
  Theorem known = lemmaFor(by, names, kids[0], result);
  Theorem row = rules.introduce(names, kids[0], rules.itself(names));
  Theorem empty = pointwise(0, {terms.negation(some)}, names, {{1, kids[0], kids[1]}}, {row});
  Theorems &all = sumFacts[sum];
  all.push_back(combine({empty, known}, terms.disjunction({result, terms.zero(sum)})));
  if (!isPositive)
    return;
  Theorem each = prove(0, {kids[0]}, terms.less(none, kids[1]));
  Theorem signs = rules.positive(names, yes, kids[0], kids[1], each);
  all.push_back(combine({signs, known}, same(terms.less(none, sum), result)));
  all.push_back(combine({signs}, terms.negation(terms.less(sum, none))));
}

/// exists ... and members ...: the scope's steps, then how it ends.
void Elaborator::readFormula(Line &first, Op op) {
  uint32_t number = first.count();
  Lemma lemma;
  lemma.op = op;
  lemma.variables = variables(first);
  lemma.guard = term(first);
  Scope scope = op == Op::Collect ? Scope::Members : Scope::Quantifier;
  Summand state{1, lemma.variables, {lemma.guard}, {}};
  links.clear();
  Line next = line();
  std::string kind = next.next();
  for (; step(kind, next, state, scope); kind = next.next())
    next = line();
  Line last = line();
  must(last.next() == "result", "a lemma ends with its result");
  lemma.result = term(last);
  if (op == Op::Collect) {
    link(prove(0, {}, same(all(state.guard), lemma.result)));
    lemma.theorem = combine(links, same(lemma.guard, lemma.result));
  } else {
    endQuantifier(kind, next, state, lemma.result);
    lemma.theorem = combine(links, same(rules.exists(lemma.variables, lemma.guard), lemma.result));
  }
  lemmas[number] = lemma;
}

void Elaborator::readSum(Line &first) {
  uint32_t number = first.count();
  Lemma lemma;
  lemma.op = Op::Sum;
  lemma.variables = variables(first);
  lemma.guard = term(first);
  lemma.value = term(first);
  Summand start{1, lemma.variables, {lemma.guard}, {}};
  addFactor(start, lemma.value);
  links.clear();
  Id own = valueOf(start);
  std::map<uint32_t, Summand> summands{{first.count(), start}};
  events(summands, {}, "result");
  lemma.result = term(ending);
  link(prove(0, {}, same(lemma.result, total(closed))));
  lemma.theorem = combine(links, same(own, lemma.result));
  lemmas[number] = lemma;
}

void Elaborator::readEquality(Line &first) {
  uint32_t number = first.count();
  Id a = term(first), b = term(first);
  std::vector<Id> given = list(first);
  Id difference = term(first);
  uint32_t handle = first.count(), refutation = first.count();
  links.clear();
  if (refutation != 0) {
    std::vector<Id> formulas = given;
    formulas.push_back(terms.negation(terms.zero(difference)));
    link(refuted(formulas, 0, refutation));
    line();
  } else {
    Summand start;
    addFactor(start, difference);
    std::map<uint32_t, Summand> summands{{handle, start}};
    events(summands, given, "proven");
  }
  link(prove(0, {}, same(difference, terms.difference(a, b))));
  Theorem own = combine(links, implies(all(given), same(a, b)));
  equalities[number] = {given, same(a, b), own};
}

void Elaborator::readClaim(Line &line) {
  std::string how = line.next();
  Id first = term(line), second = term(line), normalFirst = term(line), normalSecond = term(line);
  uint32_t by = line.count();
  Id none = terms.number(0), goal = same(first, second);
  Theorems known{prove(0, {}, same(first, normalFirst)), prove(0, {}, same(second, normalSecond))};
  if (how == "sets") {
    goal = same(terms.less(none, first), terms.less(none, second));
    Id normal = same(terms.less(none, normalFirst), terms.less(none, normalSecond));
    known.push_back(refuted({terms.negation(normal)}, 0, by));
  } else if (by != 0) {
    known.push_back(at(equalities, by).theorem);
  }
  Theorem own = prove(0, {}, goal, known);
  Tokens claim;
  claim.text("claim").text(how).term(first).term(second).theorem(own);
  certificate = rules.proof.text(header, claim);
}

void Elaborator::entry(const std::string &kind, Line &line) {
  static const std::map<std::string, void (Elaborator::*)(Line &)> readers{
      {"hypothesis", &Elaborator::readHypothesis},
      {"rewriting", &Elaborator::readRewriting},
      {"sumfact", &Elaborator::readSumFact},
      {"exists", &Elaborator::readQuantifier},
      {"members", &Elaborator::readMembers},
      {"sum", &Elaborator::readSum},
      {"equality", &Elaborator::readEquality},
      {"refutation", &Elaborator::readRefutation},
      {"fact", &Elaborator::readFact},
      {"axiom", &Elaborator::readAxiom},
      {"learned", &Elaborator::readLearned},
      {"collected", &Elaborator::readCollected},
      {"claim", &Elaborator::readClaim}};
  if (kind == "count")
    return;
  auto it = readers.find(kind);
  must(it != readers.end(), "there is no such entry");
  (this->*it->second)(line);
}

std::string Elaborator::run(std::string_view log) {
  rest = log;
  line();
  header = "imbrex-sql-certificate 2\n";
  for (Line next = line(); !next.atEnd(); next = line()) {
    std::string kind = next.next();
    if (kind == "translation")
      header += "translation " + next.next() + "\n";
    else
      entry(kind, next);
  }
  must(!certificate.empty(), "there is no claim");
  return certificate;
}

Result<std::string> elaborate(std::string_view log) {
  try {
    return Elaborator().run(log);
  } catch (const Rejection &rejection) {
    return unsupported(1144, "a step of the proof cannot be proven again", rejection.why);
  }
}

} // namespace imbrex::certificate
