#include "examples/silero/Detector.h"

#include "examples/common/RuntimeText.h"
#include "runtime/api/imbrex.hpp"

#include <algorithm>
#include <array>
#include <vector>

namespace imbrex::silero {
namespace {

constexpr size_t stateSize = 2 * 1 * 128;
constexpr size_t inputSize = Detector::contextSize + Detector::chunkSize;

Error refused(const std::string &artifact, std::string because) {
  return badInput(26, "cannot use the model '" + artifact + "'", std::move(because),
                  "imbrex compile silero_vad.onnx -o silero.imx --input-shape input=1x576 "
                  "--input-shape state=2x1x128 --input-shape sr=");
}

/// The place of a port by its name, ports.size() where there is none.
size_t findPort(const std::vector<ImbrexPort> &ports, std::string_view name) {
  auto same = [&](const ImbrexPort &port) { return name == port.name; };
  return static_cast<size_t>(std::find_if(ports.begin(), ports.end(), same) - ports.begin());
}

} // namespace

struct Detector::Loaded {
  explicit Loaded(const std::string &artifact)
      // The model runs for a tenth of a millisecond: a second thread would cost more than it gives.
      : model(artifact), runner(model, 1) {
    std::vector<ImbrexPort> inputs = model.inputs(), outputs = model.outputs();
    input = findPort(inputs, "input");
    state = findPort(inputs, "state");
    sampleRate = findPort(inputs, "sr");
    probability = findPort(outputs, "output");
    newState = findPort(outputs, "stateN");
    complete = inputs.size() == 3 && outputs.size() == 2 &&
               std::max({input, state, sampleRate}) < 3 && std::max(probability, newState) < 2;
  }

  Model model;
  Runner runner;
  // Where each port stands in the artifact's order.
  size_t input, state, sampleRate, probability, newState;
  bool complete;                          // all of them are there
  std::array<float, inputSize> samples{}; // the context, then the chunk
  std::array<float, stateSize> carried{};
};

Detector::Detector(std::unique_ptr<Loaded> loaded) : loaded(std::move(loaded)) {}
Detector::~Detector() = default;
Detector::Detector(Detector &&) noexcept = default;
Detector &Detector::operator=(Detector &&) noexcept = default;

Result<Detector> Detector::open(const std::string &artifact) {
  try {
    auto loaded = std::make_unique<Loaded>(artifact);
    if (!loaded->complete)
      return refused(artifact, "its ports are not input, state, sr and output, stateN");
    return Detector(std::move(loaded));
  } catch (const RuntimeError &error) {
    return refused(artifact, reasonOf(error.what()));
  }
}

Result<float> Detector::next(std::span<const float, chunkSize> chunk) {
  Loaded &l = *loaded;
  std::copy(chunk.begin(), chunk.end(), l.samples.begin() + contextSize);
  const int64_t hertz = rate;
  std::vector<Input> inputs(3);
  try {
    inputs[l.input] = Input::of<float>({1, inputSize}, l.samples);
    inputs[l.state] = Input::of<float>({2, 1, 128}, l.carried);
    inputs[l.sampleRate] = Input::of<int64_t>({}, std::span(&hertz, 1));
    std::vector<Output> outputs = l.runner.run(inputs);
    std::span<const float> probability = outputs[l.probability].values<float>();
    std::span<const float> state = outputs[l.newState].values<float>();
    if (probability.size() != 1 || state.size() != stateSize)
      return badInput(26, "the model's outputs cannot be read",
                      "they are not one probability and a state f32[2,1,128]");
    std::copy(state.begin(), state.end(), l.carried.begin());
    std::copy(l.samples.end() - contextSize, l.samples.end(), l.samples.begin());
    return probability[0];
  } catch (const RuntimeError &error) {
    return badInput(26, "the model failed", reasonOf(error.what()));
  }
}

} // namespace imbrex::silero
