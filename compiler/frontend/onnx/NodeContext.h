// What an operator's converter sees: the node's operands and attributes, and a way to build.
// Failure is sticky: after fail() or a failed apply() every value is invalid and building does
// nothing, so converters need not check each step.
//
//   void gemm(NodeContext &n) {
//     Value y = n.apply("matmul", {n.in(0), n.in(1)}, attrs({{"trans_b", n.i("transB", 0)}}));
//     n.result(n.has(2) ? n.apply("add", {y, n.in(2)}) : y);
//   }
#pragma once

#include "compiler/frontend/onnx/Recorder.h"

#include <initializer_list>
#include <span>

namespace imbrex::frontend {

/// Attributes from pairs; spells AttrValue once.
opmeaning::Attrs attrs(std::initializer_list<std::pair<const char *, opmeaning::AttrValue>> pairs);

/// The target of a reshape of a tensor with dimensions `own`: numbers, copies of `own` (0) and at
/// most one other (-1). Nothing when that is not enough.
std::optional<std::vector<int64_t>> reshapeTarget(const std::vector<DimExpr> &wanted,
                                                  const std::vector<DimExpr> &own);

class NodeContext {
public:
  NodeContext(Recorder &recorder, const onnx::Node &node, std::vector<Value> inputs, int64_t opset)
      : recorder(recorder), node(node), inputs(std::move(inputs)), version(opset) {}

  // --- The node
  // --------------------------------------------------------------------------------------------
  int64_t opset() const { return version; }
  const onnx::Node &proto() const { return node; }
  size_t inputCount() const { return inputs.size(); }
  size_t outputCount() const { return node.outputs.size(); }
  /// The optional output i is asked for.
  bool wants(size_t i) const { return i < node.outputs.size() && !node.outputs[i].empty(); }
  /// The rank that the model declares for output i, where it does.
  std::optional<int64_t> declaredRank(size_t i) const {
    return i < declared.size() ? declared[i] : std::nullopt;
  }
  void declareRanks(std::vector<std::optional<int64_t>> ranks) { declared = std::move(ranks); }
  bool has(size_t i) const { return i < inputs.size() && inputs[i].valid(); }
  /// Operand i; invalid when it is absent. require() fails then.
  Value in(size_t i) const { return i < inputs.size() ? inputs[i] : Value{}; }
  Value require(size_t i);
  std::vector<Value> all() const { return inputs; }

  // --- Attributes. A wrong kind fails.
  // ---------------------------------------------------------------------
  bool hasAttr(std::string_view name) const { return node.attribute(name) != nullptr; }
  int64_t i(std::string_view name, int64_t fallback);
  double f(std::string_view name, double fallback);
  std::string s(std::string_view name, std::string fallback);
  std::vector<int64_t> is(std::string_view name, std::vector<int64_t> fallback = {});
  std::vector<double> fs(std::string_view name);
  /// A tensor attribute's value; nothing (and fails) when it has no form here.
  std::optional<HostTensor> tensor(std::string_view name);
  /// An element type attribute. Fails for a type without a form here.
  DType type(std::string_view name, DType fallback);

  // --- Values
  // ----------------------------------------------------------------------------------------------
  const opmeaning::TensorType &typeOf(Value v) const;
  DType dtype(Value v) const { return typeOf(v).type; }
  int64_t rank(Value v) const { return static_cast<int64_t>(typeOf(v).dims.size()); }
  const std::vector<DimExpr> &dims(Value v) const { return typeOf(v).dims; }
  /// dims(v) as numbers where all are.
  std::optional<std::vector<int64_t>> staticShape(Value v) const;
  const HostTensor *constantOf(Value v) const;
  /// The elements of a constant integer operand. Fails, with `what` in the reason, when it is not
  /// constant.
  std::optional<std::vector<int64_t>> ints(Value v, std::string_view what);
  /// Fails when operand i is present and not constant.
  void needConstant(size_t i, std::string_view what);
  /// Operand i as ints, or nothing when it is absent.
  std::optional<std::vector<int64_t>> intsIn(size_t i, std::string_view what);
  /// `axis` counted from the front; fails outside [-rank, rank).
  int64_t axis(int64_t axis, int64_t rank);

  // --- Building
  // --------------------------------------------------------------------------------------------
  Value apply(std::string_view op, std::vector<Value> operands, opmeaning::Attrs attrs = {});
  std::vector<Value> applyMany(std::string_view op, std::vector<Value> operands,
                               opmeaning::Attrs attrs = {}, size_t results = 1);
  Value constant(HostTensor value);
  Value scalar(double value, DType type);
  Value intVector(const std::vector<int64_t> &values);
  Value cast(Value v, DType type);
  Value reshape(Value v, const std::vector<int64_t> &shape); // 0 copies, -1 infers
  /// To dimensions by name; -1 infers.
  Value reshapeTo(Value v, const std::vector<DimExpr> &shape);
  /// These sizes as a vector of i64.
  Value sizes(const std::vector<DimExpr> &elements);
  /// One element everywhere, in a shape by name.
  Value filled(double value, DType type, const std::vector<DimExpr> &shape);
  /// A loop as Recorder::loop makes it; `code` builds with this context.
  std::vector<Value>
  loop(std::vector<Value> inits, const std::function<Value(const std::vector<Value> &)> &condition,
       const std::function<std::vector<Value>(const std::vector<Value> &)> &body);
  Value transpose(Value v, std::vector<int64_t> perm);
  Value unsqueeze(Value v, std::vector<int64_t> axes);
  Value squeeze(Value v, std::vector<int64_t> axes);
  /// Elements begin, begin + 1, … end - 1 along one axis.
  Value slice(Value v, int64_t axis, const DimExpr &begin, const DimExpr &end);
  /// A size as a scalar of i64.
  Value size(const DimExpr &d);
  /// 0, 1, … d - 1 as i64.
  Value places(const DimExpr &d);
  Value concat(std::vector<Value> parts, int64_t axis);

  void result(Value v) { results({v}); }
  void results(std::vector<Value> values) { produced = std::move(values); }

  // --- Failure
  // ---------------------------------------------------------------------------------------------
  /// This form of the operator is not supported (E0411), or not allowed (E0413).
  void unsupported(std::string reason, std::string remedy = {}, std::string attribute = {});
  void invalid(std::string reason, std::string attribute = {});
  /// This form is not supported unless the sizes of `v` are known: the model's inputs whose values
  /// decide them would have to be constants.
  void unsupportedUnlessSized(Value v, std::string reason, std::string remedy);
  /// This form is not supported while the length of the vector `v` is not known: a rank depends on
  /// it.
  void needLength(Value v);
  void fail(ImportProblem problem);
  bool failed() const { return problem.has_value(); }

  Recorder &record() { return recorder; }
  const std::optional<ImportProblem> &failure() const { return problem; }
  std::vector<Value> takeResults() { return std::move(produced); }

private:
  std::string label() const;
  void fail(const Error &error);
  const onnx::Attribute *find(std::string_view name, onnx::Attribute::Kind kind);

  Recorder &recorder;
  const onnx::Node &node;
  std::vector<Value> inputs, produced;
  int64_t version;
  std::vector<std::optional<int64_t>> declared;
  std::optional<ImportProblem> problem;
};

} // namespace imbrex::frontend
