#include "formats/onnx/TensorReader.h"
#include "support/tensor/ItemHeap.h"

#include <google/protobuf/io/coded_stream.h>
#include <google/protobuf/io/zero_copy_stream_impl_lite.h>

#include <algorithm>
#include <filesystem>

namespace imbrex::onnx {

using Kind = Attribute::Kind;

static Error incomplete(std::string what, std::string because) {
  return badInput(306, std::move(what), std::move(because), "exporting the model again");
}

static ValueType convertType(const TypeProto &proto);

/// Names say which sizes are equal; this one is what some exporters write for each unknown size.
static bool isName(const std::string &param) { return !param.empty() && param != "?"; }

static void convertShape(ValueType &t, const TensorShapeProto &shape) {
  t.shape = ValueType::Shape::Known;
  for (const auto &d : shape.dim()) {
    Dim dim;
    if (d.value_case() == TensorShapeProto::Dimension::kDimValue && d.dim_value() >= 0) {
      dim.kind = Dim::Kind::Value;
      dim.value = d.dim_value();
    } else if (d.value_case() == TensorShapeProto::Dimension::kDimParam && isName(d.dim_param())) {
      dim.kind = Dim::Kind::Param;
      dim.param = d.dim_param();
    }
    t.dims.push_back(std::move(dim));
  }
}

template <class P> static void convertTensorType(ValueType &t, const P &proto) {
  t.elemType = proto.elem_type();
  if (proto.has_shape())
    convertShape(t, proto.shape());
}

static ValueType convertType(const TypeProto &proto) {
  ValueType t;
  auto element = [&](const TypeProto &e) {
    t.element = std::make_shared<const ValueType>(convertType(e));
  };
  switch (proto.value_case()) {
  case TypeProto::kTensorType:
    t.kind = ValueType::Kind::Tensor;
    convertTensorType(t, proto.tensor_type());
    break;
  case TypeProto::kSparseTensorType:
    t.kind = ValueType::Kind::SparseTensor;
    convertTensorType(t, proto.sparse_tensor_type());
    break;
  case TypeProto::kSequenceType:
    t.kind = ValueType::Kind::Sequence;
    element(proto.sequence_type().elem_type());
    break;
  case TypeProto::kOptionalType:
    t.kind = ValueType::Kind::Optional;
    element(proto.optional_type().elem_type());
    break;
  case TypeProto::kMapType:
    t.kind = ValueType::Kind::Map;
    t.elemType = proto.map_type().key_type();
    element(proto.map_type().value_type());
    break;
  case TypeProto::kOpaqueType:
    t.kind = ValueType::Kind::Opaque;
    break;
  case TypeProto::VALUE_NOT_SET:
    break;
  }
  return t;
}

namespace {

/// Walks the parsed message; takes tensors out of it as it goes.
class Converter {
public:
  explicit Converter(std::string baseDir) : external(std::move(baseDir)) {}
  Result<Model> model(ModelProto &proto);

private:
  Status graph(GraphProto &proto, Graph &out, int depth);
  Status nodes(google::protobuf::RepeatedPtrField<NodeProto> &protos, std::vector<Node> &out,
               int depth);
  Status attribute(AttributeProto &proto, Attribute &out, int depth);
  Status attributeTensors(AttributeProto &proto, Attribute &out);
  Status attributeGraph(GraphProto &proto, Attribute &out, int depth);
  Status function(FunctionProto &proto, Function &out);
  Status tensor(TensorProto &proto, std::vector<Tensor> &out);
  Status sparse(SparseTensorProto &proto, SparseTensor &out);

