// In a build without the pipeline or the runtime.
#include "tools/onnx-suite/Backend.h"

namespace imbrex::suite {

std::unique_ptr<Backend> compiledBackend() { return nullptr; }
std::unique_ptr<Backend> dynamicBackend() { return nullptr; }

} // namespace imbrex::suite
