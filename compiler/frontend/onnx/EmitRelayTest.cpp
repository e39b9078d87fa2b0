#include "compiler/frontend/onnx/EmitRelay.h"
#include "compiler/ir/relay/Relay.h"
#include "compiler/reference/ReferenceEvaluator.h"

#include "mlir/Parser/Parser.h"

#include <algorithm>
#include <cmath>
#include <gtest/gtest.h>
#include <limits>

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

/// What ONNX says of starts, ends and steps of an axis, element by element.
static std::vector<double> sliced(int64_t size, int64_t start, int64_t end, int64_t step) {
  auto inside = [&](int64_t v, int64_t low, int64_t high) {
    return std::clamp(v < 0 ? v + size : v, low, high);
  };
  std::vector<double> out;
  if (step > 0)
    for (int64_t k = inside(start, 0, size), e = inside(end, 0, size); k < e; k += step)
      out.push_back(double(k));
  else if (size > 0)
    for (int64_t k = inside(start, 0, size - 1), e = inside(end, -1, size - 1); k > e; k += step)
      out.push_back(double(k));
  return out;
}

TEST_F(EmitRelayTest, SlicesByStepsOfARun) {
  onnx::Model m;
  m.opsets[""] = 17;
  m.graph.inputs = {input("x", DType::F32, {{onnx::Dim::Kind::Param, 0, "n"}})};
  for (const char *name : {"start", "end", "step"})
    m.graph.inputs.push_back(input(name, DType::I64, {{onnx::Dim::Kind::Value, 1, ""}}));
  m.graph.nodes = {node("Slice", {"x", "start", "end", "", "step"}, {"y"})};
  m.graph.outputs = {{"y", {}}};
  ImportProblems problems;
  auto module = importModel(context, m, {}, problems);
  ASSERT_TRUE(module.ok()) << module.error().str();
  auto one = [](int64_t v) {
    return HostTensor::of<int64_t>(DType::I64, {1}, std::span<const int64_t>(&v, 1));
  };
  for (int64_t size : {0, 1, 5}) {
    std::vector<float> elements;
    for (int64_t k = 0; k < size; ++k)
      elements.push_back(float(k));
    for (int64_t start : {INT64_MIN, int64_t(-3), int64_t(0), int64_t(2), INT64_MAX})
      for (int64_t end : {INT64_MIN, int64_t(-1), int64_t(4), INT64_MAX})
        for (int64_t step : {-7, -2, -1, 1, 3}) {
          auto y = reference::evaluate(**module, "main",
                                       {floats({size}, elements), one(start), one(end), one(step)});
          ASSERT_TRUE(y.ok()) << y.error().str();
          std::vector<double> got;
          for (int64_t k = 0; k < (*y)[0].elems(); ++k)
            got.push_back((*y)[0].toDouble(k));
          EXPECT_EQ(got, sliced(size, start, end, step))
              << size << ": " << start << " to " << end << " by " << step;
        }
  }
  auto zero = reference::evaluate(**module, "main", {floats({2}, {1, 2}), one(0), one(2), one(0)});
  ASSERT_FALSE(zero.ok());
  EXPECT_NE(zero.error().str().find("a step of Slice is 0"), std::string::npos);
}

TEST_F(EmitRelayTest, AMissingBoundOfClipIsTheLargestNumber) {
  const float inf = std::numeric_limits<float>::infinity(),
              most = std::numeric_limits<float>::max();
  for (int64_t opset : {6, 11, 13}) {
    onnx::Model m;
    m.opsets[""] = opset;
    m.graph.inputs = {input("x", DType::F32, {{onnx::Dim::Kind::Param, 0, "n"}})};
    m.graph.nodes = {node("Clip", {"x"}, {"y"})};
    m.graph.outputs = {{"y", {}}};
    ImportProblems problems;
    auto module = importModel(context, m, {}, problems);
    ASSERT_TRUE(module.ok()) << module.error().str();
    auto y = reference::evaluate(**module, "main", {floats({4}, {-inf, inf, 2, NAN})});
    ASSERT_TRUE(y.ok()) << y.error().str();
    EXPECT_EQ((*y)[0].toDouble(0), -most);
    EXPECT_EQ((*y)[0].toDouble(1), most);
    EXPECT_EQ((*y)[0].toDouble(2), 2);
    EXPECT_TRUE(std::isnan((*y)[0].toDouble(3)));
  }
}

} // namespace imbrex::frontend
