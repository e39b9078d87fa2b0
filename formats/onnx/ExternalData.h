// Weights stored beside the model file: found, checked and mapped.
#pragma once

#include "formats/onnx/Model.h"

#include <map>
#include <string>

namespace imbrex::onnx {

/// The files of one model's directory that tensors point into. Each is mapped once and stays mapped
/// while a tensor uses it. A location must name a regular file inside the directory after links are
/// resolved.
class ExternalData {
public:
  explicit ExternalData(std::string baseDir) : baseDir(std::move(baseDir)) {}

  /// `length` bytes at `offset`; -1 means the rest of the file. E0304.
  Result<MappedFile> view(const std::string &location, int64_t offset, int64_t length);

private:
  Result<MappedFile> open(const std::string &location);

  std::string baseDir;
  std::map<std::string, MappedFile> files;
};

} // namespace imbrex::onnx
