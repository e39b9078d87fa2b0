#include "formats/onnx/TensorReader.h"

#include "support/tensor/ItemHeap.h"

#include <algorithm>
#include <charconv>
#include <limits>

namespace imbrex::onnx {

static constexpr size_t maxRank = 64;

static Error wrong(const Tensor &t, std::string because) {
  return badInput(303, "tensor '" + t.name + "' is damaged", std::move(because),
                  "exporting the model again");
}

static std::string countText(int64_t stored, int64_t wanted) {
  return "it stores " + std::to_string(stored) + " elements and its shape asks for " +
         std::to_string(wanted);
}

static Result<int64_t> checkedElems(const Tensor &t) {
  if (t.shape.size() > maxRank)
    return wrong(t, "it has " + std::to_string(t.shape.size()) + " dimensions");
  int64_t elems = 1;
  bool empty = false;
  for (int64_t d : t.shape) {
    if (d < 0)
      return wrong(t, "a dimension is negative");
    if (d == 0)
      empty = true;
    else if (__builtin_mul_overflow(elems, d, &elems))
      return wrong(t, "its shape has more elements than 64 bits count");
  }
  return empty ? 0 : elems;
}

/// Borrows when the bytes are aligned for the type, else copies.
static HostTensor wrap(const Tensor &t, std::span<const std::byte> bytes,
                       std::shared_ptr<const void> owner) {
  DType type = dtypeOf(t.elemType);
  auto align = static_cast<uintptr_t>(byteSize(type));
  if (!bytes.empty() && reinterpret_cast<uintptr_t>(bytes.data()) % align == 0)
    return HostTensor(type, t.shape, bytes, std::move(owner));
  HostTensor copy(type, t.shape);
  std::ranges::copy(bytes, copy.mutableBytes().begin());
  return copy;
}

/// Elements narrower than a byte are packed in files, the first in the low bits; in memory each has
/// a byte.
static Status fromPacked(Tensor &t, std::span<const std::byte> bytes) {
  auto elems = checkedElems(t);
  if (!elems)
    return elems.takeError();
  const DType type = dtypeOf(t.elemType);
  const int bits = packedBits(type), perByte = 8 / bits;
  if (static_cast<int64_t>(bytes.size()) != *elems / perByte + (*elems % perByte != 0))
    return wrong(t, countText(static_cast<int64_t>(bytes.size()) * perByte, *elems));
  HostTensor value(type, t.shape);
  auto *out = value.mutableData<uint8_t>();
  const bool extends = type == DType::I4 || type == DType::I2;
  for (int64_t i = 0; i < *elems; ++i) {
    int code = (int(bytes[i / perByte]) >> (bits * int(i % perByte))) & ((1 << bits) - 1);
    out[i] = static_cast<uint8_t>(extends && (code >> (bits - 1)) ? code - (1 << bits) : code);
  }
  t.value = std::move(value);
  return {};
}

/// Bytes given as a whole: raw_data or another file.
static Status fromBytes(Tensor &t, std::span<const std::byte> bytes,
                        std::shared_ptr<const void> owner) {
  if (packedBits(dtypeOf(t.elemType)) < 8)
    return fromPacked(t, bytes);
  auto elems = checkedElems(t);
  if (!elems)
    return elems.takeError();
  int64_t size = byteSize(dtypeOf(t.elemType));
  auto stored = static_cast<int64_t>(bytes.size());
  if (stored % size != 0 || stored / size != *elems)
    return wrong(t, countText(stored / size, *elems) +
                        (stored % size ? ", and the last one is cut off" : ""));
  t.value = wrap(t, bytes, std::move(owner));
  return {};
}

/// One typed field, each stored element narrowed to `To`. An element outside To's range is an
/// error.
template <class To, class Field> static Status fromField(Tensor &t, const Field &field) {
  auto elems = checkedElems(t);
  if (!elems)
    return elems.takeError();
  if (field.size() != *elems)
    return wrong(t, countText(field.size(), *elems));
  HostTensor value(dtypeOf(t.elemType), t.shape);
  auto *out = value.template mutableData<To>();
  for (auto stored : field) {
    auto narrow = static_cast<To>(stored);
    if constexpr (std::is_integral_v<To>)
      if (static_cast<decltype(stored)>(narrow) != stored)
        return wrong(t, "element " + std::to_string(stored) + " does not fit its type");
    *out++ = narrow;
  }
  t.value = std::move(value);
  return {};
}

/// Packed bytes, one in each stored number.
template <class Field> static Status fromPackedField(Tensor &t, const Field &field) {
  std::vector<std::byte> bytes;
  bytes.reserve(static_cast<size_t>(field.size()));
  for (auto stored : field) {
    if (stored < 0 || stored > 255)
      return wrong(t, "element " + std::to_string(stored) + " is no byte of packed elements");
    bytes.push_back(static_cast<std::byte>(stored));
  }
  return fromPacked(t, bytes);
}

static Status fromTypedFields(Tensor &t, const TensorProto &proto) {
  switch (dtypeOf(t.elemType)) {
  case DType::F32:
    return fromField<float>(t, proto.float_data());
  case DType::F64:
    return fromField<double>(t, proto.double_data());
  case DType::I64:
    return fromField<int64_t>(t, proto.int64_data());
  case DType::U64:
    return fromField<uint64_t>(t, proto.uint64_data());
  case DType::U32:
    return fromField<uint32_t>(t, proto.uint64_data());
  case DType::I32:
    return fromField<int32_t>(t, proto.int32_data());
  case DType::I16:
    return fromField<int16_t>(t, proto.int32_data());
  case DType::I8:
    return fromField<int8_t>(t, proto.int32_data());
  case DType::U8:
    return fromField<uint8_t>(t, proto.int32_data());
  case DType::U16:
  case DType::F16: // the bits of the float, as an unsigned number
  case DType::BF16:
    return fromField<uint16_t>(t, proto.int32_data());
  case DType::Bool:
    return fromField<uint8_t>(t, proto.int32_data());
  case DType::F8E4M3FN:
  case DType::F8E5M2:
  case DType::F8E4M3FNUZ:
  case DType::F8E5M2FNUZ:
  case DType::F8E8M0:
    return fromField<uint8_t>(t, proto.int32_data());
  case DType::F4E2M1:
  case DType::I4:
  case DType::U4:
  case DType::I2:
  case DType::U2:
    return fromPackedField(t, proto.int32_data());
  case DType::Invalid:
  case DType::String: // fill() reads them
  case DType::Item:
    break;
  }
  return {};
}

static Result<int64_t> number(const std::string &key, const std::string &text) {
  int64_t value = 0;
  auto [end, failed] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (failed != std::errc() || end != text.data() + text.size() || value < 0)
    return badInput(304, "external data refused", "its " + key + " '" + text + "' is no size",
                    "exporting the model again");
  return value;
}

static Status fromExternal(Tensor &t, const TensorProto &proto, ExternalData &external) {
  std::string location;
  int64_t offset = 0, length = -1;
  for (const auto &entry : proto.external_data()) {
    if (entry.key() == "location") {
      location = entry.value();
    } else if (entry.key() == "offset" || entry.key() == "length") {
      auto value = number(entry.key(), entry.value());
      if (!value)
        return value.takeError();
      (entry.key() == "offset" ? offset : length) = *value;
    }
  }
  auto view = external.view(location, offset, length);
  if (!view)
    return view.takeError();
  if (dtypeOf(t.elemType) == DType::Invalid)
    return {}; // left where it is: nothing reads it
  return fromBytes(t, view->bytes, view->owner);
}

/// Any byte but 0 means true in some exporters' files; ours are 0 or 1.
static void canonicalBools(Tensor &t) {
  if (t.value.type() != DType::Bool)
    return;
  auto bytes = t.value.bytes();
  if (std::ranges::all_of(bytes, [](std::byte b) { return uint8_t(b) <= 1; }))
    return;
  for (auto &b : t.value.mutableBytes())
    b = std::byte{b != std::byte{0}};
}

static Status fill(Tensor &t, TensorProto &proto, ExternalData &external) {
  if (proto.data_location() == 1)
    return fromExternal(t, proto, external);
  if (t.elemType == ElemString) {
    auto elems = checkedElems(t);
    if (!elems)
      return elems.takeError();
    if (proto.string_data_size() != *elems)
      return wrong(t, countText(proto.string_data_size(), *elems));
    t.value = HostTensor(DType::String, t.shape);
    auto *out = t.value.mutableData<uint64_t>();
    for (const std::string &text : proto.string_data())
      *out++ = ItemHeap::process().string(text);
    return {};
  }
  if (dtypeOf(t.elemType) == DType::Invalid) {
    t.raw = std::move(*proto.mutable_raw_data());
    return {};
  }
  if (!proto.has_raw_data())
    return fromTypedFields(t, proto);
  std::shared_ptr<const std::string> raw(proto.release_raw_data());
  return fromBytes(t, std::as_bytes(std::span(*raw)), raw);
}

Result<Tensor> convertTensor(TensorProto &proto, ExternalData &external) {
  Tensor t;
  t.name = proto.name();
  t.elemType = proto.data_type();
  t.shape.assign(proto.dims().begin(), proto.dims().end());
  if (auto done = fill(t, proto, external); !done)
    return done.takeError();
  canonicalBools(t);
  return t;
}

} // namespace imbrex::onnx
