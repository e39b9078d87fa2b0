// Compiled models, kept between runs: one .imx file for each content of model, options and
// compiler.
//
// See KeptFiles for what may happen to the folder, and whom it trusts.
#pragma once

#include "support/files/KeptFiles.h"

#include <functional>
#include <memory>
#include <string>
#include <vector>

namespace imbrex::tools {

struct Compiled {
  std::string path;
  int exitCode = 0; // of the compiler; when not 0 it has said why, and there is no file
  bool fresh = false;
  std::string remark; // why the file is not kept; "" when it is
  /// Removes a file that is not kept, when the last copy of this goes.
  std::shared_ptr<const void> temporary;
};

class Cache {
public:
  static constexpr uint64_t defaultLimit = 2ull << 30;

  /// Whether a kept file may be used; what fails is compiled again.
  using Check = std::function<bool(const std::string &path)>;

  /// The folder is made at the first use.
  explicit Cache(std::string folder, uint64_t limit = defaultLimit, Check check = {});

  /// The artifact for a model: a kept one, or `compiler MODEL -o FILE options…`. A file that is not
  /// kept, with a remark, when the folder cannot be made or others can write to it. E0730 when the
  /// model cannot be read, E0731 when no file can be written at all.
  Result<Compiled> artifactFor(const std::string &model, const std::vector<std::string> &options,
                               const std::string &compiler);

  /// The name (64 digits) for a model with these options. External data files of the model count
  /// with their size and time, and the compiler with its size and time; the model with its content.
  static Result<std::string> keyOf(const std::string &model,
                                   const std::vector<std::string> &options,
                                   const std::string &compiler);

private:
  bool isUsable(const std::string &path) const;

  KeptFiles files;
  Check check;
};

/// Where machine code of kernels is kept, within userCacheFolder. E0731 when that cannot be used.
Result<std::string> kernelFolder();

/// What `compiler` makes of a model, in a folder of its own that goes with the result.
Result<Compiled> compiledAside(const std::string &model, const std::vector<std::string> &options,
                               const std::string &compiler, std::string remark);

/// The artifact of a model file: itself when it is one, else what `imbrex compile` makes of it with
/// `options`, kept in the default folder where there is one; a remark on stderr says when it is
/// not. `check` as for Cache. E0710 when the file cannot be read, E0704 without a compiler.
Result<Compiled> artifactOf(const std::string &model, const std::vector<std::string> &options,
                            Cache::Check check);

/// The model's file and the external data files that it mentions: what reading it reads.
std::vector<std::string> filesOf(const std::string &model);

/// Names of external data files that a serialized ONNX model mentions. Found by the form of the
/// entry, without decoding the model: a name too many only makes the key more specific.
std::vector<std::string> externalNames(std::string_view model);

} // namespace imbrex::tools
