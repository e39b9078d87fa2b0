#include "examples/magika/Classifier.h"

#include "examples/common/RuntimeText.h"
#include "runtime/api/imbrex.hpp"

#include <chrono>

namespace imbrex::magika {
namespace {

Error refused(const std::string &artifact, std::string because) {
  return badInput(24, "cannot use the model '" + artifact + "'", std::move(because),
                  "imbrex compile model.onnx -o magika.imx --dim unk__214=1");
}

/// One row, or any number of rows (-1) where the model was compiled for any batch.
template <class T> bool isRow(const std::vector<ImbrexPort> &ports, size_t columns) {
  return ports.size() == 1 && ports[0].dtype == dtypeOf<T>() && ports[0].rank == 2 &&
         (ports[0].shape[0] == 1 || ports[0].shape[0] == -1) &&
         ports[0].shape[1] == static_cast<int64_t>(columns);
}

} // namespace

struct Classifier::Loaded {
  Loaded(Model model, int threads) : model(std::move(model)), runner(this->model, threads) {}
  Model model;
  Runner runner;
};

Classifier::Classifier(Config config, std::unique_ptr<Loaded> loaded)
    : config(std::move(config)), loaded(std::move(loaded)) {}
Classifier::~Classifier() = default;
Classifier::Classifier(Classifier &&) noexcept = default;
Classifier &Classifier::operator=(Classifier &&) noexcept = default;

Result<Classifier> Classifier::open(const std::string &artifact, Config config, int threads) {
  const size_t tokens = size_t{config.features.beginSize} + config.features.endSize;
  const size_t labels = config.labels.size();
  try {
    Model model(artifact);
    if (!isRow<int32_t>(model.inputs(), tokens) || !isRow<float>(model.outputs(), labels))
      return refused(artifact, "its ports are not one input i32[1," + std::to_string(tokens) +
                                   "] and one output f32[1," + std::to_string(labels) + "]");
    return Classifier(std::move(config), std::make_unique<Loaded>(std::move(model), threads));
  } catch (const RuntimeError &error) {
    return refused(artifact, reasonOf(error.what()));
  }
}

Result<std::vector<float>> Classifier::scores(const std::vector<int32_t> &tokens) {
  try {
    const int64_t size = static_cast<int64_t>(tokens.size());
    std::vector<Output> outputs =
        loaded->runner.run({Input::of<int32_t>({1, size}, std::span<const int32_t>(tokens))});
    std::span<const float> scores = outputs[0].values<float>();
    return std::vector<float>(scores.begin(), scores.end());
  } catch (const RuntimeError &error) {
    return badInput(24, "the model failed", reasonOf(error.what()));
  }
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
