#include "proof/algebra/Entailment.h"

#include "proof/algebra/Internal.h"

#include <algorithm>

namespace imbrex::algebra {

namespace {

/// The predicate or multiplicity that a conjunct asserts; none for other formulas.
const Node *atomOf(const Pool &pool, Id conjunct) {
  const Node *node = &pool[conjunct];
  if (node->kind == Kind::Positive)
    node = &pool[node->children[0]];
  return node->kind == Kind::Apply && !node->children.empty() ? node : nullptr;
}

/// Extends `values` so that the variables' components in `pattern` become those of `fact`.
bool match(const Pool &pool, const Node &pattern, const Node &fact,
           const std::vector<Variable> &variables, Substitution &values) {
  if (pattern.symbol != fact.symbol || pattern.children.size() != fact.children.size())
    return false;
  for (size_t i = 0; i < pattern.children.size(); ++i) {
    const Node &argument = pool[pattern.children[i]];
    auto variable = argument.kind != Kind::Component
                        ? variables.end()
                        : std::find_if(variables.begin(), variables.end(),
                                       [&](const Variable &v) { return v.key == argument.symbol; });
    if (variable == variables.end()) {
      if (!pool.mentionsAny(pattern.children[i], variables) &&
          pattern.children[i] != fact.children[i])
        return false;
      continue;
    }
    std::vector<Id> &slots = values[variable->key];
    slots.resize(variable->shape.size(), UINT32_MAX);
    if (slots[argument.index] == UINT32_MAX)
      slots[argument.index] = fact.children[i];
    else if (slots[argument.index] != fact.children[i])
      return false;
  }
  return true;
}

bool complete(const std::vector<Variable> &variables, const Substitution &values) {
  return std::all_of(variables.begin(), variables.end(), [&](const Variable &v) {
    auto it = values.find(v.key);
    return it != values.end() && std::count(it->second.begin(), it->second.end(), UINT32_MAX) == 0;
  });
}

struct Matcher {
  Pool &pool;
  const std::vector<Variable> &variables;
  const std::vector<Id> &body;
  const std::set<Id> &facts;
  std::vector<const Node *> patterns;
  size_t steps = 0;
  Substitution found;

  bool search(size_t at, const Substitution &values) {
    if (++steps > 200)
      return false;
    if (complete(variables, values)) {
      found = values;
      return std::all_of(body.begin(), body.end(), [&](Id conjunct) {
        Id instance = pool.substitute(conjunct, values);
        std::vector<Id> parts = pool.conjuncts(instance);
        return std::all_of(parts.begin(), parts.end(), [&](Id p) { return facts.count(p); });
      });
    }
    if (at == patterns.size())
      return false;
    for (Id fact : facts) {
      const Node *node = atomOf(pool, fact);
      Substitution next = values;
      if (node && match(pool, *patterns[at], *node, variables, next) && search(at + 1, next))
        return true;
    }
    return false;
  }
};

} // namespace

bool followsFrom(Pool &pool, Id quantified, const std::set<Id> &facts, Chain *record) {
  std::vector<Id> opened;
  std::vector<Variable> variables = pool.open(quantified, opened);
  std::vector<Id> body = pool.conjuncts(opened[0]);
  Matcher matcher{pool, variables, body, facts, {}, 0, {}};
  for (Id conjunct : body)
    if (const Node *atom = atomOf(pool, conjunct))
      matcher.patterns.push_back(atom);
  if (!matcher.search(0, {}))
    return false;
  if (record) {
    ScopeStep step{
        .rule = ScopeStep::Rule::Entail, .term = quantified, .names = variables, .opened = opened};
    step.hypothesis = pool.recorder->hypothesis(pool, matcher.found);
    for (const Variable &v : variables)
      step.values.insert(step.values.end(), matcher.found[v.key].begin(),
                         matcher.found[v.key].end());
    record->push_back(std::move(step));
  }
  return true;
}

bool foldVariable(Pool &pool, std::vector<Variable> &variables, std::vector<Id> &conjuncts,
                  Chain *record) {
  std::set<Id> facts(conjuncts.begin(), conjuncts.end());
  for (const Variable &variable : variables) {
    std::vector<Variable> one{variable};
    std::vector<Id> own;
    for (Id conjunct : conjuncts)
      if (pool.mentions(conjunct, variable.key))
        own.push_back(conjunct);
    const Node *pattern = nullptr;
    for (Id conjunct : own)
      if (const Node *atom = atomOf(pool, conjunct); atom && !pattern)
        pattern = atom;
    for (Id fact : conjuncts) {
      const Node *atom = pattern ? atomOf(pool, fact) : nullptr;
      Substitution values;
      if (!atom || atom == pattern || !match(pool, *pattern, *atom, one, values) ||
          !complete(one, values) || pool.mentions(fact, variable.key))
        continue;
      bool folds = std::all_of(own.begin(), own.end(), [&](Id conjunct) {
        std::vector<Id> parts = pool.conjuncts(pool.substitute(conjunct, values));
        return std::all_of(parts.begin(), parts.end(), [&](Id p) { return facts.count(p); });
      });
      if (!folds)
        continue;
      VarKey key = variable.key;
      ScopeStep step{.rule = ScopeStep::Rule::Fold, .variable = variable, .values = values[key]};
      std::erase_if(variables, [&](const Variable &v) { return v.key == key; });
      std::erase_if(conjuncts, [&](Id conjunct) { return pool.mentions(conjunct, key); });
      if (record) {
        step.hypothesis = pool.recorder->hypothesis(pool, values);
        step.guard = conjuncts;
        record->push_back(std::move(step));
      }
      return true;
    }
  }
  return false;
}

} // namespace imbrex::algebra
