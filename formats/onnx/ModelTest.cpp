#include "formats/onnx/Model.h"
#include "support/tensor/ItemHeap.h"

#include "formats/onnx/Onnx.pb.h"

#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>

namespace imbrex::onnx {
namespace fs = std::filesystem;

static std::string serialized(const google::protobuf::MessageLite &m) {
  return m.SerializeAsString();
}

static std::span<const std::byte> bytesOf(const std::string &s) {
  return std::as_bytes(std::span(s));
}

static TensorProto floats(std::vector<int64_t> shape, std::vector<float> values) {
  TensorProto t;
  t.set_name("w");
  t.set_data_type(1);
  for (auto d : shape)
    t.add_dims(d);
  for (auto v : values)
    t.add_float_data(v);
  return t;
}

static ModelProto oneNode() {
  ModelProto m;
  m.set_ir_version(8);
  auto *o = m.add_opset_import();
  o->set_version(17);
  auto *g = m.mutable_graph();
  auto *x = g->add_input();
  x->set_name("x");
  auto *type = x->mutable_type()->mutable_tensor_type();
  type->set_elem_type(1);
  type->mutable_shape()->add_dim()->set_dim_param("n");
  type->mutable_shape()->add_dim()->set_dim_value(8);
  type->mutable_shape()->add_dim();
  auto *n = g->add_node();
  n->set_op_type("LeakyRelu");
  n->set_name("act");
  n->add_input("x");
  n->add_output("y");
  auto *a = n->add_attribute();
  a->set_name("alpha");
  a->set_type(1);
  a->set_f(0.5f);
  g->add_output()->set_name("y");
  return m;
}

static Result<Model> read(const ModelProto &m, const std::string &dir = "") {
  return readModel(bytesOf(serialized(m)), dir, "test.onnx");
}

static Result<HostTensor> readTensor(const TensorProto &t) {
  return readTensorProto(bytesOf(serialized(t)));
}

/// A model whose one weight lies in `location`.
static ModelProto external(const std::string &location, const std::string &offset,
                           const std::string &length, int64_t elems) {
  ModelProto m = oneNode();
  auto *t = m.mutable_graph()->add_initializer();
  t->set_name("w");
  t->set_data_type(1);
  t->add_dims(elems);
  t->set_data_location(1);
  for (auto [key, value] : {std::pair("location", location), std::pair("offset", offset),
                            std::pair("length", length)}) {
    if (value.empty())
      continue;
    auto *e = t->add_external_data();
    e->set_key(key);
    e->set_value(value);
  }
  return m;
}

class ExternalDataTest : public testing::Test {
protected:
  void SetUp() override {
    std::string pattern = (fs::temp_directory_path() / "imbrex-onnx-XXXXXX").string();
    root = mkdtemp(pattern.data());
    fs::create_directories(root / "model" / "parts");
    std::vector<float> values = {1, 2, 3, 4};
    for (const auto &path : {root / "secret.bin", root / "model" / "parts" / "w.bin"}) {
      std::ofstream out(path, std::ios::binary);
      out.write(reinterpret_cast<const char *>(values.data()), 16);
    }
  }
  void TearDown() override { fs::remove_all(root); }
  Result<Model> readHere(const ModelProto &m) { return read(m, (root / "model").string()); }

