// Consequences of what was proven, and the terms of the log.
#include "proof/certificate/elaborate/Elaborator.h"

#include <algorithm>

namespace imbrex::certificate {

void Elaborator::readTerm(Line &line) {
  Reader::readTerm(line);
  line.restart();
  line.next();
  uint32_t number = line.count();
  std::string op = line.next();
  if (op == "linear") {
    sort(line);
    Rational constant = Rational::of(line.next());
    auto &own = linearParts[number];
    for (uint32_t i = line.count(); i > 0; --i) {
      Rational factor = Rational::of(line.next());
      own.emplace_back(factor, term(line));
    }
    if (constant.sign() != 0)
      own.emplace_back(1, terms.number(constant));
    return;
  }
  if (op != "exists" && op != "sum" && op != "collect")
    return;
  Id id = ids[number];
  if (!terms[id].isBinder())
    return;
  if (op != "exists")
    sort(line);
  if (op == "collect")
    line.next();
  Variables bound = variables(line);
  rules.proof.remember(id, bound, list(line));
  for (const Variable &v : terms.lastOrder())
    places[number].push_back(
        size_t(std::find_if(bound.begin(), bound.end(),
                            [&](const Variable &w) { return w.name == v.name; }) -
               bound.begin()));
}

std::vector<Id> Elaborator::open(uint32_t number, const Variables &names) {
  const std::vector<size_t> &order = places[number];
  must(!order.empty() && order.size() == names.size(), "as many names as variables are expected");
  Variables ordered;
  for (size_t place : order)
    ordered.push_back(names[place]);
  std::vector<Id> kids = terms.open(ids[number], ordered);
  bridge(ids[number], ordered, kids);
  return kids;
}

/// Closed again with other names, a binder can list its variables in another order, where their use
/// does not tell them apart. Then both are proven equal.
void Elaborator::bridge(Id binder, const Variables &names, const std::vector<Id> &kids) {
  const Op op = terms[binder].op;
  Id again = op == Op::Sum      ? rules.sumOf(names, kids[0], kids[1])
             : op == Op::Exists ? rules.exists(names, kids[0])
                                : binder;
  if (again == binder || bridges.count({again, binder}))
    return;
  auto [others, parts] = rules.proof.form(binder);
  if (op == Op::Sum)
    rules.sumOf(others, parts[0], productOf({parts.begin() + 1, parts.end()}));
  else
    rules.exists(others, parts[0]);
  others = terms.lastOrder();
  Theorem own = 0;
  if (op == Op::Sum) {
    own = rules.rename(names, kids[0], kids[1], others);
  } else {
    Values there, back;
    for (size_t i = 0; i < names.size(); ++i) {
      there[others[i].name] = terms.components(names[i]);
      back[names[i].name] = terms.components(others[i]);
    }
    Id yes = terms.boolean(true);
    own = combine({into(0, yes, names, kids[0], others, parts[0], there),
                   into(0, yes, others, parts[0], names, kids[0], back)},
                  same(again, binder));
  }
  bridges[{again, binder}] = own;
}

Variable Elaborator::only(Line &line) {
  Variables all = variables(line);
  must(all.size() == 1, "one variable is expected");
  return all[0];
}

/// Facts that speak of the binders in the formulas: what their sums say of existence, and what they
/// are under the hypothesis.
Elaborator::Theorems Elaborator::related(uint32_t hypothesis, const std::vector<Id> &formulas) {
  Theorems found;
  std::vector<Id> todo = formulas;
  std::set<Id> seen;
  while (!todo.empty()) {
    Id id = todo.back();
    todo.pop_back();
    if (!seen.insert(id).second)
      continue;
    const Node &node = terms[id];
    if (!node.isBinder()) {
      todo.insert(todo.end(), node.kids.begin(), node.kids.end());
      continue;
    }
    size_t before = found.size();
    if (auto it = sumFacts.find(id); it != sumFacts.end())
      found.insert(found.end(), it->second.begin(), it->second.end());
    if (auto it = rewritings.find({hypothesis, id}); it != rewritings.end())
      found.push_back(it->second);
    for (size_t i = before; i < found.size(); ++i)
      todo.push_back(rules.formula(found[i]));
    if (node.op == Op::Collect)
      todo.insert(todo.end(), node.kids.begin() + 1, node.kids.end());
  }
  return found;
}

std::optional<Theorem> Elaborator::search(Id formula, Theorems premises, const char *rule,
                                          Ground::Products products) {
  for (Theorem premise : premises)
    if (rules.formula(premise) == formula)
      return premise;
  std::vector<Id> inputs;
  for (Theorem premise : premises)
    inputs.push_back(rules.formula(premise));
  inputs.push_back(terms.negation(formula));
  Ground ground(terms, work, products);
  if (!ground.refute(inputs))
    return {};
  auto [used, lines] = ground.lines(inputs.size() - 1);
  Tokens line;
  line.term(formula).number(used.size() - 1);
  for (size_t i : used)
    if (i + 1 < inputs.size())
      line.theorem(premises[i]);
  return rules.proof.add(rule, formula, line, std::move(lines));
}

Theorem Elaborator::prove(uint32_t hypothesis, const std::vector<Id> &given, Id goal,
                          Theorems premises, Ground::Products products) {
  Id formula = implies(all(given), goal);
  bool isPlain = premises.empty();
  std::pair<uint32_t, Id> key{hypothesis, formula};
  if (auto it = proven.find(key); it != proven.end())
    return it->second;
  std::vector<Id> seen = given;
  seen.push_back(goal);
  Theorems more = related(hypothesis, seen);
  premises.insert(premises.end(), more.begin(), more.end());
  std::optional<Theorem> found = search(formula, premises, "ground", products);
  must(found.has_value(), "a step of the log does not follow");
  if (isPlain)
    proven[key] = *found;
  return *found;
}

Theorem Elaborator::combine(const Theorems &premises, Id formula) {
  std::optional<Theorem> found = search(formula, premises, "ground", Ground::Products::AsTheyAre);
  if (!found && !bridges.empty()) {
    Theorems more = premises;
    for (const auto &[binders, theorem] : bridges)
      more.push_back(theorem);
    found = search(formula, more, "ground", Ground::Products::AsTheyAre);
  }
  must(found.has_value(), "theorems do not give what they should");
  return *found;
}

} // namespace imbrex::certificate
