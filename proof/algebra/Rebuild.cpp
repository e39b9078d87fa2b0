// Substitution, replacement, opening and closing of binders.
#include "proof/algebra/Internal.h"
#include "proof/algebra/Recorder.h"

#include <algorithm>
#include <utility>

namespace imbrex::algebra {

namespace {

/// What becomes of a binder whose parts changed: normalised again, or only given its names.
enum class Binders : uint8_t { Normalize, Close, Always };

class Rebuilder {
public:
  Rebuilder(Pool &pool, Binders binders, Entry hypothesis = 0)
      : pool(pool), binders(binders), hypothesis(hypothesis) {}
  virtual ~Rebuilder() = default;

  Id run(Id term) {
    if (Id done = leaf(term); done != term || isFinal(term))
      return done;
    if (auto it = memo.find(term); it != memo.end())
      return it->second;
    Id result = pool[term].binders.empty() ? inner(term) : binder(term);
    memo.emplace(term, result);
    return result;
  }

protected:
  virtual Id leaf(Id term) = 0;            // a replacement, or the term itself
  virtual bool isFinal(Id term) const = 0; // nothing changes within

  Pool &pool;

private:
  Id inner(Id term) {
    std::vector<Id> children = pool[term].children;
    bool changed = false;
    pool.spend(1 + children.size());
    for (Id &child : children) {
      Id next = run(child);
      changed |= next != child;
      child = next;
    }
    return changed || binders == Binders::Always ? pool.rebuild(term, std::move(children)) : term;
  }

  Id binder(Id term) {
    std::vector<Id> children;
    // What was read is opened as it was read.
    bool plain = std::exchange(pool.plain, pool.plain || binders == Binders::Always);
    std::vector<Variable> variables = pool.open(term, children);
    pool.plain = plain;
    std::vector<Id> opened;
    if (pool.recorder)
      opened = children;
    bool changed = binders == Binders::Always;
    for (Id &child : children) {
      Id next = run(child);
      changed |= next != child;
      child = next;
    }
    if (!changed)
      return term;
    if (binders == Binders::Close) {
      const Node &node = pool[term];
      return pool.close(node.kind, node.symbol, node.sort, variables, children);
    }
    if (pool.recorder)
      pool.recorder->lastLemma = 0;
    Id result = closed(term, variables, children);
    if (pool.recorder)
      pool.recorder->add(Rewriting{hypothesis, term, variables, opened, children,
                                   pool.recorder->lastLemma, result});
    return result;
  }

  Id closed(Id term, const std::vector<Variable> &variables, const std::vector<Id> &children) {
    const Node &node = pool[term];
    if (node.kind == Kind::Exists)
      return pool.exists(variables, children[0]);
    std::vector<Id> rest(children.begin() + 1, children.end());
    if (node.kind == Kind::Sum)
      return pool.sumOver(variables, children[0], pool.product(rest));
    return pool.collect(node.symbol, variables, children[0], rest, node.sort);
  }

  Binders binders;
  Entry hypothesis;
  std::unordered_map<Id, Id> memo;
};

/// Builds everything again.
class Normalizer : public Rebuilder {
public:
  explicit Normalizer(Pool &pool) : Rebuilder(pool, Binders::Always) {}

protected:
  Id leaf(Id term) override { return term; }
  bool isFinal(Id term) const override { return pool[term].children.empty(); }
};

class Substituter : public Rebuilder {
public:
  Substituter(Pool &pool, Binders binders, const Substitution &values, Entry hypothesis = 0)
      : Rebuilder(pool, binders, hypothesis), values(values) {}

protected:
  Id leaf(Id term) override {
    const Node &node = pool[term];
    if (node.kind != Kind::Component)
      return term;
    auto it = values.find(node.symbol);
    return it == values.end() ? term : it->second[node.index];
  }
  bool isFinal(Id term) const override {
    const std::vector<VarKey> &free = pool[term].free;
    return std::none_of(free.begin(), free.end(), [&](VarKey k) { return values.count(k); }) ||
           pool[term].kind == Kind::Component;
  }

private:
  const Substitution &values;
};

class Replacer : public Rebuilder {
public:
  Replacer(Pool &pool, const std::unordered_map<Id, Id> &map)
      : Rebuilder(pool, Binders::Normalize, pool.recorder ? pool.recorder->hypothesis(map) : 0),
        map(map) {
    for (const auto &[from, to] : map)
      least = std::min(least, from);
  }

protected:
  Id leaf(Id term) override {
    auto it = map.find(term);
    return it == map.end() ? term : it->second;
  }
  // Parts are always older than the whole.
  bool isFinal(Id term) const override { return term < least || pool[term].children.empty(); }

private:
  const std::unordered_map<Id, Id> &map;
  Id least = UINT32_MAX;
};

/// Colours variables by how they are used until the colours stop splitting, then breaks ties one
/// by one: an order that does not depend on names. Never looks at permutations.
class CanonicalOrder {
public:
  CanonicalOrder(const Pool &pool, const std::vector<Variable> &variables,
                 const std::vector<Id> &children)
      : pool(pool), variables(variables), children(children) {}

  std::vector<Variable> run() {
    for (const Variable &v : variables) {
      uint64_t h = 99;
      for (Sort sort : v.shape)
        h = mix(h, sort);
      colours[v.key] = h;
    }
    refine();
    for (size_t guard = 0; guard < variables.size() && distinct() < variables.size(); ++guard) {
      individualize();
      refine();
    }
    std::vector<Variable> order = variables;
    std::sort(order.begin(), order.end(), [&](const Variable &a, const Variable &b) {
      return colours[a.key] < colours[b.key];
    });
    return order;
  }

private:
  size_t distinct() const {
    std::vector<uint64_t> all;
    for (const auto &[key, colour] : colours)
      all.push_back(colour);
    std::sort(all.begin(), all.end());
    return size_t(std::unique(all.begin(), all.end()) - all.begin());
  }

