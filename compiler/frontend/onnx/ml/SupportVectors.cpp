// Support vector machines of the ai.onnx.ml domain. A classifier decides between each pair of
// classes; the class that wins most pairs is the label.
//
//   kernel[row, vector] = K(x[row], vector)
//   decision[row, pair] = kernel @ weights + rho,  > 0 for the first of the pair
#include "compiler/frontend/onnx/ml/Scores.h"

namespace imbrex::frontend {
namespace {

Value op(NodeContext &n, const char *name, Value a, Value b) { return n.apply(name, {a, b}); }

/// K of each row with each of the vectors, which are the rows of a constant.
Value kernel(NodeContext &n, Value x, Value vectors) {
  const std::string kind = n.s("kernel_type", "LINEAR");
  auto params = n.fs("kernel_params");
  params.resize(3, 0); // gamma, coef0, degree
  if (n.failed())
    return {};
  const DType type = n.dtype(x);
  auto num = [&](double v) { return n.scalar(v, type); };
  if (kind == "RBF") {
    Value off = op(n, "sub", n.unsqueeze(x, {1}), vectors);
    Value distance = n.apply("reduce_sum_square", {off},
                             attrs({{"axes", std::vector<int64_t>{2}}, {"keepdims", int64_t(0)}}));
    return n.apply("exp", {op(n, "mul", distance, num(-params[0]))});
  }
  Value dot = n.apply("matmul", {x, vectors}, attrs({{"trans_b", int64_t(1)}}));
  if (kind == "LINEAR")
    return dot;
  Value moved = op(n, "add", op(n, "mul", dot, num(params[0])), num(params[1]));
  if (kind == "POLY")
    return op(n, "pow", moved, num(params[2]));
  if (kind == "SIGMOID")
    return n.apply("tanh", {moved});
  return n.invalid("'" + kind + "' is not known", "kernel_type"), Value{};
}

/// The attribute support_vectors as `count` rows.
Value vectorsOf(NodeContext &n, int64_t count, DType type) {
  const auto all = n.fs("support_vectors");
  const auto elements = static_cast<int64_t>(all.size());
  if (n.failed() || count < 1 || elements == 0 || elements % count)
    return n.invalid("its support vectors do not divide into " + std::to_string(count),
                     "support_vectors"),
           Value{};
  return realTensor(n, all, type, {count, elements / count});
}

void regressor(NodeContext &n) {
  Value x = featureRows(n);
  const PostTransform how = postTransform(n);
  const auto weights = n.fs("coefficients"), rho = n.fs("rho");
  const int64_t vectors = n.i("n_supports", 0);
  if (n.failed() || weights.empty() || rho.empty() ||
      (vectors > 0 && static_cast<int64_t>(weights.size()) != vectors))
    return n.invalid("it needs one coefficient for each support vector, and rho", "coefficients");
  const DType type = n.dtype(x);
  Value w = realTensor(n, weights, type, {static_cast<int64_t>(weights.size()), 1});
  Value y = vectors > 0 ? kernel(n, x, vectorsOf(n, vectors, type)) : x;
  y = op(n, "add", op(n, "matmul", y, w), n.scalar(rho[0], type));
  if (n.i("one_class", 0)) {
    Value inside = op(n, "greater", y, n.scalar(0, type));
    return n.result(n.apply("where", {inside, n.scalar(1, DType::F32), n.scalar(-1, DType::F32)}));
  }
  const bool alone = how == PostTransform::Softmax || how == PostTransform::SoftmaxZero;
  n.result(n.cast(alone ? y : transformed(n, y, how), DType::F32));
}

/// The classifier's tables, all made from its attributes.
struct Pairs {
  int64_t classes = 0, vectors = 0;
  std::vector<double> weights;       // [vectors, pairs]
  std::vector<double> first, second; // [pairs, classes]: whom a pair's win counts for
  int64_t count() const { return classes * (classes - 1) / 2; }
};

/// Coefficients are rows by "the other class": row j - 1 holds those of class i against j > i, and
/// row i those of class j against i.
std::optional<Pairs> pairsOf(NodeContext &n, int64_t classes) {
  const auto perClass = n.is("vectors_per_class");
  const auto coefficients = n.fs("coefficients");
  Pairs p{.classes = classes};
  std::vector<int64_t> begins = {0};
  for (int64_t c : perClass) {
    if (c < 0 || c > (int64_t(1) << 40))
      return std::nullopt;
    begins.push_back(begins.back() + c);
  }
  p.vectors = begins.back();
  if (static_cast<int64_t>(perClass.size()) != classes || classes < 2 || classes > 4096 ||
      static_cast<int64_t>(coefficients.size()) != p.vectors * (classes - 1))
    return std::nullopt;
  const int64_t pairs = p.count();
  if (p.vectors > (int64_t(1) << 28) / pairs)
    return std::nullopt;
  p.weights.assign(size_t(p.vectors * pairs), 0);
  p.first.assign(size_t(pairs * classes), 0), p.second = p.first;
  for (int64_t i = 0, pair = 0; i < classes; ++i)
    for (int64_t j = i + 1; j < classes; ++j, ++pair) {
      for (int64_t v = begins[size_t(i)]; v < begins[size_t(i) + 1]; ++v)
        p.weights[size_t(v * pairs + pair)] = coefficients[size_t((j - 1) * p.vectors + v)];
      for (int64_t v = begins[size_t(j)]; v < begins[size_t(j) + 1]; ++v)
        p.weights[size_t(v * pairs + pair)] = coefficients[size_t(i * p.vectors + v)];
      p.first[size_t(pair * classes + i)] = p.second[size_t(pair * classes + j)] = 1;
    }
  return p;
}

/// Probabilities of the classes, from those of the pairs.
Value probabilities(NodeContext &n, Value decision, const Pairs &p) {
  const auto a = n.fs("prob_a"), b = n.fs("prob_b");
  if (a.size() != size_t(p.count()) || b.size() != a.size())
    return n.invalid("it needs prob_a and prob_b for each pair of classes", "prob_a"), Value{};
  const DType type = n.dtype(decision);
  Value z = op(n, "add", op(n, "mul", decision, realTensor(n, a, type, {p.count()})),
               realTensor(n, b, type, {p.count()}));
  Value one = n.apply("sigmoid", {n.apply("neg", {z})});
  one = n.apply("clip", {one, n.scalar(1e-7, type), n.scalar(1 - 1e-7, type)});
  return n.apply("couple_pairs", {one}, attrs({{"classes", p.classes}}));
}

/// Without support vectors: a score for each class.
void linearClassifier(NodeContext &n, Value x, int64_t classes, PostTransform how) {
  const auto weights = n.fs("coefficients"), rho = n.fs("rho");
  const auto count = static_cast<int64_t>(weights.size());
  if (classes < 2 || count == 0 || count % classes || rho.empty())
    return n.invalid("its coefficients do not divide into its classes", "coefficients");
  const DType type = n.dtype(x);
  Value y = n.apply("matmul", {x, realTensor(n, weights, type, {classes, count / classes})},
                    attrs({{"trans_b", int64_t(1)}}));
  y = op(n, "add", y, n.scalar(rho[0], type));
  Value best = n.apply("argmax", {y}, attrs({{"axis", int64_t(1)}, {"keepdims", int64_t(0)}}));
  classified(n, best, labels(n, "classlabels", classes), transformed(n, y, how));
}

void classifier(NodeContext &n) {
  Value x = featureRows(n);
  const PostTransform how = postTransform(n);
  const auto rho = n.fs("rho");
  const int64_t classes = labelCount(n, "classlabels");
  if (n.failed())
    return;
  if (n.is("vectors_per_class").empty())
    return linearClassifier(n, x, classes, how);
  auto p = pairsOf(n, classes);
  if (n.failed() || !p || static_cast<int64_t>(rho.size()) != p->count())
    return n.invalid("its coefficients, classes and rho do not fit each other", "coefficients");
  const DType type = n.dtype(x);
  const int64_t pairs = p->count();
  Value k = kernel(n, x, vectorsOf(n, p->vectors, type));
  Value decision =
      op(n, "add", op(n, "matmul", k, realTensor(n, p->weights, type, {p->vectors, pairs})),
         realTensor(n, rho, type, {pairs}));
  Value wins = n.cast(op(n, "greater", decision, n.scalar(0, type)), type);
  Value losses = op(n, "sub", n.scalar(1, type), wins);
  Value votes = op(n, "add", op(n, "matmul", wins, realTensor(n, p->first, type, {pairs, classes})),
                   op(n, "matmul", losses, realTensor(n, p->second, type, {pairs, classes})));
  Value best = n.apply("argmax", {votes}, attrs({{"axis", int64_t(1)}, {"keepdims", int64_t(0)}}));
  Value scores;
  if (n.hasAttr("prob_a") && !n.fs("prob_a").empty())
    scores = transformed(n, probabilities(n, decision, *p), how);
  else if (pairs > 1)
    scores = transformed(n, decision, how);
  else
    scores =
        bothClasses(n, decision, how,
                    how == PostTransform::None ? SecondClass::Opposite : SecondClass::Complement);
  if (!n.failed())
    classified(n, best, labels(n, "classlabels", classes), scores);
}

constexpr ConverterRow kRows[] = {
    {"ai.onnx.ml.SVMClassifier", 1, classifier},
    {"ai.onnx.ml.SVMRegressor", 1, regressor},
};

} // namespace

ConverterRows supportVectorRows() { return kRows; }

} // namespace imbrex::frontend
