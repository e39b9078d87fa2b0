// Conjunctions and disjunctions whose parts come in another order, or in groups: as long as they
// may be, what is compared are numbers of their parts, not the parts.
#include "proof/certificate/export/CoqGround.h"

#include <algorithm>

namespace imbrex::certificate {

namespace {

/// Parts of a connective, and for each of its groups their numbers, from 1.
struct Shape {
  Op op;
  std::vector<Id> atoms;
  std::vector<std::vector<size_t>> groups;
  std::vector<size_t> result;

  size_t number(Id id) {
    auto it = std::find(atoms.begin(), atoms.end(), id);
    if (it == atoms.end())
      it = atoms.insert(it, id);
    return size_t(it - atoms.begin()) + 1;
  }
  std::string unit() const { return op == Op::And ? "true" : "false"; }
  bool isSame() const {
    std::vector<size_t> flat;
    for (const std::vector<size_t> &group : groups)
      flat.push_back(group.size() == 1 ? group[0] : 0);
    return flat == result;
  }
  std::string joined(const std::vector<std::string> &all) const {
    std::string text, close;
    for (size_t i = 0; i < all.size(); ++i) {
      bool isLast = i + 1 == all.size();
      text += (isLast ? "" : "(") + all[i] + (isLast ? "" : op == Op::And ? " && " : " || ");
      close += isLast ? "" : ")";
    }
    return all.empty() ? unit() : text + close;
  }
  std::string statementOf(const std::vector<size_t> &group) const {
    std::vector<std::string> all;
    for (size_t own : group)
      all.push_back("a" + std::to_string(own));
    return joined(all);
  }
  std::string statement() const {
    std::vector<std::string> all;
    for (const std::vector<size_t> &group : groups)
      all.push_back(statementOf(group));
    return "(" + joined(all) + ")%bool = (" + statementOf(result) + ")%bool";
  }
};

std::string literals(const std::vector<size_t> &all) {
  std::string text = "(";
  for (size_t own : all)
    text += "(" + std::to_string(own) + ", true) :: ";
  return text + "nil)";
}

} // namespace

/// A proof that the connective of these is the result, which is what the terms make of it; empty if
/// that is so by definition.
std::string CoqGround::regrouped(Op op, const std::vector<Id> &groups, Id result) {
  Shape shape{op, {}, {}, {}};
  Id unit = terms.boolean(op == Op::And);
  auto numbers = [&](Id id) {
    std::vector<size_t> all;
    if (id == unit)
      return all;
    if (terms[id].op != op)
      return std::vector<size_t>{shape.number(id)};
    for (Id kid : terms[id].kids)
      all.push_back(shape.number(kid));
    return all;
  };
  for (Id group : groups)
    shape.groups.push_back(numbers(group));
  shape.result = numbers(result);
  if (shape.isSame())
    return {};
  std::string statement = shape.statement();
  std::string &name = shapes[statement];
  if (name.empty()) {
    name = "W" + std::to_string(shapes.size());
    std::string names, lists;
    for (size_t i = 1; i <= shape.atoms.size(); ++i)
      names += " a" + std::to_string(i);
    for (const std::vector<size_t> &group : shape.groups)
      lists += literals(group) + " :: ";
    all += "Lemma " + name + " : " + (names.empty() ? "" : "forall" + names + " : bool, ") +
           statement + ".\nProof. intros" + names + ". refute (regrouped " + shape.unit() + " " +
           truthTree(shape.atoms.size()) + " (" + lists + "nil) " + literals(shape.result) +
           ")%positive. Qed.\n";
  }
  std::string text = "(" + name;
  for (Id id : shape.atoms)
    text += " " + coq.call(id);
  return text + ")";
}

/// The bridge of a conjunction or disjunction: each part by its own, then the parts in their order.
std::string CoqGround::bridgeConnective(Id id, Id result, const Map &map) {
  const Node node = terms[id];
  bool isAnd = node.op == Op::And;
  std::vector<Id> after;
  std::vector<std::string> proofs;
  for (Id kid : node.kids) {
    after.push_back(terms.substitute(kid, map));
    proofs.push_back(bridge(kid, map));
    if (proofs.back().empty())
      proofs.back() = "(@eq_refl bool " + coq.call(after.back()) + ")";
  }
  std::string start = "cbv beta delta [" + coq.nameOf(id) +
                      (terms[result].op == node.op ? " " + coq.nameOf(result) : "") + "]. ";
  size_t count = after.size();
  auto deciding = std::find(after.begin(), after.end(), terms.boolean(!isAnd));
  if (deciding != after.end()) {
    size_t i = size_t(deciding - after.begin());
    return start + "exact " +
           path(isAnd ? "and_fl" : "or_l", isAnd ? "and_fr" : "or_r", i, count, proofs[i]) + ".";
  }
  std::string whole = proofs.back(), order = regrouped(node.op, after, result);
  for (size_t i = count - 1; i-- > 0;)
    whole = (isAnd ? "(and_same " : "(or_same ") + proofs[i] + " " + whole + ")";
  // Not checked twice, and a part that does not fit is not unfolded in search of one that does.
  if (order.empty())
    return start + "exact_no_check " + whole + ".";
  return start + "refine (eq_trans " + whole + " _). exact_no_check " + order + ".";
}

std::string CoqGround::bridgeNegation(Id id, const Map &map) {
  Id kid = terms[id].kids[0], after = terms.substitute(kid, map);
  std::string by = bridge(kid, map), start = "cbv beta delta [" + coq.nameOf(id) + "]. ";
  if (by.empty())
    by = "(@eq_refl bool " + coq.call(after) + ")";
  by = "(f_equal negb " + by + ")";
  if (terms[after].op != Op::Not)
    return start + "exact_no_check " + by + ".";
  return start + "refine (eq_trans " + by + " _). exact_no_check (negb_involutive " +
         coq.call(terms[after].kids[0]) + ").";
}

} // namespace imbrex::certificate
