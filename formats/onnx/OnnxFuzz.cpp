// Any bytes are a model, a tensor, or an error.
#include "formats/onnx/Model.h"
#include "support/tensor/ItemHeap.h"

#include <cstdlib>

extern "C" int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  std::span bytes(reinterpret_cast<const std::byte *>(data), size);
  auto model = imbrex::onnx::readModel(bytes, "");
  if (!model && model.error().str().empty())
    std::abort();
  auto tensor = imbrex::onnx::readTensorProto(bytes);
  if (tensor &&
      int64_t(tensor->bytes().size()) != tensor->elems() * imbrex::byteSize(tensor->type()))
    std::abort();
  imbrex::onnx::ValueType type;
  for (auto kind :
       {imbrex::onnx::ValueType::Kind::Sequence, imbrex::onnx::ValueType::Kind::Optional}) {
    type.kind = kind;
    (void)imbrex::onnx::readValueProto(bytes, type);
  }
  imbrex::ItemHeap::process().clear();
  return 0;
}
