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

CoqGround::Clause CoqGround::whole(Id formula) {
  Node node = terms[formula];
  bool isAnd = node.op == Op::And;
  Clause clause{isAnd ? formula : terms.negation(formula)};
  for (Id kid : node.kids)
    clause.push_back(isAnd ? terms.negation(kid) : kid);
  return clause;
}

CoqGround::Clause CoqGround::same(Line &line, Id &before, std::vector<Id> &old,
                                  std::vector<Id> &next) {
  Clause clause;
  before = term(line);
  for (uint32_t i = line.count(); i > 0; --i) {
    old.push_back(term(line));
    next.push_back(term(line));
    if (old.back() != next.back())
      clause.push_back(terms.negation(terms.equal(old.back(), next.back())));
  }
  clause.push_back(terms.equal(before, terms.replaced(before, next)));
  return clause;
}

CoqGround::Clause CoqGround::clauseOf(Line line, const std::vector<Clause> &) {
  std::string kind = line.next();
  Clause clause;
  if (kind == "part") {
    Id whole = term(line), part = term(line);
    return terms[whole].op == Op::And ? Clause{terms.negation(whole), part}
                                      : Clause{whole, terms.negation(part)};
  }
  if (kind == "whole")
    return whole(term(line));
  if (kind == "chosen") {
    Node node = terms[term(line)];
    line.restart();
    line.next();
    Id choice = term(line);
    bool isThen = line.next() == "then";
    return {isThen ? terms.negation(node.kids[0]) : node.kids[0],
            terms.equal(choice, node.kids[isThen ? 1 : 2])};
  }
  if (kind == "order") {
    Id a = term(line), b = term(line);
    return {terms.equal(a, b), terms.less(a, b), terms.less(b, a)};
  }
  if (kind == "same") {
    Id before = 0;
    std::vector<Id> old, next;
    return same(line, before, old, next);
  }
  uint32_t count = line.count();
  if (kind == "rup") {
    for (uint32_t i = 0; i < count; ++i)
      clause.push_back(term(line));
    return clause;
  }
  if (kind != "linear")
    throw Rejection{"the step '" + kind + "' has no counterpart"};
  for (uint32_t i = 0; i < count; ++i) {
    std::string relation = line.next();
    Id a = term(line), b = term(line);
    line.next();
    if (relation[0] == '<' && !terms.isNumeric(a))
      throw Rejection{"the order of values without arithmetic has no counterpart"};
    clause.push_back(relation == "="    ? terms.negation(terms.equal(a, b))
                     : relation == "!=" ? terms.equal(a, b)
                     : relation == "<"  ? terms.negation(terms.less(a, b))
                                        : terms.less(b, a));
  }
  return clause;
}

std::string CoqGround::prove(Line line, const Clause &clause, const std::vector<Clause> &clauses) {
  std::string kind = line.next();
  if (kind == "rup")
    return proveRup(line, clause, clauses);
  if (kind == "same")
    return proveSame(line, clause);
  if (kind == "linear" || kind == "order")
    return proveLinear(clause);
  Id first = term(line);
  if (kind == "chosen")
    return proveChosen(clause, first);
  return kind == "part" ? provePart(clause, first, term(line)) : proveWhole(clause, first);
}

std::string CoqGround::projected(const char *left, const char *right, size_t i, size_t count,
                                 const std::string &hypothesis) const {
  std::string text = hypothesis;
  for (size_t k = 0; k < i; ++k)
    text = "(" + std::string(right) + " _ _ " + text + ")";
  return i + 1 < count ? "(" + std::string(left) + " _ _ " + text + ")" : text;
}

std::string CoqGround::provePart(const Clause &clause, Id whole, Id part) {
  const Node &node = terms[whole];
  size_t i = size_t(std::find(node.kids.begin(), node.kids.end(), part) - node.kids.begin());
  bool isAnd = node.op == Op::And;
  std::string own =
      projected(isAnd ? "and_l" : "or_fl", isAnd ? "and_r" : "or_fr", i, node.kids.size(), "E0");
  if (terms[part].op == Op::Not)
    own = std::string(isAnd ? "(neg_t" : "(neg_f") + " _ " + own + ")";
  return open(clause, 0, "E0") + "right; exact " + own + ".\n";
}

std::string CoqGround::proveWhole(const Clause &clause, Id whole) {
  const Node &node = terms[whole];
  bool isAnd = node.op == Op::And;
  std::string text, own;
  for (size_t i = node.kids.size(); i-- > 0;) {
    std::string name = "E" + std::to_string(i), part = name;
    if (terms[node.kids[i]].op == Op::Not)
      part = std::string(isAnd ? "(neg_ti" : "(neg_fi") + " _ " + name + ")";
    text += open(clause, i + 1, name);
    own = own.empty() ? part
                      : std::string(isAnd ? "(and_i" : "(or_fi") + " _ _ " + part + " " + own + ")";
  }
  return text + "left; exact " + own + ".\n";
}