  ExternalData external;
};

} // namespace

static Kind kindOf(const AttributeProto &p) {
  switch (p.type()) {
  case 1:
    return Kind::Float;
  case 2:
    return Kind::Int;
  case 3:
    return Kind::String;
  case 4:
    return Kind::Tensor;
  case 5:
    return Kind::Graph;
  case 6:
    return Kind::Floats;
  case 7:
    return Kind::Ints;
  case 8:
    return Kind::Strings;
  case 9:
    return Kind::Tensors;
  case 10:
    return Kind::Graphs;
  case 11:
    return Kind::SparseTensor;
  case 12:
    return Kind::SparseTensors;
  case 13:
    return Kind::Type;
  case 14:
    return Kind::Types;
  default:
    return Kind::Undefined;
  }
}

/// Files before IR version 2 carry no type: the field that is set tells.
static Kind guessKind(const AttributeProto &p) {
  if (p.has_f())
    return Kind::Float;
  if (p.has_i())
    return Kind::Int;
  if (p.has_s())
    return Kind::String;
  if (p.has_t())
    return Kind::Tensor;
  if (p.has_g())
    return Kind::Graph;
  if (p.floats_size())
    return Kind::Floats;
  if (p.ints_size())
    return Kind::Ints;
  if (p.strings_size())
    return Kind::Strings;
  return Kind::Undefined;
}

Status Converter::tensor(TensorProto &proto, std::vector<Tensor> &out) {
  auto t = convertTensor(proto, external);
  if (!t)
    return t.takeError();
  out.push_back(t.take());
  return {};
}

Status Converter::sparse(SparseTensorProto &proto, SparseTensor &out) {
  for (auto [part, place] : {std::pair(proto.mutable_values(), &out.values),
                             std::pair(proto.mutable_indices(), &out.indices)}) {
    auto t = convertTensor(*part, external);
    if (!t)
      return t.takeError();
    *place = t.take();
  }
  out.dims.assign(proto.dims().begin(), proto.dims().end());
  return {};
}

Status Converter::attributeTensors(AttributeProto &proto, Attribute &out) {
  if (out.kind == Kind::Tensor)
    return tensor(*proto.mutable_t(), out.tensors);
  for (auto &t : *proto.mutable_tensors())
    if (auto done = tensor(t, out.tensors); !done)
      return done;
  return {};
}

Status Converter::attributeGraph(GraphProto &proto, Attribute &out, int depth) {
  auto g = std::make_shared<Graph>();
  if (auto done = graph(proto, *g, depth + 1); !done)
    return done;
  out.graphs.push_back(std::move(g));
  return {};
}

Status Converter::attribute(AttributeProto &proto, Attribute &out, int depth) {
  out.name = proto.name();
  out.reference = proto.ref_attr_name();
  out.kind = proto.has_type() ? kindOf(proto) : guessKind(proto);
  switch (out.kind) {
  case Kind::Float:
    out.floats = {proto.f()};
    break;
  case Kind::Int:
    out.ints = {proto.i()};
    break;
  case Kind::String:
    out.strings = {proto.s()};
    break;
  case Kind::Floats:
    out.floats.assign(proto.floats().begin(), proto.floats().end());
    break;
  case Kind::Ints:
    out.ints.assign(proto.ints().begin(), proto.ints().end());
    break;
  case Kind::Strings:
    out.strings.assign(proto.strings().begin(), proto.strings().end());
    break;
  case Kind::Tensor:
  case Kind::Tensors:
    return attributeTensors(proto, out);
  case Kind::Graph:
    return attributeGraph(*proto.mutable_g(), out, depth);
  case Kind::Graphs:
    for (auto &g : *proto.mutable_graphs())
      if (auto done = attributeGraph(g, out, depth); !done)
        return done;
    break;
  case Kind::SparseTensor:
    out.sparseTensors.resize(1);
    return sparse(*proto.mutable_sparse_tensor(), out.sparseTensors[0]);
  case Kind::SparseTensors:
    for (auto &s : *proto.mutable_sparse_tensors())
      if (auto done = sparse(s, out.sparseTensors.emplace_back()); !done)
        return done;
    break;
  case Kind::Type:
    out.types.push_back(convertType(proto.tp()));
    break;
  case Kind::Types:
    for (const auto &t : proto.type_protos())
      out.types.push_back(convertType(t));
    break;
  case Kind::Undefined:
    break;
  }
  return {};
}

/// The name users know a node by: its own, or that of what it computes.
static std::string describe(const NodeProto &p) {
  std::string label = !p.name().empty()     ? p.name()
                      : p.output_size() > 0 ? p.output(0)
                                            : std::string("?");
  return "node '" + label + "' (" + p.op_type() + ")";
}

Status Converter::nodes(google::protobuf::RepeatedPtrField<NodeProto> &protos,
                        std::vector<Node> &out, int depth) {
  out.reserve(size_t(protos.size()));
  for (auto &p : protos) {
    if (p.op_type().empty())
      return incomplete(describe(p) + " is incomplete", "it names no operator");
    Node &n = out.emplace_back();
    n.name = p.name();
    n.opType = p.op_type();
    n.domain = p.domain() == "ai.onnx" ? "" : p.domain();
    n.overload = p.overload();
    n.inputs.assign(p.input().begin(), p.input().end());
    n.outputs.assign(p.output().begin(), p.output().end());
    n.attributes.reserve(size_t(p.attribute_size()));
    for (auto &a : *p.mutable_attribute())
      if (auto done = attribute(a, n.attributes.emplace_back(), depth); !done) {
        Error e = done.takeError();
        if (e.what.find("node '") == std::string::npos)
          e.what = describe(p) + ": " + e.what;
        return e;
      }
  }
  return {};
}

static void convertInfos(const google::protobuf::RepeatedPtrField<ValueInfoProto> &protos,
                         std::vector<ValueInfo> &out) {
  out.reserve(size_t(protos.size()));
  for (const auto &p : protos)
    out.push_back({p.name(), convertType(p.type())});
}

Status Converter::graph(GraphProto &proto, Graph &out, int depth) {
  if (depth > maxGraphDepth)
    return badInput(302, "the graph is nested too deeply",
                    "more than " + std::to_string(maxGraphDepth) +
                        " graphs stand inside each other",
                    "exporting the model with fewer nested conditions or loops");
  out.name = proto.name();
  convertInfos(proto.input(), out.inputs);
  convertInfos(proto.output(), out.outputs);
  convertInfos(proto.value_info(), out.valueInfos);
  out.initializers.reserve(size_t(proto.initializer_size()));
  for (auto &t : *proto.mutable_initializer())
    if (auto done = tensor(t, out.initializers); !done)
      return done;
  for (auto &s : *proto.mutable_sparse_initializer())
    if (auto done = sparse(s, out.sparseInitializers.emplace_back()); !done)
      return done;
  return nodes(*proto.mutable_node(), out.nodes, depth);
}

static Opsets convertOpsets(const google::protobuf::RepeatedPtrField<OperatorSetIdProto> &protos) {
  Opsets opsets;
  for (const auto &o : protos)
    opsets[o.domain() == "ai.onnx" ? std::string() : o.domain()] = o.version();
  return opsets;
}

Status Converter::function(FunctionProto &proto, Function &out) {
  if (proto.name().empty())
    return incomplete("a function of the model is incomplete", "it has no name");
  out.name = proto.name();
  out.domain = proto.domain() == "ai.onnx" ? "" : proto.domain();
  out.overload = proto.overload();
  out.inputs.assign(proto.input().begin(), proto.input().end());
  out.outputs.assign(proto.output().begin(), proto.output().end());
  out.attributes.assign(proto.attribute().begin(), proto.attribute().end());
  out.opsets = convertOpsets(proto.opset_import());
  for (auto &a : *proto.mutable_attribute_proto())
    if (auto done = attribute(a, out.defaults.emplace_back(), 0); !done)
      return done;
  return nodes(*proto.mutable_node(), out.nodes, 0);
}

Result<Model> Converter::model(ModelProto &proto) {
  if (!proto.has_graph())
    return badInput(301, "this is not an ONNX model", "it holds no graph",
                    "checking that the file was exported to ONNX and not cut short");
  Model m;
  m.irVersion = proto.ir_version();
  m.opsets = convertOpsets(proto.opset_import());
  if (m.opsets.empty() && m.irVersion < 3)
    m.opsets[""] = 1; // before IR version 3 there was one operator set
  m.producerName = proto.producer_name();
  m.producerVersion = proto.producer_version();
  m.domain = proto.domain();
  m.modelVersion = proto.model_version();
  for (const auto &entry : proto.metadata_props())
    m.metadata[entry.key()] = entry.value();
  for (auto &f : *proto.mutable_functions())
    if (auto done = function(f, m.functions.emplace_back()); !done)
      return done.takeError();
  if (auto done = graph(*proto.mutable_graph(), m.graph, 1); !done)
    return done.takeError();
  return m;
}

/// A graph in an attribute of a node is three messages deep; the types inside need a few more.
static constexpr int messageDepth = 3 * maxGraphDepth + 16;

template <class Proto> static bool parse(std::span<const std::byte> bytes, Proto &proto) {
  if (bytes.size() > size_t(INT32_MAX))
    return false;
  google::protobuf::io::CodedInputStream in(reinterpret_cast<const uint8_t *>(bytes.data()),
                                            static_cast<int>(bytes.size()));
  in.SetRecursionLimit(messageDepth);
  return proto.ParseFromCodedStream(&in) && in.ConsumedEntireMessage();
}

static Error named(Error e, const std::string &name) {
  if (e.where.file.empty())
    e.where.file = name;
  return e;
}

Result<Model> readModel(std::span<const std::byte> bytes, const std::string &baseDir,
                        const std::string &name) {
  ModelProto proto;
  if (!parse(bytes, proto))
    return named(badInput(301, "this is not an ONNX model, or it is damaged",
                          bytes.size() > size_t(INT32_MAX)
                              ? "it is larger than the 2 GiB that the format allows in one file"
                              : "its bytes are not the message that the format prescribes",
                          "checking that the file is complete; weights above 2 GiB belong into "
                          "external data"),
                 name);
  auto model = Converter(baseDir).model(proto);
  if (!model)
    return named(model.takeError(), name);
  return model;
}

Result<Model> readModel(const std::string &path) {
  auto file = mapFile(path);
  if (!file)
    return file.takeError();
  auto dir = std::filesystem::path(path).parent_path().string();
  return readModel(file->bytes, dir.empty() ? "." : dir, path);
}

Result<HostTensor> readTensorProto(std::span<const std::byte> bytes, const std::string &name) {
  TensorProto proto;
  if (!parse(bytes, proto))
    return named(badInput(301, "this is not a serialized tensor",
                          "its bytes are not the message that the format prescribes",
                          "checking that the file is complete"),
                 name);
  ExternalData none("");
  auto t = convertTensor(proto, none);
  if (!t)
    return named(t.takeError(), name);
  if (!t->supported())
    return named(unsupported(305,
                             "tensors of type " + elemTypeName(t->elemType) + " are not supported",
                             "complex numbers have no form here", "converting the data"),
                 name);
  return std::move(t->value);
}

/// Messages nest as deep as `messageDepth` lets them.
class ValueConverter {
public:
  Result<HostTensor> sequence(SequenceProto &proto) {
    std::vector<uint64_t> items;
    for (auto &t : *proto.mutable_tensor_values())
      if (auto s = add(items, tensor(t)); !s)
        return s.takeError();
    for (auto &v : *proto.mutable_sequence_values())
      if (auto s = add(items, sequence(v)); !s)
        return s.takeError();
    for (auto &v : *proto.mutable_optional_values())
      if (auto s = add(items, optional(v)); !s)
        return s.takeError();
    return vector(items);
  }

