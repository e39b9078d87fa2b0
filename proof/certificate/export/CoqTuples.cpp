// Several variables as one value, tables as lists, and collections.
#include "proof/certificate/export/CoqTerms.h"

namespace imbrex::certificate {

std::vector<Id> CoqTerms::componentsOf(const std::vector<Variable> &names) {
  std::vector<Id> all;
  for (const Variable &v : names)
    for (Id component : terms.components(v))
      all.push_back(component);
  return all;
}

std::string CoqTerms::tupleType(const std::vector<Id> &all) {
  std::string text;
  for (Id id : all)
    text += (text.empty() ? "" : " * ") + type(terms[id].sort);
  return text.empty() ? "unit" : "(" + text + ")%type";
}

std::string CoqTerms::lambda(const std::vector<Id> &all, const std::string &body) const {
  std::string start = all.empty()       ? "_ : unit"
                      : all.size() == 1 ? component(all[0])
                                        : "'" + tuple(all);
  return "(fun " + start + " => " + body + ")";
}

std::string CoqTerms::tuple(const std::vector<std::string> &all) const {
  std::string text;
  for (const std::string &own : all)
    text += (text.empty() ? "" : ", ") + own;
  return all.empty() ? "tt" : all.size() == 1 ? text : "(" + text + ")";
}

std::string CoqTerms::tuple(const std::vector<Id> &all) const {
  std::vector<std::string> texts;
  for (Id id : all)
    texts.push_back(component(id));
  return tuple(texts);
}

std::string CoqTerms::pattern(const std::vector<Id> &all) const {
  std::string text = all.empty() ? "[]" : "";
  for (Id id : all)
    text = text.empty() ? component(id) : "[" + text + " " + component(id) + "]";
  return text;
}

std::string CoqTerms::functionOf(Id application) {
  const Node node = terms[application];
  std::string types;
  for (Id kid : node.kids)
    types += type(terms[kid].sort) + " -> ";
  return function(terms.text(node.symbol), types + type(node.sort));
}

std::string CoqTerms::rows(Id application) {
  const Node node = terms[application];
  std::string own = functionOf(application), types, names, list;
  if (!finite.insert(own).second)
    return own;
  for (size_t i = 0; i < node.kids.size(); ++i) {
    std::string sort = type(terms[node.kids[i]].sort), name = "a" + std::to_string(i);
    types += (types.empty() ? "" : " * ") + sort;
    names += " (" + name + " : " + sort + ")";
    list += (list.empty() ? "" : ", ") + name;
  }
  std::string call = own;
  for (size_t i = 0; i < node.kids.size(); ++i)
    call += " a" + std::to_string(i);
  declarations += "(* Of this table these are all rows. *)\nVariable " + own + "_rows : list (" +
                  types + ").\nHypothesis " + own + "_all : forall" + names + ", " + call +
                  (node.sort == terms.boolSort ? " = true" : " <> 0") + " -> In (" + list + ") " +
                  own + "_rows.\n";
  return own;
}

std::string CoqTerms::collector(Id id) {
  const auto [names, kids] = opened(id);
  const std::vector<Id> all = componentsOf(names);
  std::string own, arguments, others, variables, first, same, tuples = tupleType(all);
  for (size_t i = 0; i < kids.size(); ++i) {
    std::string one = tuples + " -> " + type(terms[kids[i]].sort), k = std::to_string(i);
    own += "(" + one + ") -> ";
    variables += " (a" + k + " b" + k + " : " + one + ")";
    first += " (a" + k + " : " + one + ")";
    arguments += " a" + k;
    others += " b" + k;
    same += "(forall x, a" + k + " x = b" + k + " x) -> ";
  }
  std::string key = terms.text(terms[id].symbol), f = function(key, own + type(terms[id].sort));
  if (!collectors.insert(f).second)
    return f;
  std::string head = "forall" + first + ", ";
  declarations += "Hypothesis " + f + "_same : forall" + variables + ", " + same + f + arguments +
                  " = " + f + others + ".\n";
  bool isLeast = key.starts_with("\"min "), isMost = key.starts_with("\"max ");
  if (all.size() != 1 || terms[all[0]].sort != terms[id].sort ||
      terms[kids[0]].sort != terms.boolSort)
    return f;
  if (isLeast || isMost || key.starts_with("\"single "))
    declarations += "Hypothesis " + f + "_member : " + head + "(exists x, a0 x = true) -> a0 (" +
                    f + arguments + ") = true.\n";
  if (isLeast || isMost) {
    Sort sort = terms[id].sort;
    std::string less = sort == terms.intSort    ? "Z.ltb"
                       : sort == terms.realSort ? "Rltb"
                                                : type(sort) + "_ltb";
    std::string value = "(" + f + arguments + ")";
    declarations += "Hypothesis " + f + "_extreme : " + head +
                    "(exists l, forall x, a0 x = true -> In x l) -> forall x, a0 x = true -> " +
                    less + (isLeast ? " x " + value : " " + value + " x") + " = false.\n";
  }
  return f;
}

std::string CoqTerms::collection(Id id) {
  const auto [names, kids] = opened(id);
  std::string text = collector(id);
  for (Id kid : kids)
    text += " " + lambda(componentsOf(names), call(kid));
  return text;
}

} // namespace imbrex::certificate
