// Appends to a Recording: applies operators, infers types, folds constants, follows sizes.
#pragma once

#include "compiler/frontend/onnx/Import.h"

#include <functional>

namespace imbrex::frontend {

/// What a loop runs, given the carried values; called once or several times while it is recorded.
struct LoopCode {
  /// A bool of rank 0: whether the body runs again.
  std::function<Result<Value>(const std::vector<Value> &)> condition;
  /// The carried values after a run.
  std::function<Result<std::vector<Value>>(const std::vector<Value> &)> body;
};

class Recorder {
public:
  explicit Recorder(const ImportOptions &options) : options(options) {}

  Value constant(HostTensor value);
  Value input(std::string name, opmeaning::TensorType type);
  /// A symbol that the function binds. `hint` is made a legal, unused name.
  DimExpr bindSymbol(const std::string &hint, const std::string &param, SymbolFacts facts);

  /// The results of `op`; the type relation's error otherwise. Operands of small constants are
  /// evaluated at once.
  Result<std::vector<Value>> apply(std::string_view op, std::vector<Value> operands,
                                   opmeaning::Attrs attrs, const std::string &origin);

  /// While one is open, statements go into it.
  void openBlock();
  Block closeBlock();
  /// Closes a block whose statements go where they would have gone without it.
  void keepBlock();
  /// Results take the branches' common type; a size that differs becomes a fresh symbol. E0411 for
  /// branches whose element types or ranks differ.
  Result<std::vector<Value>> conditional(Value condition, Block thenBlock, Block elseBlock,
                                         const std::string &origin);

  /// A loop that starts with `inits`. What it carries has one element type and one rank (E0411);
  /// sizes that a run changes become symbols of the loop, found by recording the body again.
  Result<std::vector<Value>> loop(std::vector<Value> inits, const LoopCode &code,
                                  const std::string &origin);
  /// A vector of these sizes, or a scalar; invalid where one of their symbols is no value's
  /// dimension.
  Value sizes(const std::vector<DimExpr> &elements, opmeaning::TensorType type,
              const std::string &origin);

  /// What a value of type Item holds. Operators pass on what their operands hold.
  void setContainer(Value v, ContainerPtr container) {
    recording.values[size_t(v.id)].container = std::move(container);
  }

  /// The inputs on which the elements of `v` depend.
  std::vector<std::string> inputsOf(Value v) const;
  /// The inputs whose elements decide sizes of `v` that are open.
  std::vector<std::string> inputsOfSizes(Value v) const;
  const ValueInfo &info(Value v) const { return recording[v]; }
  const DimFacts &dimFacts() const { return facts; }
  void output(std::string name, Value value) {
    recording.outputs.push_back({std::move(name), value});
  }
  Recording finish();

private:
  struct Carried;
  Result<bool> recordRun(const LoopCode &code, Carried &carried, LoopParts &parts);
  Value fresh(opmeaning::TensorType type);
  std::string freshName(const std::string &hint);
  std::optional<std::vector<Value>> fold(const opmeaning::Operator &op,
                                         const std::vector<Value> &operands,
                                         const opmeaning::Attrs &attrs);
  std::vector<std::string> names(uint64_t inputs) const;
  Block &current() { return open.empty() ? recording.body : open.back(); }

  const ImportOptions &options;
  Recording recording;
  std::vector<Block> open;
  DimFacts facts;
  int64_t applications = 0;
  std::map<std::string, int, std::less<>> usedNames;
  /// The first value that has a symbol as a whole dimension.
  struct Carrier {
    Value value;
    size_t axis;
  };
  std::map<std::string, Carrier, std::less<>> carriers;
  std::vector<std::vector<std::string>> carriersOfBlocks; // for each of `open`: what ends with it
  /// Of a symbol that operators read from elements: the inputs that these depend on, as in
  /// ValueInfo.
  std::map<std::string, uint64_t, std::less<>> sizeSources;
};

} // namespace imbrex::frontend
