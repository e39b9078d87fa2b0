#include "proof/algebra/Scope.h"

#include "proof/algebra/Entailment.h"
#include "proof/algebra/Internal.h"
#include "proof/algebra/Recorder.h"

#include <algorithm>
#include <optional>
#include <utility>

namespace imbrex::algebra {

namespace {

constexpr int maxRounds = 16;

class Simplifier {
public:
  Simplifier(Pool &pool, Scope &scope, Chain *record) : pool(pool), scope(scope), record(record) {}

  void run(Eliminate eliminate) {
    for (int round = 0; round < maxRounds; ++round) {
      if (pool.isFalse(scope.guard))
        return;
      if (eliminate == Eliminate::Yes && eliminateOne())
        continue;
      if (!useFacts())
        return;
    }
  }

private:
  /// The value that a conjunct gives to a component: comp = value, if it says so.
  std::optional<Id> solve(Id conjunct, Id target) {
    const Node &node = pool[conjunct];
    if (conjunct == target)
      return pool.boolean(true);
    if (node.kind == Kind::Not && node.children[0] == target)
      return pool.boolean(false);
    bool negated = node.kind == Kind::Not && pool[node.children[0]].kind == Kind::Equal;
    const Node &test = negated ? pool[node.children[0]] : node;
    if (test.kind == Kind::Equal) {
      if (test.children[0] != target && test.children[1] != target)
        return std::nullopt;
      Id other = test.children[test.children[0] == target ? 1 : 0];
      if (negated && pool[other].sort != boolSort)
        return std::nullopt;
      return negated ? pool.negation(other) : other;
    }
    if (node.kind != Kind::Zero)
      return std::nullopt;
    return solveLinear(node.children[0], target);
  }

  std::optional<Id> solveLinear(Id linear, Id target) {
    Pool::Parts all = pool.parts(linear);
    auto it = std::find_if(all.parts.begin(), all.parts.end(),
                           [&](const auto &part) { return part.second == target; });
    if (it == all.parts.end())
      return std::nullopt;
    Number c = it->first;
    Sort sort = pool[target].sort;
    bool unit = c == Number{1, 1} || c == Number{-1, 1};
    // An integer variable may only take the place of an integer.
    if (sort == intSort && (!unit || pool[linear].sort != intSort))
      return std::nullopt;
    all.parts.erase(it);
    Id rest = pool.assemble(all, pool[linear].sort);
    Number factor = makeNumber(-c.denominator, c.numerator);
    Id value = pool.scale(factor, rest);
    if (pool[value].sort != sort && !(sort == realSort && isNumeric(pool[value].sort)))
      return std::nullopt;
    return value;
  }

  bool eliminateOne() {
    std::vector<Id> conjuncts = pool.conjuncts(scope.guard);
    // Of two equated variables the later one goes.
    for (size_t v = scope.variables.size(); v-- > 0;) {
      Variable variable = scope.variables[v];
      std::vector<Id> values;
      for (uint32_t c = 0; c < variable.shape.size(); ++c) {
        std::optional<Id> best;
        Id target = pool.component(variable, c);
        for (Id conjunct : conjuncts) {
          if (!pool.mentions(conjunct, variable.key))
            continue;
          std::optional<Id> value = solve(conjunct, target);
          if (value && !pool.mentions(*value, variable.key) && (!best || lighter(*value, *best)))
            best = value;
        }
        if (!best)
          break;
        values.push_back(*best);
      }
      if (values.size() < variable.shape.size())
        continue;
      scope.variables.erase(scope.variables.begin() + long(v));
      Substitution map{{variable.key, values}};
      scope.guard = pool.substitute(scope.guard, map);
      for (Id &term : scope.payload)
        term = pool.substitute(term, map);
      note({.rule = ScopeStep::Rule::Eliminate, .variable = variable, .values = values}, map);
      return true;
    }
    return false;
  }

  template <class Map> void note(ScopeStep step, const Map &map) {
    if (!record)
      return;
    step.hypothesis = hypothesisOf(map);
    step.guard = pool.conjuncts(scope.guard);
    step.payload = scope.payload;
    record->push_back(std::move(step));
  }
  Entry hypothesisOf(const Substitution &map) { return pool.recorder->hypothesis(pool, map); }
  Entry hypothesisOf(const std::unordered_map<Id, Id> &map) {
    return pool.recorder->hypothesis(map);
  }

  /// Terms free of the scope's variables are lighter than others; then size, then age.
  std::tuple<bool, bool, uint32_t, Id> weight(Id id) {
    return {pool.mentionsAny(id, scope.variables), pool[id].level > 0, size(id), id};
  }
  uint32_t size(Id id) {
    uint32_t total = pool.isConstant(id) ? 0 : 1;
    for (Id child : pool[id].children)
      total = std::min(1000u, total + size(child));
    return total;
  }
  bool lighter(Id a, Id b) { return weight(a) < weight(b); }

