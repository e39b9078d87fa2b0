#include "proof/certificate/check/Ground.h"

#include <algorithm>

namespace imbrex::check {

constexpr int MaxChecks = 3000;
constexpr size_t MaxClauses = 20000;
constexpr uint64_t MaxWork = 400000000;

// Literals: variable * 2, plus 1 when negated.

void Ground::spend(uint64_t amount) {
  if ((work += amount) > MaxWork)
    throw Rejection{"checking takes too long"};
}

void Ground::addClause(std::vector<int> clause) {
  std::sort(clause.begin(), clause.end());
  clause.erase(std::unique(clause.begin(), clause.end()), clause.end());
  for (size_t i = 0; i + 1 < clause.size(); ++i)
    if ((clause[i] ^ 1) == clause[i + 1])
      return;
  clauses.push_back(std::move(clause));
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
  int own = variable * 2;
  if (node.op == Op::True) {
    addClause({own});
    return;
  }
  if (node.op == Op::And || node.op == Op::Or) {
    theoryAtoms[size_t(variable)] = 0;
    // own implies each part; the parts imply own. Of Or, the other way round.
    int flip = node.op == Op::Or ? 1 : 0;
    std::vector<int> all{own ^ flip};
    for (Id kid : node.kids) {
      int part = literal(kid);
      addClause({own ^ 1 ^ flip, part ^ flip});
      all.push_back(part ^ 1 ^ flip);
    }
    addClause(all);
    return;
  }
  if (node.op == Op::Equal && terms[node.kids[0]].sort == terms.boolSort) {
    theoryAtoms[size_t(variable)] = 0;
    int a = literal(node.kids[0]), b = literal(node.kids[1]);
    addClause({own ^ 1, a ^ 1, b});
    addClause({own ^ 1, a, b ^ 1});
    addClause({own, a, b});
    addClause({own, a ^ 1, b ^ 1});
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
    int condition = literal(node.kids[0]);
    addClause({condition ^ 1, literal(terms.equal(id, node.kids[1]))});
    addClause({condition, literal(terms.equal(id, node.kids[2]))});
  }
  if (node.op == Op::Product) {
    std::vector<Id> zeros, signs;
    for (Id kid : node.kids) {
      zeros.push_back(terms.zero(kid));
      signs.push_back(terms.positive(terms.linear(0, {{-1, kid}})));
    }
    literal(terms.equal(terms.zero(id), terms.disjunction(zeros)));
    addClause({literal(terms.equal(terms.zero(id), terms.disjunction(zeros)))});
    signs.push_back(terms.negation(terms.positive(terms.linear(0, {{-1, id}}))));
    addClause({literal(terms.disjunction(signs))});
  }
  if (node.isBinder()) {
    for (size_t i = 1; node.op == Op::Collect && i < node.kids.size(); ++i)
      defineValues(node.kids[i]);
    return;
  }
  for (Id kid : node.kids)
    defineValues(kid);
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
      for (int lit : clauses[c]) {
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
      else if (!learn(clauses[c]))
        return false;
    }
    std::vector<int> conflict;
    if (!again && !theoryHolds(conflict)) {
      again = true;
      if (checks > MaxChecks || !learn(conflict))
        return false;
    }
  }
  return true;
}

bool Ground::theoryHolds(std::vector<int> &conflict) {
  ++checks;
  spend(20 * atoms.size());
  Reason reason = Theory(terms, theoryAtoms, values).conflict();
  for (int lit : reason)
    conflict.push_back(lit ^ 1);
  return reason.empty();
}

/// All literals of the clause are false. Resolves to the first unique implication point, goes back
/// and asserts it. False: the contradiction needs no decision.
bool Ground::learn(std::vector<int> clause) {
  auto level = [&](int lit) { return levels[size_t(lit / 2)]; };
  int deepest = 0;
  for (int lit : clause)
    deepest = std::max(deepest, level(lit));
  if (deepest == 0 || clauses.size() > MaxClauses)
    return false;
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
    for (int lit : clauses[size_t(reason)])
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
  undo(marks[size_t(back)]);
  marks.resize(size_t(back));
  clauses.emplace_back(open.begin(), open.end());
  assign(assert, int(clauses.size() - 1));
  return true;
}

/// Makes a literal of a clause true that does not hold yet; false: all clauses hold.
bool Ground::decide() {
  int best = -1;
  size_t least = SIZE_MAX;
  for (const std::vector<int> &clause : clauses) {
    size_t count = 0;
    int open = -1;
    bool holds = false;
    for (int lit : clause) {
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
    int above = literal(terms.positive(node.kids[0]));
    int below = literal(terms.positive(terms.linear(0, {{-1, node.kids[0]}})));
    addClause({int(v) * 2, above, below});
    return true;
  }
  return false;
}

bool Ground::refute(const std::vector<Id> &formulas) {
  for (Id formula : formulas)
    addClause({literal(formula)});
  while (propagate()) {
    if (!decide() && !split())
      return false;
  }
  return checks <= MaxChecks && clauses.size() <= MaxClauses;
}

} // namespace imbrex::check
