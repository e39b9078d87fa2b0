// The one declaration of an operator: name, operands, attributes, effects, meaning. Everything else
// about it (type relation, shape function, evaluator, code, fusion class, documentation) is derived
// from here.
#pragma once

#include "support/opmeaning/Builder.h"

#include <map>
#include <string>
#include <variant>
#include <vector>

namespace imbrex::opmeaning {

using AttrValue =
    std::variant<int64_t, double, std::string, std::vector<int64_t>, std::vector<double>, DType>;
enum class AttrKind : uint8_t { Int, Real, String, Ints, Reals, Type };

struct AttrDecl {
  std::string_view name;
  AttrKind kind;
  std::optional<AttrValue> fallback; // none: the attribute is required
  std::string_view doc;
};

/// Attribute values, complete: defaults are filled in by completeAttrs.
class Attrs {
public:
  std::map<std::string, AttrValue, std::less<>> values;
  bool has(std::string_view name) const { return values.find(name) != values.end(); }
  // Precondition: the attribute is declared with that kind.
  int64_t i(std::string_view name) const;
  double r(std::string_view name) const;
  const std::string &s(std::string_view name) const;
  const std::vector<int64_t> &is(std::string_view name) const;
  const std::vector<double> &rs(std::string_view name) const;
  DType t(std::string_view name) const;
};

enum class Effect : uint8_t {
  Pure,
  Random,     // draws from a key; two equal calls are not the same value
  Collective, // talks to other ranks; never re-executed by rematerialization on one rank alone
};

using Meaning = Result<Program> (*)(Builder &, const Attrs &);

/// By-hand replacements for operators without an index form. Both are then required.
struct Hooks {
  Result<std::vector<TensorType>> (*types)(const std::vector<Operand> &, const Attrs &,
                                           const DimFacts &) = nullptr;
  std::string_view hostOp; // the function of support/hostops that computes it
};

struct Operator {
  std::string_view name;                    // "conv", lower case with underscores
  std::string_view doc;                     // one sentence
  uint8_t minOperands = 1, maxOperands = 1; // 255: any number
  uint8_t minResults = 1, maxResults = 1;
  std::vector<AttrDecl> attrs;
  Meaning meaning = nullptr; // null only with hooks
  Effect effect = Effect::Pure;
  FloatContract contract = FloatContract::Elementwise;
  Hooks hooks = {};
  /// Overrides the derived gradient (docs/design); null: derived.
  Meaning gradient = nullptr;
};

/// All operators, sorted by name. Families register in ops/Families.h.
const std::vector<Operator> &allOperators();
/// Null for an unknown name.
const Operator *findOperator(std::string_view name);

/// The host function that computes an operator with hooks: hooks.hostOp, or the attribute
/// "function" of "custom". Precondition: attrs are complete.
std::string hostFunctionName(const Operator &op, const Attrs &attrs);
/// What a host function gets after its operands: the integer attributes as one i64 vector and,
/// where there are real ones, those as one f64 vector, in the order of the declaration; the custom
/// attributes of "custom" as bytes. Precondition: attrs are complete.
std::vector<HostTensor> hostParameters(const Operator &op, const Attrs &attrs);

/// Checks names and kinds and fills defaults. E0530 unknown attribute, E0531 missing, E0532 wrong
/// kind.
Result<Attrs> completeAttrs(const Operator &op, Attrs given);

/// E0411 for a type that compiled code cannot address: more than 64 dimensions, or bytes that do
/// not fit in 64 bits. An open dimension counts by its coefficients: n * 2^62 fits for no n but 0.
Status checkExtent(const TensorType &type);

/// An operator has at most so many operands and results: terms nest as deep as it has operands, and
/// a kernel reads them all.
constexpr size_t kMaxOperands = 1024;

/// The Program of `op` on these operands, verified and in normal form; its results pass
/// checkExtent. E0520 with the reason when the type relation fails, E0533 for a wrong number of
/// operands, E0411 for more of them than kMaxOperands.
Result<Program> meaningOf(const Operator &op, const std::vector<Operand> &operands,
                          const Attrs &attrs, const DimFacts &facts);
/// Result types alone; for hooks too.
Result<std::vector<TensorType>> typesOf(const Operator &op, const std::vector<Operand> &operands,
                                        const Attrs &attrs, const DimFacts &facts);

} // namespace imbrex::opmeaning
