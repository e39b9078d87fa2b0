#include "compiler/frontend/onnx/Converters.h"
namespace imbrex::frontend {
ConverterRows recurrentRows() { return {}; }
} // namespace imbrex::frontend