  fs::path root;
};

TEST(Model, AQuestionMarkNamesNoSize) {
  ModelProto file = oneNode();
  auto *shape = file.mutable_graph()->mutable_input(0)->mutable_type()->mutable_tensor_type();
  shape->mutable_shape()->mutable_dim(0)->set_dim_param("?");
  auto m = read(file);
  ASSERT_TRUE(m.ok()) << m.error().str();
  EXPECT_EQ(m->graph.inputs[0].type.dims[0].kind, Dim::Kind::Unknown);
}

TEST(Model, KeepsGraphTypesAndAttributes) {
  auto m = read(oneNode());
  ASSERT_TRUE(m.ok()) << m.error().str();
  EXPECT_EQ(m->opsets.at(""), 17);
  ASSERT_EQ(m->graph.inputs.size(), 1u);
  EXPECT_EQ(m->graph.inputs[0].type.str(), "tensor(float)[n, 8, ?]");
  ASSERT_EQ(m->graph.nodes.size(), 1u);
  const Attribute *alpha = m->graph.nodes[0].attribute("alpha");
  ASSERT_NE(alpha, nullptr);
  EXPECT_EQ(alpha->kind, Attribute::Kind::Float);
  EXPECT_EQ(alpha->floats[0], 0.5f);
  EXPECT_EQ(m->graph.nodes[0].attribute("beta"), nullptr);
}

TEST(Model, SpellsTheDefaultDomainOneWay) {
  ModelProto proto = oneNode();
  proto.mutable_opset_import(0)->set_domain("ai.onnx");
  proto.mutable_graph()->mutable_node(0)->set_domain("ai.onnx");
  auto m = read(proto);
  ASSERT_TRUE(m.ok());
  EXPECT_EQ(m->opsets.at(""), 17);
  EXPECT_EQ(m->graph.nodes[0].domain, "");
}

TEST(Model, RejectsWhatIsNoModel) {
  for (std::string text : {"", "hello, this is text", "\xff\xff\xff\xff"}) {
    auto m = readModel(bytesOf(text), "", "x.onnx");
    ASSERT_FALSE(m.ok());
    EXPECT_EQ(m.error().code, 301);
    EXPECT_EQ(m.error().where.file, "x.onnx");
  }
}

TEST(Model, RejectsATruncatedFile) {
  std::string whole = serialized(oneNode());
  auto m = readModel(bytesOf(whole.substr(0, whole.size() - 3)), "");
  ASSERT_FALSE(m.ok());
  EXPECT_EQ(m.error().code, 301);
}

TEST(Model, NamesTheMissingFile) {
  auto m = readModel("/nonexistent/model.onnx");
  ASSERT_FALSE(m.ok());
  EXPECT_EQ(m.error().code, 300);
  EXPECT_NE(m.error().str().find("/nonexistent/model.onnx"), std::string::npos);
}

static ModelProto nested(int depth) {
  ModelProto m = oneNode();
  GraphProto *g = m.mutable_graph();
  for (int i = 1; i < depth; ++i) {
    auto *n = g->add_node();
    n->set_op_type("If");
    auto *a = n->add_attribute();
    a->set_name("then_branch");
    a->set_type(5);
    g = a->mutable_g();
    g->set_name("inner");
  }
  return m;
}

TEST(Model, LimitsNesting) {
  auto good = read(nested(maxGraphDepth));
  EXPECT_TRUE(good.ok()) << good.error().str();
  auto bad = read(nested(maxGraphDepth + 1));
  ASSERT_FALSE(bad.ok());
  EXPECT_EQ(bad.error().code, 302);
  EXPECT_FALSE(read(nested(2000)).ok());
}

TEST(Model, NamesTheNodeOfADamagedTensor) {
  ModelProto proto = oneNode();
  auto *a = proto.mutable_graph()->mutable_node(0)->add_attribute();
  a->set_name("value");
  a->set_type(4);
  *a->mutable_t() = floats({3}, {1, 2});
  auto m = read(proto);
  ASSERT_FALSE(m.ok());
  EXPECT_EQ(m.error().code, 303);
  EXPECT_NE(m.error().what.find("node 'act' (LeakyRelu)"), std::string::npos);
}

TEST(Tensor, ReadsTypedFieldsAndRawBytesAlike) {
  auto typed = readTensor(floats({2, 2}, {1, 2, 3, 4}));
  ASSERT_TRUE(typed.ok()) << typed.error().str();
  TensorProto proto = floats({2, 2}, {});
  float values[] = {1, 2, 3, 4};
  proto.set_raw_data(values, sizeof values);
  auto raw = readTensor(proto);
  ASSERT_TRUE(raw.ok()) << raw.error().str();
  EXPECT_EQ(raw->shape(), (std::vector<int64_t>{2, 2}));
  for (int i = 0; i < 4; ++i)
    EXPECT_EQ(typed->toDouble(i), raw->toDouble(i));
}

TEST(Tensor, NarrowsIntegersAndRefusesWhatDoesNotFit) {
  TensorProto t;
  t.set_data_type(3); // int8
  t.add_dims(2);
  t.add_int32_data(-128);
  t.add_int32_data(127);
  auto good = readTensor(t);
  ASSERT_TRUE(good.ok());
  EXPECT_EQ(good->toInts(), (std::vector<int64_t>{-128, 127}));
  t.set_int32_data(1, 128);
  auto bad = readTensor(t);
  ASSERT_FALSE(bad.ok());
  EXPECT_EQ(bad.error().code, 303);
}

TEST(Tensor, ReadsHalfAndBoolBits) {
  TensorProto half;
  half.set_data_type(10);
  half.add_dims(1);
  half.add_int32_data(0x3c00);
  EXPECT_EQ(readTensor(half)->toDouble(0), 1.0);
  TensorProto flags;
  flags.set_data_type(9);
  flags.add_dims(2);
  flags.set_raw_data(std::string("\x00\x05", 2));
  auto b = readTensor(flags);
  ASSERT_TRUE(b.ok());
  EXPECT_EQ(uint8_t(b->bytes()[1]), 1);
}

TEST(Tensor, RefusesHugeShapesBeforeAllocating) {
  for (auto shape :
       {std::vector<int64_t>{INT64_MAX, 4}, {1LL << 40}, {-1}, {1LL << 62, 1LL << 62}}) {
    auto t = readTensor(floats(shape, {1}));
    ASSERT_FALSE(t.ok());
    EXPECT_EQ(t.error().code, 303);
  }
  auto empty = readTensor(floats({0, 5}, {}));
  EXPECT_TRUE(empty.ok());
}

TEST(Tensor, SaysWhichTypesHaveNoForm) {
  TensorProto complex;
  complex.set_data_type(14);
  complex.add_dims(1);
  auto t = readTensor(complex);
  ASSERT_FALSE(t.ok());
  EXPECT_EQ(t.error().kind, ErrorKind::Unsupported);
  EXPECT_NE(t.error().what.find("complex64"), std::string::npos);
}

TEST(Tensor, TextsAreKept) {
  TensorProto text;
  text.set_data_type(8);
  text.add_dims(2);
  text.add_string_data("a");
  text.add_string_data("");
  auto t = readTensor(text);
  ASSERT_TRUE(t.ok()) << t.error().str();
  EXPECT_EQ(textAt(ItemHeap::process(), *t, 0), "a");
  EXPECT_EQ(textAt(ItemHeap::process(), *t, 1), "");
}

TEST(Value, SequencesAndOptionalsAreVectorsOfItems) {
  SequenceProto sequence;
  auto *one = sequence.add_tensor_values();
  one->set_data_type(1);
  one->add_float_data(7);
  OptionalProto optional;
  *optional.mutable_sequence_value() = sequence;
  ValueType type;
  type.kind = ValueType::Kind::Optional;
  auto v = readValueProto(bytesOf(serialized(optional)), type);
  ASSERT_TRUE(v.ok()) << v.error().str();
  ASSERT_EQ(v->elems(), 1);
  auto inner = ItemHeap::process().tensorAt(uint64_t(v->toInt(0)));
  ASSERT_TRUE(inner && inner->type() == DType::Item && inner->elems() == 1);
  auto element = ItemHeap::process().tensorAt(uint64_t(inner->toInt(0)));
  ASSERT_TRUE(element);
  EXPECT_EQ(element->toDouble(0), 7);
  EXPECT_FALSE(readValueProto(bytesOf("\xff\xff"), type).ok());
}

TEST_F(ExternalDataTest, MapsAPartOfAFile) {
  auto m = readHere(external("parts/w.bin", "4", "8", 2));
  ASSERT_TRUE(m.ok()) << m.error().str();
  const auto &w = m->graph.initializers.at(0).value;
  EXPECT_EQ(w.toDouble(0), 2);
  EXPECT_EQ(w.toDouble(1), 3);
}

TEST_F(ExternalDataTest, CopiesWhatIsNotAligned) {
  std::ofstream(root / "model" / "odd.bin", std::ios::binary) << std::string("\0\0\0\x80\x3f", 5);
  auto m = readHere(external("odd.bin", "1", "", 1));
  ASSERT_TRUE(m.ok()) << m.error().str();
  EXPECT_EQ(m->graph.initializers.at(0).value.toDouble(0), 1);
}

TEST_F(ExternalDataTest, RefusesPathsThatLeaveTheDirectory) {
  fs::create_symlink(root / "secret.bin", root / "model" / "link.bin");
  fs::create_directory_symlink(root, root / "model" / "up");
  for (std::string location : {"../secret.bin", "parts/../../secret.bin", "link.bin",
                               "up/secret.bin", "parts", "", "missing.bin"}) {
    auto m = readHere(external(location, "", "", 4));
    ASSERT_FALSE(m.ok()) << location;
    EXPECT_EQ(m.error().code, 304) << location;
  }
  auto absolute = readHere(external((root / "secret.bin").string(), "", "", 4));
  ASSERT_FALSE(absolute.ok());
  EXPECT_EQ(absolute.error().code, 304);
}

TEST_F(ExternalDataTest, ChecksOffsetAndLength) {
  for (auto [offset, length] :
       {std::pair("17", ""), std::pair("8", "16"), std::pair("-4", ""), std::pair("x", ""),
        std::pair("0", "9223372036854775807"), std::pair("99999999999999999999", "")}) {
    auto m = readHere(external("parts/w.bin", offset, length, 4));
    ASSERT_FALSE(m.ok()) << offset << " " << length;
    EXPECT_EQ(m.error().code, 304) << m.error().str();
  }
}

TEST_F(ExternalDataTest, NeedsADirectory) {
  auto m = read(external("parts/w.bin", "", "", 4));
  ASSERT_FALSE(m.ok());
  EXPECT_EQ(m.error().code, 304);
}

} // namespace imbrex::onnx
