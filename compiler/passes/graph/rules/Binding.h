// What the left side of a rule took hold of, in terms of types and values alone, so that conditions
// and attribute functions are the same for MLIR patterns and for tests.
#pragma once

#include "compiler/passes/graph/rules/Rule.h"

#include <functional>
#include <map>

namespace imbrex::rules {

/// The value of a constant; nothing for what is no constant. May be large: asked for only when
/// needed.
using ConstantOf = std::function<std::optional<HostTensor>()>;

struct BoundValue {
  opmeaning::TensorType type;
  bool isConstant = false;
  ConstantOf constant;
};

struct Binding {
  std::map<std::string, BoundValue, std::less<>> values;
  std::map<std::string, opmeaning::AttrValue, std::less<>> attrs;
  std::map<std::string, opmeaning::Attrs, std::less<>> attrSets;
  opmeaning::TensorType result; // of the whole left side
  /// Nothing on the left is checked while running. Asked for only when needed.
  std::function<bool()> total = [] { return true; };
  const DimFacts *facts = nullptr;
};

/// Conditions.cpp: the names with their number of arguments, and what they say.
struct ConditionInfo {
  std::string_view name, meaning;
  size_t arguments;
  bool (*holds)(const Condition &, const Binding &);
};
const ConditionInfo *findCondition(std::string_view name);

/// All conditions of the rule hold.
bool conditionsHold(const Rule &rule, const Binding &binding);

/// Functions of attributes; nothing when an argument has another kind or the function is not
/// defined there.
struct FunctionInfo {
  std::string_view name, meaning;
  size_t arguments;
  std::optional<opmeaning::AttrValue> (*apply)(const std::vector<opmeaning::AttrValue> &);
};
const FunctionInfo *findFunction(std::string_view name);
std::optional<opmeaning::AttrValue> evaluate(const AttrTerm &term, const Binding &binding);

/// Forms of the right side that are no operator: "reshape_to_result(x)", "per_channel(v, w)",
/// "number(a, x)".
struct FormInfo {
  std::string_view name, meaning;
  size_t arguments; // terms
  size_t attrs;     // attributes after them, without names: number(eps, x) has one
};
const FormInfo *findForm(std::string_view name);

/// An attribute in the form in which rules see it: a `perm` that is left out is the reversed one.
opmeaning::AttrValue seenAttr(std::string_view op, std::string_view name,
                              const opmeaning::AttrValue &value, size_t rank);

/// A shape operand that gives `type` to a reshape: at most one open size, written -1; nothing when
/// that cannot say it.
std::optional<std::vector<int64_t>> reshapeTarget(const opmeaning::TensorType &type);

} // namespace imbrex::rules
