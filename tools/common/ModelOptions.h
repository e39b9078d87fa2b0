// What the commands that compile take about a model's sizes and its target.
#pragma once

#include "support/Result.h"

#include <optional>
#include <string>
#include <vector>

namespace imbrex::tools {

/// One dimension of --dim: "n=4" fixes a size, "n=1..64" bounds it, "n=8..512%8" admits multiples
/// of 8 in these bounds.
struct DimOption {
  std::string name;
  int64_t low = 0, high = 0; // both inclusive; equal: fixed
  int64_t divisor = 1;

  bool operator==(const DimOption &) const = default;
  std::string sizes() const; // "4", "1..64", "8..512%8"
};

/// The dimensions of one --dim, separated by commas. E0721 when one is none of NAME=SIZE,
/// NAME=LOW..HIGH and NAME=LOW..HIGH%DIVISOR, with 0 <= LOW <= HIGH, 1 <= DIVISOR, and a multiple
/// of DIVISOR among them.
Result<std::vector<DimOption>> parseDimOption(const std::string &text);

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
