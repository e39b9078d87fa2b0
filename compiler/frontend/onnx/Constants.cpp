// Constants and tensors made of sizes and numbers.
#include "compiler/frontend/onnx/Converters.h"

#include "support/tensor/ItemHeap.h"

namespace imbrex::frontend {
namespace {

using Kind = onnx::Attribute::Kind;

void constantNode(NodeContext &n) {
  static constexpr std::string_view forms[] = {"value",         "value_float", "value_floats",
                                               "value_int",     "value_ints",  "value_string",
                                               "value_strings", "sparse_value"};
  for (auto form : forms) {
    const auto *a = n.proto().attribute(form);
    if (!a)
      continue;
    switch (a->kind) {
    case Kind::Tensor:
      if (auto t = n.tensor(form))
        n.result(n.constant(*t));
      return;
    case Kind::Float:
      return n.result(n.constant(HostTensor::of<float>(DType::F32, {}, a->floats)));
    case Kind::Floats:
      return n.result(
          n.constant(HostTensor::of<float>(DType::F32, {int64_t(a->floats.size())}, a->floats)));
    case Kind::Int:
      return n.result(n.constant(HostTensor::of<int64_t>(DType::I64, {}, a->ints)));
    case Kind::Ints:
      return n.result(n.intVector(a->ints));
    case Kind::String:
      return n.result(n.constant(stringTensor(ItemHeap::process(), {}, a->strings)));
    case Kind::Strings:
      return n.result(
          n.constant(stringTensor(ItemHeap::process(), {int64_t(a->strings.size())}, a->strings)));
    default:
      return n.unsupported("constants in the form of " + std::string(form) + " are not supported",
                           {}, std::string(form));
    }
  }
  n.invalid("it has no value");
}

/// A model's tensor of one element as the attributes that fill operators take.
opmeaning::Attrs fillAttrs(const HostTensor &value) {
  auto a = attrs({{"type", value.type()}});
  if (isFloat(value.type()))
    a.values["value"] = value.toDouble(0);
  else
    a.values["int_value"] = value.toInt(0);
  return a;
}

void constantOfShape(NodeContext &n) {
  HostTensor value(DType::F32, {1});
  if (n.hasAttr("value")) {
    auto given = n.tensor("value");
    if (!given)
      return;
    if (given->elems() != 1)
      return n.invalid("its value has " + std::to_string(given->elems()) + " elements", "value");
    value = *given;
  }
  Value shape = n.require(0);
  if (value.type() == DType::String) // whose number differs from run to run
    return n.result(n.apply("expand", {n.reshape(n.constant(value), {}), shape}));
  if (auto sizes = n.record().info(shape).sizes; sizes && !n.failed()) {
    // Sizes known by name: broadcast one element, which keeps the names.
    HostTensor one(value.type(), {});
    std::copy(value.bytes().begin(), value.bytes().end(), one.mutableBytes().begin());
    return n.result(n.apply("expand", {n.constant(std::move(one)), shape}));
  }
  n.result(n.apply("constant_of_shape", {shape}, fillAttrs(value)));
}

void range(NodeContext &n) { n.result(n.apply("range", n.all())); }

void eyeLike(NodeContext &n) {
  n.result(n.apply("eye_like", {n.require(0)},
                   attrs({{"type", n.type("dtype", n.dtype(n.in(0)))}, {"k", n.i("k", 0)}})));
}

void oneHot(NodeContext &n) {
  Value depth = n.cast(n.require(1), DType::I64);
  n.result(
      n.apply("one_hot", {n.require(0), depth, n.require(2)}, attrs({{"axis", n.i("axis", -1)}})));
}

void trilu(NodeContext &n) {
  n.result(n.apply("trilu", n.all(), attrs({{"upper", n.i("upper", 1)}})));
}

constexpr ConverterRow kRows[] = {
    {"Constant", 1, constantNode}, {"ConstantOfShape", 9, constantOfShape},
    {"EyeLike", 9, eyeLike},       {"OneHot", 9, oneHot},
    {"Range", 11, range},          {"Trilu", 14, trilu},
};

} // namespace

ConverterRows constantRows() { return kRows; }

} // namespace imbrex::frontend
