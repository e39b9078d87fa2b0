// What the models of ai.onnx.ml share: rows of features, labels of classes, and what becomes of
// scores.
#pragma once

#include "compiler/frontend/onnx/Converters.h"

namespace imbrex::frontend {

/// Operand 0 as a matrix of floats: one row where it is a vector; integers become f32.
Value featureRows(NodeContext &n);

/// A list attribute of reals: NAME, or NAME_as_tensor, whose elements may be f64.
std::vector<double> realsOf(NodeContext &n, const std::string &name);
/// These numbers as a tensor of `type`.
Value realTensor(NodeContext &n, const std::vector<double> &values, DType type,
                 const std::vector<int64_t> &shape);

/// How many classes the attributes STEM_strings, STEM_ints or STEM_int64s name; 0 without any.
int64_t labelCount(NodeContext &n, const std::string &stem);
/// These labels as a vector; 0, 1, … where there are none.
Value labels(NodeContext &n, const std::string &stem, int64_t count);

enum class PostTransform : uint8_t { None, Softmax, Logistic, SoftmaxZero, Probit };
/// The attribute post_transform; fails for a word that is none.
PostTransform postTransform(NodeContext &n);
/// Scores [rows, classes] transformed.
Value transformed(NodeContext &n, Value scores, PostTransform how);
/// The one score of two classes as the scores of both: its opposite, or with `complement` what it
/// lacks to 1. Only LOGISTIC transforms them, as everywhere where such models are run.
enum class SecondClass : uint8_t { Opposite, Complement };
Value bothClasses(NodeContext &n, Value score, PostTransform how, SecondClass second);

/// A classifier's results: the label at each row's place, and the scores as f32.
void classified(NodeContext &n, Value places, Value labels, Value scores);

} // namespace imbrex::frontend
