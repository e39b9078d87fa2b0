// Quantifiers and instances, where values take the place of variables.
#include "proof/certificate/export/CoqGround.h"

#include <algorithm>

namespace imbrex::certificate {

using check::Line;

/// A sort's name as the reader has it.
Sort CoqGround::sortOf(Line &line) const {
  std::string token = line.next();
  bool plain = token == "bool" || token == "int" || token == "real";
  return terms.name(plain ? token : token + "'");
}

std::vector<Variable> CoqGround::variables(Line &line) {
  uint32_t count = line.count();
  return variables(line, count);
}

std::vector<Variable> CoqGround::variables(Line &line, uint32_t count) {
  std::vector<Variable> names;
  for (uint32_t i = count; i > 0; --i) {
    Variable v{terms.name(line.next()), {}};
    for (uint32_t k = line.count(); k > 0; --k)
      v.shape.push_back(sortOf(line));
    names.push_back(v);
  }
  return names;
}

CoqGround::Map CoqGround::read(const std::vector<Variable> &names, Line &line) {
  Map map;
  for (const Variable &v : names)
    for (uint32_t k = line.count(); k > 0; --k)
      map[v.name].push_back(term(line));
  return map;
}

CoqTerms::Values CoqGround::textsOf(const Map &map) {
  CoqTerms::Values texts;
  for (const auto &[name, values] : map)
    for (uint32_t i = 0; i < values.size(); ++i)
      texts[terms.variable(name, i, terms[values[i]].sort)] = coq.call(values[i]);
  return texts;
}

std::vector<Id> CoqGround::parts(Id formula) const {
  const Node &node = terms[formula];
  return node.op == Op::Or ? node.kids : std::vector<Id>{formula};
}

/// "call = true" from the literal's fact, and back.
std::string CoqGround::asTrue(Id formula, const std::string &hypothesis) const {
  return terms[formula].op == Op::Not ? "(neg_ti _ " + hypothesis + ")" : hypothesis;
}

std::string CoqGround::literalOf(Id formula, const std::string &isTrue) const {
  return terms[formula].op == Op::Not ? "(neg_t _ " + isTrue + ")" : isTrue;
}

std::string CoqGround::path(const char *left, const char *right, size_t i, size_t count,
                            const std::string &inner) const {
  std::string text = i + 1 < count ? "(" + std::string(left) + " _ _ " + inner + ")" : inner;
  for (size_t k = 0; k < i; ++k)
    text = "(" + std::string(right) + " _ _ " + text + ")";
  return text;
}

/// The formula, from the fact of one of its alternatives.
std::string CoqGround::inject(Id formula, Id part, const std::string &hypothesis) {
  if (part == formula)
    return hypothesis;
  const std::vector<Id> all = parts(formula);
  auto it = std::find(all.begin(), all.end(), part);
  if (it == all.end())
    throw Rejection{"an implication of another form has no counterpart"};
  return path("or_l", "or_r", size_t(it - all.begin()), all.size(), asTrue(part, hypothesis));
}

/// A proof of False: the formula, "call = true", against one that has it negated as a part.
std::string CoqGround::falsified(Id formula, const std::string &isTrue, Id given,
                                 const std::string &holds) {
  Literal own = coq.literal(formula);
  std::string fact = literalOf(formula, isTrue);
  if (Id negated = terms.negation(given); negated == formula)
    return "clash _ " + (own.isTrue ? fact + " " + holds : holds + " " + fact);
  else {
    // Given is "not (a or b)", so that each alternative is false.
    const std::vector<Id> all = parts(negated);
    size_t i = size_t(std::find(all.begin(), all.end(), formula) - all.begin());
    if (i == all.size() || all.size() < 2)
      throw Rejection{"an implication of another form has no counterpart"};
    std::string no = projected("or_fl", "or_fr", i, all.size(), holds);
    return "clash _ " + isTrue + " " + no;
  }
}

std::string CoqGround::bridge(Id id, const Map &map) {
  Map own;
  const auto free = coq.free(id);
  for (const auto &[name, values] : map)
    if (terms.mentions(id, name))
      own[name] = values;
  CoqTerms::Values texts = textsOf(own);
  Id result = terms.substitute(id, own);
  if (coq.call(id, texts) == coq.call(result))
    return {};
  std::vector<std::pair<Id, Id>> key;
  CoqTerms::Components needed;
  for (Id component : free)
    if (auto it = own.find(terms[component].symbol); it != own.end()) {
      key.emplace_back(component, it->second.at(terms[component].index));
      const auto &more = coq.free(key.back().second);
      needed.insert(more.begin(), more.end());
    } else {
      needed.insert(component);
    }
  std::string &name = bridges[{id, key}];
  if (name.empty()) {
    std::string script = bridgeScript(id, result, own), left = coq.call(id, texts),
                right = coq.call(result);
    std::string fresh = "B" + std::to_string(++bridgeCount);
    lemma(fresh, needed, left + " = " + right, script);
    bridges[{id, key}] = fresh;
  }
  return "(" + bridges[{id, key}] + coq.arguments(needed) + ")";
}

/// Unfolds what is made of truth values: the term, and what is negated in it.
void CoqGround::reveal(Id id, std::set<std::string> &names) {
  const Node node = terms[id];
  if (coq.isInline(id) || (node.op != Op::Not && node.op != Op::And && node.op != Op::Or))
    return;
  coq.call(id);
  if (names.insert(coq.nameOf(id)).second)
    for (Id kid : node.kids)
      if (node.op == Op::Not || terms[kid].op == Op::Not)
        reveal(kid, names);
}

/// The end for truth values: a law of them, of both terms' parts or of those parts' own.
std::string CoqGround::bridgeTruth(Id id, Id result, const Map &map) {
  const Node node = terms[id];
  std::set<std::string> names;
  reveal(result, names);
  for (Id kid : node.kids)
    if (terms[kid].sort == terms.boolSort)
      reveal(terms.substitute(kid, map), names);
  std::string all,
      same = "first [reflexivity | test | btauto",
      other = coq.isInline(result) ? "idtac" : "cbv beta delta [" + coq.nameOf(result) + "]";
  for (const std::string &name : names)
    all += " " + name;
  std::string end = "all: " + same + " | " + other + "; " + same + "]";
  end += (all.empty() ? "" : " | cbv beta delta [" + all + "]; " + same + "]") + "].";
  if (node.op != Op::Equal || terms[node.kids[0]].sort == terms.boolSort)
    return end;
  std::string equal = coq.equalName(terms[node.kids[0]].sort);
  end = "all: try (apply " + equal + "_eq; reflexivity). all: try (" + other + "; apply " + equal +
        "_sym). " + end;
  Id left = terms.substitute(node.kids[0], map), right = terms.substitute(node.kids[1], map);
  if (left != right && terms[left].op == Op::Text && terms[right].op == Op::Text)
    end = "all: apply " + equal + "_neq; cbv beta delta [" + coq.nameOf(left) + " " +
          coq.nameOf(right) + "]; intro Q; congruence.";
  return end;
}

std::string CoqGround::bridgeScript(Id id, Id result, const Map &map) {
  const Node node = terms[id];
  if (node.isBinder())
    return bridgeBinder(id, result, map);
  if (node.op == Op::And || node.op == Op::Or)
    return bridgeConnective(id, result, map);
  if (node.op == Op::Not)
    return bridgeNegation(id, map);
  std::string script = "all: try reflexivity. ",
              other =
                  coq.isInline(result) ? "idtac" : "cbv beta delta [" + coq.nameOf(result) + "]";
  if (!coq.isInline(id))
    script += "all: cbv beta delta [" + coq.nameOf(id) + "]. ";
  std::set<Id> kids(node.kids.begin(), node.kids.end());
  if (node.op == Op::Zero || node.op == Op::Positive) {
    kids.clear();
    for (const auto &[factor, part] : terms.parts(node.kids[0]).second)
      kids.insert(part);
  }
  for (Id kid : kids)
    if (std::string by = bridge(kid, map); !by.empty())
      script += "all: rewrite " + by + ". ";
  if (!terms.isNumeric(id) && node.op != Op::Choose)
    return script + bridgeTruth(id, result, map);
  script +=
      "all: first [reflexivity | arith | ring | " + other + "; first [reflexivity | ring | arith]";
  if (node.op != Op::Choose)
    return script + "].";
  // A choice by a negation has its values the other way round.
  std::set<std::string> names;
  reveal(terms.substitute(node.kids[0], map), names);
  script += " | " + other;
  for (const std::string &name : names)
    script += "; cbv beta delta [" + name + "]";
  return script + "; flipped].";
}

/// Both definitions have names of their own for the variables, and may list them in another order.
std::string CoqGround::bridgeBinder(Id id, Id result, const Map &map) {
  const Node node = terms[id];
  if (terms[result].op != node.op)
    return "reflexivity.";
  const auto names = coq.opened(id), others = coq.opened(result);
  std::vector<Id> kids;
  for (Id kid : names.second)
    kids.push_back(terms.substitute(kid, map));
  Id again = terms.binder(node.op, node.symbol, node.sort, names.first, kids);
  const std::vector<Variable> order = terms.lastOrder();
  if (again != result)
    throw Rejection{"a binder that is not what it was has no counterpart"};
  Map inner = map;
  for (size_t i = 0; i < order.size(); ++i)
    inner[order[i].name] = terms.components(others.first[i]);
  const std::vector<Id> bound = coq.componentsOf(others.first);
  std::string rewrites, start = "intros " + coq.pattern(bound) + "; cbv beta iota. ", each;
  for (size_t i = 0; i < names.second.size(); ++i) {
    if (terms.substitute(names.second[i], inner) != others.second[i])
      throw Rejection{"variables in another order have no counterpart"};
    std::string by = bridge(names.second[i], inner);
    rewrites += by.empty() ? "" : "rewrite " + by + ". ";
    each += "\n- " + start + (by.empty() ? "" : "rewrite " + by + ". ") + "reflexivity.";
  }
  std::string end =
                  "intros " + coq.pattern(bound) + "; cbv beta iota. " + rewrites + "reflexivity.",
              unfold = "cbv beta delta [" + coq.nameOf(id) + "]. cbv beta delta [" +
                       coq.nameOf(result) + "]. ",
              sum = coq.sumName(node.sort);
  if (node.op == Op::Collect)
    return unfold + "apply " + coq.collector(id) + "_same." + each;
  auto isSame = [](const Variable &a, const Variable &b) { return a.name == b.name; };
  if (std::equal(order.begin(), order.end(), names.first.begin(), isSame))
    return unfold + "apply " + (node.op == Op::Exists ? "Ex" : sum) + "_same; " + end;
  std::vector<Id> there = coq.componentsOf(names.first), back;
  for (const Variable &v : names.first)
    back.insert(back.end(), inner[v.name].begin(), inner[v.name].end());
  std::string maps = " _ _ _ _ " + coq.lambda(bound, coq.tuple(back)) + " " +
                     coq.lambda(there, coq.tuple(coq.componentsOf(order))) + ").\n- intros " +
                     coq.pattern(there) + "; reflexivity.\n";
  if (node.op == Op::Exists)
    return unfold + "apply (Ex_map" + maps + "- " + end;
  Form own = form(others.first, others.second[0], others.second[1]);
  return unfold + "apply (" + sum + "_map" + maps + "- intros " + coq.pattern(bound) +
         "; reflexivity.\n- exact " + own.finite + ".\n- " + end;
}

void CoqGround::instance(uint32_t number, Id formula, Line line) {
  uint32_t theorem = line.count();
  std::vector<Variable> names = variables(line);
  Map map = read(names, line);
  Id general = theorems.at(theorem);
  std::string by = bridge(general, map), script;
  CoqTerms::Components free = coq.free(formula);
  CoqTerms::Values texts = textsOf(map);
  std::string others;
  for (const auto &[name, values] : map)
    for (Id value : values)
      for (Id id : coq.free(value))
        if (!free.count(id))
          others += "pose (" + coq.component(id) + " := " + coq.fallback(terms[id].sort) + ").\n";
  for (Id id : coq.free(general))
    if (!texts.count(id) && !free.count(id))
      others += "pose (" + coq.component(id) + " := " + coq.fallback(terms[id].sort) + ").\n";
  std::string whole =
      terms[general].op == Op::Not ? "(neg_ti _ " + use(theorem, texts) + ")" : use(theorem, texts);
  script =
      others + "assert (H : " + coq.call(general, texts) + " = true) by (exact " + whole + ").\n";
  if (!by.empty())
    script += "rewrite " + by + " in H.\n";
  script +=
      formula == terms.boolean(true) ? "reflexivity." : "exact " + literalOf(formula, "H") + ".";
  std::string claim = coq.fact(formula);
  lemma("T" + std::to_string(number), free, claim, script);
  theorems[number] = formula;
}

void CoqGround::introduce(uint32_t number, Id formula, Line line) {
  std::vector<Variable> names = variables(line);
  Id guard = term(line);
  Map map = read(names, line), inner;
  Id binder = terms.binder(Op::Exists, 0, terms.boolSort, names, {guard});
  const std::vector<Variable> order = terms.lastOrder();
  if (terms[binder].op != Op::Exists || formula == terms.boolean(true))
    throw Rejection{"a quantifier over a constant has no counterpart"};
  const auto own = coq.opened(binder);
  for (size_t i = 0; i < order.size(); ++i)
    inner[own.first[i].name] = map.at(order[i].name);
  Id body = own.second[0], instance = terms.substitute(guard, map);
  if (terms.substitute(body, inner) != instance)
    throw Rejection{"variables in another order have no counterpart"};
  std::string by = bridge(body, inner), script, call = coq.call(instance);
  std::string last = inject(formula, binder, "HE"),
              first = instance == terms.boolean(true)
                          ? ""
                          : inject(formula, terms.negation(instance), "H");
  if (first.empty()) {
    script = "pose proof (eq_refl true) as H.\n";
  } else {
    Literal literal = coq.literal(instance);
    script = "destruct (cases " + coq.call(literal.atom) + ") as [H|H]; " +
             (literal.isTrue ? "[|exact " + first + "].\n" : "[exact " + first + "|].\n");
  }
  script += "assert (HE : " + coq.call(binder) + " = true). { cbv beta delta [" +
            coq.nameOf(binder) + "]. ";
  std::vector<std::string> tuple;
  for (size_t i = 0; i < order.size(); ++i)
    for (Id value : inner.at(own.first[i].name))
      tuple.push_back(coq.call(value));
  script += "apply Ex_some with (x := " + coq.tuple(tuple) + "). cbv beta iota. ";
  script += (by.empty() ? "" : "rewrite " + by + ". ") + "exact " + asTrue(instance, "H") + ". }\n";
  script += "exact " + last + ".";
  CoqTerms::Components free = coq.free(formula);
  std::string others, claim = coq.fact(formula);
  for (const auto &[name, values] : map)
    for (Id value : values)
      for (Id id : coq.free(value))
        if (!free.count(id)) {
          free.insert(id);
          others += "pose (" + coq.component(id) + " := " + coq.fallback(terms[id].sort) + ").\n";
        }
  lemma("T" + std::to_string(number), coq.free(formula), claim, others + script);
  theorems[number] = formula;
}

void CoqGround::eliminate(uint32_t number, Id formula, Line line) {
  std::vector<Variable> names = variables(line);
  Id guard = term(line);
  term(line);
  uint32_t theorem = line.count();
  Id binder = terms.binder(Op::Exists, 0, terms.boolSort, names, {guard});
  const std::vector<Variable> order = terms.lastOrder();
  if (terms[binder].op != Op::Exists)
    throw Rejection{"a quantifier over a constant has no counterpart"};
  const auto own = coq.opened(binder);
  Map inner;
  std::string values, script;
  for (size_t i = 0; i < order.size(); ++i)
    inner[own.first[i].name] = terms.components(order[i]);
  values = "apply Ex_value in H; destruct H as [" + coq.pattern(coq.componentsOf(order)) +
           " H]; cbv beta iota in H. ";
  Id body = own.second[0], known = theorems.at(theorem);
  if (terms.substitute(body, inner) != guard)
    throw Rejection{"variables in another order have no counterpart"};
  std::string by = bridge(body, inner);
  script = "destruct (cases " + coq.call(binder) + ") as [H|H]; [|exact " +
           inject(formula, terms.negation(binder), "H") + "].\n";
  script += "cbv beta delta [" + coq.nameOf(binder) + "] in H. " + values + "\n";
  if (!by.empty())
    script += "rewrite " + by + " in H.\n";
  std::string holds = literalOf(guard, "H");
  std::string others;
  CoqTerms::Components free = coq.free(formula), bound;
  for (const Variable &v : names)
    for (Id component : terms.components(v))
      bound.insert(component);
  for (Id id : coq.free(known))
    if (!free.count(id) && !bound.count(id))
      others += "pose (" + coq.component(id) + " := " + coq.fallback(terms[id].sort) + ").\n";
  script += "pose proof " + use(theorem) + " as D.\n";
  const std::vector<Id> all = parts(known), negated = parts(terms.negation(guard));
  if (all.size() > 1)
    script += "cbv beta delta [" + coq.nameOf(known) + "] in D.\n";
  for (size_t i = 0; i < all.size(); ++i) {
    bool isGuard = std::count(negated.begin(), negated.end(), all[i]) > 0;
    std::string own = all.size() > 1 ? "D" : asTrue(all[i], "D");
    std::string end = isGuard ? "exact (False_ind _ (" + falsified(all[i], own, guard, holds) + "))"
                              : "exact " + inject(formula, all[i], literalOf(all[i], own));
    script += i + 1 < all.size() ? "apply orb_prop in D; destruct D as [D|D]; [" + end + "|].\n"
                                 : end + ".";
  }
  std::string claim = coq.fact(formula);
  lemma("T" + std::to_string(number), free, claim, others + script);
  theorems[number] = formula;
}

} // namespace imbrex::certificate
