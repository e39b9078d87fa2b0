// What the model's scores mean: its labels, and when a label is good enough to be said.
//
// The configuration names for some labels the score they need (others need the general one), and
// labels that are said under another name (randombytes -> unknown). A label below its score becomes
// `txt` or `unknown`, by whether it is one of text.
#pragma once

#include "examples/magika/Features.h"
#include "examples/magika/Json.h"

#include <span>

namespace imbrex::magika {

struct Label {
  std::string name;    // as the model says it
  std::string said;    // its name for people; the same for most
  double needed = 0.5; // the least score at which it is said
  bool text = false;   // of the name that is said
};

struct Config {
  FeatureConfig features;
  std::vector<Label> labels; // in the order of the model's output
};

/// `model` is the model's config.min.json, `kinds` the knowledge base that says which labels are
/// text. Errors: E0022 names the member that is missing, of the wrong kind or out of range.
Result<Config> makeConfig(const JsonValue &model, const JsonValue &kinds);

/// Reads both files below the folder of the unpacked wheel's `magika` package. Errors: E0020,
/// E0021, E0022.
Result<Config> readConfig(const std::string &folder);

enum class Reason { None, Renamed, LowScore };

struct Prediction {
  std::string model; // the model's best label
  std::string label; // what is said
  float score = 0;
  Reason reason = Reason::None;
};

/// The best label by score, the first of equals. E0023 when the scores are no probabilities of
/// these labels.
Result<Prediction> decide(std::span<const float> scores, const Config &);

} // namespace imbrex::magika