std::string CoqGround::proveLinear(const Clause &clause) {
  std::string text;
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
  return text + "exfalso; relation.\n";
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

std::string CoqGround::proveSame(Line line, const Clause &clause) {
  Id before = 0;
  std::vector<Id> old, next;
  same(line, before, old, next);
  std::string text, names;
  for (size_t i = 0; i + 1 < clause.size(); ++i) {
    std::string name = "E" + std::to_string(i);
    text += open(clause, i, name) + opened(coq.literal(clause[i]).atom, name) + "\n";
  }
  for (size_t i = 0, k = 0; i < old.size(); ++i)
    if (old[i] != next[i]) {
      std::string name = "Q" + std::to_string(k++);
      text += "assert (" + name + " : " + coq.call(old[i]) + " = " +
              coq.callAs(next[i], terms[old[i]].sort) + ") by relation.\n";
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

std::string CoqGround::proveRup(Line line, const Clause &clause,
                                const std::vector<Clause> &clauses) {
  std::map<Id, std::pair<bool, std::string>> known;
  known[terms.boolean(true)] = {true, "(eq_refl true)"};
  std::string text;
  for (uint32_t i = line.count(), k = 0; k < i; ++k) {
    Literal own = coq.literal(term(line));
    std::string name = "E" + std::to_string(k);
    text += open(clause, k, name);
    known.try_emplace(own.atom, !own.isTrue, name);
  }
  text += "exfalso.\n";
  uint32_t count = line.count();
  for (uint32_t i = 0; i < count; ++i) {
    uint32_t hint = line.count();
    const Clause &other = clauses.at(hint);
    std::string own = "pose proof C" + std::to_string(hint) + " as D. ";
    Id left = 0;
    bool isOpen = false, isMet = false;
    for (size_t k = 0; k < other.size(); ++k) {
      Literal literal = coq.literal(other[k]);
      auto it = known.find(literal.atom);
      bool isFalse = it != known.end() && it->second.first != literal.isTrue;
      isMet |= it != known.end() && !isFalse;
      std::string end = "exact D";
      if (isFalse)
        end = "exact (False_ind _ (clash _ " +
              (literal.isTrue ? "D " + it->second.second : it->second.second + " D") + "))";
      else {
        left = other[k];
        isOpen = true;
      }
      own += k + 1 < other.size() ? "destruct D as [D|D]; [" + end + "|]. " : end + ".";
    }
    if (isMet)
      continue;
    if (!isOpen)
      return text + own + "\n";
    std::string name = "F" + std::to_string(i);
    text += "assert (" + name + " : " + coq.fact(left) + "). { " + own + " }\n";
    Literal literal = coq.literal(left);
    known.try_emplace(literal.atom, literal.isTrue, name);
  }
  throw Rejection{"clauses without a contradiction"};
}

void CoqGround::ground(uint32_t number, Line line, const std::vector<Line> &steps) {
  Id goal = term(line);
  CoqTerms::Components needed;
  auto need = [&](Id id) {
    const auto &more = coq.free(id);
    needed.insert(more.begin(), more.end());
  };
  std::vector<Clause> clauses;
  std::string start, script;
  for (uint32_t i = line.count(); i > 0; --i) {
    uint32_t theorem = line.count();
    need(theorems.at(theorem));
    start += "pose proof " + use(theorem) + " as C" + std::to_string(clauses.size()) + ".\n";
    clauses.push_back({theorems.at(theorem)});
  }
  start += open({goal}, 0, "C" + std::to_string(clauses.size()));
  clauses.push_back({terms.negation(goal)});
  for (const Line &step : steps) {
    Clause clause = clauseOf(step, clauses);
    for (Id formula : clause)
      need(formula);
    if (Line words = step; words.next() == "same") {
      need(term(words));
      for (uint32_t i = 2 * words.count(); i > 0; --i)
        need(term(words));
    }
    std::string own = prove(step, clause, clauses);
    script += clause.empty() ? own
                             : "assert (C" + std::to_string(clauses.size()) + " : " +
                                   statement(clause) + "). {\n" + own + "}\n";
    clauses.push_back(clause);
  }
  // Other variables of what is used may be anything.
  std::string others;
  const auto &free = coq.free(goal);
  for (Id id : needed)
    if (!free.count(id))
      others += "pose (" + coq.component(id) + " := " + coq.fallback(terms[id].sort) + ").\n";
  std::string claim = coq.fact(goal);
  lemma("T" + std::to_string(number), free, claim, others + start + script);
  theorems[number] = goal;
}

} // namespace imbrex::certificate
