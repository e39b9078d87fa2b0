// Equal terms: union-find with explanations, closed under functions.
#include "proof/certificate/elaborate/Ground.h"

#include <algorithm>

namespace imbrex::certificate {

Theory::Theory(Ground &ground, const std::vector<Id> &atoms, const std::vector<int8_t> &values)
    : ground(ground), terms(ground.terms), atoms(atoms), values(values) {}

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

void Theory::merge(Id a, Id b, int item) {
  Id x = find(a), y = find(b);
  if (x == y)
    return;
  if (members[x].size() > members[y].size()) {
    std::swap(x, y);
    std::swap(a, b);
  }
  // Turns the edges of a's tree towards a, then hangs it on b.
  Edge carried{0, item};
  Id from = a, to = b;
  while (true) {
    auto it = forest.find(from);
    Edge old = it == forest.end() ? Edge{from, 0} : it->second;
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
      merge(id, it->second, add({"=", id, it->second, -1, pairsOf(node, terms[it->second]), {}}));
      again = true;
    }
  }
}

/// b - a, as relations along the path between them.
Mixture Theory::path(Id a, Id b) {
  std::vector<Id> way{a};
  std::map<Id, size_t> place{{a, 0}};
  while (forest.count(way.back()) && forest[way.back()].to != way.back()) {
    way.push_back(forest[way.back()].to);
    place[way.back()] = way.size() - 1;
  }
  Mixture mixture;
  auto walk = [&](Id from, int direction) {
    const Edge &edge = forest.at(from);
    int sign = items[size_t(edge.item)].a == from ? direction : -direction;
    Rational &entry = mixture[edge.item];
    entry = entry + sign;
  };
  Id meet = b;
  for (; !place.count(meet); meet = forest.at(meet).to)
    walk(meet, -1);
  for (size_t i = 0; i < place[meet]; ++i)
    walk(way[i], 1);
  return mixture;
}

Theory::Clash Theory::congruenceConflict() {
  Id yes = terms.boolean(true), no = terms.boolean(false);
  if (find(yes) == find(no))
    return path(yes, no);
  std::map<Id, Id> texts;
  auto apart = [&](Id a, Id b, int literal) {
    Mixture mixture = path(a, b);
    mixture[add({"!=", a, b, literal, {}, {}})] = -1;
    return mixture;
  };
  for (Id id : nodes)
    if (terms[id].op == Op::Text) {
      auto [it, isNew] = texts.try_emplace(find(id), id);
      if (!isNew)
        return apart(it->second, id, -2);
    }
  for (size_t v = 0; v < atoms.size(); ++v) {
    if (values[v] < 0 || atoms[v] == 0)
      continue;
    const Node &node = terms[atoms[v]];
    bool opaque = node.op == Op::Equal && terms[node.kids[0]].sort != terms.boolSort;
    if (opaque && values[v] == 0 && find(node.kids[0]) == find(node.kids[1]))
      return apart(node.kids[0], node.kids[1], int(v) * 2 + 1);
  }
  return {};
}

/// The literals as equal terms.
void Theory::start() {
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
    int own = int(v) * 2 + (values[v] ? 0 : 1);
    merge(atom, values[v] ? yes : no, literal("=", atom, values[v] ? yes : no, own));
    valued[atom] = int(v);
    if (node.op == Op::Equal && values[v] && terms[node.kids[0]].sort != terms.boolSort)
      merge(node.kids[0], node.kids[1], literal("=", node.kids[0], node.kids[1], own));
  }
  for (size_t i = 0; i < nodes.size(); ++i)
    if (const Node &node = terms[nodes[i]]; node.op == Op::Not && valued.count(node.kids[0])) {
      int v = valued[node.kids[0]];
      Id value = values[size_t(v)] ? no : yes;
      merge(nodes[i], value, literal("=", nodes[i], value, v * 2 + (values[size_t(v)] ? 0 : 1)));
    }
}

Theory::Clash Theory::search() {
  start();
  while (true) {
    close();
    if (Clash clash = congruenceConflict())
      return clash;
    if (Clash clash = collectEquations())
      return clash;
    merged = false;
    if (!propagateEqualities())
      break;
  }
  return inequalities();
}

} // namespace imbrex::certificate
