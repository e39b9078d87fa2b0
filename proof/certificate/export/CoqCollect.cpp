// Collections: equal parts make equal collections; MIN, MAX and the only value.
#include "proof/certificate/export/CoqFinite.h"
#include "proof/certificate/export/CoqGround.h"

#include <algorithm>

namespace imbrex::certificate {

using check::Line;

/// Parts of a collection, as applied to variables that are called so: proofs, or nothing if they
/// are what they are called.
std::vector<std::string> CoqGround::partsOf(Id own, const std::vector<Variable> &names,
                                            const std::vector<Id> &kids) {
  const auto inside = coq.opened(own);
  Map inner;
  for (size_t i = 0; i < names.size(); ++i)
    inner[inside.first[i].name] = terms.components(names[i]);
  std::vector<std::string> all;
  for (size_t i = 0; i < kids.size(); ++i) {
    if (terms.substitute(inside.second[i], inner) != kids[i])
      throw Rejection{"variables in another order have no counterpart"};
    all.push_back(bridge(inside.second[i], inner));
  }
  return all;
}

CoqGround::Collected CoqGround::collected(Line &line) {
  Collected own;
  own.sort = sortOf(line);
  own.symbol = terms.name(line.next());
  own.names = variables(line);
  return own;
}

void CoqGround::collect(uint32_t number, Id formula, Line line) {
  Collected own = collected(line);
  Id given = term(line);
  uint32_t theorem = line.count();
  std::vector<Id> first, second, equal;
  for (uint32_t i = line.count(); i > 0; --i) {
    first.push_back(term(line));
    second.push_back(term(line));
    equal.push_back(terms.equal(first.back(), second.back()));
    if (terms[first.back()].sort != terms[second.back()].sort)
      throw Rejection{"collections of integers and of fractions have no counterpart"};
  }
  if (formula == terms.boolean(true))
    return conclude(number, formula, "reflexivity.", {});
  Id a = terms.binder(Op::Collect, own.symbol, own.sort, own.names, first),
     b = terms.binder(Op::Collect, own.symbol, own.sort, own.names, second);
  Id known = terms.conjunction(equal), result = terms.equal(a, b);
  const std::vector<Id> variables = coq.componentsOf(own.names);
  std::string left = coq.call(a), right = coq.call(b), start = assume(given, formula);
  std::string script = start + "assert (QA : " + left + " = " + right + "). {\ncbv beta delta [" +
                       coq.nameOf(a) + " " + coq.nameOf(b) + "]; apply " + coq.collector(a) +
                       "_same.\n";
  std::vector<std::string> one = partsOf(a, own.names, first), two = partsOf(b, own.names, second);
  for (size_t i = 0; i < first.size(); ++i) {
    script += "{ intros " + coq.pattern(variables) + "; cbv beta iota. ";
    for (const std::string &by : {one[i], two[i]})
      script += by.empty() ? "" : "rewrite " + by + ". ";
    if (first[i] == second[i]) {
      script += "reflexivity. }\n";
      continue;
    }
    script += detach(theorem, given, "H", known);
    const Node whole = terms[known];
    std::string holds = "D";
    if (equal[i] != known) {
      auto it = std::find(whole.kids.begin(), whole.kids.end(), equal[i]);
      if (whole.op != Op::And || it == whole.kids.end())
        throw Rejection{"an implication of another form has no counterpart"};
      holds = literalOf(equal[i], projected("and_l", "and_r", size_t(it - whole.kids.begin()),
                                            whole.kids.size(), "D"));
    }
    script += "assert (E : " + coq.fact(equal[i]) + ") by (exact " + holds + "). " +
              opened(coq.literal(equal[i]).atom, "E") + " first [congruence | arith]. }\n";
  }
  script += "}\nassert (W : " + coq.fact(result) + "). { " + conclude(result) + " }\nexact " +
            inject(formula, result, "W") + ".";
  CoqTerms::Components used;
  auto use = [&](Id id) {
    for (Id component : coq.free(id))
      if (std::find(variables.begin(), variables.end(), component) == variables.end())
        used.insert(component);
  };
  for (size_t i = 0; i < first.size(); ++i) {
    use(first[i]);
    use(second[i]);
  }
  use(theorems.at(theorem));
  conclude(number, formula, script, used);
}

/// CA: the collection, of functions of the variables that are called so.
std::string CoqGround::asFunctions(const Collected &own, Id id, const std::vector<Id> &kids,
                                   std::string &arguments) {
  const std::vector<Id> variables = coq.componentsOf(own.names);
  std::string call = coq.call(id);
  std::vector<std::string> by = partsOf(id, own.names, kids);
  for (Id kid : kids)
    arguments += " " + coq.lambda(variables, coq.call(kid));
  std::string script =
      "cbv beta delta [" + coq.nameOf(id) + "]; apply " + coq.collector(id) + "_same.\n";
  for (size_t i = 0; i < kids.size(); ++i)
    script += "{ intros " + coq.pattern(variables) + "; cbv beta iota. " +
              (by[i].empty() ? "" : "rewrite " + by[i] + ". ") + "reflexivity. }\n";
  CoqTerms::Components free = coq.free(id);
  std::string name = "CA" + std::to_string(++bridgeCount);
  lemma(name, free, call + " = " + coq.collector(id) + arguments, script);
  return "pose proof (" + name + coq.arguments(free) + ") as CA.\n";
}

/// A collection whose function chooses one of its members, of whose sort it is.
CoqGround::Choice CoqGround::choice(Line &line) {
  Choice own;
  own.of = collected(line);
  for (uint32_t i = line.count(); i > 0; --i)
    own.kids.push_back(term(line));
  own.id = terms.binder(Op::Collect, own.of.symbol, own.of.sort, own.of.names, own.kids);
  own.variables = coq.componentsOf(own.of.names);
  if (own.variables.size() != 1 || terms[own.variables[0]].sort != own.of.sort)
    throw Rejection{"a choice of a member of another sort has no counterpart"};
  return own;
}

void CoqGround::member(uint32_t number, Id formula, Line line) {
  if (formula == terms.boolean(true))
    return conclude(number, formula, "reflexivity.", {});
  const auto [own, kids, variables, id] = choice(line);
  Id guard = kids[0], exists = terms.binder(Op::Exists, 0, terms.boolSort, own.names, {guard});
  if (terms[exists].op != Op::Exists)
    throw Rejection{"the member of such a set has no counterpart"};
  Map map{{own.names[0].name, {id}}};
  Id result = terms.substitute(guard, map);
  std::string by = bridge(guard, map), arguments, a = coq.lambda(variables, coq.call(guard));
  std::string script = assume(exists, formula) + asFunctions(own, id, kids, arguments);
  std::string type = coq.tupleType(variables);
  script += "assert (X : " + coq.call(exists) + " = Ex " + type + " " + a + "). { " +
            asExists(own.names, guard) + " }\nrewrite X in H. apply Ex_value in H.\n";
  script += "pose proof (" + coq.collector(id) + "_member" + arguments +
            " H) as M. rewrite <- CA in M; cbv beta in M.\n";
  if (!by.empty())
    script += "rewrite " + by + " in M.\n";
  script += "assert (W : " + coq.fact(result) + "). { exact " + literalOf(result, "M") +
            ". }\nexact " + inject(formula, result, "W") + ".";
  CoqTerms::Components used;
  for (Id kid : kids)
    for (Id component : coq.free(kid))
      if (component != variables[0])
        used.insert(component);
  conclude(number, formula, script, used);
}

void CoqGround::extreme(uint32_t number, Id formula, Line line) {
  if (formula == terms.boolean(true))
    return conclude(number, formula, "reflexivity.", {});
  const auto [own, kids, variables, id] = choice(line);
  Id guard = kids[0];
  bool isLeast = terms.text(own.symbol).starts_with("\"min ");
  Id less = isLeast ? terms.less(variables[0], id) : terms.less(id, variables[0]);
  std::string arguments, script = assume(guard, formula) + asFunctions(own, id, kids, arguments);
  std::string a = coq.lambda(variables, coq.call(guard)), value = coq.component(variables[0]);
  std::string members = "MF" + std::to_string(++bridgeCount),
              proof = CoqFinite(terms, coq).proveMembers(variables, guard);
  lemma(members, coq.free(id), "exists l, forall x, " + a + " x = true -> In x l", proof);
  script += "pose proof (" + members + coq.arguments(coq.free(id)) + ") as F.\n";
  script += "pose proof (" + coq.collector(id) + "_extreme" + arguments + " F " + value + " " +
            (guard == terms.boolean(true) ? "eq_refl" : asTrue(guard, "H")) +
            ") as M. rewrite <- CA in M.\n";
  std::string end = own.sort == terms.intSort    ? "apply Z.ltb_ge; apply Z.ltb_ge in M; lia"
                    : own.sort == terms.realSort ? "apply Rltb_ge; apply Rltb_ge in M; lra"
                                                 : "exact M";
  script += "assert (W : " + coq.call(less) + " = false). { cbv beta delta [" + coq.nameOf(less) +
            "]; " + end + ". }\nexact " + inject(formula, terms.negation(less), "W") + ".";
  CoqTerms::Components used;
  for (Id kid : kids)
    for (Id component : coq.free(kid))
      used.insert(component);
  conclude(number, formula, script, used);
}

} // namespace imbrex::certificate
