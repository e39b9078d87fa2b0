// An .onnx file as plain structs: what stands in it, checked for form but not for meaning.
//
//   Result<onnx::Model> model = onnx::readModel("model.onnx");
//
// Weights are not copied: embedded ones are taken over from the parser, external ones stay mapped.
// Memory is proportional to the file. Errors are E03xx:
//   E0300 unreadable file            E0301 not an ONNX model or damaged    E0302 nested too deeply
//   E0303 a tensor contradicts its shape or type                          E0304 external data
//   refused E0305 element type without a HostTensor form                          E0306 incomplete
//   graph or node
#pragma once

#include "support/tensor/HostTensor.h"

#include <map>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace imbrex::onnx {

struct Graph;

/// How deep graphs may nest in attributes (If in If in …).
inline constexpr int maxGraphDepth = 64;

/// Codes of element types as the format numbers them.
enum ElemType : int32_t {
  ElemUndefined = 0,
  ElemString = 8,
};

/// Ours for an ONNX element type, or Invalid (complex numbers).
DType dtypeOf(int32_t elemType);
/// The format's code of one of our types; 0 for Invalid.
int32_t elemTypeOf(DType type);
/// "float", "string", "float8e4m3fn", …; "type 99" for an unknown code.
std::string elemTypeName(int32_t elemType);

/// One tensor stored in the file.
struct Tensor {
  std::string name;
  int32_t elemType = ElemUndefined;
  std::vector<int64_t> shape;
  HostTensor value; // when dtypeOf(elemType) is valid; texts are in ItemHeap::process()
  std::string raw;  // the packed bytes of any other type; unchecked

  bool supported() const { return value.type() != DType::Invalid; }
};

/// values at flat or coordinate indices of a tensor that is otherwise zero.
struct SparseTensor {
  Tensor values, indices;
  std::vector<int64_t> dims;
};

struct Dim {
  enum class Kind : uint8_t { Unknown, Value, Param } kind = Kind::Unknown;
  int64_t value = 0;
  std::string param;
};

struct ValueType {
  enum class Kind : uint8_t { None, Tensor, Sequence, Optional, Map, SparseTensor, Opaque };
  enum class Shape : uint8_t { Unknown, Known };
  Kind kind = Kind::None;
  int32_t elemType = ElemUndefined; // of tensors; the key's type of maps
  Shape shape = Shape::Unknown;     // Unknown: not even the rank
  std::vector<Dim> dims;
  std::shared_ptr<const ValueType> element; // of sequences, optionals and maps
  std::string str() const;                  // "tensor(float)[n, 8]", "seq(tensor(int64))"
};

struct ValueInfo {
  std::string name;
  ValueType type;
};

struct Attribute {
  enum class Kind : uint8_t {
    Undefined,
    Float,
    Int,
    String,
    Tensor,
    Graph,
    Floats,
    Ints,
    Strings,
    Tensors,
    Graphs,
    SparseTensor,
    SparseTensors,
    Type,
    Types
  };
  std::string name;
  Kind kind = Kind::Undefined;
  std::string reference;     // inside a function: takes the caller's attribute of this name
  std::vector<float> floats; // the scalar kinds hold one element
  std::vector<int64_t> ints;
  std::vector<std::string> strings;
  std::vector<Tensor> tensors;
  std::vector<std::shared_ptr<const Graph>> graphs;
  std::vector<SparseTensor> sparseTensors;
  std::vector<ValueType> types;
};

struct Node {
  std::string name, opType, domain, overload;
  std::vector<std::string> inputs, outputs; // "" where an optional one is left out
  std::vector<Attribute> attributes;

  const Attribute *attribute(std::string_view attributeName) const;
};

struct Graph {
  std::string name;
  std::vector<Node> nodes;
  std::vector<ValueInfo> inputs, outputs, valueInfos;
  std::vector<Tensor> initializers;
  std::vector<SparseTensor> sparseInitializers;
};

/// Domain ("" for ai.onnx) to version.
using Opsets = std::map<std::string, int64_t>;

/// A function defined by the model itself.
struct Function {
  std::string name, domain, overload;
  std::vector<std::string> inputs, outputs, attributes;
  std::vector<Attribute> defaults;
  std::vector<Node> nodes;
  Opsets opsets;
};

struct Model {
  int64_t irVersion = 0;
  Opsets opsets;
  std::string producerName, producerVersion, domain;
  int64_t modelVersion = 0;
  std::map<std::string, std::string> metadata;
  Graph graph;
  std::vector<Function> functions;
};

/// External data is looked for beside the file.
Result<Model> readModel(const std::string &path);
/// `name` stands in errors; external data is looked for in `baseDir`, and refused when that is
/// empty.
Result<Model> readModel(std::span<const std::byte> bytes, const std::string &baseDir,
                        const std::string &name = "model");
/// One serialized TensorProto, as in the test data of ONNX. E0305 for complex numbers.
Result<HostTensor> readTensorProto(std::span<const std::byte> bytes,
                                   const std::string &name = "tensor");
/// One serialized value of an input or output of that type: a tensor, a sequence or an optional, as
/// a vector of items in ItemHeap::process().
Result<HostTensor> readValueProto(std::span<const std::byte> bytes, const ValueType &type,
                                  const std::string &name = "value");
/// A whole file in memory, mapped. E0300.
struct MappedFile {
  std::span<const std::byte> bytes;
  std::shared_ptr<const void> owner;
};
Result<MappedFile> mapFile(const std::string &path);

} // namespace imbrex::onnx
