#include "compiler/passes/graph/rules/Binding.h"

#include <algorithm>

namespace imbrex::rules {

using opmeaning::AttrValue;
using Ints = std::vector<int64_t>;

namespace {

/// The permutation that does first `a[0]`, then `a[1]`.
std::optional<AttrValue> compose(const std::vector<AttrValue> &a) {
  const Ints *first = std::get_if<Ints>(&a[0]), *second = std::get_if<Ints>(&a[1]);
  if (!first || !second || first->size() != second->size())
    return std::nullopt;
  Ints both;
  for (int64_t axis : *second) {
    if (axis < 0 || axis >= static_cast<int64_t>(first->size()))
      return std::nullopt;
    both.push_back((*first)[static_cast<size_t>(axis)]);
  }
  return both;
}

constexpr FunctionInfo functions[] = {
    {"compose", "the permutation that does first the one, then the other", 2, compose},
};

constexpr FormInfo forms[] = {
    {"reshape_to_result", "x's elements in row-major order under the result's sizes", 1, 0},
    {"per_channel", "the vector v with sizes [v, 1, …] of w's rank", 2, 0},
    {"number", "the number in x's element type", 1, 1},
};

} // namespace

const FunctionInfo *findFunction(std::string_view name) {
  for (const FunctionInfo &f : functions)
    if (f.name == name)
      return &f;
  return nullptr;
}

const FormInfo *findForm(std::string_view name) {
  for (const FormInfo &f : forms)
    if (f.name == name)
      return &f;
  return nullptr;
}

std::optional<AttrValue> evaluate(const AttrTerm &term, const Binding &binding) {
  if (term.kind == AttrTerm::Kind::Value)
    return term.value;
  if (term.kind == AttrTerm::Kind::Variable) {
    auto it = binding.attrs.find(term.name);
    return it == binding.attrs.end() ? std::nullopt : std::optional(it->second);
  }
  std::vector<AttrValue> arguments;
  for (const AttrTerm &a : term.arguments) {
    std::optional<AttrValue> value = evaluate(a, binding);
    if (!value)
      return std::nullopt;
    arguments.push_back(std::move(*value));
  }
  return findFunction(term.name)->apply(arguments);
}

AttrValue seenAttr(std::string_view op, std::string_view name, const AttrValue &value,
                   size_t rank) {
  const Ints *perm = std::get_if<Ints>(&value);
  if (op != "transpose" || name != "perm" || !perm || !perm->empty())
    return value;
  Ints reversed(rank);
  for (size_t i = 0; i < rank; ++i)
    reversed[i] = static_cast<int64_t>(rank - 1 - i);
  return reversed;
}

std::optional<Ints> reshapeTarget(const opmeaning::TensorType &type) {
  Ints shape;
  for (const DimExpr &dim : type.dims) {
    if (!dim.constant() && std::find(shape.begin(), shape.end(), -1) != shape.end())
      return std::nullopt;
    shape.push_back(dim.constant().value_or(-1));
  }
  const bool open = std::find(shape.begin(), shape.end(), -1) != shape.end();
  const bool empty = std::find(shape.begin(), shape.end(), 0) != shape.end();
  return open && empty ? std::nullopt : std::optional(std::move(shape));
}

std::string contractText(const Rule &rule) {
  switch (rule.contract) {
  case Contract::ExactBits:
    return "exact bits";
  case Contract::ExactIntegers:
    return "exact integers";
  case Contract::Reals:
    return "reals: licence " + rule.licence;
  }
  return "";
}

} // namespace imbrex::rules
