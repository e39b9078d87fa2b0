// What the ai.onnx.ml domain does to features before a model sees them: scaling, filling gaps,
// categories.
#include "compiler/frontend/onnx/ml/Scores.h"

#include <algorithm>
#include <cmath>

namespace imbrex::frontend {
namespace {

constexpr int64_t kLast = -1;

/// One number for all columns, or one for each; `fallback` without any.
Value perColumn(NodeContext &n, const char *name, double fallback, DType type) {
  const auto values = n.fs(name);
  if (values.empty())
    return n.scalar(fallback, type);
  return realTensor(n, values, type, {static_cast<int64_t>(values.size())});
}

/// (x - offset) * scale.
void scaler(NodeContext &n) {
  Value x = n.require(0);
  if (n.failed())
    return;
  if (!isFloat(n.dtype(x)))
    x = n.cast(x, DType::F32);
  const DType type = n.dtype(x);
  Value y = n.apply("sub", {x, perColumn(n, "offset", 0, type)});
  if (n.failed() || n.rank(y) != n.rank(x))
    return n.invalid("its input has no columns");
  n.result(n.cast(n.apply("mul", {y, perColumn(n, "scale", 1, type)}), DType::F32));
}

/// Each row by its norm; rows of norm 0 stay.
void normalizer(NodeContext &n) {
  Value x = n.require(0);
  const std::string norm = n.s("norm", "MAX");
  const char *op = norm == "MAX"  ? "reduce_max"
                   : norm == "L1" ? "reduce_l1"
                   : norm == "L2" ? "reduce_l2"
                                  : nullptr;
  if (n.failed() || !op)
    return n.invalid("'" + norm + "' is not known", "norm");
  x = n.cast(x, DType::F32);
  Value size =
      n.apply(op, {x}, attrs({{"axes", std::vector<int64_t>{kLast}}, {"keepdims", int64_t(1)}}));
  Value isZero = n.apply("equal", {size, n.scalar(0, DType::F32)});
  n.result(n.apply("div", {x, n.apply("where", {isZero, n.scalar(1, DType::F32), size})}));
}

/// What equals a value becomes another one; NaN equals NaN.
void imputer(NodeContext &n) {
  Value x = n.require(0);
  if (n.failed())
    return;
  const DType type = n.dtype(x);
  if (!isFloat(type) && type != DType::I64)
    return n.unsupported("it takes floats or 64-bit integers, not " + n.typeOf(x).str());
  Value filling, gap;
  if (isFloat(type)) {
    const double replaced = n.f("replaced_value_float", 0);
    filling = perColumn(n, "imputed_value_floats", 0, type);
    gap = std::isnan(replaced) ? n.apply("is_nan", {x})
                               : n.apply("equal", {x, n.scalar(replaced, type)});
  } else {
    const int64_t replaced = n.i("replaced_value_int64", 0);
    filling = n.intVector(n.is("imputed_value_int64s"));
    gap = n.apply("equal", {x, n.reshape(n.intVector({replaced}), {})});
  }
  const char *attribute = isFloat(type) ? "imputed_value_floats" : "imputed_value_int64s";
  if (!n.hasAttr(attribute))
    return n.invalid("it has no values for what is missing", attribute);
  Value y = n.apply("where", {gap, filling, x});
  if (!n.failed() && n.rank(y) != n.rank(x))
    return n.invalid("its input has no columns");
  n.result(y);
}

/// Matrices beside each other, each cut or filled up with zeros to its number of columns.
void featureVectorizer(NodeContext &n) {
  const auto widths = n.is("inputdimensions");
  std::vector<Value> parts;
  if (widths.size() != n.inputCount())
    return n.invalid("it needs a number of columns for each input", "inputdimensions");
  for (size_t k = 0; k < n.inputCount() && !n.failed(); ++k) {
    Value x = n.cast(n.require(k), DType::F32);
    if (!n.failed() && n.rank(x) == 1)
      x = n.unsqueeze(x, {0});
    if (n.failed() || n.rank(x) != 2 || widths[k] < 0)
      return n.invalid("its inputs are not matrices");
    Value filled = n.apply("pad", {x, n.intVector({0, 0, 0, widths[k]})});
    parts.push_back(n.slice(filled, 1, 0, widths[k]));
  }
  n.result(n.concat(parts, 1));
}

/// For each element, which category it is: a last axis with one 1. Another value has only zeros, or
/// with zeros = 0 is an error when it runs.
void oneHotEncoder(NodeContext &n) {
  Value x = n.require(0);
  if (n.failed())
    return;
  const bool texts = n.dtype(x) == DType::String;
  const int64_t count = labelCount(n, "cats");
  if (count == 0 || texts != textList(n, "cats_strings").has_value())
    return n.invalid("it has no categories of its input's type",
                     texts ? "cats_strings" : "cats_int64s");
  if (!texts)
    x = n.cast(x, DType::I64);
  std::vector<int64_t> places;
  std::vector<float> rows(static_cast<size_t>(count * (count + 1)), 0);
  for (int64_t k = 0; k < count; ++k) {
    places.push_back(k);
    rows[static_cast<size_t>(k * count + k)] = 1;
  }
  const bool unknown = n.i("zeros", 1) != 0; // else its row is missing
  const int64_t kept = unknown ? count + 1 : count;
  rows.resize(static_cast<size_t>(kept * count));
  Value place = n.apply("map_labels", {x, labels(n, "cats", count), n.intVector(places),
                                       n.scalar(double(count), DType::I64)});
  Value table = n.constant(HostTensor::of<float>(DType::F32, {kept, count}, rows));
  n.result(n.apply("gather", {table, place}, attrs({{"axis", int64_t(0)}})));
}

/// Strings and the numbers of a list, in either direction.
void categoryMapper(NodeContext &n) {
  Value x = n.require(0);
  const auto texts = textList(n, "cats_strings");
  const auto numbers = n.is("cats_int64s");
  if (n.failed() || !texts || texts->size() != numbers.size())
    return n.invalid("its lists of categories differ in length", "cats_strings");
  Value words = textVector(n, *texts), codes = n.intVector(numbers);
  if (n.dtype(x) == DType::String)
    return n.result(n.apply(
        "map_labels", {x, words, codes, n.scalar(double(n.i("default_int64", -1)), DType::I64)}));
  n.result(
      n.apply("map_labels", {x, codes, words, textVector(n, {n.s("default_string", "_Unused")})}));
}

constexpr ConverterRow kRows[] = {
    {"ai.onnx.ml.CategoryMapper", 1, categoryMapper},
    {"ai.onnx.ml.FeatureVectorizer", 1, featureVectorizer},
    {"ai.onnx.ml.Imputer", 1, imputer},
    {"ai.onnx.ml.Normalizer", 1, normalizer},
    {"ai.onnx.ml.OneHotEncoder", 1, oneHotEncoder},
    {"ai.onnx.ml.Scaler", 1, scaler},
};

} // namespace

ConverterRows mlFeatureRows() { return kRows; }

} // namespace imbrex::frontend
