// Why literals contradict each other, in the checker's steps.
#include "proof/certificate/elaborate/Ground.h"

namespace imbrex::certificate {

int Theory::add(Item item) {
  items.push_back(std::move(item));
  return int(items.size() - 1);
}

Id Theory::formulaOf(const Item &item) {
  switch (item.kind[0]) {
  case '=':
    return terms.equal(item.a, item.b);
  case '!':
    return terms.negation(terms.equal(item.a, item.b));
  default:
    return item.kind[1] ? terms.negation(terms.less(item.b, item.a)) : terms.less(item.a, item.b);
  }
}

/// The relations cannot hold together, or imply the goal, whose negation is added.
int Theory::linearStep(const Mixture &mixture, const Item *goal) {
  Tokens line;
  size_t count = goal ? 1 : 0;
  auto relation = [&](const char *kind, Id a, Id b, const Rational &factor) {
    line.text(kind).term(a).term(b).text(factor.str());
  };
  for (const auto &[item, factor] : mixture)
    count += factor.sign() != 0;
  line.text("linear").number(count);
  for (const auto &[item, factor] : mixture)
    if (const Item &own = items[size_t(item)]; factor.sign() != 0)
      relation(own.kind, own.a, own.b, factor);
  if (goal && goal->kind[0] == '=')
    relation("!=", goal->a, goal->b, -1);
  else if (goal)
    relation(goal->kind[1] ? "<" : "<=", goal->b, goal->a, 1);
  return ground.step(std::move(line));
}

void Theory::derive(int index, std::vector<int> &hints) {
  if (!derived.insert(index).second)
    return;
  const Item item = items[size_t(index)];
  if (item.literal != -1) {
    if (item.literal >= 0)
      used.insert(item.literal);
    return;
  }
  if (item.parts.empty()) {
    for (const auto &[other, factor] : item.from)
      if (factor.sign() != 0)
        derive(other, hints);
    hints.push_back(linearStep(item.from, &item));
    return;
  }
  Tokens line;
  line.text("same").term(item.a).number(item.parts.size());
  for (auto [x, y] : item.parts) {
    line.term(x).term(y);
    if (x != y)
      deriveEqual(x, y, hints);
  }
  hints.push_back(ground.step(std::move(line)));
}

void Theory::deriveEqual(Id a, Id b, std::vector<int> &hints) {
  if (auto it = pairs.find({a, b}); it != pairs.end())
    return derive(it->second, hints);
  Item goal{"=", a, b, -1, {}, path(a, b)};
  Id formula = formulaOf(goal);
  if (goal.from.size() == 1 && formulaOf(items[size_t(goal.from.begin()->first)]) == formula)
    return derive(goal.from.begin()->first, hints);
  if (derivedPairs.insert(formula).second)
    derive(add(goal), hints);
}

std::optional<std::pair<std::vector<int>, int>> Theory::conflict() {
  Clash clash = search();
  if (!clash)
    return {};
  std::vector<int> hints{ground.truthStep};
  for (const auto &[item, factor] : *clash)
    if (factor.sign() != 0)
      derive(item, hints);
  hints.push_back(linearStep(*clash, nullptr));
  std::vector<int> literals(used.begin(), used.end()), negated;
  for (int lit : literals)
    negated.push_back(lit ^ 1);
  return std::pair(literals, ground.derivedStep(negated, hints));
}

} // namespace imbrex::certificate
