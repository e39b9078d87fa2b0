#include "compiler/frontend/onnx/EmitRelay.h"
#include "compiler/ir/relay/Relay.h"
#include "compiler/reference/ReferenceEvaluator.h"

#include "mlir/Parser/Parser.h"

#include <gtest/gtest.h>

namespace imbrex::frontend {

static HostTensor floats(std::vector<int64_t> shape, std::vector<float> v) {
  return HostTensor::of<float>(DType::F32, std::move(shape), v);
}

static onnx::ValueInfo input(std::string name, DType type, std::vector<onnx::Dim> dims) {
  onnx::ValueInfo v{std::move(name), {}};
  v.type.kind = onnx::ValueType::Kind::Tensor;
  v.type.elemType = onnx::elemTypeOf(type);
  v.type.shape = onnx::ValueType::Shape::Known;
  v.type.dims = std::move(dims);
  return v;
}

static onnx::Node node(std::string op, std::vector<std::string> in, std::vector<std::string> out) {
  onnx::Node n;
  n.opType = std::move(op);
  n.inputs = std::move(in);
  n.outputs = std::move(out);
  return n;
}

/// y = c ? -x : concat(x, x): the branches differ in size.
static onnx::Model conditional() {
  onnx::Model m;
  m.opsets[""] = 17;
  m.graph.inputs = {input("c", DType::Bool, {}),
                    input("x", DType::F32, {{onnx::Dim::Kind::Param, 0, "n"}})};
  onnx::Node branch = node("If", {"c"}, {"y"});
  for (auto [name, inner] : {std::pair("then_branch", node("Neg", {"x"}, {"r"})),
                             std::pair("else_branch", node("Concat", {"x", "x"}, {"r"}))}) {
    auto g = std::make_shared<onnx::Graph>();
    g->nodes = {inner};
    if (inner.opType == "Concat") {
      onnx::Attribute axis;
      axis.name = "axis";
      axis.kind = onnx::Attribute::Kind::Int;
      axis.ints = {0};
      g->nodes[0].attributes = {axis};
    }
    g->outputs = {{"r", {}}};
    onnx::Attribute a;
    a.name = name;
    a.kind = onnx::Attribute::Kind::Graph;
    a.graphs = {g};
    branch.attributes.push_back(a);
  }
  m.graph.nodes = {branch};
  m.graph.outputs = {{"y", {}}};
  return m;
}

class EmitRelayTest : public testing::Test {
protected:
  EmitRelayTest() : context(mlir::MLIRContext::Threading::DISABLED) {
    context.loadDialect<relay::RelayDialect>();
  }
  mlir::MLIRContext context;
};

TEST_F(EmitRelayTest, RunsBothBranchesOfACondition) {
  ImportProblems problems;
  auto module = importModel(context, conditional(), {}, problems);
  ASSERT_TRUE(module.ok()) << module.error().str();
  for (uint8_t c : {0, 1}) {
    auto flag = HostTensor::of<uint8_t>(DType::Bool, {}, std::span<const uint8_t>(&c, 1));
    auto y = reference::evaluate(**module, "main", {flag, floats({2}, {1, 2})});
    ASSERT_TRUE(y.ok()) << y.error().str();
    EXPECT_EQ((*y)[0].shape(), std::vector<int64_t>{c ? 2 : 4});
    EXPECT_EQ((*y)[0].toDouble(1), c ? -2 : 2);
  }
}

TEST_F(EmitRelayTest, NamesPortsAndChecksInputs) {
  ImportProblems problems;
  auto module = importModel(context, conditional(), {}, problems);
  ASSERT_TRUE(module.ok());
  auto f = (*module)->lookupSymbol<relay::FuncOp>("main");
  EXPECT_EQ(f.argName(1), "x");
  EXPECT_EQ(f.resultName(0), "y");
  auto wrong = reference::evaluate(**module, "main", {floats({}, {1}), floats({2}, {1, 2})});
  ASSERT_FALSE(wrong.ok());
  EXPECT_EQ(wrong.error().code, 545);
}

TEST_F(EmitRelayTest, DimensionsMayBeCalledAsTheTextFormsWords) {
  onnx::Model m;
  m.opsets[""] = 17;
  std::vector<onnx::Dim> dims;
  for (const char *word : {"mod", "min", "max", "floordiv", "i32", "f32", "batch size"})
    dims.push_back({onnx::Dim::Kind::Param, 0, word});
  m.graph.inputs = {input("x", DType::F32, dims)};
  m.graph.nodes = {node("Neg", {"x"}, {"y"})};
  m.graph.outputs = {{"y", {}}};
  ImportProblems problems;
  auto module = importModel(context, m, {}, problems);
  ASSERT_TRUE(module.ok()) << module.error().str();
  auto f = (*module)->lookupSymbol<relay::FuncOp>("main");
  auto names = f->getAttrOfType<mlir::DictionaryAttr>(relay::kSymbolNames);
  ASSERT_TRUE(names);
  std::vector<std::string> kept;
  for (relay::SymbolAttr s : f.symbolList()) {
    auto name = names.getAs<mlir::StringAttr>(s.getName());
    kept.push_back(name ? name.str() : s.getName().str());
  }
  EXPECT_EQ(kept, (std::vector<std::string>{"mod", "min", "max", "floordiv", "i32", "f32",
                                            "batch size"}));
  std::string text;
  llvm::raw_string_ostream(text) << **module;
  EXPECT_TRUE(mlir::parseSourceString<mlir::ModuleOp>(text, &context)) << text;
}

} // namespace imbrex::frontend
