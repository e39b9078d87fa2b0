#include "compiler/frontend/onnx/Import.h"

#include <gtest/gtest.h>

#include <algorithm>

namespace imbrex::frontend {
using onnx::Attribute;

// --- Models in a few words
// ----------------------------------------------------------------------------------

static onnx::Dim dim(int64_t value) { return {onnx::Dim::Kind::Value, value, ""}; }
static onnx::Dim dim(const char *param) { return {onnx::Dim::Kind::Param, 0, param}; }
static onnx::Dim anyDim() { return {}; }

static onnx::ValueInfo tensor(std::string name, DType type, std::vector<onnx::Dim> dims) {
  onnx::ValueInfo v{std::move(name), {}};
  v.type.kind = onnx::ValueType::Kind::Tensor;
  v.type.elemType = onnx::elemTypeOf(type);
  v.type.shape = onnx::ValueType::Shape::Known;
  v.type.dims = std::move(dims);
  return v;
}

static onnx::Node node(std::string op, std::vector<std::string> in, std::vector<std::string> out,
                       std::vector<Attribute> attributes = {}) {
  onnx::Node n;
  n.opType = std::move(op);
  n.inputs = std::move(in);
  n.outputs = std::move(out);
  n.attributes = std::move(attributes);
  return n;
}

static Attribute ints(std::string name, std::vector<int64_t> values) {
  Attribute a;
  a.name = std::move(name);
  a.kind = Attribute::Kind::Ints;
  a.ints = std::move(values);
  return a;
}
static Attribute integer(std::string name, int64_t value) {
  Attribute a = ints(std::move(name), {value});
  a.kind = Attribute::Kind::Int;
  return a;
}
static Attribute graph(std::string name, onnx::Graph g) {
  Attribute a;
  a.name = std::move(name);
  a.kind = Attribute::Kind::Graph;
  a.graphs = {std::make_shared<const onnx::Graph>(std::move(g))};
  return a;
}
static onnx::Tensor weight(std::string name, std::vector<int64_t> values) {
  onnx::Tensor t;
  t.name = std::move(name);
  t.elemType = onnx::elemTypeOf(DType::I64);
  t.shape = {int64_t(values.size())};
  t.value = HostTensor::of<int64_t>(DType::I64, t.shape, values);
  return t;
}

static onnx::Model model(std::vector<onnx::ValueInfo> inputs, std::vector<onnx::Node> nodes,
                         std::vector<std::string> outputs, int64_t opset = 17) {
  onnx::Model m;
  m.opsets[""] = opset;
  m.graph.inputs = std::move(inputs);
  m.graph.nodes = std::move(nodes);
  for (auto &o : outputs)
    m.graph.outputs.push_back({std::move(o), {}});
  return m;
}

static onnx::Graph branch(std::string op) {
  onnx::Graph g;
  g.nodes = {node(std::move(op), {"x"}, {"r"})};
  g.outputs = {{"r", {}}};
  return g;
}

static Result<Recording> imported(const onnx::Model &m, ImportOptions options = {}) {
  ImportProblems problems;
  return record(m, options, problems);
}

static std::string outputType(const Recording &r, size_t i = 0) {
  return r[r.outputs[i].value].type.str();
}

// --- Types and symbols
// --------------------------------------------------------------------------------------

TEST(Import, KeepsNamedDimensions) {
  auto r = imported(model(
      {tensor("x", DType::F32, {dim("n"), dim(3)}), tensor("y", DType::F32, {dim("n"), dim(1)})},
      {node("Add", {"x", "y"}, {"z"})}, {"z"}));
  ASSERT_TRUE(r.ok()) << r.error().str();
  EXPECT_EQ(outputType(*r), "f32[n, 3]");
  ASSERT_EQ(r->symbols.size(), 1u);
  EXPECT_EQ(r->symbols[0].param, "n");
}

TEST(Import, GivesUnnamedDimensionsSymbolsOfTheirOwn) {
  auto r = imported(model({tensor("x", DType::F32, {anyDim(), anyDim()})},
                          {node("Transpose", {"x"}, {"y"})}, {"y"}));
  ASSERT_TRUE(r.ok()) << r.error().str();
  EXPECT_EQ(outputType(*r), "f32[x_1, x_0]");
}

TEST(Import, FixesDimensionsByNameAndByShape) {
  auto m =
      model({tensor("x", DType::F32, {dim("n"), anyDim()})}, {node("Relu", {"x"}, {"y"})}, {"y"});
  auto byName = imported(m, {.dims = {{"n", 8}}});
  ASSERT_TRUE(byName.ok());
  EXPECT_EQ(outputType(*byName), "f32[8, x_1]");
  auto byShape = imported(m, {.inputShapes = {{"x", {2, 5}}}});
  ASSERT_TRUE(byShape.ok());
  EXPECT_EQ(outputType(*byShape), "f32[2, 5]");
}

TEST(Import, RefusesAShapeThatContradictsTheModel) {
  auto r = imported(model({tensor("x", DType::F32, {dim(4)})}, {node("Relu", {"x"}, {"y"})}, {"y"}),
                    {.inputShapes = {{"x", {5}}}});
  ASSERT_FALSE(r.ok());
  EXPECT_EQ(r.error().code, 401);
}

TEST(Import, RefusesNamesThatTheModelDoesNotKnow) {
  auto m = model({tensor("x", DType::F32, {dim("n")})}, {node("Relu", {"x"}, {"y"})}, {"y"});
  for (const ImportOptions &o :
       {ImportOptions{.dims = {{"m", 8}}}, ImportOptions{.dims = {{"n", -1}}},
        ImportOptions{.inputShapes = {{"z", {2}}}}}) {
    auto r = imported(m, o);
    ASSERT_FALSE(r.ok());
    EXPECT_EQ(r.error().code, 401) << r.error().str();
  }
}

TEST(Import, UnrollsALoopOfKnownLength) {
  onnx::Graph body;
  body.inputs = {{"i", {}}, {"go", {}}, {"v", {}}};
  body.nodes = {node("Identity", {"go"}, {"more"}), node("Add", {"v", "x"}, {"next"})};
  body.outputs = {{"more", {}}, {"next", {}}, {"next", {}}};
  auto m = model({tensor("x", DType::F32, {dim("n")})},
                 {node("Loop", {"runs", "", "x"}, {"last", "all"}, {graph("body", body)})},
                 {"last", "all"});
  m.graph.initializers = {weight("runs", {3})};
  auto r = imported(m);
  ASSERT_TRUE(r.ok()) << r.error().str();
  EXPECT_EQ(outputType(*r, 0), "f32[n]");
  EXPECT_EQ(outputType(*r, 1), "f32[3, n]");
}

TEST(Import, RefusesTwoInputsOfOneName) {
  auto m = model({tensor("x", DType::F32, {dim("n")}), tensor("x", DType::F32, {dim("n")})},
                 {node("Relu", {"x"}, {"y"})}, {"y"});
  auto r = imported(m);
  ASSERT_FALSE(r.ok());
  EXPECT_NE(r.error().what.find("two inputs named 'x'"), std::string::npos) << r.error().str();
}

TEST(Import, RefusesAShapeThatContradictsADimension) {
  auto m =
      model({tensor("x", DType::F32, {dim("n"), dim(4)})}, {node("Relu", {"x"}, {"y"})}, {"y"});
  auto refused = [&](ImportOptions options) {
    auto r = imported(m, options);
    return !r && r.error().code == 401 &&
           r.error().because.find("dimension 'n'") != std::string::npos;
  };
  EXPECT_TRUE(refused({.dims = {{"n", 3}}, .inputShapes = {{"x", {2, 4}}}}));
  EXPECT_TRUE(refused({.facts = {{"n", {1, 8}}}, .inputShapes = {{"x", {16, 4}}}}));
  EXPECT_TRUE(refused({.facts = {{"n", {1, 8, 4}}}, .inputShapes = {{"x", {6, 4}}}}));
  EXPECT_FALSE(refused({.facts = {{"n", {1, 8, 4}}}, .inputShapes = {{"x", {8, 4}}}}));
  EXPECT_FALSE(refused({.dims = {{"n", 3}}, .inputShapes = {{"x", {3, 4}}}}));
}

TEST(Import, LeavesAllSizesOfAnInputOpenOnRequest) {
  auto m =
      model({tensor("x", DType::F32, {dim(2), dim("n")})}, {node("Relu", {"x"}, {"y"})}, {"y"});
  auto r = imported(m, {.openRanks = {{"x", 2}}});
  ASSERT_TRUE(r.ok()) << r.error().str();
  EXPECT_EQ(outputType(*r), "f32[x_0, x_1]");
}

TEST(Import, KeepsNamesOfSizesThroughShapes) {
  // x [n, m, 12] to [n, m, 3, 4] and back, as exporters write it.
  auto m = model({tensor("x", DType::F32, {dim("n"), dim("m"), dim(12)})},
                 {node("Shape", {"x"}, {"s"}), node("Slice", {"s", "zero", "two"}, {"nm"}),
                  node("Concat", {"nm", "parts"}, {"t"}, {integer("axis", 0)}),
                  node("Reshape", {"x", "t"}, {"y"}),
                  node("Concat", {"nm", "whole"}, {"u"}, {integer("axis", 0)}),
                  node("Reshape", {"y", "u"}, {"back"}), node("Add", {"back", "x"}, {"z"}),
                  node("ConstantOfShape", {"t"}, {"c"})},
                 {"y", "z", "c"});
  m.graph.initializers = {weight("zero", {0}), weight("two", {2}), weight("parts", {3, 4}),
                          weight("whole", {12})};
  auto r = imported(m);
  ASSERT_TRUE(r.ok()) << r.error().str();
  EXPECT_EQ(outputType(*r, 0), "f32[n, m, 3, 4]");
  EXPECT_EQ(outputType(*r, 1), "f32[n, m, 12]");
  EXPECT_EQ(outputType(*r, 2), "f32[n, m, 3, 4]");
}

TEST(Import, RefusesASqueezeThatDependsOnAnOpenSize) {
  auto m =
      model({tensor("x", DType::F32, {dim("n"), dim(1)})}, {node("Squeeze", {"x"}, {"y"})}, {"y"});
  ImportProblems problems;
  ASSERT_FALSE(record(m, {}, problems).ok());
  EXPECT_EQ(problems[0].kind, ErrorKind::Unsupported);
  EXPECT_NE(problems[0].reason.find("whether axis 0 of f32[n, 1] has size 1"), std::string::npos);
  auto known = imported(m, {.facts = {{"n", {.lo = 2}}}});
  ASSERT_TRUE(known.ok()) << known.error().str();
  EXPECT_EQ(outputType(*known), "f32[n]");
}

TEST(Import, TakesADeclaredRankWhereOperandsLeaveItOpen) {
  auto declared = [](onnx::Model m, std::vector<onnx::Dim> dims) {
    m.graph.outputs[0] = tensor("y", DType::F32, std::move(dims));
    return m;
  };
  auto squeezed =
      model({tensor("x", DType::F32, {dim("n"), dim(1)})}, {node("Squeeze", {"x"}, {"y"})}, {"y"});
  EXPECT_EQ(outputType(*imported(declared(squeezed, {anyDim()}))), "f32[n]");
  EXPECT_EQ(outputType(*imported(declared(squeezed, {}))), "f32[]");
  auto picked = model({tensor("x", DType::F32, {dim("a"), dim("b"), dim("c")}),
                       tensor("at", DType::I64, {dim("k"), dim("names")})},
                      {node("GatherND", {"x", "at"}, {"y"})}, {"y"});
  EXPECT_EQ(outputType(*imported(declared(picked, {anyDim(), anyDim()}))), "f32[k, c]");
  ImportProblems problems;
  ASSERT_FALSE(record(picked, {}, problems).ok());
  EXPECT_EQ(problems[0].kind, ErrorKind::Unsupported);
  EXPECT_NE(problems[0].reason.find("rank of its result"), std::string::npos);
}

TEST(Import, TakesTheRankOfScatteredSlicesFromTheUpdates) {
  auto m = model({tensor("x", DType::F32, {dim("a"), dim("b")}),
                  tensor("at", DType::I64, {dim("k"), dim("names")}),
                  tensor("u", DType::F32, {dim("k"), dim("b")})},
                 {node("ScatterND", {"x", "at", "u"}, {"y"})}, {"y"});
  auto r = imported(m);
  ASSERT_TRUE(r.ok()) << r.error().str();
  EXPECT_EQ(outputType(*r), "f32[a, b]");
}

TEST(Import, FollowsSizesThroughShapeArithmetic) {
  // Reshape to (n, 3 * 4): the shape is computed from x's own.
  auto m = model({tensor("x", DType::F32, {dim("n"), dim(3), dim(4)})},
                 {node("Shape", {"x"}, {"s"}), node("Gather", {"s", "zero"}, {"n"}),
                  node("Concat", {"n", "rest"}, {"t"}, {integer("axis", 0)}),
                  node("Reshape", {"x", "t"}, {"y"})},
                 {"y"});
  m.graph.initializers = {weight("zero", {0}), weight("rest", {12})};
  auto r = imported(m);
  ASSERT_TRUE(r.ok()) << r.error().str();
  EXPECT_EQ(outputType(*r), "f32[n, 12]");
}

TEST(Import, DecidesAConditionOnAFixedSizeBesideAnOpenOne) {
  // Whether the last of (n, 1) is 1 is known although n is not.
  auto m = model({tensor("x", DType::F32, {dim("n"), dim(1)})},
                 {node("Shape", {"x"}, {"s"}), node("Gather", {"s", "last"}, {"d"}),
                  node("Equal", {"d", "one"}, {"c"}),
                  node("If", {"c"}, {"y"},
                       {graph("then_branch", branch("Neg")), graph("else_branch", branch("Abs"))})},
                 {"y"});
  m.graph.initializers = {weight("last", {1}), weight("one", {1})};
  auto r = imported(m);
  ASSERT_TRUE(r.ok()) << r.error().str();
  EXPECT_EQ(r->body.statements.back().op->name, "neg");
}

TEST(Import, FoldsShapeArithmeticOfFixedSizes) {
  auto m = model({tensor("x", DType::F32, {dim(386)})},
                 {node("Shape", {"x"}, {"s"}), node("Div", {"s", "three"}, {"end"}),
                  node("Slice", {"x", "zero", "end"}, {"y"})},
                 {"y"});
  m.graph.initializers = {weight("three", {3}), weight("zero", {0})};
  auto r = imported(m);
  ASSERT_TRUE(r.ok()) << r.error().str();
  EXPECT_EQ(outputType(*r), "f32[128]");
  EXPECT_EQ(r->body.statements.size(), 1u);
}

// --- Operator sets
// ------------------------------------------------------------------------------------------

TEST(Import, CoercesSoftmaxBeforeOperatorSet13) {
  auto m = model({tensor("x", DType::F32, {dim(2), dim(3), dim(4)})},
                 {node("Softmax", {"x"}, {"y"})}, {"y"}, 11);
  auto old = imported(m);
  ASSERT_TRUE(old.ok()) << old.error().str();
  EXPECT_EQ(old->body.statements[0].op->name, "flatten");
  m.opsets[""] = 13;
  auto now = imported(m);
  ASSERT_TRUE(now.ok());
  ASSERT_EQ(now->body.statements.size(), 1u);
  EXPECT_EQ(now->body.statements[0].op->name, "softmax");
}

TEST(Import, TakesAxesAsAttributeOrOperand) {
  auto x = tensor("x", DType::F32, {dim(2), dim(3)});
  auto old = model({x}, {node("ReduceSum", {"x"}, {"y"}, {ints("axes", {1})})}, {"y"}, 11);
  auto now = model({x}, {node("ReduceSum", {"x", "a"}, {"y"})}, {"y"}, 13);
  now.graph.initializers = {weight("a", {1})};
  for (const auto &m : {old, now}) {
    auto r = imported(m);
    ASSERT_TRUE(r.ok()) << r.error().str();
    EXPECT_EQ(outputType(*r), "f32[2, 1]");
  }
}

// --- Functions and branches
// ---------------------------------------------------------------------------------

TEST(Import, InlinesFunctionsWithAttributeReferences) {
  onnx::Function f;
  f.name = "Rows";
  f.domain = "local";
  f.inputs = {"a"};
  f.outputs = {"b"};
  f.opsets[""] = 17;
  f.nodes = {node("Flatten", {"a"}, {"b"}, {integer("axis", 0)})};
  f.nodes[0].attributes[0].reference = "from";
  auto call = node("Rows", {"x"}, {"y"}, {integer("from", 2)});
  call.domain = "local";
  auto m = model({tensor("x", DType::F32, {dim(2), dim(3), dim(4)})}, {call}, {"y"});
  m.functions = {f};
  auto r = imported(m);
  ASSERT_TRUE(r.ok()) << r.error().str();
  EXPECT_EQ(outputType(*r), "f32[6, 4]");
}

TEST(Import, RefusesFunctionsThatCallThemselves) {
  onnx::Function f;
  f.name = "F";
  f.domain = "local";
  f.inputs = {"a"};
  f.outputs = {"b"};
  auto call = node("F", {"a"}, {"b"});
  call.domain = "local";
  f.nodes = {call};
  auto start = node("F", {"x"}, {"y"});
  start.domain = "local";
  auto m = model({tensor("x", DType::F32, {})}, {start}, {"y"});
  m.functions = {f};
  auto r = imported(m);
  ASSERT_FALSE(r.ok());
  EXPECT_NE(r.error().str().find("call each other"), std::string::npos);
}

TEST(Import, RecordsBothBranchesOfACondition) {
  auto r = imported(
      model({tensor("c", DType::Bool, {}), tensor("x", DType::F32, {dim("n")})},
            {node("If", {"c"}, {"y"},
                  {graph("then_branch", branch("Neg")), graph("else_branch", branch("Abs"))})},
            {"y"}));
  ASSERT_TRUE(r.ok()) << r.error().str();
  ASSERT_EQ(r->body.statements.size(), 1u);
  const auto &s = r->body.statements[0];
  ASSERT_NE(s.thenBlock, nullptr);
  EXPECT_EQ(s.thenBlock->statements[0].op->name, "neg");
  EXPECT_EQ(s.elseBlock->statements[0].op->name, "abs");
  EXPECT_EQ(outputType(*r), "f32[n]");
}

TEST(Import, ImportsOnlyTheBranchOfAConstantCondition) {
  auto m = model(
      {tensor("x", DType::F32, {dim("n")})},
      {node("If", {"c"}, {"y"},
            {graph("then_branch", branch("Neg")), graph("else_branch", branch("NoSuchOperator"))})},
      {"y"});
  m.graph.initializers = {weight("c", {1})};
  auto r = imported(m);
  ASSERT_TRUE(r.ok()) << r.error().str();
  EXPECT_EQ(r->body.statements[0].op->name, "neg");
}

// The sum of [3, 4] and [4, 3] in one branch, which only fails when it runs.
static onnx::Model branchThatDoesNotFit(const char *fitting, const char *other) {
  auto m = model({tensor("c", DType::Bool, {}), tensor("x", DType::F32, {dim(3), dim(4)})},
                 {node("If", {"c"}, {"y"})}, {"y"});
  onnx::Graph bad;
  bad.nodes = {node("Transpose", {"x"}, {"t"}), node("Add", {"x", "t"}, {"r"})};
  bad.nodes[1].name = "sum";
  bad.outputs = {{"r", {}}};
  m.graph.nodes[0].attributes = {graph(fitting, branch("Neg")), graph(other, bad)};
  return m;
}

TEST(Import, EndsABranchThatDoesNotFitInARefusal) {
  for (bool then : {false, true}) {
    const char *names[] = {"else_branch", "then_branch"};
    ImportProblems problems;
    auto r = record(branchThatDoesNotFit(names[!then], names[then]), {}, problems);
    ASSERT_TRUE(r.ok()) << r.error().str();
    EXPECT_EQ(outputType(*r), "f32[3, 4]");
    const auto &s = r->body.statements.back();
    const auto &refusal = (then ? s.thenBlock : s.elseBlock)->statements;
    ASSERT_EQ(refusal.size(), 1u);
    EXPECT_EQ(refusal[0].op->name, "refuse");
    EXPECT_EQ(refusal[0].attrs.i("when"), then);
    EXPECT_NE(refusal[0].attrs.s("why").find("node 'sum' (Add)"), std::string::npos);
    ASSERT_EQ(problems.size(), 1u);
    EXPECT_EQ(problems[0].code, 415);
    EXPECT_EQ(problems[0].toError().what,
              "node 'y': If fails when its " + std::string(names[then]) + " runs");
  }
}

TEST(Import, RefusesAConditionOfWhichNoBranchFits) {
  auto m = branchThatDoesNotFit("then_branch", "else_branch");
  m.graph.nodes[0].attributes[0] = graph("then_branch", *m.graph.nodes[0].attributes[1].graphs[0]);
  EXPECT_FALSE(imported(m).ok());
}

TEST(Import, NamesUnknownOperatorsOfEveryDomainBehindEachOther) {
  auto m = model({tensor("x", DType::F32, {})},
                 {node("NoSuchOperator", {"x"}, {"a"}), node("Mine", {"a"}, {"b"}),
                  node("Gradient", {"b"}, {"c"}), node("Scaler", {"c"}, {"y"})},
                 {"y"});
  const char *domains[] = {"", "com.acme", "ai.onnx.preview.training", "ai.onnx.ml"};
  for (size_t i = 0; i < 4; ++i) {
    m.graph.nodes[i].domain = domains[i];
    m.opsets.try_emplace(domains[i], 1);
  }
  ImportProblems problems;
  EXPECT_FALSE(record(m, {}, problems).ok());
  ASSERT_EQ(problems.size(), 3u);
  EXPECT_EQ(problems[1].reason, "operators of domain 'com.acme' are not supported");
  EXPECT_EQ(problems[2].reason, "this operator is not supported");
  for (const ImportProblem &p : problems)
    EXPECT_FALSE(p.remedy.empty()) << p.node;
}

TEST(Import, KeepsAnUnsupportedBranchAnError) {
  auto m = branchThatDoesNotFit("then_branch", "else_branch");
  m.graph.nodes[0].attributes[1] = graph("else_branch", branch("NoSuchOperator"));
  auto r = imported(m);
  ASSERT_FALSE(r.ok());
  EXPECT_EQ(r.error().kind, ErrorKind::Unsupported);
}

// --- Problems
// -----------------------------------------------------------------------------------------------

TEST(Import, ListsAllUnsupportedNodesAtOnce) {
  auto m = model({tensor("x", DType::F32, {dim(4)})},
                 {node("NoSuch", {"x"}, {"a"}), node("Relu", {"a"}, {"b"}),
                  node("Neither", {"b"}, {"c"}), node("Relu", {"x"}, {"d"})},
                 {"c", "d"});
  m.graph.nodes[0].name = "first";
  ImportProblems problems;
  auto r = record(m, {}, problems);
  ASSERT_FALSE(r.ok());
  EXPECT_EQ(r.error().code, 400);
  EXPECT_EQ(r.error().kind, ErrorKind::Unsupported);
  ASSERT_EQ(problems.size(), 2u);
  EXPECT_EQ(problems[0].node, "first");
  EXPECT_EQ(problems[0].opset, 17);
  EXPECT_EQ(problems[1].opType, "Neither");
}

TEST(Import, SaysFromWhichOperatorSetOn) {
  ImportProblems problems;
  auto r = record(model({tensor("x", DType::F32, {dim(4)})}, {node("Erf", {"x"}, {"y"})}, {"y"}, 8),
                  {}, problems);
  ASSERT_FALSE(r.ok());
  EXPECT_NE(problems[0].reason.find("operator set 9"), std::string::npos);
}

TEST(Import, NamesTheInputsThatMustBeConstant) {
  auto m = model({tensor("x", DType::F32, {dim(2), dim(3)}), tensor("axes", DType::I64, {dim(1)})},
                 {node("ReduceSum", {"x", "axes"}, {"y"})}, {"y"});
  ImportProblems problems;
  ASSERT_FALSE(record(m, {}, problems).ok());
  EXPECT_EQ(problems[0].constantInputs, std::vector<std::string>{"axes"});
  std::vector<int64_t> axes = {0};
  auto r = imported(m, {.constants = {{"axes", HostTensor::of<int64_t>(DType::I64, {1}, axes)}}});
  ASSERT_TRUE(r.ok()) << r.error().str();
  EXPECT_EQ(outputType(*r), "f32[1, 3]");
  EXPECT_EQ(r->inputs.size(), 1u);
}

TEST(Import, RejectsContradictoryShapes) {
  auto m = model({tensor("x", DType::F32, {dim(2), dim(3)})}, {node("Reshape", {"x", "s"}, {"y"})},
                 {"y"});
  m.graph.initializers = {weight("s", {7})};
  auto r = imported(m);
  ASSERT_FALSE(r.ok());
  EXPECT_EQ(r.error().kind, ErrorKind::BadInput);
}

TEST(Import, RefusesTensorsThatNothingCanAddress) {
  constexpr int64_t huge = int64_t(1) << 40;
  // An empty tensor too: its strides are products of its other sizes.
  for (const std::vector<onnx::Dim> &dims :
       {std::vector{dim(huge), dim(huge)}, std::vector{dim(int64_t(0)), dim(huge), dim(huge)},
        std::vector{dim("n"), dim(huge), dim(huge)}, std::vector(65, dim(int64_t(1)))}) {
    auto r = imported(model({tensor("x", DType::F32, dims)}, {node("Relu", {"x"}, {"y"})}, {"y"}));
    ASSERT_FALSE(r.ok());
    EXPECT_EQ(r.error().kind, ErrorKind::Unsupported) << r.error().str();
    EXPECT_NE(r.error().what.find("'x'"), std::string::npos) << r.error().str();
  }
  auto m = model({}, {node("ConstantOfShape", {"s"}, {"y"})}, {"y"});
  m.graph.initializers = {weight("s", {huge, huge})};
  auto r = imported(m);
  ASSERT_FALSE(r.ok());
  EXPECT_EQ(r.error().kind, ErrorKind::Unsupported) << r.error().str();
  EXPECT_TRUE(imported(model({tensor("x", DType::F32, std::vector(64, dim(int64_t(1))))},
                             {node("Relu", {"x"}, {"y"})}, {"y"}))
                  .ok());
}

TEST(Import, RejectsDamagedGraphs) {
  auto x = tensor("x", DType::F32, {dim(2)});
  for (const auto &m :
       {model({x}, {node("Relu", {"nowhere"}, {"y"})}, {"y"}),
        model({x}, {node("Relu", {"x"}, {"y"}), node("Abs", {"x"}, {"y"})}, {"y"}),
        model({x}, {node("Relu", {"x"}, {"y"})}, {"z"}),
        model({x}, {node("Relu", {}, {"y"})}, {"y"}), model({x}, {node("If", {"x"}, {"y"})}, {"y"}),
        model({x}, {node("Softmax", {"x"}, {"y"}, {integer("axis", 5)})}, {"y"})}) {
    auto r = imported(m);
    ASSERT_FALSE(r.ok());
    EXPECT_EQ(r.error().kind, ErrorKind::BadInput) << r.error().str();
  }
}

} // namespace imbrex::frontend
