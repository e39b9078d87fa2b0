#include "examples/silero/Detector.h"

#include "runtime/api/imbrex.h"

#include <algorithm>
#include <array>
#include <vector>

namespace imbrex::silero {
namespace {

// Of runtime/abi/kernel.h, as imbrex.h lists them.
constexpr uint32_t dtypeI64 = 5, dtypeF32 = 12;

constexpr size_t stateSize = 2 * 1 * 128;
constexpr size_t inputSize = Detector::contextSize + Detector::chunkSize;
constexpr int64_t inputShape[] = {1, inputSize};
constexpr int64_t stateShape[] = {2, 1, 128};
constexpr int64_t scalarShape[] = {1}; // of rank 0: never read

Error refused(const std::string &artifact, std::string because) {
  return badInput(26, "cannot use the model '" + artifact + "'", std::move(because),
                  "imbrex compile silero_vad.onnx -o silero.imx --input-shape input=1x576 "
                  "--input-shape state=2x1x128 --input-shape sr=");
}

/// The place of a port by its name, -1 where there is none.
template <class Get>
int32_t findPort(const ImbrexModule *module, int32_t count, Get get, std::string_view name) {
  for (int32_t i = 0; i < count; ++i) {
    ImbrexPort port = {};
    if (get(module, i, &port) == IMBREX_OK && name == port.name)
      return i;
  }
  return -1;
}

bool isDense(const ImbrexTensor &tensor) {
  int64_t expected = 1;
  for (int32_t d = tensor.rank; tensor.stride && d-- > 0; expected *= tensor.shape[d])
    if (tensor.shape[d] != 1 && tensor.stride[d] != expected)
      return false;
  return true;
}

/// Copies an output of `count` floats; false when it is another kind of tensor.
bool copyFloats(const ImbrexTensor &tensor, float *out, size_t count) {
  int64_t size = 1;
  for (int32_t d = 0; d < tensor.rank; ++d)
    size *= tensor.shape[d];
  if (tensor.dtype != dtypeF32 || size != static_cast<int64_t>(count) || !isDense(tensor))
    return false;
  std::copy_n(static_cast<const float *>(tensor.data), count, out);
  return true;
}

} // namespace

struct Detector::Loaded {
  ImbrexModule *module = nullptr;
  ImbrexContext *context = nullptr;
  // Where each port stands in the artifact's order.
  int32_t input = -1, state = -1, sampleRate = -1, probability = -1, newState = -1;
  std::array<float, inputSize> samples{}; // the context, then the chunk
  std::array<float, stateSize> carried{};

  ~Loaded() {
    imbrex_context_destroy(context);
    imbrex_module_close(module);
  }

  bool findPorts() {
    if (imbrex_input_count(module) != 3 || imbrex_output_count(module) != 2)
      return false;
    input = findPort(module, 3, imbrex_input, "input");
    state = findPort(module, 3, imbrex_input, "state");
    sampleRate = findPort(module, 3, imbrex_input, "sr");
    probability = findPort(module, 2, imbrex_output, "output");
    newState = findPort(module, 2, imbrex_output, "stateN");
    return std::min({input, state, sampleRate, probability, newState}) >= 0;
  }
};

Detector::Detector(std::unique_ptr<Loaded> loaded) : loaded(std::move(loaded)) {}
Detector::~Detector() = default;
Detector::Detector(Detector &&) noexcept = default;
Detector &Detector::operator=(Detector &&) noexcept = default;

Result<Detector> Detector::open(const std::string &artifact) {
  auto loaded = std::make_unique<Loaded>();
  if (imbrex_module_open(artifact.c_str(), nullptr, &loaded->module) != IMBREX_OK)
    return refused(artifact, imbrex_last_error());
  if (!loaded->findPorts())
    return refused(artifact, "its ports are not input, state, sr and output, stateN");
  // The model runs for a tenth of a millisecond: a second thread would cost more than it gives.
  ImbrexContextOptions options = {sizeof(ImbrexContextOptions), 1};
  if (imbrex_context_create(loaded->module, &options, &loaded->context) != IMBREX_OK)
    return refused(artifact, imbrex_last_error());
  return Detector(std::move(loaded));
}

Result<float> Detector::next(std::span<const float, chunkSize> chunk) {
  Loaded &l = *loaded;
  std::copy(chunk.begin(), chunk.end(), l.samples.begin() + contextSize);
  int64_t hertz = rate;
  ImbrexTensor inputs[3] = {}, outputs[2] = {};
  inputs[l.input] = {l.samples.data(), dtypeF32, 2, inputShape, nullptr, nullptr};
  inputs[l.state] = {l.carried.data(), dtypeF32, 3, stateShape, nullptr, nullptr};
  inputs[l.sampleRate] = {&hertz, dtypeI64, 0, scalarShape, nullptr, nullptr};
  if (imbrex_run(l.context, inputs, 3, outputs, 2) != IMBREX_OK)
    return badInput(26, "the model failed", imbrex_last_error());
  float probability = 0;
  bool good = copyFloats(outputs[l.probability], &probability, 1) &&
              copyFloats(outputs[l.newState], l.carried.data(), stateSize);
  for (ImbrexTensor &output : outputs)
    imbrex_tensor_release(&output);
  if (!good)
    return badInput(26, "the model's outputs cannot be read",
                    "they are not one probability and a state f32[2,1,128]");
  std::copy(l.samples.end() - contextSize, l.samples.end(), l.samples.begin());
  return probability;
}

} // namespace imbrex::silero