  /// The rewriting rules that a conjunct justifies.
  std::unordered_map<Id, Id> rules(Id conjunct) {
    std::unordered_map<Id, Id> map;
    if (pool.isConstant(conjunct))
      return map;
    map[conjunct] = pool.boolean(true);
    map[pool.negation(conjunct)] = pool.boolean(false);
    const Node &node = pool[conjunct];
    if (node.kind == Kind::Equal)
      orient(node.children[0], node.children[1], map);
    if (node.kind == Kind::Zero)
      orientLinear(node.children[0], map);
    return map;
  }

  /// The components of a row stay together, so that its multiplicity keeps its form.
  bool mayRewrite(Id id) const {
    const Node &node = pool[id];
    if (node.kind != Kind::Component)
      return node.kind == Kind::Apply;
    return std::none_of(scope.variables.begin(), scope.variables.end(), [&](const Variable &v) {
      return v.key == node.symbol && v.shape.size() > 1;
    });
  }

  void orient(Id a, Id b, std::unordered_map<Id, Id> &map) {
    if (lighter(a, b))
      std::swap(a, b);
    if (mayRewrite(a) && !occurs(a, b))
      map[a] = b;
  }

  void orientLinear(Id linear, std::unordered_map<Id, Id> &map) {
    Pool::Parts all = pool.parts(linear);
    Id heaviest = all.parts[0].second;
    for (const auto &part : all.parts)
      if (lighter(heaviest, part.second))
        heaviest = part.second;
    if (!mayRewrite(heaviest))
      return;
    std::optional<Id> value = solveLinear(linear, heaviest);
    if (value && !occurs(heaviest, *value))
      map[heaviest] = *value;
  }

  bool occurs(Id part, Id whole) {
    if (part == whole)
      return true;
    if (whole < part)
      return false;
    const std::vector<Id> &children = pool[whole].children;
    return std::any_of(children.begin(), children.end(), [&](Id c) { return occurs(part, c); });
  }

  bool useFacts() {
    std::vector<Id> facts = pool.conjuncts(scope.guard);
    std::sort(facts.begin(), facts.end(), [&](Id a, Id b) { return lighter(a, b); });
    bool changed = false;
    for (size_t i = 0; i < facts.size(); ++i) {
      std::unordered_map<Id, Id> map = rules(facts[i]);
      bool before = std::exchange(changed, false);
      for (size_t j = 0; j < facts.size(); ++j) {
        if (j == i)
          continue;
        Id next = pool.replace(facts[j], map);
        changed |= next != facts[j];
        facts[j] = next;
      }
      for (Id &term : scope.payload) {
        Id next = pool.replace(term, map);
        changed |= next != term;
        term = next;
      }
      if (changed && record)
        record->push_back({.rule = ScopeStep::Rule::Rewrite,
                           .hypothesis = hypothesisOf(map),
                           .guard = facts,
                           .payload = scope.payload});
      changed |= before;
    }
    changed |= dropEntailed(facts);
    scope.guard = pool.conjunction(facts);
    return changed;
  }

  /// Quantified facts that others make true go, one at a time.
  bool dropEntailed(std::vector<Id> &facts) {
    bool changed = false;
    for (Id &fact : facts) {
      if (pool[fact].kind != Kind::Exists)
        continue;
      std::set<Id> others(facts.begin(), facts.end());
      others.erase(fact);
      if (!followsFrom(pool, fact, others, record))
        continue;
      fact = pool.boolean(true);
      changed = true;
      if (record) {
        record->back().guard = facts;
        record->back().payload = scope.payload;
      }
    }
    return changed;
  }

  Pool &pool;
  Scope &scope;
  Chain *record;
};

} // namespace

void simplify(Pool &pool, Scope &scope, Eliminate eliminate, Chain *record) {
  if (!pool.plain)
    Simplifier(pool, scope, record).run(eliminate);
}

std::vector<Component> components(const Pool &pool, const std::vector<Variable> &variables,
                                  std::span<const Id> conjuncts, std::span<const Id> factors) {
  std::vector<size_t> group(variables.size());
  for (size_t i = 0; i < group.size(); ++i)
    group[i] = i;
  auto find = [&](size_t i) {
    while (group[i] != i)
      i = group[i];
    return i;
  };
  auto first = [&](Id term) {
    for (size_t i = 0; i < variables.size(); ++i)
      if (pool.mentions(term, variables[i].key))
        return i;
    return variables.size();
  };
  for (std::span<const Id> terms : {conjuncts, factors})
    for (Id term : terms)
      for (size_t i = 0, root = first(term); i < variables.size(); ++i)
        if (root < variables.size() && pool.mentions(term, variables[i].key))
          group[find(i)] = find(root);
  std::vector<Component> result(1);
  std::map<size_t, size_t> slot;
  for (size_t i = 0; i < variables.size(); ++i) {
    auto [it, isNew] = slot.try_emplace(find(i), result.size());
    if (isNew)
      result.emplace_back();
    result[it->second].variables.push_back(variables[i]);
  }
  auto place = [&](Id term) -> Component & {
    size_t i = first(term);
    return i == variables.size() ? result[0] : result[slot[find(i)]];
  };
  for (Id term : conjuncts)
    place(term).conjuncts.push_back(term);
  for (Id term : factors)
    place(term).factors.push_back(term);
  return result;
}

} // namespace imbrex::algebra
