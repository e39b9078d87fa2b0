#include "proof/certificate/check/Check.h"

#include "proof/certificate/check/Checker.h"

#include <algorithm>
#include <utility>

namespace imbrex::check {

void Checker::reject(const std::string &why) const { throw Rejection{why}; }

/// Facts that speak of the binders in the formulas: what their sums say of existence, and what they
/// are under the hypothesis.
std::vector<Id> Checker::related(uint32_t hypothesis, const std::vector<Id> &formulas) {
  std::vector<Id> found, todo = formulas;
  std::set<Id> seen;
  while (!todo.empty()) {
    Id id = todo.back();
    todo.pop_back();
    if (!seen.insert(id).second)
      continue;
    const Node &node = terms[id];
    size_t before = found.size();
    if (node.isBinder()) {
      if (auto it = sumFacts.find(id); it != sumFacts.end())
        found.insert(found.end(), it->second.begin(), it->second.end());
      if (auto it = rewritings.find({hypothesis, id}); it != rewritings.end())
        found.push_back(it->second);
      todo.insert(todo.end(), found.begin() + long(before), found.end());
      if (node.op == Op::Collect)
        todo.insert(todo.end(), node.kids.begin() + 1, node.kids.end());
      continue;
    }
    todo.insert(todo.end(), node.kids.begin(), node.kids.end());
  }
  return found;
}

bool Checker::entails(uint32_t hypothesis, std::vector<Id> given, Id goal) {
  ++outcome->questions;
  std::vector<Id> known = terms[all(given)].op == Op::And ? terms[all(given)].kids : given;
  std::set<Id> have(known.begin(), known.end());
  std::vector<Id> open;
  for (Id part : terms[goal].op == Op::And ? terms[goal].kids : std::vector<Id>{goal})
    if (!have.count(part) && part != terms.boolean(true))
      open.push_back(part);
  if (open.empty())
    return true;
  given.push_back(terms.negation(all(open)));
  std::vector<Id> more = related(hypothesis, given);
  given.insert(given.end(), more.begin(), more.end());
  return Ground(terms, work).refute(given);
}

/// An integer is no value for a text, nor a fraction one for an integer.
void Checker::mustBeValue(Id component, Id value) {
  Sort own = terms[component].sort;
  must(terms[value].sort == own || (own == terms.realSort && terms.isNumeric(value)),
       "a value has another sort than its variable");
}

Id Checker::equations(const Variable &variable, const std::vector<Id> &values) {
  std::vector<Id> own = terms.components(variable), all;
  must(own.size() == values.size(), "a value for each component is expected");
  for (size_t i = 0; i < own.size(); ++i) {
    mustBeValue(own[i], values[i]);
    all.push_back(same(own[i], values[i]));
  }
  return terms.conjunction(all);
}

bool Checker::freeIn(const Variable &variable, const std::vector<Id> &all) const {
  return std::any_of(all.begin(), all.end(),
                     [&](Id id) { return terms.mentions(id, variable.name); });
}

void Checker::mustBeNew(const std::vector<Variable> &names, const std::vector<Variable> &taken,
                        const std::vector<Id> &all) const {
  for (const Variable &v : names) {
    must(!freeIn(v, all), "a name must be new");
    must(std::none_of(taken.begin(), taken.end(),
                      [&](const Variable &other) { return other.name == v.name; }),
         "a name must be new");
  }
}

bool Checker::sameNames(const std::vector<Variable> &a, const std::vector<Variable> &b) {
  auto order = [](const Variable &x, const Variable &y) { return x.name < y.name; };
  std::vector<Variable> x = a, y = b;
  std::sort(x.begin(), x.end(), order);
  std::sort(y.begin(), y.end(), order);
  return std::equal(
      x.begin(), x.end(), y.begin(), y.end(),
      [](const Variable &p, const Variable &q) { return p.name == q.name && p.shape == q.shape; });
}

void Checker::readHypothesis(Line &line) {
  uint32_t number = line.count();
  std::vector<Id> all;
  for (uint32_t i = line.count(); i > 0; --i) {
    Id a = term(line), b = term(line);
    all.push_back(same(a, b));
    hypothesisPairs[number].emplace_back(a, b);
  }
  must(number == 0 ? all.empty() : hypotheses.emplace(number, terms.conjunction(all)).second,
       "a hypothesis has the number of another one");
  if (number == 0)
    hypotheses[0] = terms.boolean(true);
}

/// A binder under a hypothesis: its parts are what the lemma starts with, its names new to both.
void Checker::readRewriting(Line &line) {
  uint32_t under = line.count();
  must(hypotheses.count(under) != 0, "there is no such hypothesis");
  Id hypothesis = under == 0 ? terms.boolean(true) : hypotheses[under], from = term(line);
  uint32_t number = lastTerm;
  std::vector<Variable> names = variables(line);
  uint32_t by = line.count();
  Id to = term(line);
  uint32_t result = lastTerm;
  const Node &node = terms[from];
  if (!node.isBinder()) {
    mustEntail(under, {hypothesis}, same(from, to), "the terms differ");
    return;
  }
  mustBeNew(names, {}, {hypothesis, to});
  std::vector<Id> kids = open(number, names);
  std::vector<Id> given{hypothesis};
  if (node.op == Op::Collect) {
    const Node &other = terms[to];
    must(other.op == Op::Collect && other.symbol == node.symbol && other.sort == node.sort &&
             other.kids.size() == node.kids.size(),
         "a collection becomes one by the same function");
    std::vector<Id> after = open(result, names);
    if (by != 0) {
      const Lemma &lemma = lemmas[by];
      must(lemma.op == Op::Collect && sameNames(lemma.variables, names),
           "the lemma speaks of another binder");
      mustEntail(under, given, same(kids[0], lemma.guard), "the lemma has another formula");
      mustEntail(0, {}, same(lemma.result, after[0]), "the lemma has another result");
      kids[0] = after[0];
    }
    for (size_t i = 0; i < kids.size(); ++i)
      mustEntail(under, given, same(kids[i], after[i]), "the collections differ");
  } else if (by == 0) {
    must(node.op == Op::Sum, "a quantifier is rewritten by a lemma");
    mustEntail(under, given, terms.negation(kids[0]), "the sum's guard can hold");
    must(to == terms.number(0), "a sum over nothing is zero");
  } else {
    must(lemmas.count(by) != 0, "there is no such lemma");
    const Lemma &lemma = lemmas[by];
    must(lemma.op == node.op && sameNames(lemma.variables, names),
         "the lemma speaks of another binder");
    mustEntail(under, given, same(kids[0], lemma.guard), "the lemma has another guard");
    given.push_back(kids[0]);
    if (lemma.op == Op::Sum)
      mustEntail(under, given, same(kids[1], lemma.value), "the lemma has another value");
    must(to == lemma.result, "the lemma has another result");
  }
  rewritings[{under, from}] = implies(hypothesis, same(from, to));
}

/// A sum of integers that its guard makes positive is positive when there is a row; no sum is
/// anything but zero without a row.
void Checker::readSumFact(Line &line) {
  bool isPositive = line.next() == "positive";
  Id sum = term(line);
  uint32_t number = lastTerm;
  std::vector<Variable> names = variables(line);
  const Lemma &lemma = entry(lemmas, line);
  must(terms[sum].op == Op::Sum, "the fact is about a sum");
  std::vector<Id> kids = open(number, names);
  must(lemma.op == Op::Exists && sameNames(lemma.variables, names),
       "the lemma speaks of another binder");
  mustBeNew(names, {}, {lemma.result});
  mustEntail(0, {}, same(kids[0], lemma.guard), "the lemma has another guard");
  std::vector<Id> &known = sumFacts[sum];
  known.push_back(terms.disjunction({lemma.result, terms.zero(sum)}));
  if (!isPositive)
    return;
  must(terms[kids[1]].sort == terms.intSort, "the sum's terms are not all integers");
  mustEntail(0, {kids[0]}, terms.positive(kids[1]), "the sum's terms need not be positive");
  known.push_back(same(terms.positive(sum), lemma.result));
  known.push_back(terms.negation(terms.positive(terms.linear(0, {{-1, sum}}))));
}

/// exists ... and members ...: the scope's steps, then how it ends.
void Checker::readFormula(Line &first, Op op) {
  uint32_t number = first.count();
  Lemma lemma{.op = op};
  lemma.variables = variables(first);
  lemma.guard = term(first);
  Summand state{1, lemma.variables, {lemma.guard}, {}};
  Line next = line();
  std::string kind = next.next();
  for (; step(kind, next, state, op == Op::Collect); kind = next.next())
    next = line();
  Line last = line();
  must(last.next() == "result", "a lemma ends with its result");
  lemma.result = term(last);
  if (op == Op::Collect) {
    must(kind == "kept" && sameNames(state.variables, lemma.variables),
         "a member's variable is lost");
    mustEntail(0, {}, same(all(state.guard), lemma.result), "the result is another one");
  } else {
    mustBeNew(lemma.variables, {}, {lemma.result});
    endQuantifier(kind, next, state, lemma.result);
  }
  must(lemmas.emplace(number, lemma).second, "a lemma has the number of another one");
}

void Checker::endQuantifier(const std::string &kind, Line &line, const Summand &state, Id result) {
  Id guard = all(state.guard);
  auto onward = [&](Id branch) {
    uint32_t by = line.count();
    if (by == 0) {
      must(state.variables.empty(), "a quantifier is left without a lemma");
      return branch;
    }
    must(lemmas.count(by) != 0, "there is no such lemma");
    const Lemma &lemma = lemmas[by];
    must(lemma.op == Op::Exists && sameNames(lemma.variables, state.variables),
         "the lemma speaks of another binder");
    mustEntail(0, {}, same(branch, lemma.guard), "the lemma has another guard");
    return lemma.result;
  };
  std::vector<Id> before, after;
  if (kind == "branches") {
    for (uint32_t i = line.count(); i > 0; --i) {
      before.push_back(term(line));
      after.push_back(onward(before.back()));
    }
    mustEntail(0, {}, same(guard, terms.disjunction(before)), "the alternatives are others");
    mustEntail(0, {}, same(result, terms.disjunction(after)), "the result is another one");
  } else if (kind == "next") {
    Id rest = onward(guard);
    term(line);
    mustEntail(0, {}, same(result, rest), "the result is another one");
  } else {
    must(kind == "parts", "there is no such step");
    std::vector<Part> all = parts(line);
    mustBeApart(all, state, false);
    for (const Part &part : all) {
      Id own = terms.conjunction(part.guard);
      before.push_back(own);
      after.push_back(part.variables.empty()
                          ? own
                          : terms.binder(Op::Exists, 0, terms.boolSort, part.variables, {own}));
    }
    mustEntail(0, {}, same(guard, terms.conjunction(before)), "the parts are others");
    mustEntail(0, {}, same(result, terms.conjunction(after)), "the result is another one");
  }
}

std::vector<Part> Checker::parts(Line &line) {
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

/// No variable stands in two parts. A sum loses none.
void Checker::mustBeApart(const std::vector<Part> &parts, const Summand &state, bool isSum) {
  std::vector<Variable> taken;
  for (const Part &part : parts) {
    taken.insert(taken.end(), part.variables.begin(), part.variables.end());
    for (const Part &other : parts)
      if (&other != &part)
        for (const Variable &v : part.variables)
          must(!freeIn(v, other.guard) && !freeIn(v, other.factors),
               "a variable stands in two parts");
  }
  for (size_t i = 0; i < taken.size(); ++i)
    mustBeNew({taken[i]}, {taken.begin(), taken.begin() + long(i)}, {});
  if (isSum) {
    must(sameNames(taken, state.variables), "the parts have other variables");
    return;
  }
  for (const Variable &v : taken)
    must(std::any_of(state.variables.begin(), state.variables.end(),
                     [&](const Variable &w) { return v.name == w.name && v.shape == w.shape; }),
         "a part has another variable");
  for (const Variable &v : state.variables)
    if (std::none_of(taken.begin(), taken.end(),
                     [&](const Variable &w) { return v.name == w.name; }))
      for (const Part &part : parts)
        must(!freeIn(v, part.guard), "a variable is lost");
}

void Checker::readClaim(Line &line) {
  std::string how = compared = line.next();
  Id first = term(line), second = term(line), normalFirst = term(line), normalSecond = term(line);
  uint32_t by = line.count();
  claimed = {first, second};
  must(terms.isNumeric(first) && terms.isNumeric(second), "queries are numbers of rows");
  mustEntail(0, {}, same(first, normalFirst), "the first normal form is another term");
  mustEntail(0, {}, same(second, normalSecond), "the second normal form is another term");
  Id goal = same(normalFirst, normalSecond);
  if (how == "bags" && by != 0) {
    must(equalities.count(by) != 0, "there is no such equality");
    const auto &[given, equality] = equalities[by];
    must(given.empty(), "the equality holds under assumptions");
    mustEntail(0, {equality}, goal, "the equality speaks of other terms");
  } else if (how == "bags") {
    mustEntail(0, {}, goal, "the normal forms differ");
  } else {
    must(how == "sets" && refutations.count(by) != 0, "there is no such refutation");
    goal = same(terms.positive(normalFirst), terms.positive(normalSecond));
    std::vector<Id> negated{terms.negation(goal)};
    mustEntail(0, negated, terms.conjunction(refutations[by].formulas),
               "the refutation speaks of other terms");
  }
  outcome->accepted = true;
}

void Checker::entry(const std::string &kind, Line &line) {
  static const std::map<std::string, void (Checker::*)(Line &)> readers{
      {"hypothesis", &Checker::readHypothesis},
      {"rewriting", &Checker::readRewriting},
      {"sumfact", &Checker::readSumFact},
      {"exists", &Checker::readQuantifier},
      {"members", &Checker::readMembers},
      {"sum", &Checker::readSum},
      {"equality", &Checker::readEquality},
      {"refutation", &Checker::readRefutation},
      {"fact", &Checker::readFact},
      {"axiom", &Checker::readAxiom},
      {"learned", &Checker::readLearned},
      {"collected", &Checker::readCollected},
      {"claim", &Checker::readClaim}};
  if (kind == "count") {
    counts.insert(terms.name(line.next()));
    return;
  }
  auto it = readers.find(kind);
  must(it != readers.end(), "there is no such entry");
  must(!outcome->accepted, "something follows the claim");
  (this->*it->second)(line);
}

/// Reads what is to be claimed into the same terms, numbered anew, and compares.
void Checker::mustBeStated(std::string_view statement) {
  auto assumed = std::exchange(axioms, {});
  auto countable = std::exchange(counts, {});
  auto [first, second] = claimed;
  std::string how = compared;
  ids.clear();
  rest = statement;
  line();
  for (Line next = line(); !next.atEnd(); next = line()) {
    std::string kind = next.next();
    if (kind == "count") {
      counts.insert(terms.name(next.next()));
    } else if (kind == "axiom") {
      readAxiom(next);
    } else {
      must(kind == "claim" && next.next() == how, "the certificate compares otherwise");
      Id a = term(next), b = term(next);
      must(a == first && b == second, "the certificate is about other queries");
    }
  }
  must(std::includes(counts.begin(), counts.end(), countable.begin(), countable.end()),
       "a function is taken for a multiplicity");
  for (const auto &[number, axiom] : assumed) {
    auto isStated = [&](const auto &entry) {
      const auto &[names, formula] = entry.second;
      std::map<Name, std::vector<Id>> map;
      if (names.size() != axiom.first.size())
        return false;
      for (size_t i = 0; i < names.size(); ++i) {
        if (names[i].shape != axiom.first[i].shape)
          return false;
        map[names[i].name] = terms.components(axiom.first[i]);
      }
      return terms.substitute(formula, map) == axiom.second;
    };
    must(std::any_of(axioms.begin(), axioms.end(), isStated),
         "a property of the tables is assumed that the schema does not have");
  }
}

void Checker::run(std::string_view text, std::string_view statement, Outcome &result) {
  outcome = &result;
  rest = text;
  hypotheses[0] = terms.boolean(true);
  try {
    Line header = line();
    result.isReadable = !header.atEnd() && header.next() == "imbrex-sql-certificate";
    must(result.isReadable && header.next() == "1", "this is no certificate of version 1");
    while (true) {
      Line next = line();
      if (next.atEnd())
        break;
      std::string kind = next.next();
      ++result.steps;
      if (kind == "translation")
        result.translation = next.next();
      else if (kind != "first" && kind != "second" && kind != "schema" && kind != "semantics")
        entry(kind, next);
    }
    must(result.accepted, "there is no claim");
    if (!statement.empty())
      mustBeStated(statement);
  } catch (const Rejection &rejection) {
    bool isProof = !result.accepted;
    result.accepted = false;
    result.why = (isProof ? "line " + std::to_string(lineNumber) + ": " : "") + rejection.why;
  }
}

Outcome check(std::string_view certificate, Leaves leaves, std::string_view statement) {
  Outcome outcome;
  Checker(leaves).run(certificate, statement, outcome);
  return outcome;
}

} // namespace imbrex::check
