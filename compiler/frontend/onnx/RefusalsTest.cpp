// Models that are refused before they cost anything: sizes and unrolled loops beyond all measure,
// and graphs that contradict themselves.
#include "compiler/frontend/onnx/Import.h"

#include <gtest/gtest.h>

namespace imbrex::frontend {
using onnx::Attribute;

namespace {

onnx::ValueInfo port(std::string name, DType type, std::vector<onnx::Dim> dims) {
  onnx::ValueInfo v{std::move(name), {}};
  v.type.kind = onnx::ValueType::Kind::Tensor;
  v.type.elemType = onnx::elemTypeOf(type);
  v.type.shape = onnx::ValueType::Shape::Known;
  v.type.dims = std::move(dims);
  return v;
}
onnx::Dim size(int64_t value) { return {onnx::Dim::Kind::Value, value, ""}; }
onnx::Dim open(const char *param) { return {onnx::Dim::Kind::Param, 0, param}; }

Attribute attribute(std::string name, Attribute::Kind kind) {
  Attribute a;
  a.name = std::move(name);
  a.kind = kind;
  return a;
}
Attribute integer(std::string name, int64_t value) {
  Attribute a = attribute(std::move(name), Attribute::Kind::Int);
  a.ints = {value};
  return a;
}
Attribute integers(std::string name, std::vector<int64_t> values) {
  Attribute a = attribute(std::move(name), Attribute::Kind::Ints);
  a.ints = std::move(values);
  return a;
}
Attribute word(std::string name, std::string value) {
  Attribute a = attribute(std::move(name), Attribute::Kind::String);
  a.strings = {std::move(value)};
  return a;
}

onnx::Node node(std::string op, std::vector<std::string> in, std::vector<std::string> out,
                std::vector<Attribute> attributes = {}) {
  onnx::Node n;
  n.opType = std::move(op);
  n.inputs = std::move(in);
  n.outputs = std::move(out);
  n.attributes = std::move(attributes);
  return n;
}

template <class T>
onnx::Tensor weight(std::string name, DType type, std::vector<int64_t> shape, std::vector<T> v) {
  onnx::Tensor t;
  t.name = std::move(name);
  t.elemType = onnx::elemTypeOf(type);
  t.shape = shape;
  t.value = HostTensor::of<T>(type, std::move(shape), v);
  return t;
}
onnx::Tensor ints(std::string name, std::vector<int64_t> v) {
  const auto n = int64_t(v.size());
  return weight<int64_t>(std::move(name), DType::I64, {n}, std::move(v));
}

/// One node from x to y.
onnx::Model model(onnx::ValueInfo x, onnx::Node n, std::vector<onnx::Tensor> weights = {},
                  int64_t opset = 17) {
  onnx::Model m;
  m.opsets[""] = opset;
  m.graph.inputs = {std::move(x)};
  m.graph.nodes = {std::move(n)};
  m.graph.initializers = std::move(weights);
  m.graph.outputs = {{"y", {}}};
  return m;
}

/// What the import says; "" when it succeeds.
std::string problem(const onnx::Model &m) {
  ImportProblems problems;
  auto r = record(m, {}, problems);
  return r ? "" : r.error().str();
}
void expectRefused(const onnx::Model &m, const std::string &why) {
  std::string said = problem(m);
  EXPECT_NE(said.find(why), std::string::npos) << (said.empty() ? "accepted" : said);
}

constexpr int64_t huge = int64_t(1) << 62;

} // namespace

/// What grows by the operand must not end the stack, nor a time by its square.
TEST(ImportRefuses, NothingForManyOperandsThatCanBeJoinedInSteps) {
  const std::vector<std::string> many(100000, "x");
  auto x = port("x", DType::F16, {size(2)});
  for (const char *op : {"Sum", "Mean", "Max", "Min"})
    EXPECT_EQ(problem(model(x, node(op, many, {"y"}))), "") << op;
  EXPECT_EQ(problem(model(x, node("Concat", many, {"y"}, {integer("axis", 0)}))), "");
  auto flag = port("x", DType::Bool, {size(2)});
  expectRefused(model(flag, node("Sum", many, {"y"})), "bool");
}

TEST(ImportRefuses, MoreOperandsAndResultsThanAnOperatorHas) {
  std::vector<std::string> many(20000, "x");
  auto x = port("x", DType::F32, {size(2)});
  std::string equation = "i";
  for (size_t i = 1; i < many.size(); ++i)
    equation += ",i";
  expectRefused(model(x, node("Einsum", many, {"y"}, {word("equation", equation + "->i")})),
                "at most 1024");
  std::vector<std::string> parts(20000);
  for (size_t i = 0; i < parts.size(); ++i)
    parts[i] = i == 0 ? "y" : "y" + std::to_string(i);
  auto wide = port("x", DType::F32, {size(20000)});
  expectRefused(model(wide, node("Split", {"x"}, parts)), "20000 parts");
}

TEST(ImportRefuses, OpenSizesTimesHugeNumbers) {
  auto x = port("x", DType::F32, {open("n"), open("m")});
  expectRefused(model(x, node("Tile", {"x", "k"}, {"y"}), {ints("k", {huge, 4})}), "too large");
  expectRefused(model(x, node("Tile", {"x", "k"}, {"y"}), {ints("k", {huge, 1})}), "too large");
  expectRefused(model(x, node("Pad", {"x", "k"}, {"y"}), {ints("k", {huge, huge, huge, huge})}),
                "too large");
  EXPECT_EQ(problem(model(x, node("Tile", {"x", "k"}, {"y"}), {ints("k", {1 << 20, 4})})), "");
}

TEST(ImportRefuses, ResizesWithoutMeasure) {
  auto x = port("x", DType::F32, {size(1), size(1), size(4), size(4)});
  auto resize = [&](float scale, const char *mode, int64_t antialias) {
    return model(x,
                 node("Resize", {"x", "", "k"}, {"y"},
                      {word("mode", mode), integer("antialias", antialias)}),
                 {weight<float>("k", DType::F32, {4}, {1, 1, scale, 1})}, 18);
  };
  for (const char *mode : {"nearest", "linear", "cubic"}) {
    EXPECT_EQ(problem(resize(2, mode, 0)), "") << mode;
    expectRefused(resize(1e18f, mode, 0), "too large a table");
    expectRefused(resize(-1, mode, 0), "negative");
    expectRefused(resize(std::numeric_limits<float>::quiet_NaN(), mode, 0), "scale");
  }
  expectRefused(resize(1e-18f, "linear", 1), "too large a table");
  expectRefused(model(x, node("Resize", {"x", "", "", "k"}, {"y"}), {ints("k", {1, 1, huge, 4})}),
                "too large a table");
}

static onnx::Node nestedLoop(int depth, int64_t runs) {
  auto body = std::make_shared<onnx::Graph>();
  body->inputs = {port("i", DType::I64, {}), port("c", DType::Bool, {}),
                  port("s", DType::F32, {size(1)})};
  body->initializers = {weight<int64_t>("runs", DType::I64, {}, {runs}),
                        weight<uint8_t>("go", DType::Bool, {}, {1})};
  body->nodes = {depth ? nestedLoop(depth - 1, runs) : node("Neg", {"s"}, {"y"})};
  if (depth)
    body->nodes[0].inputs = {"runs", "go", "s"};
  body->outputs = {{"go", {}}, {"y", {}}};
  Attribute a = attribute("body", Attribute::Kind::Graph);
  a.graphs = {body};
  return node("Loop", {"runs", "go", "x"}, {"y"}, {a});
}

TEST(ImportRefuses, NestedLoopsThatMultiply) {
  auto nested = [](int depth, int64_t runs) {
    return model(port("x", DType::F32, {size(1)}), nestedLoop(depth, runs),
                 {weight<int64_t>("runs", DType::I64, {}, {runs}),
                  weight<uint8_t>("go", DType::Bool, {}, {1})});
  };
  EXPECT_EQ(problem(nested(2, 4)), "");
  EXPECT_EQ(problem(nested(3, 100)), "") << "many runs stay a loop";
  expectRefused(nested(6, 8), "unrolled, come to more than");
}

TEST(ImportRefuses, FunctionsThatCallTwoOthersEach) {
  auto m = model(port("x", DType::F32, {size(1)}), node("f30", {"x"}, {"y"}));
  m.graph.nodes[0].domain = "own";
  m.opsets["own"] = 1;
  for (int k = 0; k <= 30; ++k) {
    onnx::Function f;
    f.name = "f" + std::to_string(k);
    f.domain = "own";
    f.inputs = {"a"};
    f.outputs = {"c"};
    f.opsets = m.opsets;
    std::string next = k ? "f" + std::to_string(k - 1) : "Neg";
    f.nodes = {node(next, {"a"}, {"b"}), node(next, {"b"}, {"c"})};
    for (onnx::Node &n : f.nodes)
      n.domain = k ? "own" : "";
    m.functions.push_back(f);
  }
  expectRefused(m, "unrolled, come to more than");
}

TEST(ImportRefuses, AxesPadsAndWindowsThatDoNotFit) {
  auto x = port("x", DType::F32, {size(1), size(2), size(4), size(4)});
  expectRefused(model(x, node("Concat", {"x"}, {"y"}, {integer("axis", INT64_MIN)})), "axis");
  expectRefused(model(x, node("Softmax", {"x"}, {"y"}, {integer("axis", 4)}), {}, 11), "axis");
  for (const char *pool : {"MaxPool", "AveragePool", "LpPool"})
    expectRefused(
        model(x, node(pool, {"x"}, {"y"},
                      {integers("kernel_shape", {2, 2}), integers("pads", {0, 2, 0, 0})})),
        "it pads by 2");
  auto pad = [&](int64_t by) {
    return model(x, node("Pad", {"x", "k"}, {"y"}, {word("mode", "reflect")}),
                 {ints("k", {0, 0, 0, by, 0, 0, 0, 0})});
  };
  EXPECT_EQ(problem(pad(3)), "");
  expectRefused(pad(4), "it reflects 4 elements of axis 3, which has 4");
}

TEST(ImportRefuses, GraphsThatContradictThemselves) {
  auto x = port("x", DType::F32, {size(2), open("n")});
  auto twice = model(x, node("Relu", {"x"}, {"y"}), {ints("w", {1}), ints("w", {2})});
  expectRefused(twice, "two weights of that name");
  auto declared = [&](DType type, std::vector<onnx::Dim> dims) {
    auto m = model(x, node("Relu", {"x"}, {"y"}));
    m.graph.outputs = {port("y", type, std::move(dims))};
    return m;
  };
  EXPECT_EQ(problem(declared(DType::F32, {size(2), open("k")})), "");
  expectRefused(declared(DType::I64, {size(2), open("k")}), "output 'y' is declared as");
  expectRefused(declared(DType::F32, {size(2)}), "output 'y' is declared as");
  ImportProblems remarks;
  ASSERT_TRUE(record(declared(DType::F32, {size(3), open("k")}), {}, remarks).ok());
  ASSERT_EQ(remarks.size(), 1u);
  EXPECT_EQ(remarks[0].code, 416);
}

TEST(ImportRefuses, ConstantsThatAreNotWhatTheInputIs) {
  auto m = model(port("x", DType::F32, {size(2), open("n")}), node("Relu", {"x"}, {"y"}));
  auto given = [&](DType type, std::vector<int64_t> shape) {
    ImportProblems problems;
    ImportOptions options;
    options.constants["x"] = HostTensor(type, std::move(shape));
    auto r = record(m, options, problems);
    return r ? "" : r.error().str();
  };
  EXPECT_EQ(given(DType::F32, {2, 5}), "");
  EXPECT_NE(given(DType::F32, {3, 5}).find("does not fit"), std::string::npos);
  EXPECT_NE(given(DType::F32, {2}).find("does not fit"), std::string::npos);
  EXPECT_NE(given(DType::F64, {2, 5}).find("it is of type f64"), std::string::npos);
}

TEST(ImportRefuses, HintsNameOptionsThatExist) {
  auto x = port("x", DType::F32, {});
  x.type.shape = onnx::ValueType::Shape::Unknown;
  expectRefused(model(x, node("Relu", {"x"}, {"y"})), "--input-shape x=");
  auto fixed = port("x", DType::F32, {size(1)});
  expectRefused(model(fixed, node("Relu", {"x"}, {"y"}), {}, 99), "exporting with operator set ");
}

} // namespace imbrex::frontend
