// A compiled model and its configuration: from a path to an answer. One classifier belongs to one
// thread at a time.
#pragma once

#include "examples/magika/Labels.h"

#include <memory>

namespace imbrex::magika {

struct Answer {
  Prediction prediction;
  std::string note;
  double ms = 0; // reading, features and the model
};

class Classifier {
public:
  /// Opens an artifact that was compiled for a batch of one, or of any size. `threads` as in
  /// ImbrexContextOptions. Errors: E0024 when the runtime refuses the artifact or its ports are not
  /// those of `config`.
  static Result<Classifier> open(const std::string &artifact, Config config, int threads);
  ~Classifier();
  Classifier(Classifier &&) noexcept;
  Classifier &operator=(Classifier &&) noexcept;

  Result<Answer> classifyFile(const std::string &path, Symlinks symlinks);
  /// One score a label.
  Result<std::vector<float>> scores(const std::vector<int32_t> &tokens);

private:
  struct Loaded;
  Classifier(Config config, std::unique_ptr<Loaded> loaded);

  Config config;
  std::unique_ptr<Loaded> loaded;
};

} // namespace imbrex::magika
