#include "proof/certificate/elaborate/Ground.h"

#include <algorithm>

namespace imbrex::certificate {

constexpr int MaxChecks = 3000;
constexpr size_t MaxClauses = 20000;
constexpr uint64_t MaxWork = 400000000;

// Literals: variable * 2, plus 1 when negated.

void Ground::spend(uint64_t amount) {
  if ((work += amount) > MaxWork)
    throw Rejection{"checking takes too long"};
}

int Ground::step(Tokens line, std::vector<int> hints) {
  steps.push_back({std::move(line), std::move(hints), -1});
  return int(steps.size() - 1);
}

Id Ground::formulaOf(int literal) const {
  Id atom = atoms[size_t(literal / 2)];
  return literal % 2 ? terms.negation(atom) : atom;
}

int Ground::derivedStep(const std::vector<int> &literals, std::vector<int> hints) {
  Tokens line;
  line.text("rup").number(literals.size());
  for (int lit : literals)
    line.term(formulaOf(lit));
  return step(std::move(line), std::move(hints));
}

void Ground::addClause(std::vector<int> clause, int step) {
  std::sort(clause.begin(), clause.end());
  clause.erase(std::unique(clause.begin(), clause.end()), clause.end());
  for (size_t i = 0; i + 1 < clause.size(); ++i)
    if ((clause[i] ^ 1) == clause[i + 1])
      return;
  clauses.push_back({std::move(clause), step});
}

void Ground::addRule(Tokens line, const std::vector<Id> &formulas) {
  int own = step(std::move(line));
  std::vector<int> clause;
  for (Id formula : formulas)
    clause.push_back(literal(formula));
  addClause(std::move(clause), own);
}

int Ground::literal(Id formula) {
  const Node &node = terms[formula];
  if (node.op == Op::Not)
    return literal(node.kids[0]) ^ 1;
  auto [it, isNew] = variables.try_emplace(formula, int(atoms.size()));
  int variable = it->second;
  if (isNew) {
    atoms.push_back(formula);
    theoryAtoms.push_back(formula);
    values.push_back(-1);
    levels.push_back(0);
    reasons.push_back(-1);
    define(formula, variable);
  }
  return variable * 2;
}

void Ground::define(Id formula, int variable) {
  const Node &node = terms[formula];
  Id yes = terms.boolean(true), no = terms.boolean(false), negated = terms.negation(formula);
  if (node.op == Op::True) {
    truthStep = int(steps.size());
    addRule(Tokens().text("linear").number(1).text("!=").term(yes).term(yes).text("1"), {yes});
    return;
  }
  if (node.op == Op::And || node.op == Op::Or) {
    theoryAtoms[size_t(variable)] = 0;
    bool isAnd = node.op == Op::And;
    std::vector<Id> whole{isAnd ? formula : negated};
    for (Id kid : node.kids) {
      Id not_ = terms.negation(kid);
      addRule(Tokens().text("part").term(formula).term(kid),
              isAnd ? std::vector<Id>{negated, kid} : std::vector<Id>{formula, not_});
      whole.push_back(isAnd ? not_ : kid);
    }
    addRule(Tokens().text("whole").term(formula), whole);
    return;
  }
  if (node.op == Op::Equal && terms[node.kids[0]].sort == terms.boolSort) {
    theoryAtoms[size_t(variable)] = 0;
    // As numbers that are 0 or 1: a = b, and the values of a and of b, in all ways that clash.
    Id a = node.kids[0], b = node.kids[1];
    for (bool isEqual : {true, false})
      for (bool isTrue : {true, false}) {
        Id x = isTrue ? yes : no, y = isTrue == isEqual ? no : yes;
        Tokens line;
        line.text("linear").number(3).text(isEqual ? "=" : "!=").term(a).term(b).text("1");
        line.text("=").term(a).term(x).text("-1").text("=").term(b).term(y).text("1");
        addRule(line, {isEqual ? negated : formula, terms.negation(terms.equal(a, x)),
                       terms.negation(terms.equal(b, y))});
      }
    return;
  }
  if (!node.isBinder())
    for (Id kid : node.kids)
      defineValues(kid);
  if (node.op == Op::Collect)
    for (size_t i = 1; i < node.kids.size(); ++i)
      defineValues(node.kids[i]);
}

/// Formulas among arguments, choices, and signs of products.
void Ground::defineValues(Id id) {
  if (!defined.insert(id).second)
    return;
  const Node &node = terms[id];
  if (node.sort == terms.boolSort && node.op != Op::Bound) {
    size_t variable = size_t(literal(id) / 2);
    theoryAtoms[variable] = atoms[variable];
    return;
  }
  if (node.op == Op::Choose) {
    Id condition = node.kids[0];
    addRule(Tokens().text("chosen").term(id).text("then"),
            {terms.negation(condition), terms.equal(id, node.kids[1])});
    addRule(Tokens().text("chosen").term(id).text("else"),
            {condition, terms.equal(id, node.kids[2])});
  }
  if (node.op == Op::Product)
    defineProduct(id);
  if (node.isBinder()) {
    for (size_t i = 1; node.op == Op::Collect && i < node.kids.size(); ++i)
      defineValues(node.kids[i]);
    return;
  }
  for (Id kid : node.kids)
    defineValues(kid);
}

void Ground::defineProduct(Id id) {
  const Node &node = terms[id];
  Id none = terms.number(0);
  std::vector<Id> zeros{terms.negation(terms.zero(id))},
      signs{terms.negation(terms.less(id, none))};
  for (Id kid : node.kids) {
    zeros.push_back(terms.zero(kid));
    signs.push_back(terms.less(kid, none));
  }
  addRule(Tokens().text("zero").term(id), zeros);
  addRule(Tokens().text("sign").term(id), signs);
  for (size_t i = 0; i < node.kids.size(); ++i) {
    if (i > 0 && node.kids[i] == node.kids[i - 1])
      continue;
    Tokens line;
    line.text("same").term(id).number(node.kids.size());
    for (size_t k = 0; k < node.kids.size(); ++k)
      line.term(node.kids[k]).term(k == i ? none : node.kids[k]);
    addRule(line, {terms.negation(terms.zero(node.kids[i])), terms.zero(id)});
    if (products == Products::AsTheyAre || terms[node.kids[i]].op != Op::Linear)
      continue;
    auto [constant, parts] = terms.parts(node.kids[i]);
    std::vector<Id> rest = node.kids;
    rest.erase(rest.begin() + long(i));
    std::vector<std::pair<Rational, Id>> sum{{constant, terms.product(rest)}};
    for (const auto &[scale, part] : parts) {
      std::vector<Id> factors = rest;
      factors.push_back(part);
      sum.emplace_back(scale, terms.product(factors));
    }
    Id equal = terms.equal(id, terms.linear(0, sum));
    addRule(Tokens().text("distribute").term(id).term(node.kids[i]), {equal});
  }
}

bool Ground::assign(int lit, int reason) {
  size_t variable = size_t(lit / 2);
  int8_t value = lit % 2 == 0;
  if (values[variable] >= 0)
    return values[variable] == value;
  values[variable] = value;
  levels[variable] = int(marks.size());
  reasons[variable] = reason;
  trail.push_back(lit);
  return true;
}

void Ground::undo(size_t size) {
  while (trail.size() > size) {
    values[size_t(trail.back() / 2)] = -1;
    trail.pop_back();
  }
}

/// Unit propagation and theories, to a fixpoint; learns from conflicts. False: refuted or given up.
bool Ground::propagate() {
  for (bool again = true; again;) {
    again = false;
    spend(clauses.size());
    for (size_t c = 0; c < clauses.size(); ++c) {
      int open = -1, count = 0;
      bool holds = false;
      for (int lit : clauses[c].literals) {
        int8_t value = values[size_t(lit / 2)];
        if (value < 0) {
          open = lit;
          ++count;
        } else {
          holds |= value == (lit % 2 == 0);
        }
      }
      if (holds || count > 1)
        continue;
      again = true;
      if (count == 1)
        assign(open, int(c));
      else if (Clause own = clauses[c]; !learn(own.literals, own.step))
        return false;
    }
    std::vector<int> conflict;
    int step = 0;
    if (!again && !theoryHolds(conflict, step)) {
      again = true;
      if (checks > MaxChecks || !learn(conflict, step))
        return false;
    }
  }
  return true;
}

bool Ground::theoryHolds(std::vector<int> &conflict, int &step) {
  ++checks;
  spend(20 * atoms.size());
  auto found = Theory(*this, theoryAtoms, values).conflict();
  if (!found)
    return true;
  for (int lit : found->first)
    conflict.push_back(lit ^ 1);
  step = found->second;
  return false;
}

/// The clauses that imply, in order, what contradicts the conflict when `result` does not hold.
std::vector<int> Ground::hintsOf(const std::vector<int> &conflict, int step,
                                 const std::vector<int> &result) const {
  std::set<int> open(conflict.begin(), conflict.end()), assumed(result.begin(), result.end());
  std::vector<int> hints{step};
  for (size_t t = trail.size(); t-- > 0;) {
    int falsified = trail[t] ^ 1, reason = reasons[size_t(falsified / 2)];
    if (!open.count(falsified) || assumed.count(falsified) || reason < 0)
      continue;
    const Clause &clause = clauses[size_t(reason)];
    hints.push_back(clause.step);
    for (int lit : clause.literals)
      if (lit != trail[t])
        open.insert(lit);
  }
  std::reverse(hints.begin(), hints.end());
  return hints;
}

/// All literals of the clause are false. Resolves to the first unique implication point, goes back
/// and asserts it. False: the contradiction needs no decision.
bool Ground::learn(const std::vector<int> &clause, int step) {
  auto level = [&](int lit) { return levels[size_t(lit / 2)]; };
  int deepest = 0;
  for (int lit : clause)
    deepest = std::max(deepest, level(lit));
  if (clauses.size() > MaxClauses)
    return false;
  if (deepest == 0) {
    last = derivedStep({}, hintsOf(clause, step, {}));
    return false;
  }
  std::set<int> open(clause.begin(), clause.end());
  for (size_t t = trail.size(); t-- > 0;) {
    int falsified = trail[t] ^ 1;
    if (!open.count(falsified))
      continue;
    auto atDeepest =
        std::count_if(open.begin(), open.end(), [&](int lit) { return level(lit) == deepest; });
    int reason = reasons[size_t(falsified / 2)];
    if (level(falsified) < deepest || atDeepest == 1 || reason < 0)
      continue;
    open.erase(falsified);
    for (int lit : clauses[size_t(reason)].literals)
      if (lit != trail[t])
        open.insert(lit);
  }
  std::erase_if(open, [&](int lit) { return level(lit) == 0; });
  int assert = -1, back = 0;
  for (int lit : open)
    if (level(lit) == deepest)
      assert = lit;
    else
      back = std::max(back, level(lit));
  std::vector<int> learned(open.begin(), open.end());
  int own = derivedStep(learned, hintsOf(clause, step, learned));
  undo(marks[size_t(back)]);
  marks.resize(size_t(back));
  clauses.push_back({std::move(learned), own});
  assign(assert, int(clauses.size() - 1));
  return true;
}

/// Makes a literal of a clause true that does not hold yet; false: all clauses hold.
bool Ground::decide() {
  int best = -1;
  size_t least = SIZE_MAX;
  for (const Clause &clause : clauses) {
    size_t count = 0;
    int open = -1;
    bool holds = false;
    for (int lit : clause.literals) {
      int8_t value = values[size_t(lit / 2)];
      holds |= value >= 0 && value == (lit % 2 == 0);
      if (value < 0 && ++count == 1)
        open = lit;
    }
    if (holds || count >= least)
      continue;
    least = count;
    best = open;
  }
  if (best < 0)
    return false;
  marks.push_back(trail.size());
  assign(best, -1);
  return true;
}

/// What is not zero is positive or negative.
bool Ground::split() {
  for (size_t v = 0; v < atoms.size(); ++v) {
    const Node &node = terms[atoms[v]];
    if (values[v] != 0 || node.op != Op::Zero || !splitAtoms.insert(atoms[v]).second)
      continue;
    Id own = node.kids[0], none = terms.number(0);
    addRule(Tokens().text("order").term(own).term(none),
            {terms.equal(own, none), terms.less(own, none), terms.less(none, own)});
    return true;
  }
  return false;
}

bool Ground::refute(const std::vector<Id> &formulas) {
  for (size_t i = 0; i < formulas.size(); ++i)
    steps.push_back({{}, {}, int(i)});
  literal(terms.boolean(true));
  for (size_t i = 0; i < formulas.size(); ++i)
    addClause({literal(formulas[i])}, int(i));
  while (propagate()) {
    if (!decide() && !split())
      return false;
  }
  return last >= 0 && checks <= MaxChecks;
}

std::pair<std::vector<size_t>, std::vector<Tokens>> Ground::lines(size_t kept) {
  std::vector<bool> needed(steps.size());
  needed[size_t(last)] = needed[kept] = true;
  for (size_t i = steps.size(); i-- > 0;)
    for (int hint : needed[i] ? steps[i].hints : std::vector<int>{})
      needed[size_t(hint)] = true;
  std::vector<size_t> inputs, numbers(steps.size());
  std::vector<Tokens> all;
  size_t count = 0;
  for (size_t i = 0; i < steps.size(); ++i) {
    if (!needed[i])
      continue;
    numbers[i] = count++;
    if (steps[i].input >= 0) {
      inputs.push_back(size_t(steps[i].input));
      continue;
    }
    Tokens line = steps[i].line;
    if (line[0].text == "rup") {
      line.number(steps[i].hints.size());
      for (int hint : steps[i].hints)
        line.number(numbers[size_t(hint)]);
    }
    all.push_back(std::move(line));
  }
  return {inputs, all};
}

} // namespace imbrex::certificate
