// Binders: closing, opening, substitution, and an order of their variables that does not depend on
// names.
#include "proof/certificate/check/Terms.h"

#include <algorithm>
#include <functional>
#include <utility>

namespace imbrex::check {

/// Colours variables by how they are used until no colour splits any more.
struct Terms::Colours {
  Terms &terms;
  const std::vector<Id> &kids;
  std::map<Name, uint64_t> colours;
  std::map<std::pair<Id, uint32_t>, uint64_t> memo;

  /// Of a term below so many further binders, whose own order must not count.
  uint64_t of(Id id, uint32_t level) {
    const Node &node = terms.nodes[id];
    auto mentioned = [&](Name name) { return colours.count(name) != 0; };
    if (node.op == Op::Bound)
      return mix(mix(11, node.depth < level ? node.depth : 1000 + node.depth - level),
                 node.depth < level ? node.index : node.index * 1000 + node.variable);
    if (node.dangling == 0 && std::none_of(node.free.begin(), node.free.end(), mentioned))
      return mix(1, id);
    if (node.op == Op::Variable)
      return mentioned(node.symbol) ? mix(colours.at(node.symbol), node.index) : mix(1, id);
    if (auto it = memo.find({id, level}); it != memo.end())
      return it->second;
    uint32_t inside = level + (node.isBinder() ? 1 : 0);
    uint64_t h = mix(mix(uint64_t(node.op), node.symbol), node.sort);
    // The scale of a test, and the sign of an equation, come from the names.
    bool isTest = node.op == Op::Zero || node.op == Op::Positive;
    if (isTest && terms.nodes[node.kids[0]].op == Op::Linear) {
      const Node &form = terms.nodes[node.kids[0]];
      Rational scale = 0;
      for (const Rational &factor : form.factors)
        scale = scale + (factor.sign() < 0 ? -factor : factor);
      if (node.op == Op::Zero && form.value.sign() < 0)
        scale = -scale;
      auto part = [&](uint64_t colour, Rational factor) {
        factor = factor / scale;
        if (node.op == Op::Zero && form.value.sign() == 0 && factor.sign() < 0)
          factor = -factor;
        return mix(mix(colour, uint64_t(factor.over)), uint64_t(factor.under));
      };
      uint64_t total = part(2, form.value);
      for (size_t i = 0; i < form.kids.size(); ++i)
        total += part(of(form.kids[i], inside), form.factors[i]);
      return memo[{id, level}] = mix(h, total);
    }
    h = mix(h, uint64_t(node.value.over));
    // Parts in any order, but for arguments and conditions.
    bool ordered = node.op == Op::Apply || node.op == Op::Choose || node.op == Op::Less ||
                   node.op == Op::Collect;
    uint64_t total = 0;
    for (size_t i = 0; i < node.kids.size(); ++i) {
      uint64_t kid = mix(3, of(node.kids[i], inside));
      if (node.op == Op::Linear)
        kid = mix(kid, uint64_t(node.factors[i].over));
      if (ordered || (node.op == Op::Sum && i == 0))
        kid = mix(kid, i + 100);
      total += kid;
    }
    return memo[{id, level}] = mix(h, total);
  }

  size_t distinct() const {
    std::vector<uint64_t> all;
    for (const auto &[name, colour] : colours)
      all.push_back(colour);
    std::sort(all.begin(), all.end());
    return size_t(std::unique(all.begin(), all.end()) - all.begin());
  }

