// The meaning of one operator applied to operands of known types: definitions, requirements,
// outputs.
#pragma once

#include "support/Result.h"
#include "support/dim/DimExpr.h"
#include "support/opmeaning/Term.h"
#include "support/tensor/HostTensor.h"

#include <deque>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

namespace imbrex::opmeaning {

struct TensorType {
  DType type = DType::Invalid;
  std::vector<DimExpr> dims;
  friend bool operator==(const TensorType &, const TensorType &) = default;
  std::string str() const; // "f32[n, 8]"
};

/// One operand: absent (an optional input left out), or a type, with the value where it is a
/// constant.
struct Operand {
  bool present = false;
  TensorType type;
  std::optional<HostTensor> constant;
  /// The elements of a vector or scalar of integers as sizes, where they are known by name.
  std::optional<std::vector<DimExpr>> sizes = std::nullopt;

  static Operand absent() { return {}; }
  static Operand of(TensorType t) { return {true, std::move(t), std::nullopt}; }
  static Operand of(HostTensor value);
};

/// Reassociation and contraction that the float contract grants to compiled code.
enum class FloatContract : uint8_t {
  Exact,       // bit for bit in the stated dtypes
  Elementwise, // element functions within their accuracy bound
  Reassociate, // sums and products in any blocked order, fused multiply-add, at least f32
               // accumulation
  Convolve,    // as Reassociate, and windows by products of sums of elements and of weights
               // (Winograd): rounding is relative to the largest values near a place, and what is
               // not finite there may make NaN
};

/// name[vars < dims] : type = body
struct Def {
  std::string name;
  TensorType type;
  std::vector<const Node *> vars; // one IxVar per dimension
  const Node *body = nullptr;     // a scalar of type.type
  bool host = false; // a ShapeDef: rank 0 or 1, literal extents, run before extents are known
  FloatContract contract = FloatContract::Exact; // of the operator whose meaning it is
};

/// A symbol whose value is known only at run time: element `at` of an operand or Def.
struct OpenDim {
  std::string symbol; // fresh in the Program: "$0", "$1", … renamed by whoever embeds it
  Source source;
  std::vector<int64_t> at;
};

/// Proven when compiling, else checked at launch; per element when it reads data or variables.
struct Require {
  const Node *guard = nullptr;
  std::vector<const Node *> vars; // free variables, for per-element requirements
  std::vector<DimExpr> extents;   // of vars
  std::string why;
};

class Program {
public:
  Program() = default;
  Program(Program &&) = default;
  Program &operator=(Program &&) = default;

  std::vector<Operand> operands;
  std::vector<Def> defs;
  std::vector<OpenDim> opens;
  std::vector<Require> requirements;
  std::vector<uint32_t> outputs; // indices into defs

  const TensorType &typeOf(Source s) const;
  const Def &output(size_t i) const { return defs[outputs[i]]; }
  std::vector<TensorType> outputTypes() const;

  /// Interns a node: the same content gives the same address, valid as long as the Program. IxVar
  /// nodes are never shared: use variable().
  const Node *intern(Node node);
  const Node *variable();

  /// y[i0, i1] = … , one line a definition; for review and golden tests.
  std::string str() const;

private:
  struct Pool;
  std::shared_ptr<Pool> pool; // stable addresses over moves
  int64_t nextVariable = 0;
};

/// Scopes, sorts, dtypes, divisors > 0, arities. An Error is E0510 and names the definition.
/// `facts` are those of the operands' symbols.
Status verify(const Program &p, const DimFacts &facts);

/// Calls `visit` on every node reachable from `root`, parents first, each once.
void walk(const Node *root, const std::function<void(const Node *)> &visit);

/// Copies `root` (of any Program) into `into`, replacing what `replace` answers for and keeping the
/// rest. Bound variables of reduces are renamed to fresh ones.
using Replace = std::function<const Node *(const Node *)>;
const Node *copyTerm(const Node *root, Program &into, const Replace &replace);

/// Brings every definition to normal form: each reduce and best is the whole body of a Def of its
/// own. New definitions are named NAME.sum, NAME.max, …
void normalize(Program &p);

/// What a definition's body does to its operands; decides fusion. Only for normal form.
enum class DefClass : uint8_t {
  Elementwise, // every read is an identity or a broadcast read
  Reindex,     // at most one element of each operand per output point, any index
  Contraction, // a sum of products of two reads, each missing a parallel index of the other
  Reduction,   // any other reduce or best
  Host,        // a ShapeDef
};
DefClass classify(const Program &p, const Def &d, const DimFacts &facts);

} // namespace imbrex::opmeaning
