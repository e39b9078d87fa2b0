// In a build without the pipeline or the runtime.
#include "tools/onnx-suite/Backend.h"

namespace imbrex::suite {

std::unique_ptr<Backend> compiledBackend(const std::string &) { return nullptr; }
std::unique_ptr<Backend> dynamicBackend(const std::string &) { return nullptr; }

} // namespace imbrex::suite
