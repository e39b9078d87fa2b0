// Small ONNX models, written field by field.
//
//   ModelBytes m(17);
//   m.input("x", DType::F32, {"n", 4}).node("Relu", {"x"}, {"y"}).output("y", DType::F32, {"n",
//   4}); std::string file = m.bytes();
#pragma once

#include "support/tensor/HostTensor.h"

#include <string>
#include <variant>
#include <vector>

namespace imbrex::cases {

/// A size, or the name of one.
using Size = std::variant<int64_t, const char *>;
using Sizes = std::vector<Size>;

class ModelBytes;

/// An attribute, serialized.
struct AttributeBytes {
  std::string bytes;
};
AttributeBytes integer(const std::string &name, int64_t value);
AttributeBytes real(const std::string &name, float value);
AttributeBytes reals(const std::string &name, const std::vector<float> &values);
AttributeBytes word(const std::string &name, const std::string &value);
AttributeBytes integers(const std::string &name, const std::vector<int64_t> &values);
/// A branch or a body: the model's graph.
AttributeBytes graph(const std::string &name, const ModelBytes &model);

/// Each call adds and returns the model itself.
class ModelBytes {
public:
  explicit ModelBytes(int64_t opset) : opset(opset) {}

  ModelBytes &input(const std::string &name, DType type, const Sizes &dims);
  ModelBytes &output(const std::string &name, DType type, const Sizes &dims);
  ModelBytes &weight(const std::string &name, const HostTensor &value);
  ModelBytes &node(const std::string &op, const std::vector<std::string> &inputs,
                   const std::vector<std::string> &outputs,
                   const std::vector<AttributeBytes> &attributes = {});

  const std::string &graphBytes() const { return parts; }
  std::string bytes() const;

private:
  int64_t opset;
  std::string parts; // of the graph
};

} // namespace imbrex::cases
