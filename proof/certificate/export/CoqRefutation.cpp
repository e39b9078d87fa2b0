#include "proof/certificate/export/CoqRefutation.h"

namespace imbrex::certificate {

static std::string listOf(const std::vector<std::string> &all) {
  std::string text;
  for (const std::string &own : all)
    text += own + " :: ";
  return "(" + text + "nil)";
}

uint32_t CoqRefutation::atom(Id formula) {
  Id own = coq.literal(formula).atom;
  auto [it, isNew] = numbers.try_emplace(own, uint32_t(order.size() + 1));
  if (isNew)
    order.push_back(own);
  return it->second;
}

std::string CoqRefutation::literal(Id formula) {
  return "(" + std::to_string(atom(formula)) +
         (coq.literal(formula).isTrue ? ", true)" : ", false)");
}

std::string CoqRefutation::clauseText(const Clause &clause) {
  std::vector<std::string> all;
  for (Id formula : clause)
    all.push_back(literal(formula));
  return listOf(all);
}

std::string CoqRefutation::statement(const Clause &clause) {
  std::string text;
  for (Id formula : clause)
    text += (text.empty() ? "" : " \\/ ") + ("a" + std::to_string(atom(formula))) +
            (coq.literal(formula).isTrue ? " = true" : " = false");
  return text.empty() ? "False" : text;
}

void CoqRefutation::given(const Clause &clause, const std::string &proof) {
  places.push_back({uint32_t(clauses.size()), false});
  clauses.push_back(clause);
  proofs.push_back(proof);
  statement(clause);
}

void CoqRefutation::deny(Id formula) {
  denied = formula;
  deniedAt = uint32_t(clauses.size());
  given({terms.negation(formula)}, "");
}

uint32_t CoqRefutation::gate(Id whole) {
  auto [it, isNew] = gateNumbers.try_emplace(whole, uint32_t(gates.size() + 1));
  if (isNew) {
    gates.push_back(whole);
    gateText(whole); // numbers its parts
  }
  return it->second;
}

std::string CoqRefutation::gateText(Id whole) {
  return std::string("Gate ") + (terms[whole].op == Op::And ? "true " : "false ") +
         std::to_string(atom(whole)) + " " + clauseText(terms[whole].kids);
}

std::string CoqRefutation::gateStatement(Id whole) {
  const Node &node = terms[whole];
  std::string text, close;
  for (size_t i = 0; i < node.kids.size(); ++i) {
    bool isLast = i + 1 == node.kids.size();
    text += (isLast ? "" : "(") + std::string(coq.literal(node.kids[i]).isTrue ? "a" : "negb a") +
            std::to_string(atom(node.kids[i]));
    text += isLast ? "" : node.op == Op::And ? " && " : " || ";
    close += isLast ? "" : ")";
  }
  return "a" + std::to_string(atom(whole)) + " = " + text + close + "%bool";
}

void CoqRefutation::part(Id whole, Id part) {
  places.push_back({uint32_t(steps.size()), true});
  steps.push_back({"Part " + std::to_string(gate(whole)) + " " + literal(part), {}});
}

void CoqRefutation::whole(Id whole) {
  places.push_back({uint32_t(steps.size()), true});
  steps.push_back({"Whole " + std::to_string(gate(whole)), {}});
}

void CoqRefutation::derived(const Clause &clause, const std::vector<uint32_t> &hints) {
  places.push_back({uint32_t(steps.size()), true});
  steps.push_back({"Rup " + clauseText(clause), hints, true});
}

/// A number's digits are the way to it, the lowest one first.
static std::string branch(size_t from, size_t digit, size_t count) {
  if (from > count)
    return "tip";
  return "(br " + branch(from + digit, 2 * digit, count) + " (Some a" + std::to_string(from) +
         ") " + branch(from + 2 * digit, 2 * digit, count) + ")";
}

std::string truthTree(size_t count) { return branch(1, 1, count); }

uint32_t CoqRefutation::key(const Place &place) const {
  if (place.isStep)
    return uint32_t(clauses.size()) + place.index + 1;
  // The one that is denied comes first.
  return place.index == deniedAt ? 1 : place.index + (place.index < deniedAt ? 2 : 1);
}

std::string CoqRefutation::stepText(const Step &step) {
  if (!step.isDerived)
    return step.text;
  std::vector<std::string> all;
  if (truth)
    all.push_back(std::to_string(key(*truth)));
  for (uint32_t hint : step.hints)
    all.push_back(std::to_string(key(places.at(hint))));
  return step.text + " " + listOf(all);
}

void CoqRefutation::giveTruth() {
  if (truth || !numbers.count(terms.boolean(true)))
    return;
  truth = Place{uint32_t(clauses.size()), false};
  clauses.push_back({terms.boolean(true)});
  proofs.emplace_back("(eq_refl true)");
}

std::string CoqRefutation::lemma(const std::string &name) {
  giveTruth();
  std::vector<std::string> gateList, clauseList, stepList;
  std::string claim, names;
  for (Id whole : gates) {
    gateList.push_back(gateText(whole));
    claim += gateStatement(whole) + " -> ";
  }
  for (size_t i = 0; i < clauses.size(); ++i)
    if (!proofs[i].empty()) {
      clauseList.push_back(clauseText(clauses[i]));
      claim += "(" + statement(clauses[i]) + ") -> ";
    }
  for (const Step &step : steps)
    stepList.push_back(stepText(step));
  claim += statement({denied});
  for (size_t i = 1; i <= order.size(); ++i)
    names += " a" + std::to_string(i);
  Literal own = coq.literal(denied);
  return "Lemma " + name + " : forall" + names + " : bool, " + claim + ".\nProof. intros" + names +
         ". refute (refuted " + truthTree(order.size()) + " " + listOf(gateList) + " " +
         std::to_string(atom(denied)) + (own.isTrue ? " true " : " false ") + listOf(clauseList) +
         " " + listOf(stepList) + ")%positive. Qed.\n";
}

std::string CoqRefutation::use(const std::string &name) {
  std::string text = "(" + name;
  for (Id atom : order)
    text += " " + coq.call(atom);
  for (size_t i = 0; i < gates.size(); ++i)
    text += " eq_refl";
  for (const std::string &proof : proofs)
    text += proof.empty() ? "" : " " + proof;
  return text + ")";
}

} // namespace imbrex::certificate