  void refine() {
    for (size_t before = 0, now = distinct(); before != now; now = distinct()) {
      before = now;
      if (now == variables.size() && !first)
        return;
      first = false;
      std::map<VarKey, uint64_t> next;
      for (const Variable &v : variables) {
        marked = v.key;
        memo.clear();
        // The factors of a sum commute, so their order must not matter.
        uint64_t rest = 0;
        for (size_t i = 1; i < children.size(); ++i)
          rest += mix(7, hash(children[i]));
        next[v.key] = mix(mix(colours[v.key], hash(children[0])), rest);
      }
      marked = 0;
      colours = std::move(next);
    }
  }

  void individualize() {
    std::map<uint64_t, std::vector<VarKey>> classes;
    for (const auto &[key, colour] : colours)
      classes[colour].push_back(key);
    for (const auto &[colour, members] : classes)
      if (members.size() > 1) {
        colours[members[0]] = mix(colour, 1);
        return;
      }
  }

  uint64_t hash(Id id) {
    const Node &node = pool[id];
    if (std::none_of(node.free.begin(), node.free.end(),
                     [&](VarKey key) { return colours.count(key); }))
      return node.hash;
    if (node.kind == Kind::Component)
      return mix(node.symbol == marked ? 12345 : colours[node.symbol], node.index);
    if (auto it = memo.find(id); it != memo.end())
      return it->second;
    uint64_t result = structuralHash(node, [&](Id child) { return hash(child); });
    memo.emplace(id, result);
    return result;
  }

  const Pool &pool;
  const std::vector<Variable> &variables;
  const std::vector<Id> &children;
  std::map<VarKey, uint64_t> colours;
  std::unordered_map<Id, uint64_t> memo;
  VarKey marked = 0;
  bool first = true;
};

} // namespace

Id Pool::substitute(Id term, const Substitution &values) {
  Entry hypothesis = recorder ? recorder->hypothesis(*this, values) : 0;
  return Substituter(*this, plain ? Binders::Close : Binders::Normalize, values, hypothesis)
      .run(term);
}

Id Pool::rename(Id term, const Substitution &values) {
  return Substituter(*this, Binders::Close, values).run(term);
}

Id Pool::normalized(Id term) { return Normalizer(*this).run(term); }

Id Pool::replace(Id term, const std::unordered_map<Id, Id> &map) {
  return map.empty() ? term : Replacer(*this, map).run(term);
}

std::vector<Variable> Pool::open(Id binder, std::vector<Id> &children) {
  const Node node = nodes[binder];
  std::vector<Variable> variables;
  Substitution values;
  for (uint32_t i = 0; i < node.binders.size(); ++i) {
    variables.push_back(fresh(node.binders[i]));
    std::vector<Id> &components = values[boundKey(node.level, i)];
    for (uint32_t c = 0; c < node.binders[i].size(); ++c)
      components.push_back(component(variables.back(), c));
  }
  children.clear();
  for (Id child : node.children)
    children.push_back(rename(child, values));
  return variables;
}

std::vector<Variable> Pool::canonicalOrder(const std::vector<Variable> &variables,
                                           const std::vector<Id> &terms) const {
  return variables.size() < 2 ? variables : CanonicalOrder(*this, variables, terms).run();
}

Id Pool::close(Kind kind, Symbol symbol, Sort sort, const std::vector<Variable> &variables,
               std::vector<Id> children) {
  std::vector<Variable> order = variables;
  // The arguments of a collection's variables have a meaning: their order stays.
  if (kind != Kind::Collect && variables.size() > 1)
    order = canonicalOrder(variables, children);
  uint32_t level = 0;
  for (Id child : children)
    level = std::max(level, nodes[child].level);
  ++level;
  Substitution values;
  Node node{.kind = kind, .sort = sort, .symbol = symbol};
  for (uint32_t i = 0; i < order.size(); ++i) {
    Variable bound{boundKey(level, i), order[i].shape};
    for (uint32_t c = 0; c < bound.shape.size(); ++c)
      values[order[i].key].push_back(component(bound, c));
    node.binders.push_back(order[i].shape);
  }
  for (Id &child : children)
    child = rename(child, values);
  if (kind == Kind::Sum)
    std::sort(children.begin() + 1, children.end());
  node.children = std::move(children);
  return intern(std::move(node));
}

Id Pool::rebuild(Id term, std::vector<Id> children) {
  const Node node = nodes[term];
  switch (node.kind) {
  case Kind::Apply:
    return apply(node.symbol, std::move(children), node.sort);
  case Kind::Linear: {
    std::vector<Id> terms{number(node.value, node.sort)};
    for (size_t i = 0; i < children.size(); ++i)
      terms.push_back(scale(node.coefficients[i], children[i]));
    return sum(terms);
  }
  case Kind::Product:
    return product(children);
  case Kind::Choose:
    return choose(children[0], children[1], children[2]);
  case Kind::And:
    return conjunction(std::move(children));
  case Kind::Or:
    return disjunction(std::move(children));
  case Kind::Not:
    return negation(children[0]);
  case Kind::Zero:
    return zeroTest(children[0]);
  case Kind::Positive:
    return positiveTest(children[0]);
  case Kind::Equal:
    return equal(children[0], children[1]);
  case Kind::Less:
    return less(children[0], children[1]);
  default:
    return term;
  }
}

} // namespace imbrex::algebra
