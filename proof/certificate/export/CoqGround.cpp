// Ground proofs: clauses as disjunctions of facts.
#include "proof/certificate/export/CoqGround.h"

#include <algorithm>
#include <utility>

namespace imbrex::certificate {

using check::Line;

void CoqGround::lemma(const std::string &name, const CoqTerms::Components &free,
                      const std::string &claim, const std::string &proof) {
  std::string quantified = free.empty() ? "" : "forall" + coq.binders(free) + ", ";
  all += std::exchange(coq.definitions, {}) + "Lemma " + name + " : " + quantified + claim +
         ".\nProof.\nintros.\n" + proof + "\nQed.\n";
}

std::string CoqGround::use(uint32_t theorem, const CoqTerms::Values &values) {
  return "(T" + std::to_string(theorem) + coq.arguments(coq.free(theorems.at(theorem)), values) +
         ")";
}

void CoqGround::hypothesis(uint32_t number, Id formula, Line) {
  theorems[number] = formula;
  const auto &free = coq.free(formula);
  std::string fact = coq.fact(formula);
  all += std::exchange(coq.definitions, {}) + "Hypothesis T" + std::to_string(number) + " : " +
         (free.empty() ? "" : "forall" + coq.binders(free) + ", ") + fact + ".\n";
}

std::string CoqGround::opened(Id atom, const std::string &name) {
  const Node &node = terms[atom];
  std::string unfold = "cbv beta delta [" + coq.nameOf(atom) + "] in " + name + ". ";
  auto either = [&](const std::string &yes, const std::string &no) {
    return unfold + "first [apply " + yes + " in " + name + " | apply " + no + " in " + name + "].";
  };
  bool isReal = (node.op == Op::Zero || node.op == Op::Positive) && coq.isReal(node.kids[0]);
  if (isReal)
    return node.op == Op::Zero ? either("Reqb_eq", "Reqb_neq") : either("Rltb_lt", "Rltb_ge");
  if (node.op == Op::Zero)
    return either("Z.eqb_eq", "Z.eqb_neq");
  if (node.op == Op::Positive)
    return either("Z.ltb_lt", "Z.ltb_ge");
  if (node.op != Op::Equal)
    return {};
  Sort sort = terms[node.kids[0]].sort;
  if (sort == terms.boolSort)
    return either("Bool.eqb_prop", "Bool.eqb_false_iff");
  return either(coq.equalName(sort) + "_eq", coq.equalName(sort) + "_neq");
}

std::string CoqGround::statement(const Clause &clause) {
  std::string text;
  for (Id formula : clause)
    text += (text.empty() ? "" : " \\/ ") + coq.fact(formula);
  return text.empty() ? "False" : text;
}

std::string CoqGround::open(const Clause &clause, size_t i, const std::string &name) {
  Literal own = coq.literal(clause[i]);
  std::string way;
  for (size_t k = 0; k < i; ++k)
    way += "right; ";
  if (i + 1 < clause.size())
    way += "left; ";
  way += "exact " + name;
  return "destruct (cases " + coq.call(own.atom) + ") as [" + name + "|" + name + "]; " +
         (own.isTrue ? "[" + way + "|]" : "[|" + way + "]") + ".\n";
}

std::vector<Id> CoqGround::Same::terms() const {
  std::vector<Id> all{before};
  all.insert(all.end(), old.begin(), old.end());
  all.insert(all.end(), next.begin(), next.end());
  return all;
}

CoqGround::Same CoqGround::same(Line &line) {
  Same own;
  own.before = term(line);
  for (uint32_t i = line.count(); i > 0; --i) {
    own.old.push_back(term(line));
    own.next.push_back(term(line));
    if (own.old.back() != own.next.back())
      own.clause.push_back(terms.negation(terms.equal(own.old.back(), own.next.back())));
  }
  own.clause.push_back(terms.equal(own.before, terms.replaced(own.before, own.next)));
  return own;
}

CoqGround::Clause CoqGround::linear(Line &line) {
  Clause clause;
  for (uint32_t i = line.count(); i > 0; --i) {
    std::string relation = line.next();
    Id a = term(line), b = term(line);
    line.next();
    clause.push_back(relation == "="    ? terms.negation(terms.equal(a, b))
                     : relation == "!=" ? terms.equal(a, b)
                     : relation == "<"  ? terms.negation(terms.less(a, b))
                                        : terms.less(b, a));
  }
  return clause;
}

/// A clause that holds by what its terms mean, and its proof.
CoqGround::Fact CoqGround::factOf(const std::string &kind, Line line) {
  if (kind == "same") {
    Same own = same(line);
    return {own.clause, proveSame(own), own.terms()};
  }
  if (kind == "linear") {
    Clause clause = linear(line);
    return {clause, proveLinear(clause), {}};
  }
  if (kind == "order") {
    Id a = term(line), b = term(line);
    Clause clause{terms.equal(a, b), terms.less(a, b), terms.less(b, a)};
    return {clause, proveLinear(clause), {}};
  }
  if (kind != "chosen")
    throw Rejection{"the step '" + kind + "' has no counterpart"};
  Id choice = term(line);
  const Node node = terms[choice];
  bool isThen = line.next() == "then";
  Clause clause{isThen ? terms.negation(node.kids[0]) : node.kids[0],
                terms.equal(choice, node.kids[isThen ? 1 : 2])};
  return {clause, proveChosen(clause, choice), {choice}};
}

/// A lemma for it, made once; applied to variables that are called like its own.
std::string CoqGround::factLemma(const Fact &fact, CoqTerms::Components &used) {
  CoqTerms::Components needed;
  for (const std::vector<Id> &all : {fact.clause, fact.terms})
    for (Id id : all) {
      const auto &more = coq.free(id);
      needed.insert(more.begin(), more.end());
    }
  used.insert(needed.begin(), needed.end());
  std::string &name = facts[statement(fact.clause)];
  if (name.empty()) {
    name = "K" + std::to_string(facts.size());
    lemma(name, needed, statement(fact.clause), fact.proof);
  }
  return "(" + name + coq.arguments(needed) + ")";
}

std::string CoqGround::projected(const char *left, const char *right, size_t i, size_t count,
                                 const std::string &hypothesis) const {
  std::string text = hypothesis;
  for (size_t k = 0; k < i; ++k)
    text = "(" + std::string(right) + " _ _ " + text + ")";
  return i + 1 < count ? "(" + std::string(left) + " _ _ " + text + ")" : text;
}

/// Of values without arithmetic.
std::string CoqGround::proveOrder(const Clause &clause) {
  std::string text, order;
  for (size_t i = 0; i < clause.size(); ++i) {
    std::string name = "E" + std::to_string(i);
    Id atom = coq.literal(clause[i]).atom;
    const Node node = terms[atom];
    text += open(clause, i, name);
    if (node.op == Op::Less) {
      order = coq.orderOf(terms[node.kids[0]].sort);
      text += "cbv beta delta [" + coq.nameOf(atom) + "] in " + name + ".\n";
    } else {
      text += opened(atom, name) + "\n";
    }
  }
  return text + "exfalso; " + order + ".\n";
}

/// Relations at hand, in which negations may be values: facts speak of what they negate.
std::string CoqGround::related(const std::vector<Id> &values, const std::string &where) {
  std::string names;
  for (Id value : values)
    if (terms[value].op == Op::Not && !coq.isInline(value))
      names += " " + coq.nameOf(value);
  return names.empty() ? "relation"
                       : "first [relation | cbv beta delta [" + names + "]" + where + "; relation]";
}

std::string CoqGround::proveLinear(const Clause &clause) {
  std::string text;
  if (std::any_of(clause.begin(), clause.end(),
                  [&](Id formula) { return terms[coq.literal(formula).atom].op == Op::Less; }))
    return proveOrder(clause);
  bool isLogical = std::any_of(clause.begin(), clause.end(), [&](Id formula) {
    const Node &node = terms[coq.literal(formula).atom];
    return node.op == Op::Equal && terms[node.kids[0]].sort == terms.boolSort;
  });
  for (size_t i = 0; i < clause.size(); ++i) {
    std::string name = "E" + std::to_string(i);
    text += open(clause, i, name);
    if (isLogical) // a relation is a truth value, too
      text += "pose proof " + name + " as V" + name + ". ";
    text += opened(coq.literal(clause[i]).atom, name) + "\n";
  }
  std::vector<Id> values;
  for (Id formula : clause)
    if (const Node &node = terms[coq.literal(formula).atom]; node.op == Op::Equal)
      values.insert(values.end(), node.kids.begin(), node.kids.end());
  return text + "exfalso; " + related(values, " in *") + ".\n";
}

/// What an equation between terms, which is at hand, says as a formula.
std::string CoqGround::conclude(Id formula) {
  Id atom = coq.literal(formula).atom;
  const Node &node = terms[atom];
  std::string more;
  if (node.op == Op::Zero)
    more = coq.isReal(node.kids[0]) ? "apply Reqb_eq; lra" : "apply Z.eqb_eq; lia";
  else if (node.op == Op::Equal && terms[node.kids[0]].sort == terms.boolSort)
    more = "apply Bool.eqb_true_iff; congruence";
  else if (node.op == Op::Equal)
    more = "apply " + coq.equalName(terms[node.kids[0]].sort) + "_eq; congruence";
  if (more.empty())
    return "first [reflexivity | congruence | exfalso; lia].\n";
  return "first [cbv beta delta [" + coq.nameOf(atom) + "]; " + more + " | congruence].\n";
}

std::string CoqGround::proveSame(const Same &own) {
  const auto &[clause, before, old, next] = own;
  std::string text, names;
  for (size_t i = 0; i + 1 < clause.size(); ++i) {
    std::string name = "E" + std::to_string(i);
    text += open(clause, i, name) + opened(coq.literal(clause[i]).atom, name) + "\n";
  }
  for (size_t i = 0, k = 0; i < old.size(); ++i)
    if (old[i] != next[i]) {
      std::string name = "Q" + std::to_string(k++);
      text += "assert (" + name + " : " + coq.call(old[i]) + " = " +
              coq.callAs(next[i], terms[old[i]].sort) + ") by (" + related({old[i], next[i]}, "") +
              ").\n";
      names += (names.empty() ? "?" : ", ?") + name;
    }
  Id after = terms.replaced(before, next);
  std::string raw = coq.applied(before, next), result = coq.callAs(after, terms[before].sort),
              unfold = coq.nameOf(before);
  text +=
      "assert (QA : " + coq.call(before) + " = (" + raw + ")) by (cbv beta delta [" + unfold +
      "]; first [congruence | rewrite " + (names.empty() ? "?Nat.add_0_l" : names) + "; " +
      std::string(terms[before].op == Op::Product ? "first [reflexivity | ring]" : "reflexivity") +
      "]).\n";
  std::string inner;
  if (terms.isNumeric(after))
    for (const auto &[factor, part] : terms.parts(after).second)
      if (terms[part].op == Op::Product)
        inner += " " + coq.nameOf(part);
  if (!coq.isInline(after))
    inner += " " + coq.nameOf(after);
  text += "assert (QB : (" + raw + ") = " + result + ") by (first [reflexivity | ring" +
          (inner.empty() ? "" : " | cbv beta delta [" + inner + "]; first [reflexivity | ring]") +
          "]).\n";
  for (size_t i = 0; i + 1 < clause.size(); ++i)
    text += "right; ";
  return text + "rewrite QB in QA; clear QB; " + conclude(clause.back());
}

std::string CoqGround::proveChosen(const Clause &clause, Id choice) {
  const Node node = terms[choice];
  Id condition = coq.literal(clause[0]).atom;
  bool isThen = !coq.literal(clause[0]).isTrue;
  if (condition != node.kids[0])
    throw Rejection{"a choice by a negation has no counterpart"};
  return open(clause, 0, "E0") + "assert (QA : " + coq.call(choice) + " = " +
         coq.callAs(node.kids[isThen ? 1 : 2], node.sort) + ") by (cbv beta delta [" +
         coq.nameOf(choice) + "]; rewrite E0; reflexivity).\nright; " + conclude(clause.back());
}

void CoqGround::ground(uint32_t number, Line line, const std::vector<Line> &steps) {
  Id goal = term(line);
  CoqTerms::Components used;
  CoqRefutation proof(terms, coq);
  for (uint32_t i = line.count(); i > 0; --i) {
    uint32_t theorem = line.count();
    proof.given({theorems.at(theorem)}, use(theorem));
  }
  proof.deny(goal);
  for (Line step : steps) {
    std::string kind = step.next();
    if (kind == "rup") {
      readDerived(step, proof);
    } else if (kind == "whole") {
      proof.whole(term(step));
    } else if (kind == "part") {
      Id whole = term(step);
      proof.part(whole, term(step));
    } else {
      Fact fact = factOf(kind, step);
      proof.given(fact.clause, factLemma(fact, used));
    }
  }
  std::string name = "P" + std::to_string(number);
  all += proof.lemma(name);
  for (Id atom : proof.atoms())
    for (Id component : coq.free(atom))
      used.insert(component);
  conclude(number, goal, "exact " + proof.use(name) + ".", used);
}

void CoqGround::readDerived(Line &line, CoqRefutation &proof) {
  Clause clause;
  std::vector<uint32_t> hints;
  for (uint32_t i = line.count(); i > 0; --i)
    clause.push_back(term(line));
  for (uint32_t i = line.count(); i > 0; --i)
    hints.push_back(line.count());
  proof.derived(clause, hints);
}

} // namespace imbrex::certificate
