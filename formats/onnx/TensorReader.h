// TensorProto to Tensor. Internal to this folder: the only header here that shows protobuf types.
#pragma once

#include "formats/onnx/ExternalData.h"
#include "formats/onnx/Model.h"

#include "formats/onnx/Onnx.pb.h"

namespace imbrex::onnx {

/// Takes the bytes out of `proto`. E0303 when the stored elements are not those the shape asks for:
/// sizes are compared before anything is allocated.
Result<Tensor> convertTensor(TensorProto &proto, ExternalData &external);

} // namespace imbrex::onnx
