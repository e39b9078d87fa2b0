// Terms as text, for messages and tests.
#include "proof/algebra/Internal.h"

namespace imbrex::algebra {

namespace {

std::string variable(VarKey key) {
  if (!isBound(key))
    return "x" + std::to_string(key);
  VarKey rest = key & 0x7fffffffu;
  return "b" + std::to_string(rest >> 14) + "_" + std::to_string(rest & 0x3fff);
}

struct Printer {
  const Pool &pool;
  std::string join(const std::vector<Id> &children, const char *between, size_t from = 0) const {
    std::string out;
    for (size_t i = from; i < children.size(); ++i)
      out += (i > from ? between : "") + print(children[i]);
    return out;
  }

  std::string binder(const char *word, const Node &node) const {
    std::string out = word;
    for (uint32_t i = 0; i < node.binders.size(); ++i)
      out += (i ? "," : " ") + variable(boundKey(node.level, i));
    return out + ". ";
  }

  std::string constant(const Node &node) const {
    if (node.sort == boolSort)
      return node.value.isZero() ? "false" : "true";
    return isNumeric(node.sort) ? node.value.str() : "'" + pool.name(node.symbol) + "'";
  }

  std::string linear(const Node &node) const {
    std::string out = node.value.isZero() ? "" : node.value.str();
    for (size_t i = 0; i < node.children.size(); ++i) {
      out += out.empty() ? "" : " + ";
      if (!node.coefficients[i].isOne())
        out += node.coefficients[i].str() + "*";
      out += print(node.children[i]);
    }
    return "(" + out + ")";
  }

  std::string print(Id id) const {
    const Node &node = pool[id];
    const std::vector<Id> &c = node.children;
    switch (node.kind) {
    case Kind::Constant:
      return constant(node);
    case Kind::Component:
      return variable(node.symbol) + "." + std::to_string(node.index);
    case Kind::Apply:
      return pool.name(node.symbol) + "(" + join(c, ", ") + ")";
    case Kind::Linear:
      return linear(node);
    case Kind::Product:
      return join(c, "*");
    case Kind::Choose:
      return "if " + print(c[0]) + " then " + print(c[1]) + " else " + print(c[2]) + " end";
    case Kind::And:
      return "(" + join(c, " and ") + ")";
    case Kind::Or:
      return "(" + join(c, " or ") + ")";
    case Kind::Not:
      return "not " + print(c[0]);
    case Kind::Zero:
      return print(c[0]) + " = 0";
    case Kind::Positive:
      return print(c[0]) + " > 0";
    case Kind::Equal:
      return "(" + join(c, " = ") + ")";
    case Kind::Less:
      return "(" + join(c, " < ") + ")";
    case Kind::Exists:
      return "(" + binder("some", node) + print(c[0]) + ")";
    case Kind::Sum:
      return "(" + binder("sum", node) + "[" + print(c[0]) + "]" + (c.size() > 1 ? " * " : "") +
             join(c, " * ", 1) + ")";
    case Kind::Collect:
      return pool.name(node.symbol) + "{" + binder("", node) + join(c, "; ") + "}";
    }
    return {};
  }
};

} // namespace

std::string Pool::text(Id id) const { return Printer{*this}.print(id); }

} // namespace imbrex::algebra
