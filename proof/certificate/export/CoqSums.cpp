// Sums as functions of their variables, and implications, for the rules about sums.
#include "proof/certificate/export/CoqFinite.h"
#include "proof/certificate/export/CoqGround.h"

#include <algorithm>

namespace imbrex::certificate {

/// Proves that the choice is "if guard then value else 0".
std::string CoqGround::asChoice(Id choice, Id guard, Id value) {
  std::string unfold;
  for (Id id : {choice, guard})
    if (!coq.isInline(id) && (terms[id].op == Op::Choose || terms[id].op == Op::Not))
      unfold += " " + coq.nameOf(id);
  (void)value;
  Id atom = coq.literal(guard).atom;
  return (unfold.empty() ? "" : "cbv beta delta [" + unfold + "]; ") + "destruct " +
         coq.call(atom) + "; cbn [negb]; first [reflexivity | arith | ring]";
}

/// Lemmas that the term is the sum of a function of these variables, and that it is finite.
CoqGround::Form CoqGround::form(const std::vector<Variable> &names, Id guard, Id value) {
  Form own;
  own.variables = coq.componentsOf(names);
  own.sort = terms[value].sort;
  own.id = names.empty() ? terms.choose(guard, value, terms.number(0))
                         : terms.binder(Op::Sum, 0, terms.intSort, names, {guard, value});
  const std::vector<Variable> order = terms.lastOrder();
  bool isReal = own.sort == terms.realSort;
  std::string r = isReal ? "R_" : "", zero = coq.zero(own.sort),
              type = coq.tupleType(own.variables);
  own.function = coq.lambda(own.variables,
                            "if " + coq.call(guard) + " then " + coq.call(value) + " else " + zero);
  own.sum = "(" + coq.sumName(own.sort) + " " + type + " " + own.function + ")";
  CoqTerms::Components free = coq.free(guard), more = coq.free(value);
  free.insert(more.begin(), more.end());
  for (Id id : own.variables)
    free.erase(id);
  const auto &used = coq.free(own.id);
  free.insert(used.begin(), used.end());
  std::string &number = forms[own.function];
  if (number.empty()) {
    std::string name = std::to_string(forms.size());
    number = name;
    std::string finite = CoqFinite(terms, coq).prove(own.variables, guard, value);
    lemma("FV" + name, free, r + "finite " + type + " " + own.function, finite);
    std::string claim = coq.callAs(own.id, own.sort) + " = " + own.sum, script;
    if (names.empty()) {
      script = "rewrite " + r + "Sum_unit. " + asChoice(own.id, guard, value) + ".";
    } else {
      const auto inside = coq.opened(own.id);
      Map inner;
      for (size_t i = 0; i < order.size(); ++i)
        inner[inside.first[i].name] = terms.components(order[i]);
      if (terms.substitute(inside.second[0], inner) != guard ||
          terms.substitute(inside.second[1], inner) != value)
        throw Rejection{"variables in another order have no counterpart"};
      std::map<Name, std::vector<Id>> back;
      for (size_t i = 0; i < order.size(); ++i)
        back[order[i].name] = terms.components(inside.first[i]);
      std::vector<Id> backwards;
      for (const Variable &v : names)
        backwards.insert(backwards.end(), back[v.name].begin(), back[v.name].end());
      const std::vector<Id> bound = coq.componentsOf(inside.first);
      std::string g = bridge(inside.second[0], inner), v = bridge(inside.second[1], inner);
      script = "cbv beta delta [" + coq.nameOf(own.id) + "]. apply (" + r + "Sum_map _ _ _ _ " +
               coq.lambda(own.variables, coq.tuple(coq.componentsOf(order))) + " " +
               coq.lambda(bound, coq.tuple(backwards)) + ").\n- intros " + coq.pattern(bound) +
               "; reflexivity.\n- intros " + coq.pattern(own.variables) +
               "; reflexivity.\n- exact (FV" + name + coq.arguments(free) + ").\n- intros " +
               coq.pattern(own.variables) + "; cbv beta iota. " +
               (g.empty() ? "" : "rewrite " + g + ". ") + (v.empty() ? "" : "rewrite " + v + ". ") +
               "reflexivity.";
    }
    lemma("SV" + name, free, claim, script);
  }
  own.finite = "(FV" + forms[own.function] + coq.arguments(free) + ")";
  own.equal = "(SV" + forms[own.function] + coq.arguments(free) + ")";
  return own;
}

/// Proves that the quantifier is "Ex" of the guard as a function of these variables.
std::string CoqGround::asExists(const std::vector<Variable> &names, Id guard) {
  const std::vector<Id> variables = coq.componentsOf(names);
  std::string function = coq.lambda(variables, coq.call(guard));
  if (names.empty())
    return "destruct (cases (Ex unit " + function + ")) as [Q|Q]; [pose proof Q as O; apply " +
           "Ex_value in O; destruct O as [_ O]; congruence|]. destruct (cases " + coq.call(guard) +
           ") as [O|O]; [|congruence]. rewrite (Ex_some unit " + function +
           " tt O) in Q; discriminate.";
  Id binder = terms.binder(Op::Exists, 0, terms.boolSort, names, {guard});
  const std::vector<Variable> order = terms.lastOrder();
  if (terms[binder].op != Op::Exists) {
    if (binder != terms.boolean(true))
      throw Rejection{"a quantifier over a constant has no counterpart"};
    std::vector<std::string> some;
    for (Id id : variables)
      some.push_back(coq.fallback(terms[id].sort));
    return "symmetry; apply Ex_some with (x := " + coq.tuple(some) + "); reflexivity.";
  }
  const auto inside = coq.opened(binder);
  Map inner, back;
  for (size_t i = 0; i < order.size(); ++i) {
    inner[inside.first[i].name] = terms.components(order[i]);
    back[order[i].name] = terms.components(inside.first[i]);
  }
  if (terms.substitute(inside.second[0], inner) != guard)
    throw Rejection{"variables in another order have no counterpart"};
  std::vector<Id> backwards;
  for (const Variable &v : names)
    backwards.insert(backwards.end(), back[v.name].begin(), back[v.name].end());
  const std::vector<Id> bound = coq.componentsOf(inside.first);
  std::string g = bridge(inside.second[0], inner);
  return "cbv beta delta [" + coq.nameOf(binder) + "]; apply (Ex_map _ _ _ _ " +
         coq.lambda(variables, coq.tuple(coq.componentsOf(order))) + " " +
         coq.lambda(bound, coq.tuple(backwards)) + "); [intros " + coq.pattern(bound) +
         "; reflexivity|intros " + coq.pattern(variables) + "; cbv beta iota; " +
         (g.empty() ? "" : "rewrite " + g + "; ") + "reflexivity].";
}

/// NAME: the conjunction of both, whose parts it has.
std::string CoqGround::asConjunction(Id whole, Id a, Id b, const std::string &name) {
  std::string unfold;
  for (Id id : std::set<Id>{whole, a, b})
    if (!coq.isInline(id) && (terms[id].op == Op::And || terms[id].op == Op::Not))
      unfold += " " + coq.nameOf(id);
  return "assert (" + name + " : " + coq.call(whole) + " = (" + coq.call(a) + " && " + coq.call(b) +
         ")%bool). { " + (unfold.empty() ? "" : "cbv beta delta [" + unfold + "]; ") +
         "btauto. }\n";
}

std::string CoqGround::unfoldProducts(const std::vector<Id> &numbers) {
  std::set<std::string> all;
  for (Id number : numbers)
    for (const auto &[factor, part] : terms.parts(number).second)
      if (terms[part].op == Op::Product)
        all.insert(coq.nameOf(part));
  std::string text;
  for (const std::string &name : all)
    text += " " + name;
  return text.empty() ? "" : "cbv beta delta [" + text + "]; ";
}

/// The formula says that these numbers are equal, which the script proves.
std::string CoqGround::equate(Id formula, Id first, Id second, const std::string &proof) {
  if (formula == terms.boolean(true))
    return "reflexivity.";
  bool isReal = terms[first].sort == terms.realSort || terms[second].sort == terms.realSort;
  Sort sort = isReal ? terms.realSort : terms.intSort;
  std::string text = "assert (N : " + coq.callAs(first, sort) + " = " + coq.callAs(second, sort) +
                     "). {\n" + proof + "\n}\ncbv beta delta [" + coq.nameOf(formula) + "]. ";
  return text + (isReal ? "apply Reqb_eq; lra." : "apply Z.eqb_eq; lia.");
}

/// H: what is given; if it is not, the formula holds.
std::string CoqGround::assume(Id given, Id formula) {
  if (given == terms.boolean(true))
    return "";
  Literal own = coq.literal(given);
  std::string otherwise = "exact " + inject(formula, terms.negation(given), "H");
  return "destruct (cases " + coq.call(own.atom) + ") as [H|H]; " +
         (own.isTrue ? "[|" + otherwise + "].\n" : "[" + otherwise + "|].\n");
}

/// D: the result, of which the theorem says that the premise implies it.
std::string CoqGround::detach(uint32_t theorem, Id premise, const std::string &holds, Id result) {
  Id known = theorems.at(theorem);
  std::string start = "assert (D : " + coq.fact(result) + "). { ";
  if (result == terms.boolean(true))
    return start + "reflexivity. }\n";
  start += "pose proof " + use(theorem) + " as D. ";
  if (premise == terms.boolean(true))
    return start + "exact D. }\n";
  const std::vector<Id> all = parts(known), negated = parts(terms.negation(premise));
  if (all.size() > 1)
    start += "cbv beta delta [" + coq.nameOf(known) + "] in D. ";
  for (size_t i = 0; i < all.size(); ++i) {
    bool isPremise = std::count(negated.begin(), negated.end(), all[i]) > 0;
    std::string own = all.size() > 1 ? "D" : asTrue(all[i], "D");
    std::string end = isPremise
                          ? "exact (False_ind _ (" + falsified(all[i], own, premise, holds) + "))"
                          : "exact " + inject(result, all[i], literalOf(all[i], own));
    start += i + 1 < all.size() ? "apply orb_prop in D; destruct D as [D|D]; [" + end + "|]. "
                                : end + ".";
  }
  return start + " }\n";
}

/// Other variables of what is used may be anything.
void CoqGround::conclude(uint32_t number, Id formula, const std::string &script,
                         const CoqTerms::Components &used) {
  const CoqTerms::Components free = coq.free(formula);
  std::string others, claim = coq.fact(formula);
  for (Id id : used)
    if (!free.count(id))
      others += "pose (" + coq.component(id) + " := " + coq.fallback(terms[id].sort) + ").\n";
  lemma("T" + std::to_string(number), free, claim, others + script);
  theorems[number] = formula;
}

} // namespace imbrex::certificate
