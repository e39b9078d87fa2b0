#include "proof/smt/SmtGuardSolver.h"

#include <algorithm>

namespace imbrex::algebra {

namespace {

constexpr int maxRounds = 3;
constexpr size_t maxInstances = 48; // of one quantifier in one question
constexpr size_t maxFacts = 1500;   // of one question

} // namespace

struct SmtGuardSolver::Relevant {
  std::set<Id> seen;
  std::vector<Id> facts; // beyond the question itself
  std::set<Id> factSet;
  std::vector<Id> quantified, sums, collections;
  std::map<Symbol, std::vector<Id>> applications;
  size_t newQuantified = 0, newSums = 0, newCollections = 0;
  std::map<Symbol, size_t> newApplications;
  std::map<Id, std::set<std::vector<Id>>> instances;
};

SmtGuardSolver::SmtGuardSolver(Pool &pool, Theory &theory,
                               std::chrono::steady_clock::time_point deadline)
    : pool(pool), theory(theory), deadline(deadline) {
  solver = std::make_unique<smt::Solver>(context);
}

SmtGuardSolver::~SmtGuardSolver() = default;

smt::Outcome SmtGuardSolver::check(std::span<const Id> formulas) {
  auto left = std::chrono::duration_cast<std::chrono::milliseconds>(
                  deadline - std::chrono::steady_clock::now())
                  .count();
  if (left <= 0)
    throw Exhausted{};
  std::vector<smt::Term> assumptions;
  for (Id formula : formulas)
    assumptions.push_back(literal(formula));
  solver->setLimits({.milliseconds = uint32_t(std::min<long>(left, 1000)), .resources = 2000000});
  ++checks;
  smt::Outcome outcome = solver->check(assumptions);
  model.reset();
  if (outcome == smt::Outcome::Sat)
    model.emplace(solver->model());
  return outcome;
}

bool SmtGuardSolver::agreeInModel(Id a, Id b) {
  if (!model)
    return true;
  Sort sort = pool[a].sort == realSort || pool[b].sort == realSort ? realSort : pool[a].sort;
  return model->same(numeric(a, sort), numeric(b, sort));
}

void SmtGuardSolver::visit(Relevant &relevant, Id id) {
  if (!relevant.seen.insert(id).second)
    return;
  const Node &node = pool[id];
  if (node.kind == Kind::Exists) {
    relevant.quantified.push_back(id);
    return;
  }
  if (node.kind == Kind::Sum)
    relevant.sums.push_back(id);
  if (node.kind == Kind::Collect) {
    relevant.collections.push_back(id);
    for (size_t i = 1; i < node.children.size(); ++i)
      visit(relevant, node.children[i]);
  }
  if (!node.binders.empty())
    return;
  if (node.kind == Kind::Apply)
    relevant.applications[node.symbol].push_back(id);
  for (Id child : node.children)
    visit(relevant, child);
}

void SmtGuardSolver::addFact(Relevant &relevant, Id fact) {
  if (pool.isTrue(fact) || relevant.facts.size() > maxFacts ||
      !relevant.factSet.insert(fact).second)
    return;
  relevant.facts.push_back(fact);
  if (asserted.insert(fact).second)
    solver->add(term(fact));
  visit(relevant, fact);
}

/// Where a fact comes from.
void SmtGuardSolver::note(const Fact &fact) {
  if (pool.recorder)
    pool.recorder->add(fact);
}

Entry SmtGuardSolver::lastLemma() const { return pool.recorder ? pool.recorder->lastLemma : 0; }

/// Which facts does the refutation need? Asked again, each with a name of its own.
void SmtGuardSolver::noteRefutation(std::span<const Id> formulas) {
  smt::Solver again(context, {.milliseconds = 1000, .resources = 2000000});
  std::vector<smt::Term> assumptions;
  for (smt::Term formula : background)
    again.add(formula);
  std::vector<Id> named(formulas.begin(), formulas.end());
  // What earlier questions added holds here, too, and may have helped.
  named.insert(named.end(), asserted.begin(), asserted.end());
  for (Id id : named) {
    smt::Term name = context.constant("l" + std::to_string(id), context.boolSort());
    again.add(context.implies(name, term(id)));
    assumptions.push_back(name);
  }
  std::vector<Id> &used = pool.recorder->lastFacts;
  used.assign(asserted.begin(), asserted.end());
  if (asserted.empty() || again.check(assumptions) != smt::Outcome::Unsat)
    return;
  std::vector<smt::Term> core = again.core();
  used.clear();
  for (size_t i = formulas.size(); i < named.size(); ++i)
    if (std::find(core.begin(), core.end(), assumptions[i]) != core.end())
      used.push_back(named[i]);
}

void SmtGuardSolver::witness(Relevant &relevant, Id quantified) {
  auto it = witnesses.find(quantified);
  if (it == witnesses.end()) {
    std::vector<Id> body;
    std::vector<Variable> variables = pool.open(quantified, body);
    it = witnesses.emplace(quantified, pool.implies(quantified, body[0])).first;
    note({.kind = Fact::Kind::Witness,
          .formula = it->second,
          .term = quantified,
          .names = variables});
    // The opened body also serves as the pattern for instances.
    opened[quantified] = {variables, body};
  }
  addFact(relevant, it->second);
}

bool SmtGuardSolver::matchAtom(Id pattern, Id ground, const std::vector<Variable> &variables,
                               Substitution &bound) {
  const Node &p = pool[pattern];
  const Node &g = pool[ground];
  for (size_t i = 0; i < p.children.size(); ++i) {
    const Node &argument = pool[p.children[i]];
    if (argument.kind != Kind::Component)
      continue;
    auto variable = std::find_if(variables.begin(), variables.end(),
                                 [&](const Variable &v) { return v.key == argument.symbol; });
    if (variable == variables.end())
      continue;
    std::vector<Id> &values = bound[variable->key];
    values.resize(variable->shape.size(), UINT32_MAX);
    Id &value = values[argument.index];
    if (value == UINT32_MAX)
      value = g.children[i];
    else if (value != g.children[i])
      return false;
  }
  return true;
}

void SmtGuardSolver::matchAtoms(Relevant &relevant, std::span<const Id> patterns, size_t at,
                                const std::vector<Variable> &variables, Substitution &bound,
                                std::vector<Substitution> &found) {
  if (found.size() >= maxInstances)
    return;
  if (at == patterns.size()) {
    for (const Variable &v : variables) {
      auto it = bound.find(v.key);
      if (it == bound.end() || std::count(it->second.begin(), it->second.end(), UINT32_MAX))
        return;
    }
    found.push_back(bound);
    return;
  }
  for (Id ground : std::vector<Id>(relevant.applications[pool[patterns[at]].symbol])) {
    Substitution next = bound;
    if (matchAtom(patterns[at], ground, variables, next))
      matchAtoms(relevant, patterns, at + 1, variables, next, found);
  }
}

namespace {

/// The atoms of a quantifier's body that bind its variables: predicates and multiplicities.
void collectPatterns(const Pool &pool, Id formula, const std::vector<Variable> &variables,
                     std::vector<Id> &out) {
  for (Id conjunct : pool.conjuncts(formula)) {
    const Node *node = &pool[conjunct];
    if (node->kind == Kind::Positive)
      node = &pool[conjunct = node->children[0]];
    if (node->kind == Kind::Apply &&
        std::any_of(node->children.begin(), node->children.end(), [&](Id argument) {
          return pool[argument].kind == Kind::Component && pool.mentionsAny(argument, variables);
        }))
      out.push_back(conjunct);
  }
}

} // namespace

void SmtGuardSolver::instantiate(Relevant &relevant, Id quantified, std::vector<Id> &out) {
  const auto &[variables, body] = opened.at(quantified);
  std::vector<Id> patterns;
  collectPatterns(pool, body[0], variables, patterns);
  std::vector<Substitution> found;
  Substitution none;
  matchAtoms(relevant, patterns, 0, variables, none, found);
  for (const Substitution &values : found) {
    std::vector<Id> key;
    for (const auto &[variable, components] : values)
      key.insert(key.end(), components.begin(), components.end());
    if (!relevant.instances[quantified].insert(key).second)
      continue;
    out.push_back(pool.implies(pool.substitute(body[0], values), quantified));
    if (pool.recorder)
      note({.kind = Fact::Kind::Instance,
            .formula = out.back(),
            .term = quantified,
            .names = variables,
            .opened = body,
            .values = key,
            .hypothesis = pool.recorder->hypothesis(pool, values)});
  }
}

/// No row, no sum; a sum of positive terms with a row is positive.
void SmtGuardSolver::tieSum(Relevant &relevant, Id sum) {
  auto it = sumFacts.find(sum);
  if (it == sumFacts.end()) {
    std::vector<Id> children;
    std::vector<Variable> variables = pool.open(sum, children);
    Id rows = pool.exists(variables, children[0]);
    Entry rowsLemma = lastLemma();
    std::vector<Id> facts{pool.disjunction({rows, pool.zeroAtom(sum)})};
    Fact origin{.kind = Fact::Kind::SumEmpty, .formula = facts[0], .term = sum, .names = variables};
    origin.lemma = rowsLemma;
    note(origin);
    std::vector<Id> positive{children[0]};
    bool counts = pool[sum].sort == intSort;
    for (size_t i = 1; i < children.size(); ++i) {
      const Node &factor = pool[children[i]];
      counts = counts && factor.kind == Kind::Apply && theory.isCount(factor.symbol);
      positive.push_back(pool.positiveTest(children[i]));
    }
    if (counts) {
      Id some = pool.exists(variables, pool.conjunction(positive));
      origin.lemma = lastLemma();
      facts.push_back(pool.equal(some, pool.positiveAtom(sum)));
      origin.kind = Fact::Kind::SumCount;
      origin.formula = facts.back();
      note(origin);
      facts.push_back(pool.disjunction({pool.positiveAtom(sum), pool.zeroAtom(sum)}));
      origin.kind = Fact::Kind::SumSigned;
      origin.formula = facts.back();
      note(origin);
    }
    it = sumFacts.emplace(sum, facts).first;
  }
  for (Id fact : it->second)
    addFact(relevant, fact);
}

void SmtGuardSolver::noteAll(Fact::Kind kind, Id term, Id other, const std::vector<Id> &facts) {
  for (uint32_t i = 0; i < facts.size(); ++i)
    note({.kind = kind, .formula = facts[i], .term = term, .other = other, .index = i});
}

bool SmtGuardSolver::grow(Relevant &relevant) {
  size_t before = relevant.facts.size();
  for (; relevant.newQuantified < relevant.quantified.size(); ++relevant.newQuantified)
    witness(relevant, relevant.quantified[relevant.newQuantified]);
  for (; relevant.newSums < relevant.sums.size(); ++relevant.newSums)
    tieSum(relevant, relevant.sums[relevant.newSums]);
  for (; relevant.newCollections < relevant.collections.size(); ++relevant.newCollections) {
    Id collection = relevant.collections[relevant.newCollections];
    auto it = applicationFacts.find(collection);
    if (it == applicationFacts.end()) {
      std::vector<Id> own;
      theory.factsOfCollection(collection, own);
      noteAll(Fact::Kind::Collection, collection, 0, own);
      it = applicationFacts.emplace(collection, own).first;
    }
    for (Id fact : it->second)
      addFact(relevant, fact);
  }
  std::vector<Id> facts;
  std::map<Symbol, std::vector<Id>> applications = relevant.applications;
  for (const auto &[symbol, all] : applications) {
    size_t &done = relevant.newApplications[symbol];
    for (size_t i = done; i < all.size(); ++i) {
      auto it = applicationFacts.find(all[i]);
      if (it == applicationFacts.end()) {
        std::vector<Id> own;
        theory.factsOf(all[i], own);
        noteAll(Fact::Kind::Applied, all[i], 0, own);
        it = applicationFacts.emplace(all[i], own).first;
      }
      facts.insert(facts.end(), it->second.begin(), it->second.end());
      for (size_t j = 0; j < i && j < 24; ++j) {
        std::vector<Id> own;
        theory.factsOfPair(all[j], all[i], own);
        noteAll(Fact::Kind::Pair, all[j], all[i], own);
        facts.insert(facts.end(), own.begin(), own.end());
      }
    }
    done = all.size();
  }
  for (Id fact : facts)
    addFact(relevant, fact);
  std::vector<Id> instances;
  for (size_t i = 0; i < relevant.newQuantified; ++i)
    instantiate(relevant, relevant.quantified[i], instances);
  for (Id fact : instances)
    addFact(relevant, fact);
  return relevant.facts.size() > before;
}

bool SmtGuardSolver::refute(std::span<const Id> formulas) {
  lastUnknowns.clear();
  Relevant relevant;
  for (Id formula : formulas)
    if (pool.isFalse(formula)) {
      if (pool.recorder)
        pool.recorder->lastFacts.clear();
      return true;
    }
  for (Id formula : formulas)
    visit(relevant, formula);
  bool refuted = false;
  for (int round = 0; round <= maxRounds && !refuted; ++round) {
    refuted = check(formulas) == smt::Outcome::Unsat;
    if (!refuted && (round == maxRounds || !grow(relevant)))
      break;
  }
  if (refuted && pool.recorder)
    noteRefutation(formulas);
  if (!refuted) {
    lastUnknowns = relevant.sums;
    lastUnknowns.insert(lastUnknowns.end(), relevant.collections.begin(),
                        relevant.collections.end());
    lastSeen = std::move(relevant.seen);
  }
  return refuted;
}

} // namespace imbrex::algebra
