// Small files and what kind of model a file is.
#pragma once

#include "support/Result.h"

#include <string>
#include <vector>

namespace imbrex::tools {

enum class ModelKind : uint8_t { Artifact, Onnx };

/// By content: an artifact starts with its magic; everything else is taken for ONNX, whose reader
/// says what is wrong with it. E0710 when the file cannot be read.
Result<ModelKind> modelKindOf(const std::string &path);

/// All of a small file, such as those under /proc and /sys; "" when it cannot be read. No line
/// break at the end.
std::string readText(const std::string &path);

/// Writes a report or a trace whole, beside the target and then in its place; through links and
/// into devices as they are. E0792 when that fails.
Status writeText(const std::string &path, const std::string &text);

/// Both name one existing file: by path, or through links of either kind.
bool isSameFile(const std::string &a, const std::string &b);

std::string joined(const std::vector<std::string> &words, const std::string &separator);

} // namespace imbrex::tools
