// The rules about sums: laws of the prelude, with functions of these sums.
#include "proof/certificate/export/CoqGround.h"

#include <algorithm>

namespace imbrex::certificate {

using check::Line;

namespace {

void insert(CoqTerms::Components &all, const CoqTerms::Components &more,
            const std::vector<Id> &without) {
  for (Id id : more)
    if (std::find(without.begin(), without.end(), id) == without.end())
      all.insert(id);
}

} // namespace

void CoqGround::add(uint32_t number, Id formula, Line line) {
  std::vector<Variable> names = variables(line);
  Id given = term(line);
  uint32_t theorem = line.count();
  struct Part {
    Rational factor;
    Id guard, value;
    Form whole;
  };
  std::vector<Part> all;
  Rational scale = 1;
  bool isReal = false;
  for (uint32_t i = line.count(); i > 0; --i) {
    Rational factor = Rational::of(line.next());
    Id guard = term(line), value = term(line);
    all.push_back({factor, guard, value, form(names, guard, value)});
    isReal |= all.back().whole.sort == terms.realSort;
    scale = scale * Rational((factor * scale).under);
  }
  const std::vector<Id> variables = coq.componentsOf(names);
  CoqTerms::Components used;
  insert(used, coq.free(theorems.at(theorem)), variables);
  std::string list, finites, equal, reduced, choices;
  std::vector<std::pair<Rational, Id>> each, sums;
  for (size_t i = 0; i < all.size(); ++i) {
    const Part &part = all[i];
    if (isReal != (part.whole.sort == terms.realSort))
      throw Rejection{"sums of integers and fractions together have no counterpart"};
    insert(used, coq.free(part.guard), variables);
    insert(used, coq.free(part.value), variables);
    std::string k = std::to_string(i), zero = coq.zero(part.whole.sort);
    list += "cons ((" + (part.factor * scale).str() + ")" + (isReal ? "%R" : "%Z") + ", " +
            part.whole.function + ") (";
    finites += "split; [exact " + part.whole.finite + "|]. ";
    equal += "pose proof " + part.whole.equal + " as SE" + k + ".\n";
    reduced += ", SE" + k; // in the same way: guards may be constant
    Id choice = terms.choose(part.guard, part.value, terms.number(0));
    each.emplace_back(part.factor, choice);
    sums.emplace_back(part.factor, part.whole.id);
    choices += "assert (K" + k + " : " + coq.callAs(choice, part.whole.sort) + " = (if " +
               coq.call(part.guard) + " then " + coq.call(part.value) + " else " + zero +
               ")) by (" + asChoice(choice, part.guard, part.value) + ").\n";
  }
  Id before = terms.zero(terms.linear(0, each)), after = terms.zero(terms.linear(0, sums));
  if (formula == terms.boolean(true))
    return conclude(number, formula, "reflexivity.", {});
  std::string r = isReal ? "R_" : "", end = isReal ? "lra" : "lia";
  list += std::string("@nil (") + (isReal ? "R" : "Z") + " * (" + coq.tupleType(variables) +
          " -> " + (isReal ? "R" : "Z") + "))";
  list += std::string(all.size(), ')');
  std::string script = assume(given, formula) + "assert (W : " + coq.fact(after) + "). {\n" + equal;
  script += "pose proof (" + r + "Sum_zero " + coq.tupleType(variables) + " (" + list +
            ")) as Z; cbn [" + r + "Sums] in Z" + reduced + ".\n";
  script += "match type of Z with ?F -> ?P -> _ => assert (ZF : F); [cbn [" + r + "finites]; " +
            "idtac|assert (ZP : P); [|specialize (Z ZF ZP)]] end.\n{ " + finites + "exact I. }\n";
  script += "{ intros " + coq.pattern(variables) + "; cbn [" + r + "combined]; cbv beta iota.\n" +
            choices + detach(theorem, given, "H", before) +
            (terms[before].op == Op::Zero ? opened(before, "D") : "") + "\n" + end + ". }\n";
  script += terms[after].op == Op::Zero
                ? "cbv beta delta [" + coq.nameOf(after) + "]. " +
                      (isReal ? "apply Reqb_eq; lra." : "apply Z.eqb_eq; lia.")
                : "first [reflexivity | exfalso; " + end + "].";
  script += "\n}\nexact " + (after == formula ? "W" : inject(formula, after, "W")) + ".";
  conclude(number, formula, script, used);
}

/// Leaves to prove that the sums are equal which both terms are. A term may be zero, so that
/// nothing is rewritten.
std::string CoqGround::asSums(const Form &first, const Form &second) {
  return "refine (eq_trans " + first.equal + " (eq_trans _ (eq_sym " + second.equal + "))).\n";
}

void CoqGround::nest(uint32_t number, Id formula, Line line) {
  std::vector<Variable> outer = variables(line);
  Id guard = term(line), value = term(line);
  std::vector<Variable> inner = variables(line);
  Id innerGuard = term(line), innerValue = term(line);
  std::vector<Variable> names = outer;
  names.insert(names.end(), inner.begin(), inner.end());
  Form in = form(inner, innerGuard, innerValue);
  Id nested = terms.product({value, in.id}), both = terms.conjunction({guard, innerGuard}),
     product = terms.product({value, innerValue});
  Form first = form(outer, guard, nested), second = form(names, both, product);
  if (formula == terms.boolean(true))
    return conclude(number, formula, "reflexivity.", {});
  if (first.sort != second.sort)
    throw Rejection{"sums of integers and fractions together have no counterpart"};
  bool isReal = first.sort == terms.realSort;
  std::string r = isReal ? "R_" : "", zero = coq.zero(first.sort), g = coq.call(guard),
              k = coq.call(innerGuard);
  std::string f = coq.lambda(first.variables, "if " + g + " then " + coq.callAs(value, first.sort) +
                                                  " else " + zero);
  std::string h = coq.lambda(
      in.variables, "if " + k + " then " + coq.callAs(innerValue, first.sort) + " else " + zero);
  // Names of the outer variables are free in the inner function.
  std::string split = "'(" + coq.tuple(first.variables) + ", " + coq.tuple(in.variables) + ")";
  if (first.variables.empty())
    split = "'(tt, " + coq.tuple(in.variables) + ")";
  std::string pair = "(" + coq.tuple(first.variables) + ", " + coq.tuple(in.variables) + ")";
  std::string pattern = "[" + coq.pattern(first.variables) + " " + coq.pattern(in.variables) + "]";
  std::string proof =
      asSums(first, second) + "apply (" + r + "Sum_nest _ " + coq.tupleType(in.variables) + " _ " +
      f + " " + coq.lambda(first.variables, h) + " " +
      coq.lambda(first.variables, coq.callAs(in.id, first.sort)) + " _ _ (fun " + split + " => " +
      coq.tuple(second.variables) + ") " + coq.lambda(second.variables, pair) + ").\n";
  proof += "- intros " + coq.pattern(second.variables) + "; reflexivity.\n- intros " + pattern +
           "; reflexivity.\n- exact " + second.finite + ".\n";
  proof += "- intros " + coq.pattern(first.variables) + "; cbv beta iota. " +
           unfoldProducts({nested, value}) + "destruct " + g + "; ring.\n";
  proof += "- intros " + coq.pattern(first.variables) + "; cbv beta iota. intros _. ";
  if (in.sort == first.sort)
    proof += "exact " + in.equal + ".\n";
  else
    proof += "rewrite " + in.equal + ", (IZR_Sum _ _ " + in.finite +
             "). apply R_Sum_same; intros " + coq.pattern(in.variables) +
             "; cbv beta iota. destruct " + k + "; reflexivity.\n";
  proof += "- intros " + coq.pattern(first.variables) + " " + coq.pattern(in.variables) +
           "; cbv beta iota. " + asConjunction(both, guard, innerGuard, "A") + "rewrite A. " +
           unfoldProducts({product, value, innerValue}) + "destruct " + g +
           "; cbn [andb]; [destruct " + k + "|]; ring.";
  CoqTerms::Components used;
  for (Id id : {guard, value, innerGuard, innerValue})
    insert(used, coq.free(id), second.variables);
  conclude(number, formula, equate(formula, first.id, second.id, proof), used);
}

/// O says that the guard holds, and so that each component of the point has its value.
std::string CoqGround::atPoint(const std::vector<Id> &point, const std::vector<Id> &equations,
                               Id known, const std::vector<std::string> &texts) {
  std::string text, rewrites;
  text += "assert (K : " + coq.call(known) + " = true). { destruct (cases " + coq.call(known) +
          ") as [Q|Q]; [exact Q|exfalso; apply O; rewrite Q; reflexivity]. }\n";
  for (size_t i = 0; i < point.size(); ++i) {
    std::string q = "Q" + std::to_string(i), call = coq.component(point[i]);
    Id equation = equations[i];
    const Node whole = terms[known];
    std::string holds = "K";
    if (equation != known) {
      auto it = std::find(whole.kids.begin(), whole.kids.end(), equation);
      if (whole.op != Op::And || it == whole.kids.end())
        throw Rejection{"a point that is not one has no counterpart"};
      holds = projected("and_l", "and_r", size_t(it - whole.kids.begin()), whole.kids.size(), "K");
    }
    Literal literal = coq.literal(equation);
    text +=
        "assert (E : " + coq.fact(equation) + "). { exact " + literalOf(equation, holds) + ". }\n";
    text += opened(literal.atom, "E") + " assert (" + q + " : " + call + " = " + texts[i] +
            ") by (first [congruence | arith]). clear E.\n";
    rewrites += "rewrite " + q + "; ";
  }
  return text + rewrites + "reflexivity.";
}

void CoqGround::point(uint32_t number, Id formula, Line line) {
  std::vector<Variable> names = variables(line);
  Variable own = variables(line, 1)[0];
  std::vector<Id> values;
  for (uint32_t i = line.count(); i > 0; --i)
    values.push_back(term(line));
  Id guard = term(line), value = term(line);
  std::vector<Variable> both = names;
  both.push_back(own);
  std::vector<Id> point = terms.components(own), all;
  for (size_t i = 0; i < point.size(); ++i)
    all.push_back(terms.equal(point[i], values[i]));
  std::vector<Id> equations = all;
  all.push_back(guard);
  Id known = terms.conjunction({terms.conjunction(equations), guard});
  Form first = form(both, known, value), second = form(names, guard, value);
  if (formula == terms.boolean(true))
    return conclude(number, formula, "reflexivity.", {});
  std::string r = first.sort == terms.realSort ? "R_" : "", by;
  std::vector<std::string> texts;
  for (size_t i = 0; i < point.size(); ++i)
    texts.push_back(coq.callAs(values[i], terms[point[i]].sort));
  Map map{{own.name, values}};
  if (terms.substitute(known, map) != guard)
    throw Rejection{"a point that is not one has no counterpart"};
  by = bridge(known, map);
  std::string split =
      "'(" + (names.empty() ? "tt" : coq.tuple(second.variables)) + ", " + coq.tuple(point) + ")";
  std::string pair = "(" + coq.tuple(second.variables) + ", " + coq.tuple(point) + ")";
  std::string proof =
      asSums(first, second) + "apply (" + r + "Sum_point _ " + coq.tupleType(point) + " _ _ " +
      coq.lambda(second.variables, coq.tuple(texts)) + " _ (fun " + split + " => " +
      coq.tuple(first.variables) + ") " + coq.lambda(first.variables, pair) + ").\n";
  std::string each = coq.pattern(second.variables);
  proof += "- intros " + coq.pattern(first.variables) + "; reflexivity.\n- intros [" + each + " " +
           coq.pattern(point) + "]; reflexivity.\n- exact " + second.finite + ".\n- intros " +
           each + "; cbv beta iota. " + (by.empty() ? "" : "rewrite " + by + ". ") +
           "reflexivity.\n- intros " + each + " " + coq.pattern(point) +
           " O; cbv beta iota in O |- *.\n";
  proof += known == terms.boolean(false) ? "exfalso; apply O; reflexivity."
                                         : atPoint(point, equations, known, texts);
  CoqTerms::Components used;
  std::vector<Id> bound = first.variables;
  insert(used, coq.free(known), bound);
  insert(used, coq.free(value), bound);
  conclude(number, formula, equate(formula, first.id, second.id, proof), used);
}

void CoqGround::rename(uint32_t number, Id formula, Line line) {
  std::vector<Variable> names = variables(line);
  Id guard = term(line), value = term(line);
  std::vector<Variable> others = variables(line);
  if (formula == terms.boolean(true))
    return conclude(number, formula, "reflexivity.", {});
  Map map;
  for (size_t i = 0; i < names.size(); ++i)
    map[names[i].name] = terms.components(others[i]);
  Form first = form(names, guard, value),
       second = form(others, terms.substitute(guard, map), terms.substitute(value, map));
  std::string g = bridge(guard, map), v = bridge(value, map);
  std::string proof = asSums(first, second) + "apply " + coq.sumName(first.sort) +
                      "_same; intros " + coq.pattern(second.variables) + "; cbv beta iota. " +
                      (g.empty() ? "" : "rewrite " + g + ". ") +
                      (v.empty() ? "" : "rewrite " + v + ". ") + "reflexivity.";
  CoqTerms::Components used;
  insert(used, coq.free(guard), first.variables);
  insert(used, coq.free(value), first.variables);
  conclude(number, formula, equate(formula, first.id, second.id, proof), used);
}

/// P: where the guard holds, the value is positive, as the theorem says under what is given.
std::string CoqGround::positiveValues(Id given, Id guard, Id value, uint32_t theorem,
                                      const Form &sum) {
  bool isReal = sum.sort == terms.realSort, isGiven = given != terms.boolean(true);
  Id premise = terms.conjunction({given, guard}), above = terms.less(terms.number(0), value);
  std::string zero = coq.zero(sum.sort), g = coq.lambda(sum.variables, coq.call(guard)),
              p = coq.lambda(sum.variables, coq.call(value));
  std::string script = "assert (P : forall x, " + g + " x = true -> (" + zero + " < " + p + " x)" +
                       (isReal ? "%R" : "%Z") + "). {\nintros " + coq.pattern(sum.variables) +
                       " G; cbv beta iota in G |- *.\n";
  script += asConjunction(premise, given, guard, "A");
  if (isGiven)
    script +=
        "assert (AH : " + coq.call(given) + " = true) by (exact " + asTrue(given, "H") + ").\n";
  script += "assert (AT : " + coq.call(premise) + " = true) by (rewrite A, " +
            (isGiven ? "AH, " : "") + "G; reflexivity).\n";
  script +=
      "assert (AL : " + coq.fact(premise) + ") by (exact " + literalOf(premise, "AT") + ").\n";
  return script + detach(theorem, premise, "AL", above) +
         (terms[above].op == Op::Positive ? opened(above, "D") + " " : "") +
         (isReal ? "lra" : "lia") + ".\n}\n";
}

/// W: the result, of what is known of the sum: P1 of its sign, P2 and P3 with and without a row.
std::string CoqGround::signs(Id some, Id less, Id more, Id exists, Id result) {
  bool isReal = false;
  for (Id id : {less, more})
    if (Op op = terms[id].op; op == Op::Positive)
      isReal |= coq.isReal(terms[id].kids[0]);
  std::string end = isReal ? "lra" : "lia", lt = isReal ? "Rltb_lt" : "Z.ltb_lt",
              ge = isReal ? "Rltb_ge" : "Z.ltb_ge", delta;
  std::set<std::string> unfold;
  for (Id id : {result, some, terms.negation(less)})
    if (Op op = terms[id].op;
        (op == Op::And || op == Op::Not || op == Op::Equal) && !coq.isInline(id))
      unfold.insert(coq.nameOf(id));
  auto test = [&](Id id, const std::string &hypothesis, bool holds) {
    std::string reveal = coq.isInline(id) ? "" : "cbv beta delta [" + coq.nameOf(id) + "]; ";
    return "assert (" + hypothesis + " : " + coq.call(id) + " = " + (holds ? "true" : "false") +
           "). { first [reflexivity | " + reveal + "apply " + (holds ? lt : ge) + "; " + end +
           "]. }\n";
  };
  for (const std::string &each : unfold)
    delta += " " + each;
  coq.call(result);
  std::string script = test(less, "U", false) + "assert (W : " + coq.fact(result) +
                       "). {\ndestruct (cases " + coq.call(exists) +
                       ") as [E|E]; [specialize (P2 E)|specialize (P3 E)].\n";
  for (bool holds : {true, false})
    script += "{ " + test(more, "V", holds) + "cbv beta delta [" + delta +
              "]; rewrite ?U, ?V, ?E; reflexivity. }\n";
  return script + "}\n";
}

void CoqGround::positive(uint32_t number, Id formula, Line line) {
  std::vector<Variable> names = variables(line);
  Id given = term(line), guard = term(line), value = term(line), none = terms.number(0);
  uint32_t theorem = line.count();
  Form sum = form(names, guard, value);
  if (formula == terms.boolean(true))
    return conclude(number, formula, "reflexivity.", {});
  bool isReal = sum.sort == terms.realSort;
  Id exists = names.empty() ? guard : terms.binder(Op::Exists, 0, terms.boolSort, names, {guard});
  Id more = terms.less(none, sum.id), less = terms.less(sum.id, none),
     some = terms.equal(more, exists), result = terms.conjunction({some, terms.negation(less)});
  std::string r = isReal ? "R_" : "", zero = coq.zero(sum.sort);
  std::string type = coq.tupleType(sum.variables), g = coq.lambda(sum.variables, coq.call(guard)),
              p = coq.lambda(sum.variables, coq.call(value));
  std::string script = assume(given, formula) + positiveValues(given, guard, value, theorem, sum);
  script += "pose proof " + sum.finite + " as F. pose proof " + sum.equal + " as S.\n";
  script += "assert (X : " + coq.call(exists) + " = Ex " + type + " " + g + "). { " +
            asExists(names, guard) + " }\n";
  script += "assert (L : " + r + "finite " + type + " (fun x => if " + g + " x then " + p +
            " x else " + zero + ")). { destruct F as [l F]. exists l. intros " +
            coq.pattern(sum.variables) + " O. apply F. exact O. }\n";
  script +=
      "destruct (" + r + "Sum_positive " + type + " " + g + " " + p + " L P) as [P1 [P2 P3]].\n";
  script +=
      "assert (M : " + coq.callAs(sum.id, sum.sort) + " = " + coq.sumName(sum.sort) + " " + type +
      " (fun x => if " + g + " x then " + p + " x else " + zero + ")). { rewrite S. apply " +
      coq.sumName(sum.sort) + "_same; intros " + coq.pattern(sum.variables) +
      "; reflexivity. }\nrewrite <- M in P1, P2, P3; rewrite <- X in P2, P3; clear M S L F.\n";
  script += signs(some, less, more, exists, result) + "exact " + inject(formula, result, "W") + ".";
  CoqTerms::Components used;
  for (Id id : {given, guard, value, theorems.at(theorem)})
    insert(used, coq.free(id), sum.variables);
  conclude(number, formula, script, used);
}

} // namespace imbrex::certificate
