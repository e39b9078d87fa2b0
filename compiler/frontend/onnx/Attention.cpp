#include "compiler/frontend/onnx/Converters.h"
namespace imbrex::frontend {
ConverterRows attentionRows() { return {}; }
} // namespace imbrex::frontend
