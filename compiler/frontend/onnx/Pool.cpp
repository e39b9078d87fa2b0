#include "compiler/frontend/onnx/Converters.h"
namespace imbrex::frontend {
ConverterRows poolRows() { return {}; }
} // namespace imbrex::frontend
