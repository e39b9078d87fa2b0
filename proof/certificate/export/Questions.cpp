#include "proof/certificate/export/Questions.h"

#include "proof/certificate/check/Check.h"
#include "proof/certificate/check/Reader.h"

#include <functional>

namespace imbrex::certificate {

using namespace check;

namespace {

struct Script {
  Terms &terms;
  std::map<std::string, std::string> declarations;
  std::map<Id, std::string> done;
  std::map<Sort, std::vector<std::string>> texts;
  std::string definitions;

  const char *sortOf(Id id) {
    Sort sort = terms[id].sort;
    return sort == terms.boolSort ? "Bool" : sort == terms.intSort ? "Int" : "Real";
  }

  std::string numeral(const Rational &value, bool isReal) {
    Rational positive = value.sign() < 0 ? -value : value;
    std::string text = Rational(positive.over).str() + (isReal ? ".0" : "");
    if (positive.under != 1)
      text = "(/ " + text + " " + Rational(positive.under).str() + ".0)";
    return value.sign() < 0 ? "(- " + text + ")" : text;
  }

  std::string constant(Id id) {
    std::string name = "|c" + std::to_string(id) + "|";
    declarations[name] = "(declare-const " + name + " " + sortOf(id) + ")";
    return name;
  }

  std::string as(Id id, bool isReal) {
    std::string text = print(id);
    return isReal && terms[id].sort == terms.intSort ? "(to_real " + text + ")" : text;
  }

  std::string list(const char *word, const Node &node, bool isReal) {
    std::string text = std::string("(") + word;
    for (Id kid : node.kids)
      text += " " + as(kid, isReal);
    return text + ")";
  }

  /// Functions are told apart by the sorts that they are used with.
  std::string function(const std::string &name, const Node &node, size_t from, Id result) {
    std::string sorts, arguments, key = name;
    for (size_t i = from; i < node.kids.size(); ++i) {
      sorts += std::string(i > from ? " " : "") + sortOf(node.kids[i]);
      key += std::string(".") + sortOf(node.kids[i]);
      arguments += " " + print(node.kids[i]);
    }
    key = "|" + key + "." + sortOf(result) + "|";
    declarations[key] = "(declare-fun " + key + " (" + sorts + ") " + sortOf(result) + ")";
    return arguments.empty() ? key : "(" + key + arguments + ")";
  }

  std::string print(Id id) {
    if (auto it = done.find(id); it != done.end())
      return it->second;
    std::string text = build(id);
    // Large terms get names, so that the script grows with their number.
    if (text.size() > 200) {
      std::string name = "|d" + std::to_string(id) + "|";
      definitions += "(define-fun " + name + " () " + sortOf(id) + " " + text + ")\n";
      text = name;
    }
    return done[id] = text;
  }

  std::string build(Id id) {
    const Node &node = terms[id];
    bool isReal = node.sort == terms.realSort;
    switch (node.op) {
    case Op::True:
      return "true";
    case Op::Number:
      return numeral(node.value, isReal);
    case Op::Text: {
      std::string name = constant(id);
      texts[node.sort].push_back(name);
      return name;
    }
    case Op::Apply:
      return function("f" + std::to_string(node.symbol), node, 0, id);
    case Op::Product:
      return function("product", node, 0, id);
    case Op::Linear: {
      std::string text = "(+ " + numeral(node.value, isReal);
      for (size_t i = 0; i < node.kids.size(); ++i)
        text += " (* " + numeral(node.factors[i], isReal) + " " + as(node.kids[i], isReal) + ")";
      return text + ")";
    }
    case Op::Choose:
      return "(ite " + print(node.kids[0]) + " " + as(node.kids[1], isReal) + " " +
             as(node.kids[2], isReal) + ")";
    case Op::And:
      return list("and", node, false);
    case Op::Or:
      return list("or", node, false);
    case Op::Not:
      return list("not", node, false);
    case Op::Zero:
    case Op::Positive: {
      bool real = terms[node.kids[0]].sort != terms.intSort;
      return std::string(node.op == Op::Zero ? "(= " : "(< ") + (real ? "0.0 " : "0 ") +
             print(node.kids[0]) + ")";
    }
    case Op::Equal:
      return list("=", node, false);
    case Op::Less:
      return list("<", node, false);
    case Op::Collect:
      if (node.kids.size() > 1)
        return function("c" + std::to_string(node.symbol) + "." + std::to_string(node.kids[0]),
                        node, 1, id);
      return constant(id);
    default:
      return constant(id);
    }
  }
};

/// Collects the questions while the certificate is checked.
class Questions : public Observer {
public:
  void step(Terms &terms, const std::map<uint32_t, Id> &, Line line, uint32_t theorem) override {
    std::string kind = line.next();
    if (theorem == NoTheorem)
      return;
    theorems[line.count()] = theorem;
    if (kind != "refutation")
      return;
    std::vector<Id> formulas{terms.negation(theorem)};
    line.count();
    for (uint32_t i = line.count(); i > 0; --i)
      formulas.push_back(theorems.at(line.count()));
    scripts.push_back(script(terms, formulas));
  }

  std::vector<std::string> scripts;

private:
  static std::string script(Terms &terms, const std::vector<Id> &formulas);
  std::map<uint32_t, Id> theorems;
};

std::string Questions::script(Terms &terms, const std::vector<Id> &formulas) {
  Script script{terms, {}, {}, {}, {}};
  std::string assertions, head;
  for (Id formula : formulas)
    assertions += "(assert " + script.print(formula) + ")\n";
  for (const auto &[name, declaration] : script.declarations)
    head += declaration + "\n";
  for (const auto &[sort, names] : script.texts)
    if (names.size() > 1) {
      head += "(assert (distinct";
      for (const std::string &name : names)
        head += " " + name;
      head += "))\n";
    }
  return "(set-logic QF_UFLIRA)\n(set-info :status unsat)\n" + head + script.definitions +
         assertions + "(check-sat)\n";
}

} // namespace

std::vector<std::string> questions(std::string_view certificate) {
  Questions seen;
  check::check(certificate, {}, &seen);
  return seen.scripts;
}

} // namespace imbrex::certificate