  void refine() {
    for (size_t before = 0, now = distinct(); now > before;) {
      before = now;
      std::map<Name, uint64_t> next = colours;
      for (auto &[name, colour] : next) {
        uint64_t own = std::exchange(colours.at(name), colour ^ 0x5bd1e995);
        memo.clear();
        uint64_t rest = 0;
        for (size_t i = 0; i < kids.size(); ++i)
          rest += mix(i == 0 ? 5 : 6, of(kids[i], 0));
        colours.at(name) = own;
        colour = mix(colour, rest);
      }
      colours = std::move(next);
      now = distinct();
    }
  }
};

std::vector<Variable> Terms::ordered(const std::vector<Variable> &variables,
                                     const std::vector<Id> &kids) {
  if (variables.size() < 2)
    return variables;
  Colours colours{*this, kids, {}, {}};
  for (const Variable &v : variables) {
    uint64_t &colour = colours.colours[v.name] = 7;
    for (Sort sort : v.shape)
      colour = mix(colour, sort);
  }
  colours.refine();
  while (colours.distinct() < colours.colours.size()) {
    // Break one tie, in the way that gives the least colours: names have no say.
    std::map<uint64_t, std::vector<Name>> classes;
    for (const auto &[name, colour] : colours.colours)
      classes[colour].push_back(name);
    auto tied = std::find_if(classes.begin(), classes.end(),
                             [](const auto &entry) { return entry.second.size() > 1; });
    std::vector<uint64_t> least;
    std::map<Name, uint64_t> best, before = colours.colours;
    for (Name name : tied->second) {
      colours.colours = before;
      colours.colours[name] = mix(tied->first, 1);
      colours.refine();
      std::vector<uint64_t> now;
      for (const auto &[other, colour] : colours.colours)
        now.push_back(colour);
      std::sort(now.begin(), now.end());
      if (!least.empty() && least <= now)
        continue;
      least = now;
      best = colours.colours;
    }
    colours.colours = best;
  }
  std::vector<Variable> order = variables;
  std::sort(order.begin(), order.end(), [&](const Variable &a, const Variable &b) {
    return colours.colours[a.name] < colours.colours[b.name];
  });
  return order;
}

std::vector<Variable> Terms::fresh(Id binder) {
  std::vector<Variable> variables;
  for (const std::vector<Sort> &shape : nodes[binder].shapes)
    variables.push_back({name("~" + std::to_string(freshNames++)), shape});
  return variables;
}

Id Terms::binder(Op op, Name symbol, Sort sort, const std::vector<Variable> &variables,
                 std::vector<Id> kids) {
  require(!variables.empty() && !kids.empty(), "a binder with variables and a body");
  if (op != Op::Collect)
    require(nodes[kids[0]].sort == boolSort, "a guard");
  require(op != Op::Exists || kids.size() == 1, "one formula to quantify over");
  if (op == Op::Exists && (kids[0] == trueId || kids[0] == falseId))
    return kids[0]; // every sort has a value
  Node node{.op = op, .sort = op == Op::Exists ? boolSort : sort, .symbol = symbol};
  if (op == Op::Sum) {
    Id product = this->product({kids.begin() + 1, kids.end()});
    node.sort = nodes[product].sort;
    kids = {kids[0], product};
  }
  std::vector<Variable> order = op == Op::Collect ? variables : ordered(variables, kids);
  std::map<Name, uint32_t> places;
  for (const Variable &v : order) {
    require(places.emplace(v.name, uint32_t(places.size())).second, "variables of different names");
    node.shapes.push_back(v.shape);
  }
  std::map<std::pair<Id, uint32_t>, Id> memo;
  for (Id kid : kids)
    node.kids.push_back(bind(kid, places, node.shapes, 0, memo));
  this->order = order;
  return intern(std::move(node));
}

/// Names become places. Inner binders are closed again, since the order of their variables may have
/// come from the names.
Id Terms::bind(Id id, const std::map<Name, uint32_t> &places,
               const std::vector<std::vector<Sort>> &shapes, uint32_t depth,
               std::map<std::pair<Id, uint32_t>, Id> &memo) {
  const Node &node = nodes[id];
  if (std::none_of(node.free.begin(), node.free.end(),
                   [&](Name name) { return places.count(name) != 0; }))
    return id;
  if (node.op == Op::Variable) {
    uint32_t place = places.at(node.symbol);
    const std::vector<Sort> &shape = shapes[place];
    require(node.index < shape.size() && shape[node.index] == node.sort,
            "components of the variable's sorts");
    return intern({.op = Op::Bound,
                   .sort = node.sort,
                   .index = node.index,
                   .depth = depth,
                   .variable = place});
  }
  if (auto it = memo.find({id, depth}); it != memo.end())
    return it->second;
  std::vector<Variable> inner;
  std::vector<Id> kids = node.kids;
  if (node.isBinder()) {
    inner = fresh(id);
    kids = open(id, inner);
  }
  for (Id &kid : kids)
    kid = bind(kid, places, shapes, depth + (node.isBinder() ? 1 : 0), memo);
  Id result =
      node.isBinder() ? binder(node.op, node.symbol, node.sort, inner, kids) : rebuild(node, kids);
  return memo[{id, depth}] = result;
}

Id Terms::unbind(Id id, const std::vector<Variable> &variables, uint32_t depth,
                 std::map<std::pair<Id, uint32_t>, Id> &memo) {
  const Node &node = nodes[id];
  if (node.op == Op::Bound)
    return node.depth == depth ? variable(variables[node.variable].name, node.index, node.sort)
                               : id;
  if (node.kids.empty())
    return id;
  if (auto it = memo.find({id, depth}); it != memo.end())
    return it->second;
  std::vector<Variable> inner;
  std::vector<Id> kids = node.kids;
  if (node.isBinder()) {
    inner = fresh(id);
    kids = open(id, inner);
  }
  for (Id &kid : kids)
    kid = unbind(kid, variables, depth + (node.isBinder() ? 1 : 0), memo);
  Id result =
      node.isBinder() ? binder(node.op, node.symbol, node.sort, inner, kids) : rebuild(node, kids);
  return memo[{id, depth}] = result;
}

std::vector<Id> Terms::open(Id binder, const std::vector<Variable> &variables) {
  const Node &node = nodes[binder];
  require(node.isBinder() && node.shapes.size() == variables.size(), "as many names as variables");
  for (size_t i = 0; i < variables.size(); ++i) {
    require(node.shapes[i] == variables[i].shape, "names of the variables' sorts");
    require(!mentions(binder, variables[i].name), "names that are new");
    for (size_t j = 0; j < i; ++j)
      require(variables[i].name != variables[j].name, "names that differ");
  }
  std::map<std::pair<Id, uint32_t>, Id> memo;
  std::vector<Id> kids;
  for (Id kid : node.kids)
    kids.push_back(unbind(kid, variables, 0, memo));
  return kids;
}

Id Terms::substitute(Id term, const std::map<Name, std::vector<Id>> &values) {
  std::unordered_map<Id, Id> memo;
  std::function<Id(Id)> run = [&](Id id) -> Id {
    const Node &node = nodes[id];
    if (std::none_of(node.free.begin(), node.free.end(),
                     [&](Name name) { return values.count(name) != 0; }))
      return id;
    if (node.op == Op::Variable) {
      const std::vector<Id> &all = values.at(node.symbol);
      require(node.index < all.size(), "a value for each component");
      Id value = all[node.index];
      require(nodes[value].sort == node.sort || (node.sort == realSort && isNumeric(value)),
              "a value of the variable's sort");
      return value;
    }
    if (auto it = memo.find(id); it != memo.end())
      return it->second;
    std::vector<Variable> inner;
    std::vector<Id> kids = node.kids;
    if (node.isBinder()) {
      inner = fresh(id);
      kids = open(id, inner);
    }
    for (Id &kid : kids)
      kid = run(kid);
    Id result = node.isBinder() ? binder(node.op, node.symbol, node.sort, inner, kids)
                                : rebuild(node, kids);
    return memo[id] = result;
  };
  return run(term);
}

} // namespace imbrex::check
