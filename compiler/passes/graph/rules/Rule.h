// A rewrite rule of the graph as data: two terms over operators of support/opmeaning, conditions,
// and what holds between them. Written in ../*.rules (README.md has the language); the MLIR pattern
// (../ApplyRules.cpp), the random test (RulesTest.cpp) and a proof obligation all start from here.
// No LLVM.
#pragma once

#include "support/opmeaning/Operator.h"

#include <string>
#include <vector>

namespace imbrex::rules {

/// An attribute: a variable, a value, or a function of such (Binding.h).
struct AttrTerm {
  enum class Kind : uint8_t { Variable, Value, Call };
  Kind kind = Kind::Value;
  std::string name; // of the variable or function
  opmeaning::AttrValue value = int64_t{0};
  std::vector<AttrTerm> arguments;
};

struct NamedAttr {
  std::string name;
  AttrTerm value;
};

/// A variable, an operator applied, or, on the right, a form of Binding.h ("reshape_to_result").
struct Term {
  enum class Kind : uint8_t { Variable, Apply };
  Kind kind = Kind::Variable;
  std::string name; // of the variable, operator, class of operators, or form
  /// Of a class on the left: its operators. One for an operator.
  std::vector<std::string> operators;
  std::vector<Term> arguments;
  std::vector<NamedAttr> attrs;
  std::string attrSet; // "*a": all attributes together, under this name
  bool more = false;   // "…": any further operands and attributes
};

/// A condition of Binding.h over variables and attribute variables.
struct Condition {
  std::string name;
  std::vector<AttrTerm> arguments; // variables of either kind are AttrTerm::Variable
};

enum class Contract : uint8_t {
  ExactBits,     // the same bits, where any NaN is any NaN
  ExactIntegers, // on integers, with their wrapping; the rule's condition admits nothing else
  Reals,         // equal over the reals; needs its licence
};

struct Rule {
  std::string name, file;
  uint32_t line = 0;
  Term left, right;
  std::vector<Condition> conditions;
  Contract contract = Contract::ExactBits;
  std::string licence; // of Reals
};

/// "exact bits", "exact integers", "reals: licence fold-batch-norm".
std::string contractText(const Rule &rule);

/// All rules of ../*.rules, in the order of files and lines: written by the build.
const std::vector<Rule> &allRules();
/// The licences that rules ask for, sorted.
std::vector<std::string> licences();

} // namespace imbrex::rules
