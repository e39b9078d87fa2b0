#include "examples/magika/Labels.h"

#include <algorithm>
#include <cmath>
#include <fstream>
#include <sstream>

namespace imbrex::magika {
namespace {

constexpr uint16_t badConfig = 22;
constexpr size_t maxConfigBytes = 4 << 20;

Error memberError(std::string_view name, const std::string &expected) {
  return badInput(badConfig, "the model's configuration cannot be used",
                  "'" + std::string(name) + "' is not " + expected,
                  "the files of the model's own release");
}

/// Reads a whole number from `low` to `high` into `out`.
template <class T>
Status readWhole(const JsonValue &object, std::string_view name, double low, double high, T &out) {
  const JsonValue *member = object.find(name);
  const double *number = member ? member->number() : nullptr;
  if (!number || *number < low || *number > high || *number != std::floor(*number))
    return memberError(name, "a whole number from " + std::to_string(static_cast<int>(low)) +
                                 " to " + std::to_string(static_cast<int>(high)));
  out = static_cast<T>(*number);
  return {};
}

Status readFeatureConfig(const JsonValue &model, FeatureConfig &out) {
  Status status = readWhole(model, "block_size", 1, 1 << 20, out.blockSize);
  if (status)
    status = readWhole(model, "beg_size", 1, out.blockSize, out.beginSize);
  if (status)
    status = readWhole(model, "end_size", 1, out.blockSize, out.endSize);
  if (status)
    status = readWhole(model, "min_file_size_for_dl", 1, out.beginSize, out.minimumSize);
  if (status)
    status = readWhole(model, "padding_token", 256, 1 << 16, out.padding);
  uint32_t none = 0; // a middle part belongs to an older kind of features
  if (status)
    status = readWhole(model, "mid_size", 0, 0, none);
  if (!status)
    return status;
  const JsonValue *offsets = model.find("use_inputs_at_offsets");
  if (offsets && (!offsets->boolean() || *offsets->boolean()))
    return memberError("use_inputs_at_offsets", "false");
  return {};
}

Result<double> readScore(const JsonValue *value, std::string_view name) {
  const double *number = value ? value->number() : nullptr;
  if (!number || *number < 0 || *number > 1)
    return memberError(name, "a score from 0 to 1");
  return *number;
}

Result<Label> makeLabel(const std::string &name, const JsonValue &model, const JsonValue &kinds,
                        double generalScore) {
  Label label{name, name, generalScore, false};
  const JsonValue *thresholds = model.find("thresholds");
  if (const JsonValue *own = thresholds ? thresholds->find(name) : nullptr) {
    Result<double> score = readScore(own, "thresholds." + name);
    if (!score)
      return score.takeError();
    label.needed = *score;
  }
  const JsonValue *renamed = model.find("overwrite_map");
  if (const JsonValue *other = renamed ? renamed->find(name) : nullptr) {
    if (!other->string())
      return memberError("overwrite_map." + name, "a label");
    label.said = *other->string();
  }
  const JsonValue *kind = kinds.find(label.said);
  const JsonValue *text = kind ? kind->find("is_text") : nullptr;
  if (!text || !text->boolean())
    return memberError(label.said + ".is_text", "true or false");
  label.text = *text->boolean();
  return label;
}

Result<JsonValue> readJson(const std::string &path) {
  // Grows with what is read: a buffer of the largest size would cost more than the whole start.
  std::string text;
  std::ifstream file(path, std::ios::binary);
  char block[16384];
  while (text.size() <= maxConfigBytes && (file.read(block, sizeof block), file.gcount() > 0))
    text.append(block, static_cast<size_t>(file.gcount()));
  if (text.empty() || text.size() > maxConfigBytes)
    return badInput(21, "cannot read '" + path + "'",
                    text.empty() ? "it does not exist, may not be read or is empty"
                                 : "it is larger than 4 MiB",
                    "--config with the folder of the unpacked magika package");
  return parseJson(text, path);
}

} // namespace

Result<Config> makeConfig(const JsonValue &model, const JsonValue &kinds) {
  Config config;
  if (Status status = readFeatureConfig(model, config.features); !status)
    return status.takeError();
  Result<double> general =
      readScore(model.find("medium_confidence_threshold"), "medium_confidence_threshold");
  if (!general)
    return general.takeError();
  const JsonValue *names = model.find("target_labels_space");
  if (!names || !names->array() || names->array()->empty())
    return memberError("target_labels_space", "a list of labels");
  for (const JsonValue &name : *names->array()) {
    if (!name.string())
      return memberError("target_labels_space", "a list of labels");
    Result<Label> label = makeLabel(*name.string(), model, kinds, *general);
    if (!label)
      return label.takeError();
    config.labels.push_back(label.take());
  }
  return config;
}

Result<Config> readConfig(const std::string &folder) {
  Result<JsonValue> model = readJson(folder + "/models/standard_v3_3/config.min.json");
  if (!model)
    return model.takeError();
  Result<JsonValue> kinds = readJson(folder + "/config/content_types_kb.min.json");
  if (!kinds)
    return kinds.takeError();
  return makeConfig(*model, *kinds);
}

Result<Prediction> decide(std::span<const float> scores, const Config &config) {
  auto isScore = [](float score) { return score >= 0 && score <= 1.001f; };
  if (scores.size() != config.labels.size() || !std::all_of(scores.begin(), scores.end(), isScore))
    return badInput(23, "the model's output cannot be read",
                    std::to_string(scores.size()) + " scores for " +
                        std::to_string(config.labels.size()) +
                        " labels, or a score that is no probability",
                    "the model and the configuration of one release");
  auto best = std::max_element(scores.begin(), scores.end());
  const Label &label = config.labels[static_cast<size_t>(best - scores.begin())];
  Prediction prediction{label.name, label.said, *best, Reason::Renamed};
  if (static_cast<double>(*best) < label.needed) {
    prediction.label = label.text ? "txt" : "unknown";
    prediction.reason = Reason::LowScore;
  }
  if (prediction.label == label.name) // nothing was changed
    prediction.reason = Reason::None;
  return prediction;
}

} // namespace imbrex::magika
