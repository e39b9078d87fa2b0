// What the commands that compile take about a model's sizes and its target.
#pragma once

#include "support/Result.h"

#include <optional>
#include <string>
#include <vector>

namespace imbrex::tools {

/// One --dim: "n=4" fixes a size, "n=1..64" bounds it.
struct DimOption {
  std::string name;
  int64_t low = 0, high = 0; // both inclusive; equal: fixed
};

/// E0721 when `text` is neither NAME=SIZE nor NAME=LOW..HIGH with 0 <= LOW <= HIGH.
Result<DimOption> parseDimOption(const std::string &text);

/// One --input-shape: "x=1x3x224x224"; "x=" is a scalar.
struct ShapeOption {
  std::string name;
  std::vector<int64_t> shape;
};

/// E0727 when `text` has no such form.
Result<ShapeOption> parseShapeOption(const std::string &text);

/// A whole number of at least 0; nothing for any other text.
std::optional<int64_t> parseSize(const std::string &text);

} // namespace imbrex::tools
