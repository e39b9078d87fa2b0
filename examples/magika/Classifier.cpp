#include "examples/magika/Classifier.h"

#include "runtime/api/imbrex.h"

#include <chrono>

namespace imbrex::magika {
namespace {

// Of runtime/abi/kernel.h, as imbrex.h lists them.
constexpr uint32_t dtypeI32 = 4, dtypeF32 = 12;

Error refused(const std::string &artifact, std::string because) {
  return badInput(24, "cannot use the model '" + artifact + "'", std::move(because),
                  "imbrex compile model.onnx -o magika.imx --dim unk__214=1");
}

bool isRow(const ImbrexPort &port, uint32_t dtype, size_t columns) {
  return port.dtype == dtype && port.rank == 2 && port.shape[0] == 1 &&
         port.shape[1] == static_cast<int64_t>(columns);
}

} // namespace

struct Classifier::Loaded {
  ImbrexModule *module = nullptr;
  ImbrexContext *context = nullptr;
  ~Loaded() {
    imbrex_context_destroy(context);
    imbrex_module_close(module);
  }
};

Classifier::Classifier(Config config, std::unique_ptr<Loaded> loaded)
    : config(std::move(config)), loaded(std::move(loaded)) {}
Classifier::~Classifier() = default;
Classifier::Classifier(Classifier &&) noexcept = default;
Classifier &Classifier::operator=(Classifier &&) noexcept = default;

Result<Classifier> Classifier::open(const std::string &artifact, Config config, int threads) {
  auto loaded = std::make_unique<Loaded>();
  if (imbrex_module_open(artifact.c_str(), nullptr, &loaded->module) != IMBREX_OK)
    return refused(artifact, imbrex_last_error());
  size_t tokens = size_t{config.features.beginSize} + config.features.endSize;
  ImbrexPort in = {}, out = {};
  if (imbrex_input_count(loaded->module) != 1 || imbrex_output_count(loaded->module) != 1 ||
      imbrex_input(loaded->module, 0, &in) != IMBREX_OK || !isRow(in, dtypeI32, tokens) ||
      imbrex_output(loaded->module, 0, &out) != IMBREX_OK ||
      !isRow(out, dtypeF32, config.labels.size()))
    return refused(artifact, "its ports are not one input i32[1," + std::to_string(tokens) +
                                 "] and one output f32[1," + std::to_string(config.labels.size()) +
                                 "]");
  ImbrexContextOptions options = {sizeof(ImbrexContextOptions), threads};
  if (imbrex_context_create(loaded->module, &options, &loaded->context) != IMBREX_OK)
    return refused(artifact, imbrex_last_error());
  return Classifier(std::move(config), std::move(loaded));
}

Result<std::vector<float>> Classifier::scores(const std::vector<int32_t> &tokens) {
  std::vector<float> scores(config.labels.size());
  const int64_t inShape[] = {1, static_cast<int64_t>(tokens.size())};
  const int64_t outShape[] = {1, static_cast<int64_t>(scores.size())};
  // The runtime does not write through an input's pointer.
  ImbrexTensor in = {const_cast<int32_t *>(tokens.data()), dtypeI32, 2, inShape, nullptr, nullptr};
  ImbrexTensor out = {scores.data(), dtypeF32, 2, outShape, nullptr, nullptr};
  if (imbrex_run(loaded->context, &in, 1, &out, 1) != IMBREX_OK)
    return badInput(24, "the model failed", imbrex_last_error());
  return scores;
}

Result<Answer> Classifier::classifyFile(const std::string &path, Symlinks symlinks) {
  auto start = std::chrono::steady_clock::now();
  Result<Features> features = featuresOfFile(path, config.features, symlinks);
  if (!features)
    return features.takeError();
  Answer answer;
  answer.note = features->note;
  if (features->answer) {
    answer.prediction.label = *features->answer;
    answer.prediction.score = 1;
  } else {
    Result<std::vector<float>> output = scores(features->tokens);
    if (!output)
      return output.takeError();
    Result<Prediction> prediction = decide(*output, config);
    if (!prediction)
      return prediction.takeError();
    answer.prediction = prediction.take();
  }
  std::chrono::duration<double, std::milli> spent = std::chrono::steady_clock::now() - start;
  answer.ms = spent.count();
  return answer;
}

} // namespace imbrex::magika
