// Interning, leaves and functions.
#include "proof/algebra/Internal.h"
#include "proof/algebra/Recorder.h"

#include <algorithm>

namespace imbrex::algebra {

namespace {

bool sameNode(const Node &a, const Node &b) {
  return a.kind == b.kind && a.sort == b.sort && a.symbol == b.symbol && a.index == b.index &&
         a.value == b.value && a.children == b.children && a.coefficients == b.coefficients &&
         a.binders == b.binders;
}

uint64_t hashOf(const Number &n) {
  return mix(mix(uint64_t(n.numerator), uint64_t(n.numerator >> 64)), uint64_t(n.denominator));
}

bool commutes(Kind kind) {
  return kind == Kind::And || kind == Kind::Or || kind == Kind::Product || kind == Kind::Equal;
}

} // namespace

Pool::Pool() {
  for (const char *name : {"Bool", "Int", "Real"})
    sortNames.emplace_back(name);
  falseId = intern({.kind = Kind::Constant, .sort = boolSort, .value = {0, 1}});
  trueId = intern({.kind = Kind::Constant, .sort = boolSort, .value = {1, 1}});
}

Symbol Pool::symbol(std::string_view name) {
  auto [it, isNew] = symbols.try_emplace(std::string(name), Symbol(names.size()));
  if (isNew)
    names.emplace_back(name);
  return it->second;
}

Sort Pool::opaqueSort(std::string_view name) {
  for (Sort sort = firstOpaqueSort; sort < sortNames.size(); ++sort)
    if (sortNames[sort] == name)
      return sort;
  sortNames.emplace_back(name);
  return Sort(sortNames.size() - 1);
}

uint64_t structuralHash(const Node &node, const std::function<uint64_t(Id)> &childHash) {
  uint64_t h = mix(uint64_t(node.kind) * 31 + node.sort, node.symbol * 7919ULL + node.index);
  h = mix(h, hashOf(node.value));
  for (const Shape &shape : node.binders)
    for (Sort sort : shape)
      h = mix(h, sort + 17);
  if (node.kind == Kind::Linear) {
    uint64_t total = 0;
    for (size_t i = 0; i < node.children.size(); ++i)
      total += mix(hashOf(node.coefficients[i]), childHash(node.children[i]));
    return mix(h, total);
  }
  // The factors of a sum commute; its guard stands first.
  bool factors = node.kind == Kind::Sum;
  if (factors)
    h = mix(h, childHash(node.children[0]));
  if (factors || commutes(node.kind)) {
    uint64_t total = 0;
    for (size_t i = factors ? 1 : 0; i < node.children.size(); ++i)
      total += mix(0x9e37, childHash(node.children[i]));
    return mix(h, total);
  }
  for (Id child : node.children)
    h = mix(h, childHash(child));
  return h;
}

void Pool::lookAtClock() {
  spent = 0;
  if (std::chrono::steady_clock::now() > deadline)
    throw Exhausted{};
}

Id Pool::intern(Node node) {
  spend(1 + node.children.size());
  node.hash = structuralHash(node, [&](Id id) { return nodes[id].hash; });
  auto [begin, end] = index.equal_range(node.hash);
  for (auto it = begin; it != end; ++it)
    if (sameNode(nodes[it->second], node))
      return it->second;
  if (weight > maxWeight)
    throw Exhausted{};
  if (node.kind == Kind::Component)
    node.free.push_back(node.symbol);
  node.level = uint32_t(node.binders.empty() ? 0 : 1);
  uint32_t deepest = 0;
  for (Id child : node.children) {
    deepest = std::max(deepest, nodes[child].level);
    const std::vector<VarKey> &more = nodes[child].free;
    if (more.empty())
      continue;
    std::vector<VarKey> merged;
    merged.reserve(node.free.size() + more.size());
    std::set_union(node.free.begin(), node.free.end(), more.begin(), more.end(),
                   std::back_inserter(merged));
    node.free = std::move(merged);
  }
  node.level += deepest;
  for (uint32_t i = 0; i < node.binders.size(); ++i)
    std::erase(node.free, boundKey(node.level, i));
  weight += 1 + (node.free.size() + node.children.size()) / 32;
  Id id = Id(nodes.size());
  index.emplace(node.hash, id);
  nodes.push_back(std::move(node));
  return id;
}

Variable Pool::fresh(Shape shape) {
  if (recorder)
    recorder->shapes[nextKey] = shape;
  return {nextKey++, std::move(shape)};
}

Id Pool::component(const Variable &variable, uint32_t index) {
  return intern({.kind = Kind::Component,
                 .sort = variable.shape[index],
                 .symbol = variable.key,
                 .index = index});
}

Id Pool::number(Number value, Sort sort) {
  return intern({.kind = Kind::Constant, .sort = sort, .value = value});
}

Id Pool::opaque(std::string_view text, Sort sort) {
  return intern({.kind = Kind::Constant, .sort = sort, .symbol = symbol(text)});
}

Id Pool::apply(Symbol function, std::vector<Id> arguments, Sort sort) {
  return intern(
      {.kind = Kind::Apply, .sort = sort, .symbol = function, .children = std::move(arguments)});
}

bool Pool::mentions(Id term, VarKey key) const {
  const std::vector<VarKey> &free = nodes[term].free;
  return std::binary_search(free.begin(), free.end(), key);
}

bool Pool::mentionsAny(Id term, std::span<const Variable> variables) const {
  if (nodes[term].free.empty())
    return false;
  return std::any_of(variables.begin(), variables.end(),
                     [&](const Variable &v) { return mentions(term, v.key); });
}

std::vector<Id> Pool::conjuncts(Id formula) const {
  if (isTrue(formula))
    return {};
  if (nodes[formula].kind == Kind::And)
    return nodes[formula].children;
  return {formula};
}

} // namespace imbrex::algebra
