// The format's element type codes and ours.
#include "formats/onnx/Model.h"

#include <array>

namespace imbrex::onnx {

struct ElemRow {
  std::string_view name;
  DType type;
};

static constexpr std::array<ElemRow, 27> kRows = {{
    {"undefined", DType::Invalid},
    {"float", DType::F32},
    {"uint8", DType::U8},
    {"int8", DType::I8},
    {"uint16", DType::U16},
    {"int16", DType::I16},
    {"int32", DType::I32},
    {"int64", DType::I64},
    {"string", DType::String},
    {"bool", DType::Bool},
    {"float16", DType::F16},
    {"double", DType::F64},
    {"uint32", DType::U32},
    {"uint64", DType::U64},
    {"complex64", DType::Invalid},
    {"complex128", DType::Invalid},
    {"bfloat16", DType::BF16},
    {"float8e4m3fn", DType::F8E4M3FN},
    {"float8e4m3fnuz", DType::F8E4M3FNUZ},
    {"float8e5m2", DType::F8E5M2},
    {"float8e5m2fnuz", DType::F8E5M2FNUZ},
    {"uint4", DType::U4},
    {"int4", DType::I4},
    {"float4e2m1", DType::F4E2M1},
    {"float8e8m0", DType::F8E8M0},
    {"uint2", DType::U2},
    {"int2", DType::I2},
}};

static bool known(int32_t code) { return code >= 0 && size_t(code) < kRows.size(); }

DType dtypeOf(int32_t code) { return known(code) ? kRows[code].type : DType::Invalid; }

int32_t elemTypeOf(DType type) {
  if (type != DType::Invalid)
    for (size_t i = 0; i < kRows.size(); ++i)
      if (kRows[i].type == type)
        return static_cast<int32_t>(i);
  return ElemUndefined;
}

std::string elemTypeName(int32_t code) {
  return known(code) ? std::string(kRows[code].name) : "type " + std::to_string(code);
}

static std::string dimText(const Dim &d) {
  switch (d.kind) {
  case Dim::Kind::Value:
    return std::to_string(d.value);
  case Dim::Kind::Param:
    return d.param;
  case Dim::Kind::Unknown:
    break;
  }
  return "?";
}

static std::string tensorText(const char *word, const ValueType &t) {
  std::string out = std::string(word) + "(" + elemTypeName(t.elemType) + ")";
  if (t.shape == ValueType::Shape::Unknown)
    return out;
  out += "[";
  for (size_t i = 0; i < t.dims.size(); ++i)
    out += (i ? ", " : "") + dimText(t.dims[i]);
  return out + "]";
}

std::string ValueType::str() const {
  std::string inner = element ? element->str() : "?";
  switch (kind) {
  case Kind::Tensor:
    return tensorText("tensor", *this);
  case Kind::SparseTensor:
    return tensorText("sparse_tensor", *this);
  case Kind::Sequence:
    return "seq(" + inner + ")";
  case Kind::Optional:
    return "optional(" + inner + ")";
  case Kind::Map:
    return "map(" + elemTypeName(elemType) + ", " + inner + ")";
  case Kind::Opaque:
    return "opaque";
  case Kind::None:
    break;
  }
  return "unknown type";
}

} // namespace imbrex::onnx
