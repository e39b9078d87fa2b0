// Walks graphs: names to values, functions inlined, branches imported, problems collected.
#pragma once

#include "compiler/frontend/onnx/Recorder.h"

#include <map>
#include <set>
#include <span>
#include <string>
#include <vector>

namespace imbrex::frontend {

struct ScanForm;
class NodeContext;

class GraphImporter {
public:
  GraphImporter(const onnx::Model &model, const ImportOptions &options, ImportProblems &problems)
      : model(model), options(options), problems(problems), recorder(options) {}

  /// The whole model. Problems go to the list; the result is meaningful only when there are none.
  Result<Recording> run();

private:
  using Nodes = std::vector<const onnx::Node *>;
  using Names = std::set<std::string, std::less<>>;

  /// Names of one graph; inner graphs see the outer one's.
  struct Scope {
    /// A scope for a graph inside of a node of `outer`'s.
    static Scope inside(const Scope &outer);

    const Scope *parent = nullptr;
    const onnx::Opsets *opsets = nullptr;
    /// Present but invalid: a value that a problem keeps from being made.
    std::map<std::string, Value, std::less<>> values;
    /// Inside a function: the attributes of the call, for references.
    const std::vector<onnx::Attribute> *callAttributes = nullptr;
    int depth = 0;
    /// Inside a loop's or a function's body, which is imported once for each run or call.
    bool expanded = false;
    /// While a node is imported: the nodes after it, those of them that are imported already, and
    /// the names that are read from outside.
    std::span<const onnx::Node *const> rest;
    std::set<const onnx::Node *> done;
    Names wanted;

    const Value *find(std::string_view name) const;
  };

  /// A name in the options that the model does not know is a misspelling. E0401.
  Status checkOptions() const;
  Status checkGivenDims(const onnx::ValueInfo &input) const;
  Status bindInputs(Scope &scope);
  Result<opmeaning::TensorType> inputType(const onnx::ValueInfo &input);
  DimExpr inputDim(const onnx::ValueInfo &input, size_t axis);
  ContainerPtr containerOf(const onnx::ValueType &type, const std::string &input) const;
  Status checkOutput(const onnx::ValueInfo &output, Value value);
  void bindInitializers(const onnx::Graph &graph, Scope &scope);
  /// `wanted` are the names that are read once all nodes are imported.
  void importNodes(const std::vector<onnx::Node> &nodes, Names wanted, Scope &scope);
  void importNodes(const Nodes &nodes, Names wanted, Scope &scope);
  void importNode(const onnx::Node &node, Scope &scope);
  /// Counts a node of an expanded body; false once there are too many, which it reports.
  bool withinBudget(const onnx::Node &node, const Scope &scope);
  void convert(const onnx::Node &node, std::vector<Value> inputs, int64_t opset, Scope &scope);
  void importIf(const onnx::Node &node, const std::vector<Value> &inputs, Scope &scope);
  /// One branch of an If, recorded.
  struct Side {
    std::string attribute;
    Block block;
    bool good = false;
    size_t firstProblem = 0, endProblem = 0; // those that importing it reported
    const char *where = "in it";             // or after it, where its problem is
  };
  /// What follows an If and is imported into each branch, and the names that are read after that.
  struct Tail {
    Nodes nodes;
    Names live;
  };
  Side importSide(const std::string &attribute, const onnx::Node &node, Scope &scope,
                  const Tail &tail);
  /// Both branches, with what has to move into them; false after a problem.
  bool importSides(const onnx::Node &node, Value condition, Scope &scope, Side &yes, Side &no,
                   Tail &tail);
  std::optional<Tail> findTail(const onnx::Node &node, Side &yes, Side &no, Scope &scope);
  std::optional<size_t> tryTail(const onnx::Node &node, const Nodes &nodes, Side &yes, Side &no,
                                Scope &a, Scope &b, Names &live);
  Nodes dependentNodes(const onnx::Node &node, Scope &scope);
  void importOnSide(const onnx::Node &node, Side &side, Scope &scope);
  void checkDeclaredRanks(const Names &live, const Scope &in, Side &side);
  bool haveOneType(const Names &live, const Scope &a, const Scope &b) const;
  bool endInRefusal(Side &bad, const Side &good, Value condition, const onnx::Node &node);
  void importScan(const onnx::Node &node, std::vector<Value> inputs, Scope &scope);
  std::vector<Value> scanLoop(NodeContext &n, const onnx::Graph &body, const ScanForm &form,
                              const DimExpr &length, const std::vector<Value> &inputs,
                              const onnx::Node &node, Scope &scope);
  std::vector<Value> openLoop(NodeContext &n, const onnx::Graph &body,
                              const std::vector<Value> &inputs, const onnx::Node &node,
                              Scope &scope);
  std::optional<std::vector<Value>> unrolledLoop(NodeContext &n, const onnx::Graph &body,
                                                 const std::vector<Value> &inputs,
                                                 const onnx::Node &node, Scope &scope);
  /// What one run of a body yields, for its types; nothing of it is kept.
  std::optional<std::vector<Value>> dryRun(const onnx::Graph &body,
                                           const std::vector<Value> &arguments,
                                           const onnx::Node &node, Scope &scope);
  Value modified(NodeContext &n, const char *attribute, Value v, const onnx::Node &node,
                 Scope &scope);
  void importFlexAttention(const onnx::Node &node, const std::vector<Value> &inputs, Scope &scope);
  void importScan8(const onnx::Node &node, std::vector<Value> inputs, Scope &scope);
  void importSequenceMap(const onnx::Node &node, const std::vector<Value> &inputs, Scope &scope);
  void importLoop(const onnx::Node &node, const std::vector<Value> &inputs, Scope &scope);
  /// One run of a loop's body; false after a problem.
  bool importBody(const onnx::Graph &body, const std::vector<Value> &arguments,
                  const onnx::Node &node, Scope &scope, std::vector<Value> &results);
  void importCall(const onnx::Function &function, const onnx::Node &node,
                  const std::vector<Value> &inputs, Scope &scope);
  bool importBranch(const onnx::Graph &graph, const onnx::Node &node, Scope &scope,
                    std::vector<Value> &results);
  const onnx::Function *findFunction(const onnx::Node &node) const;

  void define(const onnx::Node &node, const std::vector<Value> &results, Scope &scope);
  /// What the model declares of a node's outputs; a function's and a branch's names are others.
  std::vector<std::optional<int64_t>> declaredRanks(const onnx::Node &node,
                                                    const Scope &scope) const;
  void report(const onnx::Node &node, int64_t opset, ImportProblem problem);
  /// A node's name, or what it computes.
  static std::string label(const onnx::Node &node);
  /// 0 for a domain that the model does not import.
  static int64_t opsetOf(const onnx::Opsets &opsets, const std::string &domain);
  Error summary() const;

  const onnx::Model &model;
  const ImportOptions &options;
  ImportProblems &problems;
  ImportProblems remarks; // what fails only when it runs
  Recorder recorder;
  int64_t expandedNodes = 0;
  int64_t scannedNames = 0;                           // in search of what follows branches
  std::map<std::string, DimExpr, std::less<>> params; // dim_param to size
  std::map<std::string, int64_t, std::less<>> ranks;  // declared, of values of the main graph
};

} // namespace imbrex::frontend
