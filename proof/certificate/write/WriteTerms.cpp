// Terms, one line each, parts before wholes.
#include "proof/algebra/Internal.h"
#include "proof/certificate/write/Writer.h"

namespace imbrex::certificate {

using namespace algebra;

namespace {

std::string keyName(VarKey key) {
  if (!isBound(key))
    return "x" + std::to_string(key);
  VarKey rest = key & 0x7fffffffu;
  return "b" + std::to_string(rest >> 14) + "_" + std::to_string(rest & 0x3fff);
}

} // namespace

std::string quoted(const std::string &text) {
  std::string out = "\"";
  for (char c : text) {
    if (c == '"' || c == '\\')
      out += '\\';
    out += c == '\n' ? std::string("\\n") : std::string(1, c);
  }
  return out + "\"";
}

std::string Writer::sortName(Sort sort) const {
  return sort == boolSort   ? "bool"
         : sort == intSort  ? "int"
         : sort == realSort ? "real"
                            : quoted(pool.sortName(sort));
}

std::string Writer::list(const std::vector<Id> &ids) {
  std::string text = std::to_string(ids.size());
  for (Id id : ids)
    text += " " + term(id);
  return text;
}

std::string Writer::variables(const std::vector<Variable> &all) {
  std::string text = std::to_string(all.size());
  for (const Variable &v : all) {
    text += " " + keyName(v.key) + " " + std::to_string(v.shape.size());
    for (Sort sort : v.shape)
      text += " " + sortName(sort);
  }
  return text;
}

std::string Writer::binders(const Node &node) const {
  std::string text = std::to_string(node.binders.size());
  for (uint32_t i = 0; i < node.binders.size(); ++i) {
    text += " " + keyName(boundKey(node.level, i)) + " " + std::to_string(node.binders[i].size());
    for (Sort sort : node.binders[i])
      text += " " + sortName(sort);
  }
  return text;
}

std::string Writer::term(Id id) {
  if (auto it = terms.find(id); it != terms.end())
    return it->second;
  std::string text = termLine(id);
  std::string name = std::to_string(terms.size() + 1);
  terms.emplace(id, name);
  line("t " + name + " " + text);
  return name;
}

std::string Writer::termLine(Id id) {
  const Node &node = pool[id];
  std::string sort = sortName(node.sort);
  switch (node.kind) {
  case Kind::Constant:
    if (node.sort == boolSort)
      return node.value.isZero() ? "false" : "true";
    return isNumeric(node.sort) ? "number " + sort + " " + node.value.str()
                                : "text " + sort + " " + quoted(pool.name(node.symbol));
  case Kind::Component:
    return "variable " + sort + " " + keyName(node.symbol) + " " + std::to_string(node.index);
  case Kind::Apply:
    return "apply " + sort + " " + quoted(pool.name(node.symbol)) + " " + list(node.children);
  case Kind::Linear: {
    std::string text = std::to_string(node.children.size());
    for (size_t i = 0; i < node.children.size(); ++i)
      text += " " + node.coefficients[i].str() + " " + term(node.children[i]);
    return "linear " + sort + " " + node.value.str() + " " + text;
  }
  case Kind::Product:
    return "product " + sort + " " + list(node.children);
  case Kind::Choose:
    return "choose " + sort + " " + list(node.children);
  case Kind::And:
    return "and " + list(node.children);
  case Kind::Or:
    return "or " + list(node.children);
  case Kind::Not:
    return "not " + list(node.children);
  case Kind::Zero:
    return "zero " + list(node.children);
  case Kind::Positive:
    return "positive " + list(node.children);
  case Kind::Equal:
    return "equal " + list(node.children);
  case Kind::Less:
    return "less " + list(node.children);
  case Kind::Exists:
    return "exists " + binders(node) + " " + list(node.children);
  case Kind::Sum:
    return "sum " + sort + " " + binders(node) + " " + list(node.children);
  case Kind::Collect:
    return "collect " + sort + " " + quoted(pool.name(node.symbol)) + " " + binders(node) + " " +
           list(node.children);
  }
  return {};
}

} // namespace imbrex::certificate
