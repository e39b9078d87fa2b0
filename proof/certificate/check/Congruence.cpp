// Equal terms: union-find with explanations, closed under functions.
#include "proof/certificate/check/Ground.h"

#include <algorithm>

namespace imbrex::check {

Reason joined(const Reason &a, const Reason &b) {
  Reason all;
  std::set_union(a.begin(), a.end(), b.begin(), b.end(), std::back_inserter(all));
  return all;
}

Theory::Theory(Terms &terms, const std::vector<Id> &atoms, const std::vector<int8_t> &values)
    : terms(terms), atoms(atoms), values(values) {}

void Theory::addTerm(Id id) {
  if (!known.insert(id).second)
    return;
  const Node &node = terms[id];
  nodes.push_back(id);
  parent[id] = id;
  members[id] = {id};
  // The parts of a closed collection, and of formulas, are not looked into.
  bool formula = node.sort == terms.boolSort && node.op != Op::Apply && node.op != Op::Collect;
  if (formula || node.op == Op::Exists || node.op == Op::Sum)
    return;
  for (size_t i = node.op == Op::Collect ? 1 : 0; i < node.kids.size(); ++i)
    addTerm(node.kids[i]);
}

Id Theory::find(Id id) {
  while (parent[id] != id)
    id = parent[id];
  return id;
}

void Theory::merge(Id a, Id b, Edge edge) {
  Id x = find(a), y = find(b);
  if (x == y)
    return;
  if (members[x].size() > members[y].size()) {
    std::swap(x, y);
    std::swap(a, b);
  }
  // Turns the edges of a's tree towards a, then hangs it on b.
  Edge carried = std::move(edge);
  Id from = a, to = b;
  while (true) {
    auto it = forest.find(from);
    Edge old = it == forest.end() ? Edge{from, {}, {}} : it->second;
    carried.to = to;
    forest[from] = carried;
    if (old.to == from)
      break;
    to = from;
    from = old.to;
    carried = old;
  }
  for (Id member : members[x])
    parent[member] = y;
  members[y].insert(members[y].end(), members[x].begin(), members[x].end());
  members.erase(x);
  merged = true;
}

/// The parts that are equal: in their order, but for the factors of products.
std::vector<std::pair<Id, Id>> Theory::pairsOf(const Node &a, const Node &b) {
  std::vector<std::pair<Id, Id>> pairs;
  std::vector<Id> left(b.kids);
  for (size_t i = a.op == Op::Collect ? 1 : 0; i < a.kids.size(); ++i) {
    auto other = left.begin() + long(i);
    if (a.op == Op::Product) {
      other = std::find_if(left.begin(), left.end(),
                           [&](Id id) { return find(id) == find(a.kids[i]); });
      pairs.emplace_back(a.kids[i], *other);
      left.erase(other);
      continue;
    }
    pairs.emplace_back(a.kids[i], *other);
  }
  return pairs;
}

void Theory::close() {
  for (bool again = true; again;) {
    again = false;
    std::map<std::vector<uint64_t>, Id> signatures;
    for (Id id : nodes) {
      const Node &node = terms[id];
      bool function = node.op == Op::Apply || node.op == Op::Product || node.op == Op::Choose ||
                      node.op == Op::Collect;
      if (!function || node.kids.empty())
        continue;
      std::vector<uint64_t> signature{uint64_t(node.op), node.symbol, node.sort};
      size_t first = node.op == Op::Collect ? 1 : 0;
      if (first)
        signature.push_back(node.kids[0]);
      size_t start = signature.size();
      for (size_t i = first; i < node.kids.size(); ++i)
        signature.push_back(find(node.kids[i]));
      if (node.op == Op::Product)
        std::sort(signature.begin() + long(start), signature.end());
      if (first)
        for (const auto &shape : node.shapes)
          signature.insert(signature.end(), shape.begin(), shape.end());
      auto [it, isNew] = signatures.try_emplace(signature, id);
      if (isNew || find(it->second) == find(id))
        continue;
      merge(id, it->second, {0, {}, pairsOf(node, terms[it->second])});
      again = true;
    }
  }
}

void Theory::explain(Id a, Id b, std::set<std::pair<Id, Id>> &seen, Reason &reason) {
  if (a == b || !seen.insert(std::minmax(a, b)).second)
    return;
  std::vector<Id> path{a};
  std::map<Id, size_t> place{{a, 0}};
  while (forest.count(path.back()) && forest[path.back()].to != path.back()) {
    path.push_back(forest[path.back()].to);
    place[path.back()] = path.size() - 1;
  }
  std::vector<Id> used;
  Id meet = b;
  while (!place.count(meet)) {
    used.push_back(meet);
    meet = forest.at(meet).to;
  }
  used.insert(used.end(), path.begin(), path.begin() + long(place[meet]));
  for (Id node : used) {
    const Edge &edge = forest.at(node);
    reason = joined(reason, edge.reason);
    for (auto [x, y] : edge.pairs)
      explain(x, y, seen, reason);
  }
}

Reason Theory::explained(Id a, Id b) {
  std::set<std::pair<Id, Id>> seen;
  Reason reason;
  explain(a, b, seen, reason);
  return reason;
}

Reason Theory::congruenceConflict() {
  Id yes = terms.boolean(true), no = terms.boolean(false);
  if (find(yes) == find(no))
    return explained(yes, no);
  std::map<Id, Id> texts;
  for (Id id : nodes)
    if (terms[id].op == Op::Text) {
      auto [it, isNew] = texts.try_emplace(find(id), id);
      if (!isNew)
        return explained(it->second, id);
    }
  for (size_t v = 0; v < atoms.size(); ++v) {
    if (values[v] < 0 || atoms[v] == 0)
      continue;
    const Node &node = terms[atoms[v]];
    bool opaque = node.op == Op::Equal && terms[node.kids[0]].sort != terms.boolSort;
    if (opaque && values[v] == 0 && find(node.kids[0]) == find(node.kids[1]))
      return joined(explained(node.kids[0], node.kids[1]), {int(v) * 2 + 1});
  }
  return {};
}

Reason Theory::conflict() {
  Id yes = terms.boolean(true), no = terms.boolean(false);
  addTerm(yes);
  addTerm(no);
  std::unordered_map<Id, int> valued;
  for (size_t v = 0; v < atoms.size(); ++v) {
    if (values[v] < 0)
      continue;
    // Formulas that are arguments are truth values, too.
    Id atom = atoms[v];
    if (atom == 0 || atom == yes)
      continue;
    const Node &node = terms[atom];
    bool test = node.op == Op::Zero || node.op == Op::Positive || node.op == Op::Less ||
                node.op == Op::Equal;
    if (test)
      for (Id kid : node.kids)
        addTerm(kid);
    addTerm(atom);
    int literal = int(v) * 2 + (values[v] ? 0 : 1);
    merge(atom, values[v] ? yes : no, {0, {literal}, {}});
    valued[atom] = int(v);
    if (node.op == Op::Equal && values[v] && terms[node.kids[0]].sort != terms.boolSort)
      merge(node.kids[0], node.kids[1], {0, {literal}, {}});
  }
  for (size_t i = 0; i < nodes.size(); ++i)
    if (const Node &node = terms[nodes[i]]; node.op == Op::Not && valued.count(node.kids[0])) {
      int v = valued[node.kids[0]];
      int8_t value = values[size_t(v)];
      merge(nodes[i], value ? no : yes, {0, {v * 2 + (value ? 0 : 1)}, {}});
    }
  while (true) {
    close();
    if (Reason reason = congruenceConflict(); !reason.empty())
      return reason;
    if (Reason reason = collectEquations(); !reason.empty())
      return reason;
    merged = false;
    if (!propagateEqualities())
      break;
  }
  return inequalities();
}

} // namespace imbrex::check
