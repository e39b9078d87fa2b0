#include "test/cases/ModelBytes.h"

#include "formats/onnx/Model.h"

#include <cstring>

namespace imbrex::cases {
namespace {

std::string varint(uint64_t value) {
  std::string out;
  for (; value > 0x7f; value >>= 7)
    out += static_cast<char>((value & 0x7f) | 0x80);
  return out + static_cast<char>(value);
}

std::string number(int field, int64_t value) {
  return varint(uint64_t(field) << 3) + varint(static_cast<uint64_t>(value));
}

std::string text(int field, const std::string &value) {
  return varint(uint64_t(field) << 3 | 2) + varint(value.size()) + value;
}

// The numbers of fields and kinds are those of the format.
AttributeBytes attribute(const std::string &name, int kind, const std::string &value) {
  return {text(1, name) + value + number(20, kind)};
}

std::string port(const std::string &name, DType type, const Sizes &dims) {
  std::string shape;
  for (const Size &d : dims)
    shape += text(1, std::holds_alternative<int64_t>(d) ? number(1, std::get<int64_t>(d))
                                                        : text(2, std::get<const char *>(d)));
  const std::string tensor = number(1, onnx::elemTypeOf(type)) + text(2, shape);
  return text(1, name) + text(2, text(1, tensor));
}

} // namespace

AttributeBytes integer(const std::string &name, int64_t value) {
  return attribute(name, 2, number(3, value));
}

static std::string floatField(int field, float value) {
  std::string bits(sizeof value, '\0');
  std::memcpy(bits.data(), &value, sizeof value);
  return varint(uint64_t(field) << 3 | 5) + bits;
}

AttributeBytes real(const std::string &name, float value) {
  return attribute(name, 1, floatField(2, value));
}

AttributeBytes reals(const std::string &name, const std::vector<float> &values) {
  std::string all;
  for (float v : values)
    all += floatField(7, v);
  return attribute(name, 6, all);
}

AttributeBytes word(const std::string &name, const std::string &value) {
  return attribute(name, 3, text(4, value));
}

AttributeBytes integers(const std::string &name, const std::vector<int64_t> &values) {
  std::string all;
  for (int64_t v : values)
    all += number(8, v);
  return attribute(name, 7, all);
}

AttributeBytes graph(const std::string &name, const ModelBytes &model) {
  return attribute(name, 5, text(6, model.graphBytes() + text(2, name)));
}

ModelBytes &ModelBytes::input(const std::string &name, DType type, const Sizes &dims) {
  parts += text(11, port(name, type, dims));
  return *this;
}

ModelBytes &ModelBytes::output(const std::string &name, DType type, const Sizes &dims) {
  parts += text(12, port(name, type, dims));
  return *this;
}

ModelBytes &ModelBytes::weight(const std::string &name, const HostTensor &value) {
  std::string tensor;
  for (int64_t d : value.shape())
    tensor += number(1, d);
  auto data = value.bytes();
  tensor += number(2, onnx::elemTypeOf(value.type())) + text(8, name) +
            text(9, std::string(reinterpret_cast<const char *>(data.data()), data.size()));
  parts += text(5, tensor);
  return *this;
}

ModelBytes &ModelBytes::node(const std::string &op, const std::vector<std::string> &inputs,
                             const std::vector<std::string> &outputs,
                             const std::vector<AttributeBytes> &attributes) {
  std::string node;
  for (const auto &name : inputs)
    node += text(1, name);
  for (const auto &name : outputs)
    node += text(2, name);
  node += text(4, op);
  for (const auto &a : attributes)
    node += text(5, a.bytes);
  parts += text(1, node);
  return *this;
}

std::string ModelBytes::bytes() const {
  return number(1, 10) + text(7, parts + text(2, "case")) + text(8, number(2, opset));
}

} // namespace imbrex::cases
