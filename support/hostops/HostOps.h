// Operators without an index form, as functions on dense tensors: what the reference evaluator and
// the runtime both call. Their meaning is this code; ONNX's node tests are its check.
//
// Operands are those of the operator, in its order (null, or without elements, where absent), then
// one i64 vector of its integer attributes and, where it has any, one f64 vector of its real ones,
// both in the order of the declaration (support/opmeaning/ops/Host.cpp). Everything is checked,
// types too, since an artifact may be damaged. E0242.

#pragma once

#include "support/tensor/ItemHeap.h"

#include <functional>
#include <span>
#include <string_view>
#include <vector>

namespace imbrex {

using HostArgs = std::span<const HostTensor *const>;

/// What an operand must be.
struct HostOperand {
  enum class Kind : uint8_t { Any, Number, Float, Integer, Bool, String, Item } kind = Kind::Any;
  int8_t leastRank = 0, mostRank = 127;
  bool optional = false;
};

struct HostFunction {
  std::string_view name;
  Result<std::vector<HostTensor>> (*compute)(HostArgs);
  std::vector<HostOperand> operands;
  int64_t parameters = 0; // integer attributes
  size_t results = 1;
  /// In place of `compute` where it looks into strings and sequences, whose content is in a heap.
  std::function<Result<std::vector<HostTensor>>(HostArgs, ItemHeap &)> withItems = nullptr;

  /// Any operands and parameters, which the function checks.
  bool variadic = false;
  /// Null, or whether what it needs beside the runtime is there; asked before a model runs.
  Status (*ready)() = nullptr;

  /// Checks the operands, then computes.
  Result<std::vector<HostTensor>> operator()(HostArgs args, ItemHeap &heap) const;
};

/// The k largest or smallest along an axis, with their places. x, k; axis, largest.
/// O(n log k) a row. Ties: the lower place first; NaN counts as the largest.
Result<std::vector<HostTensor>> topK(HostArgs args);
/// The places of the elements that are not zero, row-major, as i64[rank, count]. NaN is not zero.
Result<std::vector<HostTensor>> nonZero(HostArgs args);
/// The slices of x along an axis (or its elements, flattened) where a condition holds. x,
/// condition; axis, flatten.
Result<std::vector<HostTensor>> compress(HostArgs args);
/// The distinct slices along an axis (or elements, flattened) with first places, inverse and
/// counts. x; axis, flatten, sorted. O(n log n) comparisons of slices.
Result<std::vector<HostTensor>> unique(HostArgs args, ItemHeap &heap);
/// Boxes kept, as i64[count, 3] of (batch, class, box). boxes, scores, most a class, IoU threshold,
/// score threshold; center_point_box. O(boxes^2) a class.
Result<std::vector<HostTensor>> nonMaxSuppression(HostArgs args);
/// Determinants of square matrices, by elimination with pivots in double.
Result<std::vector<HostTensor>> determinant(HostArgs args);
/// Counts of n-grams. x, pool, pool starts by length, output columns, weights (may be absent);
/// min length, max length, max skip, mode (0 TF, 1 IDF, 2 TFIDF).
Result<std::vector<HostTensor>> tfIdf(HostArgs args);

/// Numbers in [0, 1), or of the standard normal distribution, in a shape; normal, seeded, seed,
/// dtype.
Result<std::vector<HostTensor>> randomNumbers(HostArgs args);
/// Decision trees over the columns of a matrix. x; nodes as rows of (feature, mode, yes, yes is a
/// leaf, no, no is a leaf, missing is yes); their splits; where the members of each begin, members;
/// roots; where the targets of each leaf begin, weights, targets; what is added; number of targets,
/// aggregation, transform (as ONNX numbers them). O(rows * trees * depth).
Result<std::vector<HostTensor>> treeEnsemble(HostArgs args);

/// Probabilities of classes from those of pairs of them, (0, 1), (0, 2), …: [rows, pairs]; classes.
/// O(classes^2) a row and sweep, up to 100 sweeps or as many as there are classes.
Result<std::vector<HostTensor>> couplePairs(HostArgs args);

/// The pixels of a picture's file, [height, width, channels]; empty where it cannot be decoded.
/// Bytes; 0 RGB, 1 BGR, 2 gray. E0118 without the library of codecs (support/images).
Result<std::vector<HostTensor>> decodeImage(HostArgs args);

/// E0118 without that library.
Status imagesReady();

/// x with row k replaced: x, row, k. The runtime writes into x where nothing else holds it.
Result<std::vector<HostTensor>> writeRow(HostArgs args);
/// x with one more row: x, row. The runtime grows x by doubling where nothing else holds it.
Result<std::vector<HostTensor>> appendRow(HostArgs args);

/// Null when there is no function of that name, nor one that addHostFunction added.
const HostFunction *hostFunction(std::string_view name);
/// Makes a function known to this process; one of that name is replaced for later look-ups.
/// Thread-safe.
void addHostFunction(std::string name, HostFunction function);
/// The built-in ones, sorted by name.
std::span<const HostFunction> hostFunctions();

} // namespace imbrex
