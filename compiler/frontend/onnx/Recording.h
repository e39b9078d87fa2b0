// What the importer makes of a model, before any IR exists: statements over operators of
// support/opmeaning, with every value's type. Recording first lets all unsupported nodes be named
// together, and keeps the operator families free of MLIR.
#pragma once

#include "support/opmeaning/Operator.h"

#include <deque>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace imbrex::frontend {

/// A value of a Recording; invalid after a failure.
struct Value {
  int32_t id = -1;
  bool valid() const { return id >= 0; }
  friend bool operator==(Value, Value) = default;
};

/// What the items of a value of type Item hold.
struct Container {
  /// A map is a row of two items: its keys and its values, vectors of one length.
  enum class Kind : uint8_t { Sequence, Optional, Map } kind = Kind::Sequence;
  static constexpr int64_t kUnknown = -1, kMixed = -2;
  /// Of the elements; Invalid while nothing is known, Item where they are containers themselves.
  DType type = DType::Invalid;
  int64_t rank = kUnknown;
  std::shared_ptr<const Container> inner = nullptr; // of elements of type Item
  DType key = DType::Invalid;                       // of a map; type and rank are its values'
  friend bool operator==(const Container &a, const Container &b);
};
using ContainerPtr = std::shared_ptr<const Container>;
/// What holds for a value that is either; null where either is not known.
ContainerPtr joined(const ContainerPtr &a, const ContainerPtr &b);

struct ValueInfo {
  opmeaning::TensorType type;
  std::optional<HostTensor> constant;
  /// The elements of a small integer tensor as sizes, where they are known; not set beside
  /// `constant`.
  std::optional<std::vector<DimExpr>> sizes;
  /// Which inputs its elements depend on: one bit an input, the last for all beyond 63.
  uint64_t inputs = 0;
  ContainerPtr container = nullptr; // of type Item
};

struct Block;
struct LoopParts;

/// results = op(operands), or results = if condition then … else …, or results = the operands as
/// long as a loop carries them. A statement is one of the three.
struct Statement {
  const opmeaning::Operator *op = nullptr;
  opmeaning::Attrs attrs;
  std::vector<Value> operands; // invalid where absent
  std::vector<Value> results;
  std::string origin; // the node's name, for locations
  // if: operands[0] is the condition, and these are not null.
  std::shared_ptr<Block> thenBlock = nullptr, elseBlock = nullptr;
  std::shared_ptr<LoopParts> loop = nullptr;
};

struct Block {
  std::vector<Statement> statements;
  std::vector<Value> results;
};

/// v = operands; while (condition(v)) v = body(v). Both regions have the same arguments.
struct LoopParts {
  std::vector<Value> arguments;
  Block condition, body;
  /// For each argument, whether its sizes change from one run to the next.
  std::vector<std::vector<bool>> varies;
};

struct Port {
  std::string name;
  Value value;
};

/// A symbol that the function binds, with its name in the model ("" for an unnamed dimension).
struct Symbol {
  std::string name, param;
  SymbolFacts facts;
};

/// One function. Constants are values without a statement.
struct Recording {
  std::deque<ValueInfo> values; // references to them stay good while others are added
  std::vector<Symbol> symbols;
  std::vector<Port> inputs, outputs;
  Block body;

  const ValueInfo &operator[](Value v) const { return values[size_t(v.id)]; }
};

} // namespace imbrex::frontend
