#include "proof/certificate/export/CoqTerms.h"

namespace imbrex::certificate {

Literal CoqTerms::literal(Id formula) const {
  const Node &node = terms[formula];
  return node.op == Op::Not ? Literal{node.kids[0], false} : Literal{formula, true};
}

std::string CoqTerms::fact(Id formula) {
  Literal own = literal(formula);
  return call(own.atom) + " = " + (own.isTrue ? "true" : "false");
}

std::string CoqTerms::component(Id id) const {
  const Node &node = terms[id];
  std::string name = terms.text(node.symbol);
  bool isPlain = name.size() > 1 && name.find_first_not_of("0123456789_", 1) == std::string::npos;
  if (!isPlain || (name[0] != '~' && name[0] != 'x' && name[0] != 'b'))
    throw Rejection{"a variable's name has no counterpart"};
  if (name[0] == '~')
    name[0] = 'n';
  std::string sort = node.sort == terms.intSort    ? ""
                     : node.sort == terms.realSort ? "r"
                     : node.sort == terms.boolSort ? "b"
                                                   : "s" + std::to_string(node.sort);
  return name + "_" + std::to_string(node.index) + sort;
}

std::string CoqTerms::type(Sort sort) {
  if (sort == terms.intSort)
    return "Z";
  if (sort == terms.boolSort)
    return "bool";
  if (sort == terms.realSort) {
    hasReals = true;
    return "R";
  }
  auto [it, isNew] = types.try_emplace(sort, "S" + std::to_string(types.size() + 1));
  const std::string &s = it->second;
  if (isNew)
    declarations +=
        "Variable " + s + " : Type.\nVariable " + s + "_some : " + s + ".\nVariable " + s +
        "_eqb " + s + "_ltb : " + s + " -> " + s + " -> bool.\nHypothesis " + s +
        "_eqb_eq : forall a b, " + s + "_eqb a b = true <-> a = b.\nLemma " + s +
        "_eqb_neq : forall a b, " + s +
        "_eqb a b = false <-> a <> b.\nProof. intros; split; intro H; [intro Q; apply " + s +
        "_eqb_eq in Q; congruence|]. destruct (" + s + "_eqb a b) eqn:Q; trivial. apply " + s +
        "_eqb_eq in Q; contradiction. Qed.\nLemma " + s + "_eqb_sym : forall a b, " + s +
        "_eqb a b = " + s + "_eqb b a.\nProof. intros; destruct (" + s + "_eqb a b) eqn:P, (" + s +
        "_eqb b a) eqn:Q; try reflexivity; [apply " + s + "_eqb_eq in P; apply " + s +
        "_eqb_neq in Q|apply " + s + "_eqb_neq in P; apply " + s +
        "_eqb_eq in Q]; congruence. Qed.\n";
  return s;
}

std::string CoqTerms::orderOf(Sort sort) {
  const std::string s = type(sort), less = s + "_ltb ";
  if (orders.insert(s).second)
    declarations +=
        "Hypothesis " + s + "_irrefl : forall a, " + less + "a a = false.\nHypothesis " + s +
        "_trans : forall a b c, " + less + "a b = true -> " + less + "b c = true -> " + less +
        "a c = true.\nHypothesis " + s + "_total : forall a b, a = b \\/ " + less +
        "a b = true \\/ " + less + "b a = true.\nLtac " + s +
        "_order := repeat match goal with\n  | H : " + less +
        "?a ?b = false |- _ => let Q := fresh in destruct (" + s +
        "_total a b) as [Q|[Q|Q]]; [rewrite ?Q in *|congruence|]; clear H\n  | H : " + less +
        "?a ?a = true |- _ => rewrite " + s +
        "_irrefl in H; discriminate H\n  | H : ?a <> ?b |- _" + " => let Q := fresh in destruct (" +
        s + "_total a b) as [Q|[Q|Q]]; [contradiction (H Q)| |]; clear H\n  | H : " + less +
        "?a ?b = true, K : " + less + "?b ?c = true |- _ => lazymatch goal with _ : " + less +
        "a c = true |- _ => fail | _ => pose proof (" + s +
        "_trans a b c H K) end\n  | Q : ?a = ?b :> " + s +
        " |- _ => rewrite Q in *; clear Q\n  end; try congruence.\n";
  return s + "_order";
}

std::string CoqTerms::callAs(Id id, Sort sort) {
  bool isInside = sort == terms.realSort && terms[id].sort == terms.intSort;
  return isInside ? "(IZR " + call(id) + ")" : call(id);
}

bool CoqTerms::isReal(Id number) const {
  for (const auto &[factor, part] : terms.parts(number).second)
    if (terms[part].sort == terms.realSort)
      return true;
  return false;
}

std::string CoqTerms::fallback(Sort sort) {
  std::string own = type(sort);
  return own == "Z" ? "0%Z" : own == "R" ? "0%R" : own == "bool" ? "true" : own + "_some";
}

const CoqTerms::Components &CoqTerms::free(Id id) {
  auto it = components.find(id);
  if (it != components.end())
    return it->second;
  Components all;
  const Node node = terms[id];
  if (node.op == Op::Variable)
    all.insert(id);
  const std::vector<Id> kids = node.isBinder() ? opened(id).second : node.kids;
  for (Id kid : kids) {
    const Components &more = free(kid);
    all.insert(more.begin(), more.end());
  }
  if (node.isBinder())
    for (const Variable &v : opened(id).first)
      for (Id own : terms.components(v))
        all.erase(own);
  return components[id] = all;
}

const std::pair<std::vector<Variable>, std::vector<Id>> &CoqTerms::opened(Id binder) {
  auto [it, isNew] = openings.try_emplace(binder);
  if (isNew) {
    std::vector<Variable> names = terms.fresh(binder);
    it->second = {names, terms.open(binder, names)};
  }
  return it->second;
}

std::string CoqTerms::binders(const Components &all) {
  std::string text;
  for (Id id : all)
    text += " (" + component(id) + " : " + type(terms[id].sort) + ")";
  return text;
}

std::string CoqTerms::arguments(const Components &all, const Values &values) const {
  std::string text;
  for (Id id : all)
    text += " " + (values.count(id) ? values.at(id) : component(id));
  return text;
}

bool CoqTerms::isInline(Id id) const {
  const Node &node = terms[id];
  return node.op == Op::True || node.op == Op::Number || node.op == Op::Variable ||
         node.op == Op::Linear || (node.op == Op::Not && terms[node.kids[0]].op == Op::True);
}

std::string CoqTerms::call(Id id, const Values &values) {
  const Node &node = terms[id];
  switch (node.op) {
  case Op::True:
    return "true";
  case Op::Number:
  case Op::Linear:
    type(node.sort);
    return linear(id, values, false);
  case Op::Variable:
    type(node.sort);
    return values.count(id) ? values.at(id) : component(id);
  case Op::Not:
    if (terms[node.kids[0]].op == Op::True)
      return "false";
    break;
  default:
    break;
  }
  define(id);
  std::string parameters = arguments(free(id), values);
  return parameters.empty() ? nameOf(id) : "(" + nameOf(id) + parameters + ")";
}

/// Scaled: by the least number that makes all factors whole, for tests.
std::string CoqTerms::linear(Id number, const Values &values, bool isScaled) {
  auto [constant, parts] = terms.parts(number);
  Rational scale = 1;
  for (const auto &[factor, part] : parts)
    scale = scale * Rational((factor * scale).under);
  scale = scale * Rational((constant * scale).under);
  if (isReal(number) || (!isScaled && !(scale == Rational(1)))) {
    type(terms.realSort);
    auto fraction = [](const Rational &value) {
      return "(" + Rational(value.over).str() + " / " + Rational(value.under).str() + ")";
    };
    std::string text = "(" + fraction(constant);
    for (const auto &[factor, part] : parts) {
      bool isInside = terms[part].sort == terms.intSort;
      text += " + " + fraction(factor) + " * " + (isInside ? "(IZR " : "") + call(part, values) +
              (isInside ? ")" : "");
    }
    return text + ")%R";
  }
  std::string text = "(" + (constant * scale).str();
  for (const auto &[factor, part] : parts)
    text += " + (" + (factor * scale).str() + ") * " + call(part, values);
  return text + ")%Z";
}

void CoqTerms::define(Id id) {
  if (!defined.insert(id).second)
    return;
  std::string own = body(id), all = binders(free(id));
  definitions +=
      "Definition " + nameOf(id) + all + " : " + type(terms[id].sort) + " := " + own + ".\n";
}

std::string CoqTerms::infix(const std::vector<Id> &kids, const char *op) {
  std::string text, close;
  for (size_t i = 0; i < kids.size(); ++i) {
    text += (i > 0 ? std::string(" ") + op + " " : "");
    if (i + 1 < kids.size()) {
      text += "(";
      close += ")";
    }
    text += call(kids[i]);
  }
  return text + close;
}

std::string CoqTerms::function(const std::string &key, const std::string &type) {
  auto [it, isNew] =
      functions.try_emplace(key + " : " + type, "f" + std::to_string(functions.size() + 1));
  if (isNew) {
    std::string comment;
    for (char c : key)
      comment += c == '*' || c == '"' ? '\'' : c;
    declarations += "Variable " + it->second + " : " + type + ". (* " + comment + " *)\n";
  }
  return it->second;
}

/// A function, product or choice of other parts.
std::string CoqTerms::applied(Id id, const std::vector<Id> &kids) {
  const Node node = terms[id];
  std::string types, text;
  if (node.op == Op::Choose)
    return "if " + call(kids[0]) + " then " + callAs(kids[1], node.sort) + " else " +
           callAs(kids[2], node.sort);
  for (Id kid : kids) {
    types += type(terms[kid].sort) + " -> ";
    text += (node.op == Op::Product && !text.empty() ? " * " : " ") +
            (node.op == Op::Product ? callAs(kid, node.sort) : call(kid));
  }
  if (node.op == Op::Product)
    return "(" + text + (node.sort == terms.realSort ? ")%R" : ")%Z");
  if (node.op == Op::Collect) {
    const auto [names, own] = opened(id);
    const std::vector<Id> all = componentsOf(names);
    text = collector(id) + " " + lambda(all, call(own[0]));
    for (Id kid : kids)
      text += " " + lambda(all, call(kid));
    return text;
  }
  return function(terms.text(node.symbol), types + type(node.sort)) + text;
}

std::string CoqTerms::body(Id id) {
  const Node node = terms[id];
  switch (node.op) {
  case Op::Text: {
    std::string own = type(node.sort), name = "text" + std::to_string(textNames.size() + 1);
    textNames[id] = name;
    declarations += "Variable " + name + " : " + own + ".\n";
    for (const std::string &other : texts[node.sort])
      declarations += "Hypothesis " + name + "_" + other + " : " + name + " <> " + other + ".\n";
    texts[node.sort].push_back(name);
    return name;
  }
  case Op::Apply:
  case Op::Product:
  case Op::Choose:
    return applied(id, node.kids);
  case Op::And:
    return "(" + infix(node.kids, "&&") + ")%bool";
  case Op::Or:
    return "(" + infix(node.kids, "||") + ")%bool";
  case Op::Not:
    return "negb " + call(node.kids[0]);
  case Op::Zero:
    if (isReal(node.kids[0]))
      return "Reqb " + linear(node.kids[0], {}, true) + " 0%R";
    return "(" + linear(node.kids[0], {}, true) + " =? 0)%Z";
  case Op::Positive:
    if (isReal(node.kids[0]))
      return "Rltb 0%R " + linear(node.kids[0], {}, true);
    return "(0 <? " + linear(node.kids[0], {}, true) + ")%Z";
  case Op::Equal: {
    Sort sort = terms[node.kids[0]].sort;
    std::string equal = sort == terms.boolSort ? "Bool.eqb" : equalName(sort);
    return equal + " " + call(node.kids[0]) + " " + call(node.kids[1]);
  }
  case Op::Less:
    return type(terms[node.kids[0]].sort) + "_ltb " + call(node.kids[0]) + " " + call(node.kids[1]);
  case Op::Exists: {
    const auto [names, kids] = opened(id);
    const std::vector<Id> all = componentsOf(names);
    return "Ex " + tupleType(all) + " " + lambda(all, call(kids[0]));
  }
  case Op::Sum: {
    const auto [names, kids] = opened(id);
    const std::vector<Id> all = componentsOf(names);
    Sort sort = terms[kids[1]].sort;
    return sumName(sort) + " " + tupleType(all) + " " +
           lambda(all, "if " + call(kids[0]) + " then " + call(kids[1]) + " else " + zero(sort));
  }
  case Op::Collect:
    return collection(id);
  default:
    throw Rejection{"a term has no counterpart"};
  }
}

} // namespace imbrex::certificate
