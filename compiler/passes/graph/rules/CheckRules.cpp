#include "compiler/passes/graph/rules/Binding.h"
#include "compiler/passes/graph/rules/ParseRules.h"

#include <algorithm>
#include <set>

namespace imbrex::rules {

using opmeaning::Operator;

namespace {

class RuleChecker {
public:
  explicit RuleChecker(const Rule &rule) : rule(rule) {}

  Status run() {
    if (rule.left.kind != Term::Kind::Apply)
      fail("the left side is no operator applied");
    checkLeft(rule.left);
    checkRight(rule.right);
    for (const Condition &c : rule.conditions)
      checkCondition(c);
    if ((rule.contract == Contract::Reals) == rule.licence.empty())
      fail("a rule over the reals, and no other, has a licence");
    return std::move(status);
  }

private:
  void fail(const std::string &why) {
    if (status)
      status = badInput(631, "the rule " + rule.name + " is wrong: " + why, "", "",
                        {rule.file, rule.line, 1});
  }

  /// Declared by the operator, or the first of a class.
  const Operator *operatorOf(const std::string &name) {
    const Operator *op = opmeaning::findOperator(name);
    if (!op)
      fail("there is no operator '" + name + "'");
    return op;
  }

  void checkOperator(const std::string &name, const Term &term) {
    const Operator *op = operatorOf(name);
    if (!op)
      return;
    const size_t given = term.arguments.size();
    if (given > op->maxOperands || (!term.more && given < op->minOperands))
      fail("'" + name + "' has not " + std::to_string(given) + " operands");
    if (op->effect != opmeaning::Effect::Pure)
      fail("'" + name + "' has an effect");
    for (const NamedAttr &attr : term.attrs)
      if (std::none_of(op->attrs.begin(), op->attrs.end(),
                       [&](const auto &decl) { return decl.name == attr.name; }))
        fail("'" + name + "' has no attribute '" + attr.name + "'");
  }

  void checkLeft(const Term &term) {
    if (term.kind == Term::Kind::Variable) {
      values.insert(term.name);
      return;
    }
    for (const std::string &name : term.operators)
      checkOperator(name, term);
    for (const NamedAttr &attr : term.attrs) {
      if (attr.value.kind == AttrTerm::Kind::Call)
        fail("an attribute on the left is a variable or a value");
      if (attr.value.kind == AttrTerm::Kind::Variable)
        attrs.insert(attr.value.name);
    }
    if (!term.attrSet.empty() &&
        (!term.attrs.empty() || !sets.insert({term.attrSet, term.name}).second))
      fail("*" + term.attrSet + " stands beside other attributes, or twice");
    for (const Term &argument : term.arguments)
      checkLeft(argument);
  }

  void checkRight(const Term &term) {
    if (term.kind == Term::Kind::Variable) {
      if (!values.count(term.name))
        fail("the left side binds no '" + term.name + "'");
      return;
    }
    if (term.more || term.operators.size() > 1)
      fail("the right side names its operators and operands");
    if (const FormInfo *form = findForm(term.name)) {
      if (term.arguments.size() != form->arguments || term.attrs.size() != form->attrs)
        fail("'" + term.name + "' takes " + std::to_string(form->arguments) + " terms and " +
             std::to_string(form->attrs) + " attributes");
    } else {
      checkOperator(term.name, term);
    }
    if (!term.attrSet.empty() && !sets.count({term.attrSet, term.name}))
      fail("the left side binds no attributes *" + term.attrSet + " of a " + term.name);
    for (const NamedAttr &attr : term.attrs)
      checkAttr(attr.value);
    for (const Term &argument : term.arguments)
      checkRight(argument);
  }

  void checkAttr(const AttrTerm &term) {
    if (term.kind == AttrTerm::Kind::Variable && !attrs.count(term.name))
      fail("the left side binds no attribute '" + term.name + "'");
    if (term.kind != AttrTerm::Kind::Call)
      return;
    const FunctionInfo *function = findFunction(term.name);
    if (!function || function->arguments != term.arguments.size())
      fail("there is no function '" + term.name + "' of " + std::to_string(term.arguments.size()) +
           " arguments");
    for (const AttrTerm &argument : term.arguments)
      checkAttr(argument);
  }

  void checkCondition(const Condition &c) {
    const ConditionInfo *info = findCondition(c.name);
    if (!info || info->arguments != c.arguments.size())
      return fail("there is no condition '" + c.name + "' of " +
                  std::to_string(c.arguments.size()) + " arguments");
    for (const AttrTerm &a : c.arguments)
      if (a.kind == AttrTerm::Kind::Call ||
          (a.kind == AttrTerm::Kind::Variable && a.name != "result" && !values.count(a.name) &&
           !attrs.count(a.name)))
        fail("the condition '" + c.name + "' is about '" + a.name +
             "', which the left side does not bind");
    if (c.name == "all" &&
        (c.arguments[1].kind != AttrTerm::Kind::Value || c.arguments[1].value.index() > 1))
      fail("'all' takes a number");
  }

  const Rule &rule;
  std::set<std::string> values, attrs;
  std::set<std::pair<std::string, std::string>> sets; // name, operator
  Status status;
};

} // namespace

Status checkRules(const std::vector<Rule> &rules) {
  std::set<std::string> names;
  for (const Rule &rule : rules) {
    if (!names.insert(rule.name).second)
      return badInput(631, "there are two rules " + rule.name, "", "", {rule.file, rule.line, 1});
    if (Status s = RuleChecker(rule).run(); !s)
      return s;
  }
  return {};
}

} // namespace imbrex::rules
