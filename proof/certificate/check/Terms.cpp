#include "proof/certificate/check/Terms.h"

#include <algorithm>

namespace imbrex::check {

constexpr size_t MaxNodes = 500000;
constexpr uint32_t MaxHeight = 1000;

Terms::Terms() {
  boolSort = name("bool");
  intSort = name("int");
  realSort = name("real");
  trueId = intern({.op = Op::True, .sort = boolSort});
  falseId = intern({.op = Op::Not, .sort = boolSort, .kids = {trueId}});
}

void Terms::require(bool condition, const char *what) const {
  if (!condition)
    throw Rejection{std::string("ill-formed term: ") + what};
}

Name Terms::name(const std::string &text) {
  auto [it, isNew] = known.try_emplace(text, Name(names.size()));
  if (isNew)
    names.push_back(text);
  return it->second;
}

static bool sameNode(const Node &a, const Node &b) {
  return a.op == b.op && a.sort == b.sort && a.symbol == b.symbol && a.index == b.index &&
         a.depth == b.depth && a.variable == b.variable && a.value == b.value && a.kids == b.kids &&
         a.factors == b.factors && a.shapes == b.shapes;
}

Id Terms::intern(Node node) {
  uint64_t h = mix(uint64_t(node.op), node.symbol);
  for (uint64_t part : {uint64_t(node.sort), uint64_t(node.index), uint64_t(node.depth),
                        uint64_t(node.variable), uint64_t(node.value.over)})
    h = mix(h, part);
  for (Id kid : node.kids)
    h = mix(h, kid);
  auto [begin, end] = index.equal_range(h);
  for (auto it = begin; it != end; ++it)
    if (sameNode(nodes[it->second], node))
      return it->second;
  if (node.op == Op::Variable)
    node.free = {node.symbol};
  if (node.op == Op::Bound)
    node.dangling = node.depth + 1;
  for (Id kid : node.kids) {
    std::vector<Name> all;
    const std::vector<Name> &more = nodes[kid].free;
    std::set_union(node.free.begin(), node.free.end(), more.begin(), more.end(),
                   std::back_inserter(all));
    node.free = std::move(all);
    node.dangling = std::max(node.dangling, nodes[kid].dangling);
    node.height = std::max(node.height, nodes[kid].height + 1);
  }
  if (node.isBinder() && node.dangling > 0)
    --node.dangling;
  if (nodes.size() > MaxNodes || node.height > MaxHeight)
    throw Rejection{"the terms are too large"};
  index.emplace(h, Id(nodes.size()));
  nodes.push_back(std::move(node));
  return Id(nodes.size() - 1);
}

bool Terms::mentions(Id term, Name name) const {
  return std::binary_search(nodes[term].free.begin(), nodes[term].free.end(), name);
}

std::vector<Id> Terms::components(const Variable &v) {
  std::vector<Id> all;
  for (uint32_t i = 0; i < v.shape.size(); ++i)
    all.push_back(variable(v.name, i, v.shape[i]));
  return all;
}

Id Terms::number(Rational value) {
  return intern({.op = Op::Number, .sort = value.isInteger() ? intSort : realSort, .value = value});
}

Id Terms::literal(const std::string &text, Sort sort) {
  require(sort > realSort, "a text has a sort of its own");
  return intern({.op = Op::Text, .sort = sort, .symbol = name(text)});
}

Id Terms::variable(Name name, uint32_t index, Sort sort) {
  return intern({.op = Op::Variable, .sort = sort, .symbol = name, .index = index});
}

Id Terms::apply(Name symbol, std::vector<Id> kids, Sort sort) {
  return intern({.op = Op::Apply, .sort = sort, .symbol = symbol, .kids = std::move(kids)});
}

std::pair<Rational, std::vector<std::pair<Rational, Id>>> Terms::parts(Id number) const {
  const Node &node = nodes[number];
  if (node.op == Op::Number)
    return {node.value, {}};
  if (node.op != Op::Linear)
    return {0, {{1, number}}};
  std::vector<std::pair<Rational, Id>> all;
  for (size_t i = 0; i < node.kids.size(); ++i)
    all.emplace_back(node.factors[i], node.kids[i]);
  return {node.value, all};
}

Id Terms::linear(const Rational &constant, const std::vector<std::pair<Rational, Id>> &terms) {
  Rational total = constant;
  std::map<Id, Rational> collected;
  for (const auto &[factor, id] : terms) {
    require(isNumeric(id), "a sum of numbers");
    auto [offset, inner] = parts(id);
    total = total + factor * offset;
    for (const auto &[f, part] : inner)
      collected[part] = collected[part] + factor * f;
  }
  Node node{.op = Op::Linear, .value = total};
  bool whole = total.isInteger();
  for (const auto &[id, factor] : collected)
    if (factor.sign() != 0) {
      node.kids.push_back(id);
      node.factors.push_back(factor);
      whole = whole && factor.isInteger() && nodes[id].sort == intSort;
    }
  if (node.kids.empty())
    return number(total);
  if (node.kids.size() == 1 && node.factors[0] == Rational(1) && total.sign() == 0)
    return node.kids[0];
  node.sort = whole ? intSort : realSort;
  return intern(std::move(node));
}

Id Terms::product(const std::vector<Id> &terms) {
  Rational factor = 1;
  std::vector<Id> atoms;
  for (Id id : terms) {
    require(isNumeric(id), "a product of numbers");
    if (nodes[id].op == Op::Number)
      factor = factor * nodes[id].value;
    else if (nodes[id].op == Op::Product)
      atoms.insert(atoms.end(), nodes[id].kids.begin(), nodes[id].kids.end());
    else
      atoms.push_back(id);
  }
  if (factor.sign() == 0 || atoms.empty())
    return number(factor);
  std::sort(atoms.begin(), atoms.end());
  bool whole =
      std::all_of(atoms.begin(), atoms.end(), [&](Id id) { return nodes[id].sort == intSort; });
  Id result = atoms.size() == 1
                  ? atoms[0]
                  : intern({.op = Op::Product, .sort = whole ? intSort : realSort, .kids = atoms});
  return linear(0, {{factor, result}});
}

Id Terms::choose(Id condition, Id then, Id otherwise) {
  require(nodes[condition].sort == boolSort, "a condition");
  bool numbers = isNumeric(then) && isNumeric(otherwise);
  require(numbers || (nodes[then].sort == nodes[otherwise].sort && nodes[then].sort != boolSort),
          "a choice between values of one sort");
  if (condition == trueId || then == otherwise)
    return then;
  if (condition == falseId)
    return otherwise;
  if (nodes[condition].op == Op::Not)
    return choose(nodes[condition].kids[0], otherwise, then);
  Sort sort = nodes[then].sort == nodes[otherwise].sort ? nodes[then].sort : realSort;
  return intern({.op = Op::Choose, .sort = sort, .kids = {condition, then, otherwise}});
}

Id Terms::connect(Op op, std::vector<Id> terms) {
  Id unit = op == Op::And ? trueId : falseId, all = op == Op::And ? falseId : trueId;
  std::vector<Id> flat;
  for (Id id : terms) {
    require(nodes[id].sort == boolSort, "a formula");
    if (nodes[id].op == op)
      flat.insert(flat.end(), nodes[id].kids.begin(), nodes[id].kids.end());
    else if (id == all)
      return all;
    else if (id != unit)
      flat.push_back(id);
  }
  std::sort(flat.begin(), flat.end());
  flat.erase(std::unique(flat.begin(), flat.end()), flat.end());
  if (flat.empty())
    return unit;
  return flat.size() == 1 ? flat[0] : intern({.op = op, .sort = boolSort, .kids = flat});
}

Id Terms::negation(Id formula) {
  require(nodes[formula].sort == boolSort, "a formula");
  if (nodes[formula].op == Op::Not)
    return nodes[formula].kids[0];
  return intern({.op = Op::Not, .sort = boolSort, .kids = {formula}});
}

Id Terms::zero(Id number) {
  require(isNumeric(number), "a number");
  if (nodes[number].op == Op::Number)
    return boolean(nodes[number].value.sign() == 0);
  // One sign and scale for each test.
  auto [constant, terms] = parts(number);
  Rational scale = Rational(1) / terms[0].first;
  for (auto &[factor, id] : terms)
    factor = factor * scale;
  return intern({.op = Op::Zero, .sort = boolSort, .kids = {linear(constant * scale, terms)}});
}

Id Terms::positive(Id number) {
  require(isNumeric(number), "a number");
  if (nodes[number].op == Op::Number)
    return boolean(nodes[number].value.sign() > 0);
  auto [constant, terms] = parts(number);
  Rational scale = Rational(1) / terms[0].first;
  if (scale.sign() < 0)
    scale = -scale;
  for (auto &[factor, id] : terms)
    factor = factor * scale;
  return intern({.op = Op::Positive, .sort = boolSort, .kids = {linear(constant * scale, terms)}});
}

Id Terms::equal(Id a, Id b) {
  if (isNumeric(a) && isNumeric(b))
    return zero(difference(a, b));
  require(nodes[a].sort == nodes[b].sort, "an equality of values of one sort");
  if (a == b)
    return trueId;
  if (nodes[a].op == Op::Text && nodes[b].op == Op::Text)
    return falseId;
  for (auto [x, y] : {std::pair(a, b), std::pair(b, a)})
    if (x == trueId || x == falseId)
      return x == trueId ? y : negation(y);
  return intern({.op = Op::Equal, .sort = boolSort, .kids = {std::min(a, b), std::max(a, b)}});
}

Id Terms::less(Id a, Id b) {
  if (isNumeric(a) && isNumeric(b))
    return positive(difference(b, a));
  require(nodes[a].sort == nodes[b].sort && nodes[a].sort != boolSort, "an order of values");
  if (a == b)
    return falseId;
  return intern({.op = Op::Less, .sort = boolSort, .kids = {a, b}});
}

Id Terms::replaced(Id term, const std::vector<Id> &kids) {
  const Node &old = nodes[term];
  if (old.op != Op::Collect)
    return rebuild(old, kids);
  Node node{.op = old.op, .sort = old.sort, .symbol = old.symbol, .kids = {old.kids[0]}};
  node.shapes = old.shapes;
  node.kids.insert(node.kids.end(), kids.begin(), kids.end());
  return intern(std::move(node));
}

Id Terms::rebuild(const Node &node, std::vector<Id> kids) {
  switch (node.op) {
  case Op::Apply:
    return apply(node.symbol, std::move(kids), node.sort);
  case Op::Linear: {
    std::vector<std::pair<Rational, Id>> terms;
    for (size_t i = 0; i < kids.size(); ++i)
      terms.emplace_back(node.factors[i], kids[i]);
    return linear(node.value, terms);
  }
  case Op::Product:
    return product(kids);
  case Op::Choose:
    return choose(kids[0], kids[1], kids[2]);
  case Op::And:
  case Op::Or:
    return connect(node.op, std::move(kids));
  case Op::Not:
    return negation(kids[0]);
  case Op::Zero:
    return zero(kids[0]);
  case Op::Positive:
    return positive(kids[0]);
  case Op::Equal:
    return equal(kids[0], kids[1]);
  case Op::Less:
    return less(kids[0], kids[1]);
  default:
    throw Rejection{"internal: not a term to rebuild"};
  }
}

} // namespace imbrex::check
