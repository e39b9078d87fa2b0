#include "compiler/frontend/onnx/Converters.h"
namespace imbrex::frontend {
ConverterRows signalRows() { return {}; }
} // namespace imbrex::frontend
