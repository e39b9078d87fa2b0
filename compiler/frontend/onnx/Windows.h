// The window attributes that convolutions and pools share.
#pragma once

#include "compiler/frontend/onnx/NodeContext.h"

namespace imbrex::frontend {

/// strides, dilations, pads and auto_pad as our operators take them.
opmeaning::Attrs windowAttributes(NodeContext &n);

} // namespace imbrex::frontend