  Result<HostTensor> optional(OptionalProto &proto) {
    std::vector<uint64_t> items;
    if (proto.has_tensor_value())
      if (auto s = add(items, tensor(*proto.mutable_tensor_value())); !s)
        return s.takeError();
    if (proto.has_sequence_value())
      if (auto s = add(items, sequence(*proto.mutable_sequence_value())); !s)
        return s.takeError();
    if (proto.has_optional_value())
      if (auto s = add(items, optional(*proto.mutable_optional_value())); !s)
        return s.takeError();
    return vector(items);
  }

private:
  Result<HostTensor> tensor(TensorProto &proto) {
    ExternalData none("");
    auto t = convertTensor(proto, none);
    if (!t)
      return t.takeError();
    if (!t->supported())
      return unsupported(305,
                         "tensors of type " + elemTypeName(t->elemType) + " are not supported");
    return std::move(t->value);
  }
  static Status add(std::vector<uint64_t> &items, Result<HostTensor> value) {
    if (!value)
      return value.takeError();
    items.push_back(ItemHeap::process().tensor(value.take()));
    return {};
  }
  static HostTensor vector(const std::vector<uint64_t> &items) {
    return HostTensor::of<uint64_t>(DType::Item, {static_cast<int64_t>(items.size())}, items);
  }
};

Result<HostTensor> readValueProto(std::span<const std::byte> bytes, const ValueType &type,
                                  const std::string &name) {
  using Kind = ValueType::Kind;
  if (type.kind == Kind::Tensor)
    return readTensorProto(bytes, name);
  if (type.kind != Kind::Sequence && type.kind != Kind::Optional)
    return named(unsupported(305, "values of type " + type.str() + " are not supported"), name);
  SequenceProto sequence;
  OptionalProto optional;
  const bool isSequence = type.kind == Kind::Sequence;
  if (isSequence ? !parse(bytes, sequence) : !parse(bytes, optional))
    return named(badInput(301, "this is no serialized value of type " + type.str(),
                          "its bytes are not the message that the format prescribes",
                          "checking that the file is complete"),
                 name);
  ValueConverter converter;
  auto value = isSequence ? converter.sequence(sequence) : converter.optional(optional);
  return value ? std::move(value) : Result<HostTensor>(named(value.takeError(), name));
}

const Attribute *Node::attribute(std::string_view attributeName) const {
  auto it = std::ranges::find(attributes, attributeName, &Attribute::name);
  return it == attributes.end() ? nullptr : &*it;
}

} // namespace imbrex::onnx
