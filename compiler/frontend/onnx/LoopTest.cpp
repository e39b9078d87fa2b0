// Loops as they are recorded: what is unrolled, what is carried, and which sizes change.
#include "compiler/frontend/onnx/Import.h"

#include <gtest/gtest.h>

namespace imbrex::frontend {
namespace {

using onnx::Attribute;

onnx::ValueInfo tensor(std::string name, DType type, std::vector<onnx::Dim> dims) {
  onnx::ValueInfo v{std::move(name), {}};
  v.type.kind = onnx::ValueType::Kind::Tensor;
  v.type.elemType = onnx::elemTypeOf(type);
  v.type.shape = onnx::ValueType::Shape::Known;
  v.type.dims = std::move(dims);
  return v;
}
onnx::Dim named(const char *param) { return {onnx::Dim::Kind::Param, 0, param}; }
onnx::Dim fixed(int64_t value) { return {onnx::Dim::Kind::Value, value, ""}; }

onnx::Node node(std::string op, std::vector<std::string> in, std::vector<std::string> out,
                std::vector<Attribute> attributes = {}) {
  onnx::Node n;
  n.opType = std::move(op);
  n.inputs = std::move(in);
  n.outputs = std::move(out);
  n.attributes = std::move(attributes);
  return n;
}
Attribute integer(std::string name, int64_t value) {
  Attribute a;
  a.name = std::move(name);
  a.kind = Attribute::Kind::Int;
  a.ints = {value};
  return a;
}
Attribute body(std::vector<std::string> in, std::vector<onnx::Node> nodes,
               std::vector<std::string> out) {
  onnx::Graph g;
  for (auto &name : in)
    g.inputs.push_back({name, {}});
  g.nodes = std::move(nodes);
  for (auto &name : out)
    g.outputs.push_back({name, {}});
  Attribute a;
  a.name = "body";
  a.kind = Attribute::Kind::Graph;
  a.graphs = {std::make_shared<const onnx::Graph>(std::move(g))};
  return a;
}
onnx::Model model(std::vector<onnx::ValueInfo> inputs, std::vector<onnx::Node> nodes,
                  std::vector<std::string> outputs) {
  onnx::Model m;
  m.opsets[""] = 17;
  m.graph.inputs = std::move(inputs);
  m.graph.nodes = std::move(nodes);
  for (auto &o : outputs)
    m.graph.outputs.push_back({std::move(o), {}});
  return m;
}
Result<Recording> imported(const onnx::Model &m) {
  ImportProblems problems;
  return record(m, {}, problems);
}
std::string outputType(const Recording &r, size_t i) { return r[r.outputs[i].value].type.str(); }
const LoopParts *loopIn(const Recording &r) {
  for (const Statement &s : r.body.statements)
    if (s.loop)
      return s.loop.get();
  return nullptr;
}

TEST(Loop, OfAnOpenTripCountCollectsRowsInAGrowingTensor) {
  auto m =
      model({tensor("runs", DType::I64, {}), tensor("x", DType::F32, {named("n")})},
            {node("Loop", {"runs", "", "x"}, {"last", "all"},
                  {body({"i", "go", "v"},
                        {node("Identity", {"go"}, {"more"}), node("Add", {"v", "x"}, {"next"})},
                        {"more", "next", "next"})})},
            {"last", "all"});
  auto r = imported(m);
  ASSERT_TRUE(r.ok()) << r.error().str();
  const auto *loop = loopIn(*r);
  ASSERT_NE(loop, nullptr);
  EXPECT_EQ(outputType(*r, 0), "f32[n]");
  EXPECT_EQ(r->operator[](r->outputs[1].value).type.dims[1].str(), "n");
  EXPECT_FALSE(r->operator[](r->outputs[1].value).type.dims[0].constant());
  ASSERT_EQ(loop->varies.size(), 4u); // number, condition, state, rows
  EXPECT_EQ(loop->varies[3], (std::vector<bool>{true, false}));
}

TEST(Loop, AStateThatGrowsGetsASizeOfItsOwn) {
  auto m = model({tensor("go", DType::Bool, {}), tensor("x", DType::F32, {named("n"), fixed(2)})},
                 {node("Loop", {"", "go", "x"}, {"last"},
                       {body({"i", "c", "v"},
                             {node("Identity", {"go"}, {"more"}),
                              node("Concat", {"v", "x"}, {"next"}, {integer("axis", 0)})},
                             {"more", "next"})})},
                 {"last"});
  auto r = imported(m);
  ASSERT_TRUE(r.ok()) << r.error().str();
  const auto *loop = loopIn(*r);
  ASSERT_NE(loop, nullptr);
  EXPECT_EQ(loop->varies[2], (std::vector<bool>{true, false}));
  EXPECT_EQ(r->operator[](r->outputs[0].value).type.dims[1].str(), "2");
}

TEST(Loop, CollectingWhatALoopInsideMakesIsRefused) {
  auto inner =
      node("Loop", {"runs", "go"}, {"rows"},
           {body({"j", "on"}, {node("Identity", {"on"}, {"more"}), node("Relu", {"x"}, {"r"})},
                 {"more", "r"})});
  auto m = model(
      {tensor("runs", DType::I64, {}), tensor("go", DType::Bool, {}),
       tensor("x", DType::F32, {named("n")})},
      {node("Loop", {"runs", "go"}, {"all"},
            {body({"i", "on"}, {inner, node("Identity", {"on"}, {"more"})}, {"more", "rows"})})},
      {"all"});
  ImportProblems problems;
  auto r = record(m, {}, problems);
  ASSERT_FALSE(r.ok());
  ASSERT_EQ(problems.size(), 1u);
  EXPECT_EQ(problems[0].code, 411);
  EXPECT_NE(problems[0].reason.find("known only inside of another node"), std::string::npos)
      << problems[0].reason;
}

TEST(Loop, AStateOfAnotherRankIsRefused) {
  auto m = model({tensor("go", DType::Bool, {}), tensor("x", DType::F32, {named("n")})},
                 {node("Loop", {"", "go", "x"}, {"last"},
                       {body({"i", "c", "v"},
                             {node("Identity", {"go"}, {"more"}),
                              node("ReduceSum", {"v"}, {"next"}, {integer("keepdims", 0)})},
                             {"more", "next"})})},
                 {"last"});
  auto r = imported(m);
  ASSERT_FALSE(r.ok());
  EXPECT_NE(r.error().str().find("a value has one element type and one rank"), std::string::npos)
      << r.error().str();
}

TEST(Loop, AScanOverAnOpenLengthHasItsResultsLength) {
  auto m =
      model({tensor("s", DType::F32, {fixed(3)}), tensor("x", DType::F32, {named("t"), fixed(3)})},
            {node("Scan", {"s", "x"}, {"last", "all"},
                  {integer("num_scan_inputs", 1),
                   body({"v", "e"}, {node("Add", {"v", "e"}, {"next"})}, {"next", "next"})})},
            {"last", "all"});
  auto r = imported(m);
  ASSERT_TRUE(r.ok()) << r.error().str();
  ASSERT_NE(loopIn(*r), nullptr);
  EXPECT_EQ(outputType(*r, 0), "f32[3]");
  EXPECT_EQ(outputType(*r, 1), "f32[t, 3]");
}

TEST(Loop, ALongSequenceIsNoLargerThanAnOpenOne) {
  auto recurrent = [](onnx::Dim length) {
    return model({tensor("x", DType::F32, {length, fixed(2), fixed(4)}),
                  tensor("w", DType::F32, {fixed(1), fixed(32), fixed(4)}),
                  tensor("r", DType::F32, {fixed(1), fixed(32), fixed(8)})},
                 {node("LSTM", {"x", "w", "r"}, {"y"}, {integer("hidden_size", 8)})}, {"y"});
  };
  auto lengthy = imported(recurrent(fixed(256))), open = imported(recurrent(named("t")));
  ASSERT_TRUE(lengthy.ok()) << lengthy.error().str();
  ASSERT_TRUE(open.ok()) << open.error().str();
  EXPECT_EQ(outputType(*lengthy, 0), "f32[256, 1, 2, 8]");
  EXPECT_EQ(outputType(*open, 0), "f32[t, 1, 2, 8]");
  ASSERT_NE(loopIn(*lengthy), nullptr);
  ASSERT_NE(loopIn(*open), nullptr);
  EXPECT_LE(loopIn(*lengthy)->body.statements.size(), loopIn(*open)->body.statements.size());
  EXPECT_EQ(loopIn(*imported(recurrent(fixed(2)))), nullptr) << "two steps are unrolled";
}

TEST(Loop, AnOptionalThatBecomesASequenceIsASequenceBehindIt) {
  onnx::ValueInfo start{"start", {}};
  onnx::ValueType sequence;
  sequence.kind = onnx::ValueType::Kind::Sequence;
  sequence.element = std::make_shared<onnx::ValueType>(tensor("", DType::F32, {named("n")}).type);
  start.type.kind = onnx::ValueType::Kind::Optional;
  start.type.element = std::make_shared<onnx::ValueType>(sequence);
  auto m = model(
      {tensor("runs", DType::I64, {}), tensor("x", DType::F32, {named("n")}), start},
      {node("Loop", {"runs", "", "start"}, {"last"},
            {body({"i", "go", "s"},
                  {node("Identity", {"go"}, {"more"}), node("OptionalGetElement", {"s"}, {"held"}),
                   node("SequenceInsert", {"held", "x"}, {"next"})},
                  {"more", "next"})}),
       node("SequenceLength", {"last"}, {"count"})},
      {"last", "count"});
  auto r = imported(m);
  ASSERT_TRUE(r.ok()) << r.error().str();
  const ContainerPtr &last = (*r)[r->outputs[0].value].container;
  ASSERT_NE(last, nullptr);
  EXPECT_EQ(last->kind, Container::Kind::Sequence);
  EXPECT_EQ(last->type, DType::F32);
}

} // namespace
} // namespace imbrex::frontend
