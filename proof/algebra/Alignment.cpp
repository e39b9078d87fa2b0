#include "proof/algebra/Alignment.h"

#include "proof/algebra/Internal.h"

#include <algorithm>
#include <set>

namespace imbrex::algebra {

namespace {

/// Where a variable stands: functions and positions of its direct uses, one level deep.
class Uses {
public:
  Uses(const Pool &pool, const Summand &term) : pool(pool) {
    for (const Variable &v : term.variables)
      uses[v.key];
    walk(term.guard, 1);
    for (Id factor : term.factors)
      walk(factor, 2);
  }

  /// Predicates that stand as conjuncts weigh most.
  const std::multiset<uint64_t> &of(const Variable &variable) { return uses[variable.key]; }

private:
  void walk(Id id, uint64_t place) {
    const Node &node = pool[id];
    if (node.free.empty())
      return;
    uint64_t inside = place;
    if (node.kind != Kind::And)
      inside = mix(place, uint64_t(node.kind) * 1000 + node.symbol);
    for (size_t i = 0; i < node.children.size(); ++i) {
      const Node &child = pool[node.children[i]];
      if (child.kind == Kind::Component) {
        auto it = uses.find(child.symbol);
        if (it != uses.end())
          it->second.insert(mix(mix(uint64_t(node.kind), node.symbol),
                                node.kind == Kind::Apply ? i * 16 + child.index : child.index));
      } else {
        walk(node.children[i], inside);
      }
    }
  }

  const Pool &pool;
  std::map<VarKey, std::multiset<uint64_t>> uses;
};

size_t distance(const std::multiset<uint64_t> &a, const std::multiset<uint64_t> &b) {
  std::vector<uint64_t> difference;
  std::set_symmetric_difference(a.begin(), a.end(), b.begin(), b.end(),
                                std::back_inserter(difference));
  return difference.size();
}

struct Search {
  const Summand &from, &to;
  std::vector<std::vector<size_t>> choices; // per variable of `from`, best first
  size_t limit;
  std::vector<std::vector<Variable>> found;
  std::vector<Variable> chosen;
  std::vector<bool> used;

  void run() {
    if (found.size() >= limit)
      return;
    if (chosen.size() == from.variables.size()) {
      found.push_back(chosen);
      return;
    }
    for (size_t j : choices[chosen.size()]) {
      if (used[j])
        continue;
      used[j] = true;
      chosen.push_back(to.variables[j]);
      run();
      chosen.pop_back();
      used[j] = false;
    }
  }
};

} // namespace

std::vector<std::vector<Variable>> alignVariables(const Pool &pool, const Summand &from,
                                                  const Summand &to, size_t limit) {
  Uses a(pool, from), b(pool, to);
  Search search{from, to, {}, limit, {}, {}, std::vector<bool>(to.variables.size())};
  for (const Variable &v : from.variables) {
    std::vector<std::pair<size_t, size_t>> ranked;
    for (size_t j = 0; j < to.variables.size(); ++j)
      if (to.variables[j].shape == v.shape)
        ranked.push_back({distance(a.of(v), b.of(to.variables[j])), j});
    std::sort(ranked.begin(), ranked.end());
    search.choices.emplace_back();
    for (const auto &[far, j] : ranked)
      search.choices.back().push_back(j);
  }
  search.run();
  return std::move(search.found);
}

namespace {

void collectCandidates(Pool &pool, Id id, const Variable &variable, std::set<Id> &out) {
  const Node &node = pool[id];
  if (!pool.mentions(id, variable.key) || !node.binders.empty())
    return;
  Id target = pool.component(variable, 0);
  if (node.kind == Kind::Equal)
    for (int side : {0, 1})
      if (node.children[size_t(side)] == target)
        out.insert(node.children[size_t(1 - side)]);
  if (node.kind == Kind::Zero) {
    Pool::Parts all = pool.parts(node.children[0]);
    for (size_t i = 0; i < all.parts.size(); ++i) {
      Number c = all.parts[i].first;
      if (all.parts[i].second != target || (c != Number{1, 1} && c != Number{-1, 1}))
        continue;
      all.parts.erase(all.parts.begin() + long(i));
      out.insert(pool.scale({-c.numerator, 1}, pool.assemble(all, pool[node.children[0]].sort)));
      break;
    }
  }
  for (Id child : std::vector<Id>(node.children))
    collectCandidates(pool, child, variable, out);
}

/// Arguments of other applications of the predicates that the variable stands in: by a second key
/// both may be one row.
void collectNames(const Pool &pool, Id guard, const Variable &variable, std::set<Id> &out) {
  std::vector<Id> parts = pool.conjuncts(guard);
  auto argument = [&](Id id) {
    return pool[id].kind == Kind::Apply && pool[id].children.size() == 1
               ? &pool[pool[id].children[0]]
               : nullptr;
  };
  for (Id own : parts) {
    const Node *name = argument(own);
    if (!name || name->kind != Kind::Component || name->symbol != variable.key)
      continue;
    for (Id other : parts)
      if (other != own && argument(other) && pool[other].symbol == pool[own].symbol)
        out.insert(pool[other].children[0]);
  }
}

} // namespace

std::vector<Id> candidateValues(Pool &pool, Id guard, const Variable &variable) {
  std::set<Id> found;
  collectCandidates(pool, guard, variable, found);
  collectNames(pool, guard, variable, found);
  std::vector<Id> result;
  for (Id candidate : found)
    if (!pool.mentions(candidate, variable.key) && pool[candidate].sort == variable.shape[0])
      result.push_back(candidate);
  return result;
}

bool mayBeEqual(const Pool &pool, Id a, Id b) {
  const Node &x = pool[a], &y = pool[b];
  if (x.kind != y.kind)
    return false;
  if (x.kind == Kind::Sum)
    return true;
  return x.symbol == y.symbol && x.sort == y.sort && x.binders == y.binders &&
         x.children.size() == y.children.size();
}

} // namespace imbrex::algebra
